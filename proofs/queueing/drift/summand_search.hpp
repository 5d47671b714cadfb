/// Looks for drift bounds summand by summand, and for V with them: one linear program.
///
/// V = fixed + sum_j theta_j form_j, a template (synthesis.hpp). The alternatives of the terms
/// (theorems/summands/terms.hpp) depend on the rules and not on V, and what happens in one changes V by a form that is
/// linear in theta. So the bounds l_t, the multipliers of premises and theta are the variables of one program. Scaled
/// so that the sum of the bounds falls by at least the measure, it minimises the threshold.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/theorems/summands/terms.hpp"

namespace schedproof::queueing {

/// How many combinations of statuses the servers may have by the rules, counted up to `most`; cells of the joint state
/// multiply with them. 0 where there are no terms of the kind.
[[nodiscard]] std::size_t combined_statuses(const SymbolicSystem& system, std::size_t most,
                                            SummandKind kind = SummandKind::single);
/// With so many, proofs by terms are tried before cells of the joint state.
inline constexpr std::size_t many_statuses = 50;
/// From so many on, cells of the joint state are explored only where somebody asks for them.
inline constexpr std::size_t too_many_statuses = 200;
[[nodiscard]] inline bool have_many_statuses(const SymbolicSystem& system, SummandKind kind = SummandKind::single) {
    return combined_statuses(system, many_statuses, kind) == many_statuses;
}

/// Squares, or squares of workloads, alone.
[[nodiscard]] LyapunovTemplate squares_alone(const SymbolicSystem& system);
/// Squares of queues, and per server and status a form that compares a mixture of the queues with the one in execution.
[[nodiscard]] LyapunovTemplate squares_with_allocations(const SymbolicSystem& system);
/// All products of two queues, and per server and status a form.
[[nodiscard]] LyapunovTemplate products_with_statuses(const SymbolicSystem& system);

/// What a search may take.
struct SummandBudget {
    /// Variables of the linear program. Ten thousand take about ten seconds.
    std::size_t variables = std::numeric_limits<std::size_t>::max();
    std::function<void(const Rational&)> tries{};  ///< called with a threshold before it is tried; may be empty
};
/// Of a search that nobody asked for: with ten servers that serve all queues there are fewer, with twenty more.
inline constexpr std::size_t variables_unasked = 15'000;

/// A proof of the goal with V of the template, the goal's own V aside, or why there is none.
/// Throws InputError where proofs by summands are not defined, which includes the sense above, a given threshold and a
/// V with maxima, and LimitExceeded where nothing is derived from a rule, or the budget ends.
[[nodiscard]] std::variant<DriftProof, DriftUnknown> prove_by_summands(const SymbolicSystem& system,
                                                                       const LyapunovTemplate& shape,
                                                                       const DriftGoal& goal,
                                                                       const SummandBudget& budget = {});

/// The same with V of the templates above, the smallest first, until one gives a proof; last with links.
[[nodiscard]] std::variant<DriftProof, DriftUnknown> find_by_summands(const SymbolicSystem& system,
                                                                      const DriftGoal& goal,
                                                                      const SummandBudget& budget = {});

}  // namespace schedproof::queueing
