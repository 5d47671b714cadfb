#include "experiments/command/core/certified_mean.hpp"

#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/certify.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::cli {

CertifiedMean read_certified_mean(const std::string& file, const char* option) {
    const certify::CertificateFile read = certify::read_certificate(
        certify::read_document(base::read_text(file, certify::max_certificate_bytes), file), file);
    const auto* certificate = read.certificate.as<queueing::Certificate>();
    const auto* theorem = certificate == nullptr ? nullptr : std::get_if<queueing::MeanTheorem>(&certificate->theorem);
    if (theorem == nullptr)
        throw InputError::at_key(option, "expected a certificate of a mean, as `schedproof mean` writes");
    if (const std::string wrong = certify::rejection(read); !wrong.empty())
        throw InputError::at_key(option, "expected a certificate that is accepted: " + wrong);
    return {certificate->policy, certificate->instance->name(), read.digest,
            theorem->setting.of, theorem->at_least(),           theorem->upper};
}

}  // namespace schedproof::cli
