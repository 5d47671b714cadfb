/// Transience: with positive probability the cluster, started empty, never empties again.
///
/// Let W be linear in the queue lengths plus bounded terms of the servers' statuses, perhaps plus phi(Q_i) of one
/// queue, a table that is linear from its end on, and let
///     (drift)  E[W(next) - W] >= delta > 0 at every state with W >= w0, for all queue lengths and statuses,
///     (jumps)  |W(next) - W| <= J in every slot,
///     (start)  W(empty) < w0, and a state with W > w0 can be reached from the empty one.
/// For small theta > 0, E exp(-theta (W(next) - W)) <= 1 - theta delta + (theta J)^2 exp(theta J) / 2 < 1 where
/// W >= w0, so exp(-theta W) stopped when W falls below w0 is a supermartingale: from a state with W > w0 the
/// probability of ever falling below is at most exp(-theta (W - w0)) < 1. Where it never does, W grows at least at the
/// rate delta, by the law of large numbers for martingales of bounded increments. So the empty state is not visited
/// for ever, and some queue grows without bound at a linear rate: the criterion of Fayolle, Malyshev and Menshikov.
/// (W grows at most by a constant multiple of the number of tasks, so with W that number grows.) A load inside the
/// capacity region makes it a statement about the policy: another one is stable.
///
/// The drift is a question about code per combination of statuses, as in drift.hpp. With a table each cell is cut by
/// the length of its queue: where that is a number below the table's end, or so far above it that no step leads back,
/// the drift is a number again. The rest is arithmetic: J is read off the coefficients and increments, the largest
/// number of arrivals and the number of servers; the start is shown by climbing from the empty state, in each slot to a
/// possible next state of largest W.
///
/// On clusters of many servers the drift may be bounded term by term, with the arrivals as modes
/// (summands/terms.hpp): with a number b_t per term of the drift of -W,
///     (term)  the expected change of -W in each alternative, and the bounds that it counts, come to at most b_t,
///     (sum)   the sum of all b_t that none counts is at most -delta.
/// Then W's drift is at least delta at every state, whichever mode it is in. That is one question about numbers.
///
/// W may be the least of several such functions, W = min(W_1, ..., W_r): the drift of each is bounded where all are
/// large (cone.hpp).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proofs/queueing/capacity/certificate.hpp"
#include "proofs/queueing/theorems/cone.hpp"
#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/linear_function.hpp"

namespace schedproof::queueing {

struct TransienceTheorem {
    LyapunovForm w;                              ///< pieces of one form each; those under a condition are constants
    Rational delta;                              ///< > 0
    Rational threshold;                          ///< w0
    Rational jump;                               ///< J, exactly `jump_bound`
    std::vector<std::vector<Service>> statuses;  ///< per server, what it can be doing; idle first
    capacity::CapacityCertificate capacity;      ///< where the load stands
    std::vector<QueueId> empty{};                ///< queues that no task joins, of which the statement has no task
    std::optional<QueueTable> table{};           ///< phi, added to `w`, which has no weight of its queue then

    std::optional<std::vector<Rational>> modes{};  ///< proved by modes: bounds of the terms of -W's drift
    std::optional<Cone> cone{};                    ///< where W is a least one, of which `w` is the first

    [[nodiscard]] ClosedSet closed() const { return {statuses, empty}; }
};

/// Largest possible |W(next) - W| by its coefficients and increments: a slot moves every arriving task into one queue
/// and at most one task per server out of one, and changes each server's status once. Of a least one, for all parts.
[[nodiscard]] Rational jump_bound(const SymbolicSystem& system, const TransienceTheorem& theorem);

/// W in words: `Q[s0] + 1/2 Q[s1]`, `Q[s0] + phi(Q[s1])`, or `min(2 Q[s0] - Q[s1], 2 Q[s1] - Q[s0])`.
[[nodiscard]] std::string function_text(const SymbolicSystem& system, const TransienceTheorem& theorem);
/// The increments of phi in words; empty without a table.
[[nodiscard]] std::string table_text(const TransienceTheorem& theorem);

/// What must not be on a cell: W >= threshold together with drift < delta.
[[nodiscard]] explore::Forbidden forbidden(const TransienceTheorem& theorem, const proof::LinearForm& w,
                                           const proof::LinearForm& drift);

/// As for a DriftTheorem; see drift.hpp.
[[nodiscard]] std::vector<explore::Question> questions(const SymbolicSystem& system, const TransienceTheorem& theorem);
[[nodiscard]] std::string sentence(const SymbolicSystem& system, const TransienceTheorem& theorem);

/// The least and the greatest of the constants of a server's statuses, of a function without forms under a condition.
[[nodiscard]] std::pair<Rational, Rational> range_of_constants(const TransienceTheorem& theorem, const LyapunovForm& w,
                                                               ServerId m);
/// W by its queues, without the constants of statuses and without phi.
[[nodiscard]] proof::LinearForm slopes(const LyapunovForm& w);

/// Everything but the drift: the form of W, J, the start, the load. Empty when right.
/// Cost: one enumeration of the slot per slot of the climb, at most `max_climb`.
[[nodiscard]] std::string arithmetic_rejection(const SymbolicSystem& system, const TransienceTheorem& theorem);
inline constexpr std::size_t max_climb = 5'000;

}  // namespace schedproof::queueing
