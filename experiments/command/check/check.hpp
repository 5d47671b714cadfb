/// What `schedproof check` asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/command/core/requests.hpp"

namespace schedproof::command {

struct CheckRequest {
    std::vector<std::string> claims;
    std::string family;  ///< only claims of this family, or empty
    std::string policy;
    std::string instance;
    std::string evidence;  ///< directory for certificates and bundles, or empty
    std::string replay;    ///< bundle to check again instead, or empty
    bool mutants = false;
    unsigned jobs = 0;  ///< threads; 0: one per core
    std::uint64_t seed = 1;
    std::uint64_t cases = 200;
    BudgetRequest budget;
    Destination to;
};

int run(const CheckRequest& request);

}  // namespace schedproof::command
