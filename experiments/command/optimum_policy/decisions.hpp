/// What an optimal policy decides on a slice of states, beside what another one does.
///
/// The states of the slice: all servers idle, so many tasks of the first type waiting and so many of the second, where
/// there is one, none of the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/command/core/json.hpp"
#include "proofs/queueing/theorems/any_policy.hpp"

namespace schedproof::cli {

struct Decisions {
    std::string text;  ///< tables for people
    Json json;         ///< a list of states
};

/// Up to `most` tasks of each type. `beside` is the id of a policy, or empty; its tasks stand where it routes them in
/// the empty system. Requires a theorem of the mode names_types.
/// Throws InputError when the policy cannot run on the instance.
[[nodiscard]] Decisions decisions_on_slice(const queueing::Instance& instance,
                                           const queueing::AnyPolicyTheorem& theorem, std::uint32_t most,
                                           const std::string& beside);

}  // namespace schedproof::cli
