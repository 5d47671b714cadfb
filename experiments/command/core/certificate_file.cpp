#include "experiments/command/core/certificate_file.hpp"

#include <filesystem>

#include "model/base/answer.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/certificate_codec.hpp"

namespace schedproof::cli {

void write_certificate_file(const std::string& path, const AnyCertificate& certificate) {
    const std::vector<certify::Attachment> beside = certificate->attachments();
    if (path == "-" && !beside.empty())
        throw InputError::at_key("--certificate", "expected a file: the certificate's table is written beside it");
    const std::string text = certify::write_certificate(certificate);
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    for (const certify::Attachment& file : beside) base::write_file((folder / file.name).string(), file.bytes);
    base::write_text(path, text);
}

}  // namespace schedproof::cli
