/// Random states, the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "checks/queueing/claim.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::checks {

/// Per server, what it can be doing under the policy.
using Statuses = std::vector<std::vector<queueing::Service>>;

/// A valid state: queues short, equal or of very different lengths; statuses that fit them, and of `allowed` where that
/// is given. Lengths up to `largest`.
[[nodiscard]] ExactState random_state(const ExactSystem& system, Sampler& randomness, std::int64_t largest,
                                      const Statuses* allowed = nullptr);

/// The sampler of one case of an oracle.
[[nodiscard]] Sampler sampler(const Settings& settings, std::uint64_t which);

/// Asks the property at `settings.cases` random states, lengths up to 9 and up to `largest` in turn.
[[nodiscard]] Verdict sample(const System& system, const Settings& settings,
                             const queueing_claims::StateProperty& property, std::int64_t largest,
                             const Statuses* allowed = nullptr);

/// Asks the property at every state that the empty one reaches without ever holding more than `cap` tasks; where a
/// policy counts how far it is behind a plan, without counters farther from 0 than three slots of a task change them.
/// Throws LimitExceeded past 200,000 states.
[[nodiscard]] Verdict exhaust(const System& system, const queueing_claims::StateProperty& property, std::int64_t cap);

}  // namespace schedproof::checks
