/// What is stated of whole small states: what the kernel leaves, run on symbols with the policy's own code.
#pragma once

#include <string_view>
#include <vector>

#include "proofs/sharing/theorems/small_states.hpp"
#include "proofs/sharing/theorems/statements.hpp"

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

/// Of a statement about whole states, those of its questions, in their order; empty for another. Requires a number that
/// the statement takes.
[[nodiscard]] std::vector<StateShape> shapes(const StatementInfo& statement, std::string_view policy, std::size_t most);

}  // namespace schedproof::sharing
