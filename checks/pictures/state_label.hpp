/// States of a cluster in a few short lines, for people.
///
/// `Q 2 0 | 1` is the length of each queue in the order of the layout, a bar where the queues of the next server or the
/// common queue begin; `f idle own` is what each server does in the order of the instance. What the order is stands
/// once in the legend, not in every node. Queues that no task joins are left out, and the legend names them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policies/queueing/exact.hpp"

namespace schedproof::graph {

/// The lines of a state: queues but for those of `unjoined` that are empty, servers, then waiting types and counters
/// where the policy keeps them. A task in one of `unjoined`, which only a state that was given has, is named.
[[nodiscard]] std::vector<std::string> state_lines(const queueing::ExactSystem& system,
                                                   const queueing::ExactState& state,
                                                   const std::vector<QueueId>& unjoined = {});

/// How to read those lines: names in order, and what the words mean.
[[nodiscard]] std::vector<std::string> state_notes(const queueing::ExactSystem& system,
                                                   const std::vector<QueueId>& unjoined = {});

/// Number of tasks in the cluster.
[[nodiscard]] std::int64_t total_tasks(const queueing::ExactState& state);

/// Number of servers that work on a task.
[[nodiscard]] std::int64_t working_servers(const queueing::ExactState& state);

/// A line broken at spaces so that no part is longer than `width` characters, unless a word is.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// A number for a label: `p/q` when that is at most `width` characters, else `≈d`, a rounded decimal.
[[nodiscard]] std::string short_number(const Rational& value, std::size_t width = 9);

}  // namespace schedproof::graph
