/// Any bytes as a capacity certificate: refused with an InputError, rejected, or one that proves rho* = 37/38.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "model/core/errors.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/certifier/queueing/load_certificate.hpp"
#include "tests/support/instances.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    static const queueing::Instance instance = testing_support::n2();
    const Rational load = testing_support::q("37/38");
    try {
        const std::string_view text(reinterpret_cast<const char*>(data), size);
        const auto certificate = certify::read_load(certify::read_document(text, "fuzz"), "fuzz", instance);
        if (capacity::verify(instance, certificate) && (certificate.lower > load || certificate.upper < load))
            std::abort();
    } catch (const InputError& error) {
        if (error.expected().empty()) std::abort();
    }
    return 0;
}
