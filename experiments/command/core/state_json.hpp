/// States of the queueing family in JSON answers: lists, in the order of the queues, servers and counters.
///
///     {"queues": [2, 0, 1], "serving": ["idle", "s0"], "waiting": [null, null, ["A"]], "counters": [0, -2]}
///
/// `queues` counts the tasks of each queue, those in execution included. The queues' names stand in the answer once, as
/// `queue_names`. `waiting` stands only where the policy lists tasks: the types that wait in each queue, head first,
/// and null for a queue that only counts. `counters` stands only where the policy keeps some.
#pragma once

#include <string>

#include "experiments/command/core/json.hpp"
#include "experiments/command/core/requests.hpp"
#include "model/base/cursor.hpp"
#include "policies/queueing/exact.hpp"

namespace schedproof::cli {

/// The names that the lists of an answer follow.
[[nodiscard]] Json queue_names(const queueing::Instance& instance, const queueing::Layout& layout);

[[nodiscard]] Json state_json(const queueing::ExactSystem& system, const queueing::ExactState& state);

/// The words of such a state, read back. Throws InputError with file, line and key.
[[nodiscard]] StateRequest read_state(const base::Cursor& at);

}  // namespace schedproof::cli
