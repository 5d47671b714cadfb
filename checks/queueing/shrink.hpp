/// Smaller counterexamples: fewer servers and types, simpler rates, shorter queues, less going on.
///
/// Greedy: candidates are tried in a fixed order, and the first at which the same claim still fails, by exact
/// enumeration, becomes the new counterexample; until none does. Deterministic and bounded.
#pragma once

#include <cstddef>

#include "checks/queueing/claim.hpp"

namespace schedproof::checks {

struct Shrunk {
    QueueingCounterexample counterexample;
    std::size_t tried = 0;  ///< candidates looked at
};

/// Requires a counterexample of the claim. The result is one, of an instance of the claim's family.
/// Cost: at most `limit` enumerations of a slot or two.
[[nodiscard]] Shrunk shrink(const QueueingClaim& claim, QueueingCounterexample counterexample,
                            std::size_t limit = 2'000);

}  // namespace schedproof::checks
