/// State space collapse: exponential moments of forms that are bounded for every slack of a family.
///
/// Let l_1, ..., l_J be linear in the queue lengths plus constants of the servers' statuses, with integer values, q > 1
/// and F = sum q^(l_j). If at every state of a closed set, at both ends of the family,
///     E F(next) <= (1 - rho) F + b,                                                                      (F)
/// then (F) holds for every slack between, for E F(next) is affine in eps; and so E F <= b / rho under every stationary
/// law, and in the limit from every state. All moments of the positive parts of the l_j are bounded with it, uniformly
/// in eps, and those of |l| where l and -l are both among them: near the boundary the queues grow like 1/eps, these do
/// not. Lyapunov functions max l_j with a negative drift lead to (F).
///
/// On a cell of the kernel every l_j changes by constants, so E q^(l_j(next)) = m_j q^(l_j) with m_j a number, and (F)
/// reads sum a_j q^(l_j) <= b with a_j = m_j - 1 + rho. Where every a_j is at most 0 there is nothing to ask. Elsewhere
/// the cell is split by the value of each form: from `high` on, where a_j must not be positive, or be outweighed; up to
/// `low`, where q^(l_j) is at most q^low; and each integer between.
/// A term with a_i > 0 is outweighed by one with a_j < 0 where l_j >= l_i + D, D the least integer with
/// n a_i <= -a_j q^D and n the number of positive terms: so each term may outweigh all of them.
/// Bases differ between forms by multiples: q^(2 l) is (q^2)^l.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/heavy_traffic/boundary_prices.hpp"
#include "proofs/queueing/theorems/linear_function.hpp"

namespace schedproof::queueing {

/// Coefficients and constants of a form are integers of at most this size.
inline constexpr std::int64_t largest_coefficient = 1'000;

struct CollapseForm {
    LyapunovForm form;     ///< linear (linear_rejection), with integer coefficients and status constants
    std::int64_t low = 0;  ///< below `high`
    std::int64_t high = 0;
    friend bool operator==(const CollapseForm&, const CollapseForm&) = default;
};

struct CollapseTheorem {
    ClosedSet closed;
    std::vector<CollapseForm> forms;
    Rational base;   ///< q > 1
    Rational rate;   ///< rho, above 0, at most 1
    Rational bound;  ///< b, above 0
    friend bool operator==(const CollapseTheorem&, const CollapseTheorem&) = default;
};

/// The least multiple of 1/64, or integer for a base below 257/256, that is at least log_base(x). Exact: by powers.
/// Requires base > 1, x > 0.
[[nodiscard]] Rational log_above(const Rational& base, const Rational& x);

/// The least integer n >= -limit with base^n >= x; more than the limit where that is. Exact. Requires base > 1, x > 0.
[[nodiscard]] std::int64_t least_exponent(const Rational& base, const Rational& x, std::int64_t limit);
/// D, of the coefficients a of a cell; nothing where a_by is not negative, or D above what a window may span.
[[nodiscard]] std::optional<std::int64_t> outweighing_distance(const Rational& base, const std::vector<Rational>& a,
                                                               std::size_t positive, std::size_t by);

/// Whether an outcome puts a task into one of the queues.
[[nodiscard]] bool fills_one_of(const std::vector<QueueId>& empty, const std::vector<LinearOutcome>& outcomes);

/// The systems at the two ends of the family of a system's instance, under the same policy.
struct SlackEnds {
    std::array<std::shared_ptr<const Instance>, 2> instance;
    std::array<std::shared_ptr<const SymbolicSystem>, 2> system;
};
[[nodiscard]] SlackEnds slack_ends(const SymbolicSystem& system);
/// One question per end and shape, called `WHAT at slack EPS, SHAPE`, over the closed set.
[[nodiscard]] std::vector<explore::Question> questions_at_ends(
    const SymbolicSystem& system, const ClosedSet& closed, const std::string& what,
    std::function<std::vector<explore::Forbidden>(std::size_t end, const SymbolicState&,
                                                  const std::vector<LinearOutcome>&)>
        forbidden);

/// Questions of the statuses, then per end and shape (F).
[[nodiscard]] std::vector<explore::Question> questions(const SymbolicSystem& system, const CollapseTheorem& theorem);
[[nodiscard]] std::string sentence(const SymbolicSystem& system, const CollapseTheorem& theorem);
/// Parts of sentences: how those about one policy begin, and F with its base and its bound.
[[nodiscard]] std::string for_every_slack(const SymbolicSystem& system);
[[nodiscard]] std::string collapse_text(const SymbolicSystem& system, const CollapseTheorem& theorem);
[[nodiscard]] std::string arithmetic_rejection(const SymbolicSystem& system, const CollapseTheorem& theorem);
/// Why statuses and empty queues of a closed set do not fit the policy on its instance; empty when they do.
[[nodiscard]] std::string closed_set_rejection(const SymbolicSystem& system, const ClosedSet& closed);

}  // namespace schedproof::queueing
