/// What answers about queueing systems have in common, described: names, and states as lists in the order of the
/// queues, servers and counters.
///
///     {"queues": [2, 0, 1], "serving": ["idle", "s0"], "waiting": [null, null, ["A"]], "counters": [0, -2]}
///
/// The queues' names stand in the answer once, as `queue_names`.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/requests.hpp"
#include "model/base/cursor.hpp"
#include "policies/queueing/exact.hpp"

namespace schedproof::cli {

/// A state of a system. Borrows both.
struct StateOf {
    const queueing::ExactSystem& system;
    const queueing::ExactState& state;
};
/// In text `{line}` is the state in the words of `kernel`.
[[nodiscard]] const Record<StateOf>& state_record();

template <class Get>
[[nodiscard]] auto instance_field(Get get) {
    return field("instance", get, "Name of the instance.").or_empty();
}
template <class Get>
[[nodiscard]] auto policy_field(Get get) {
    return field("policy", get, "Id of the policy, as in `schedproof list policies`.");
}
template <class Get>
[[nodiscard]] auto definition_field(Get get) {
    return field("definition", get,
                 "What the policy is: a queueing policy's rules, or the values of the parameters of another one.")
        .hidden();
}
template <class Get>
[[nodiscard]] auto truncation_field(Get get) {
    return field("truncation", get, "Which arrivals are lost, in words; begins with none, total or queue.");
}
template <class Get>
[[nodiscard]] auto queue_names_field(Get get) {
    return field("queue_names", get, "Names of the queues, in the order of every list of queues here and of --queues.")
        .items(1)
        .hidden();
}

template <class Get>
[[nodiscard]] auto seed_field(Get get) {
    return field("seed", get, "Seed of the random cases.");
}
template <class Get>
[[nodiscard]] auto seconds_field(Get get) {
    return field("seconds", get, "Time of the search.").least(0).hidden();
}

/// The names that the lists of an answer follow.
[[nodiscard]] std::vector<std::string> queue_names(const queueing::Instance& instance, const queueing::Layout& layout);

[[nodiscard]] Json state_json(const queueing::ExactSystem& system, const queueing::ExactState& state);

/// The words of such a state, read back. Requires the shape of a state_record; throws InputError with file, line and
/// key when it is none of a system.
[[nodiscard]] StateRequest read_state(const base::Cursor& at);

}  // namespace schedproof::cli
