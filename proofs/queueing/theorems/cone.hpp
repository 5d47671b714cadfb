/// Transience where W is the least of several functions, W = min(W_1, ..., W_r), each linear in the queue lengths plus
/// constants of statuses: with
///     (drift)  E[W_j(next) - W_j] >= delta > 0 for every j, at every state with W >= w0,
///     (jumps)  |W_j(next) - W_j| <= J for every j, in every step,
///     (ray)    lengths x and increments v >= 0 with W_j(v) > 0 for every j, such that x + n v can be reached from the
///              empty state for every n
/// the cluster is transient. For small theta > 0 each exp(-theta W_j) falls on average by a factor below 1 where
/// W >= w0, and so does their sum. Stopped when W falls below w0, where one of them exceeds exp(-theta w0), it is a
/// supermartingale; from x + n v, with n so large that the sum is less than exp(-theta w0), the probability of ever
/// falling below is less than 1. Where W never does, every W_j grows at least at the rate delta, as in transience.hpp.
///
/// A single W must grow in every mode that the policy may be in. W >= w0 excludes modes: where a hot majority of the
/// workers keeps the mean high, say, none of them is far above it, and a gate that asks for that stays shut.
///
/// The drift is bounded term by term (summands/terms.hpp). The theorem holds a number b_jt per function and term of the
/// drift of -W_j, with
///     (term)  in each alternative, either the expected change of -W_j and the bounds that it counts come to at most
///             b_jt for every j, or its premises exclude W >= w0; some premises that alone do so are given,
///     (sum)   for every j the sum of all b_jt that none counts is at most -delta.
/// That is one question of linear inequalities.
///
/// The ray is found by climbing from the empty state, in each step to the possible next state with the largest sum of
/// h_j W_j, where h_j is an offset plus the height that the highest W_i has over W_j: what lies low counts for more.
/// From the state after `start` steps, `period` steps lead to one with the same statuses and all W_j larger. That each
/// of these steps is possible with n times the increments added to its lengths is a question about code over one
/// symbol, n.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/lyapunov_form.hpp"
#include "proofs/queueing/theorems/summands/terms.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::queueing {

struct TransienceTheorem;

struct Cone {
    std::vector<LyapunovForm> beside;           ///< W_2, ..., W_r; forms like W_1
    std::vector<std::vector<Rational>> bounds;  ///< b_jt. Shape: r x terms
    std::vector<proof::LinearForm> excluded;    ///< forms that are negative where W >= w0
    Rational offset;                            ///< of the heights in the climb
    std::size_t start = 0;                      ///< of the ray, in steps of the climb
    std::size_t period = 0;
};

/// W_1, ..., W_r; W alone where it is no least one.
[[nodiscard]] std::vector<LyapunovForm> parts_of(const TransienceTheorem& theorem);

/// No task, and all servers idle.
[[nodiscard]] SymbolicState empty_state(const SymbolicSystem& system);
/// The highest possible next state, if it is higher than this one. Requires a state of constant lengths.
[[nodiscard]] std::optional<SymbolicState> highest_next(const SymbolicSystem& system, const SymbolicState& state,
                                                        const std::function<Rational(const SymbolicState&)>& height);
/// The states of the climb, of `steps` + 1 at most: it ends where no step raises the sum. Exact, and the same each
/// time. Cost: one enumeration of a step's outcomes for each.
[[nodiscard]] std::vector<SymbolicState> climb(const SymbolicSystem& system, const TransienceTheorem& theorem,
                                               std::size_t steps);
/// By queue, what it grows by between two states; empty where that is no ray: their statuses differ, a queue falls, or
/// one of the functions does not rise.
[[nodiscard]] std::vector<Rational> ray_between(const std::vector<LyapunovForm>& parts, const SymbolicState& first,
                                                const SymbolicState& last);
/// No climb is longer.
inline constexpr std::size_t longest_climb = 1'000;

/// What the lengths satisfy wherever an alternative of any term may take place and W >= w0: one form per function.
[[nodiscard]] std::vector<proof::Constraint> inside_cone(const SymbolicSystem& system, const TransienceTheorem& theorem,
                                                         const Summands& summands);
/// Whether one of the premises is one of the forms.
[[nodiscard]] bool has_one_of(const Alternative& alternative, const std::vector<proof::LinearForm>& forms);
/// The premises of an alternative, each once.
[[nodiscard]] std::vector<proof::Constraint> premises_of(const Alternative& alternative);
/// What the term's bound of -W must be at least, for the alternative. `bounds`: of the terms that it counts.
[[nodiscard]] Rational least_bound(const LyapunovForm& w, const Alternative& alternative,
                                   const std::vector<Rational>& bounds);

/// One question about the drift, and one for each step of the ray's period.
[[nodiscard]] std::vector<explore::Question> cone_questions(const SymbolicSystem& system,
                                                            const TransienceTheorem& theorem);
/// Empty when bounds and statuses are of this system and the climb gives a ray.
[[nodiscard]] std::string cone_rejection(const SymbolicSystem& system, const TransienceTheorem& theorem);

}  // namespace schedproof::queueing
