/// Means that certificates of the evidence prove.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/report/evidence.hpp"

namespace schedproof::cli::site {

/// An interval that holds a stationary mean of a policy on an instance.
struct CertifiedMean {
    std::string claim, policy, instance;
    std::string quantity;      ///< in words, such as `tasks in the system`
    std::string lower, upper;  ///< decimals where they are exact, else fractions
    std::string evidence;      ///< name of the certificate
};

/// Of every finding of the verdicts that rests on a certificate of the kind `mean`, in their order. Throws InputError
/// where such a file is broken.
[[nodiscard]] std::vector<CertifiedMean> certified_means(const Verdicts& verdicts);

}  // namespace schedproof::cli::site
