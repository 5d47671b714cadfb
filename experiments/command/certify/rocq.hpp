/// Certificates handed to Rocq: `certify FILE --rocq DIR`.
#pragma once

#include <string>

#include "proofs/certifier/any_certificate.hpp"

namespace schedproof::cli {

/// Writes the theory and what `certificate` adds to it into a directory, which is made when it is not there.
/// With `run`, has Rocq compile both. Returns what is to be shown: level, theorem, and what Rocq prints of it.
/// Requires an accepted certificate.
/// Throws InputError when the directory cannot be written, the certificate is arithmetic alone, or Rocq is not
/// installed.
struct RocqAnswer {
    std::string text;
    bool closed = true;  ///< Rocq did not refuse
};
[[nodiscard]] RocqAnswer hand_to_rocq(const AnyCertificate& certificate, const std::string& directory, bool run);

}  // namespace schedproof::cli
