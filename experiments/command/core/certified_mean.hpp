/// Intervals of stationary means from the certificates that `schedproof mean` writes.
#pragma once

#include <string>

#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::cli {

struct CertifiedMean {
    std::string policy;
    std::string instance;  ///< its name
    std::string digest;    ///< of the instance
    queueing::StateFunction of;
    Rational lower, upper;
};

/// Reads a certificate and checks it. `option` is what named the file. Throws InputError unless the file is an accepted
/// certificate of a mean.
[[nodiscard]] CertifiedMean read_certified_mean(const std::string& file, const char* option);

}  // namespace schedproof::cli
