/// Any bytes as a certificate of a theorem: refused with an InputError, or read and written back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "model/core/errors.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/certifier/proof_codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const input::Node root = certify::read_document(text, "fuzz");
        const certify::CertificateFile file = certify::read_certificate(root, "fuzz");
        for (const proof::ExploredProof& proof : file.certificate->proofs()) {
            (void)proof::rejection(proof);
            const std::string written = certify::to_json(proof);
            const input::Node again = certify::read_document(written, "again");
            const proof::ExploredProof read = certify::read_proof({again, "again"});
            if (read.tree != proof.tree || read.leaves != proof.leaves || read.name != proof.name) std::abort();
        }
    } catch (const InputError& error) {
        if (error.expected().empty()) std::abort();
    }
    return 0;
}
