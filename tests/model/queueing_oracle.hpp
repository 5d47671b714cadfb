/// A second implementation of one slot of a cluster with data locality: the oracle of the first.
///
/// The law of the next state is computed by convolving laws, never by running a slot along one path of outcomes:
///     arrival vector -> tasks joined to each queue -> (targets of the idle servers) -> per queue: order, matching,
///     levels, completions -> product over the queues.
/// Tasks of one type that come together are a multinomial, a queue is served independently of all others once it is
/// known what joined it and who asks it, and equal intermediate states are merged on the way. The policies are written
/// out again from their definitions, on plain rational rates. All that is shared with the project's kernel is data:
/// the instance, its options, and the struct that holds a state. Two programs built this differently that agree on
/// random instances are evidence for both.
///
/// Source: docs/models/queueing.md.
#pragma once

#include <compare>
#include <cstddef>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/core/number.hpp"
#include "model/core/rational.hpp"
#include "model/queueing/instance.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/state.hpp"

namespace schedproof::oracle {

/// A finite law: outcomes with their probabilities.
template <class T>
using Pmf = std::map<T, Rational>;

enum class Status { idle, busy, phantom };

/// What a server does at the start of a slot. An idle server has level 0 and queue 0.
struct OracleServer {
    Status status = Status::idle;
    std::size_t level = 0;
    std::size_t queue = 0;
    friend auto operator<=>(const OracleServer&, const OracleServer&) = default;
};

/// A state, as plain numbers. Shape: `waiting` is empty, or has one list per queue, empty for queues that only count.
struct OracleState {
    std::vector<long long> length;  ///< tasks per queue, those in execution included
    std::vector<OracleServer> servers;
    std::vector<std::vector<std::size_t>> waiting;  ///< types of the waiting tasks, head first
    std::vector<Rational> memory;                   ///< deficits of the plan's activities, in its order
    friend auto operator<=>(const OracleState&, const OracleState&) = default;
    friend bool operator==(const OracleState&, const OracleState&) = default;
};
std::ostream& operator<<(std::ostream& out, const OracleState& state);

[[nodiscard]] OracleState from_state(const queueing::State<CheckedInt>& state);
/// Throws ContractViolation when a memory entry is no 64-bit integer.
[[nodiscard]] queueing::State<CheckedInt> to_state(const OracleState& state);

/// A split of the arrival rates over the servers: the activity (type, server) receives rate x > 0.
struct Plan {
    struct Activity {
        std::size_t type = 0;
        std::size_t server = 0;
        Rational x;  ///< tasks per slot
    };
    std::vector<Activity> activities;  ///< ascending by server
    Rational load;                     ///< rho: largest share of slots that any server spends on its activities
};

/// The queues of a policy, as plain tables: all that a generator of states has to know.
struct QueueShape {
    std::vector<queueing::Tracking> tracking;     ///< per queue
    std::vector<std::vector<std::size_t>> level;  ///< [queue][server]: level of service; of counted queues only
    std::vector<std::vector<Rational>> rate;      ///< [queue][level]: at which its tasks complete
    std::vector<std::vector<bool>> serves;        ///< [queue][server]: whether the policy ever sends the server there
    std::size_t memory = 0;                       ///< number of the policy's counters
};

/// The rates of a type by level.
[[nodiscard]] std::vector<Rational> rates_of(const queueing::Instance& instance, std::size_t type);
/// The different lists of rates that types have, in the order of the types.
[[nodiscard]] std::vector<std::vector<Rational>> lists_of_rates(const queueing::Instance& instance);

/// Ids of the policies that `next_slot` knows.
[[nodiscard]] std::vector<std::string> policy_ids();
/// Whether the policy reads a plan.
[[nodiscard]] bool needs_plan(const std::string& policy_id);

/// Throws ContractViolation for an unknown id, and when a planning policy has no plan.
[[nodiscard]] QueueShape queue_shape(const queueing::Instance& instance, const std::string& policy_id,
                                     const std::optional<Plan>& plan = {});

/// No task, every server idle, every counter zero.
[[nodiscard]] OracleState empty_state(const queueing::Instance& instance, const QueueShape& shape);

/// Whether the parts of a state fit together: shapes; no queue with more tasks in execution than tasks; lists as long
/// as there are waiting tasks; servers only in queues that the policy sends them to; levels of counted queues.
[[nodiscard]] bool consistent(const QueueShape& shape, const OracleState& state);

/// The exact law of the state one slot later. Every probability is positive; they sum to one.
/// Requires: a consistent state; an arrival law; options that are defined for the policy. Throws ContractViolation
/// otherwise. Cost: exponential in servers and arrivals, for small instances only.
[[nodiscard]] Pmf<OracleState> next_slot(const queueing::Instance& instance, const std::string& policy_id,
                                         const OracleState& state, const std::optional<Plan>& plan = {},
                                         queueing::Truncation truncation = {});

}  // namespace schedproof::oracle
