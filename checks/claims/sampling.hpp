/// Random states, the same for the same seed on every machine.
#pragma once

#include <cstdint>

#include "checks/claims/claim.hpp"
#include "model/core/chance.hpp"

namespace schedproof::checks {

/// A valid state: queues short, equal or of very different lengths; statuses that fit them. Lengths up to `largest`.
[[nodiscard]] ExactState random_state(const ExactSystem& system, Sampler& chance, std::int64_t largest);

/// The sampler of one case of an oracle.
[[nodiscard]] Sampler sampler(const Settings& settings, std::uint64_t which);

/// Asks `violation` at `settings.cases` random states, lengths up to 9 and up to `largest` in turn.
[[nodiscard]] Verdict sample(const System& system, const Settings& settings, const Violation& violation,
                             std::int64_t largest);

/// Asks `violation` at every state that the empty one reaches without ever holding more than `cap` tasks.
/// Throws LimitExceeded past 200,000 states.
[[nodiscard]] Verdict exhaust(const System& system, const Violation& violation, std::int64_t cap);

}  // namespace schedproof::checks
