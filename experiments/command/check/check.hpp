/// What `schedproof check` asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/requests.hpp"

namespace schedproof::cli {

struct CheckRequest {
    std::vector<std::string> claims;
    std::string family;  ///< only claims of this family, or empty
    std::string policy;
    std::vector<std::string> instances;  ///< files
    std::string evidence;                ///< directory for certificates and bundles, or empty
    std::string replay;                  ///< bundle to check again instead, or empty
    std::string emit_test;               ///< file for the bundle's counterexample as a test, or empty
    bool mutants = false;
    bool dry_run = false;   ///< say what would be asked, and ask nothing
    bool no_times = false;  ///< leave times out of the answer
    bool ci = false;        ///< for a build server
    unsigned jobs = 0;      ///< threads; 0: one per core
    std::uint64_t seed = 1;
    std::uint64_t cases = 200;
    BudgetRequest budget;
    Destination to;
};

int run(const CheckRequest& request);

/// The answers: of verdicts, and of --mutants.
[[nodiscard]] Forms check_forms();

}  // namespace schedproof::cli
