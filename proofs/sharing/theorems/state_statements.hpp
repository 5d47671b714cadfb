/// What is stated of whole small states: what the kernel leaves, run on symbols with the policy's own code.
#pragma once

#include <string_view>
#include <vector>

#include "proofs/sharing/theorems/small_states.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::sharing {

/// The code on a whole state.
struct StatePath {
    const AffineCode& code;
    const CountsOnSymbols& oracle;
    bool queues = false;
    SymbolicState at;
};

/// What must not be on a path of the kernel. Throws ContractViolation as the kernel does.
using LeftOfState = std::vector<explore::Forbidden>(const StatePath&);
LeftOfState one_launch, kills_latest;

/// Whether tasks join queues under a policy.
[[nodiscard]] bool has_queues(std::string_view policy);

}  // namespace schedproof::sharing
