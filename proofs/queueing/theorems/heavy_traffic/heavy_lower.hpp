/// A lower bound of the workload under every policy, for every slack of a family.
///
/// Let Z = sum v_L n_L be the tasks weighted by the prices (boundary_prices.hpp), A the value that arrives in a slot.
/// Given arrivals a, each server m works on a task of some type or on none, which may have arrived in this slot; let u
/// be the loss sum w - E[value that leaves], k a form over types, K a number, and suppose that for both ends
///     sum over a of p_a  min over actions of  ( E[(dZ)^2 | a]/2 + k . E[dn | a] + K u )  >=  c.               (L)
/// Then E Z >= c / sigma - K under every stationary law, for every eps in (0, up_to], c and sigma those of eps:
/// with G = Z^2/2 + k.n + K Z the mean of dG at a state is at least Z (E u - sigma) + c - K sigma >= c - (K + Z) sigma,
/// and a stationary law with finite mean of Z makes the mean of dG vanish: take for Z^2/2 its growth up to N, linear
/// from there on, whose change is at least min(Z, N) dZ + (dZ)^2/2 where no jump crosses N, and let N grow.
/// For a server that works at a rate r below mu_{L,m} the bracket is affine in r, server by server, so that its least
/// value is at r = 0 or mu_{L,m}: slower services are covered. No policy is named, and none can look further ahead than
/// the arrivals of its slot.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "proofs/queueing/theorems/heavy_traffic/boundary_prices.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::queueing {

struct HeavyLowerTheorem {
    BoundaryPrices prices;
    std::array<Rational, 2> constant;  ///< c at eps = 0 and at the largest slack
    std::vector<Rational> correction;  ///< k per type
    Rational deficit;                  ///< K

    /// c / sigma - K at a slack in (0, up_to].
    [[nodiscard]] Rational at_least(const Instance& family, const Rational& eps) const;
};

/// What a server may do in a slot of (L): a type, or none.
using Action = std::vector<std::optional<TaskTypeId>>;
/// All actions of all servers. Throws LimitExceeded past `limit`.
[[nodiscard]] std::vector<Action> actions_of(const Instance& family, std::size_t limit = 100'000);

/// The bracket of (L) for given arrivals and action, as an affine function of k and K.
struct LowerBracket {
    Rational half_square;          ///< E[(dZ)^2 | a]/2
    std::vector<Rational> growth;  ///< E[dn | a], per type
    Rational loss;                 ///< u
};
[[nodiscard]] LowerBracket bracket_of(const Instance& family, const BoundaryPrices& prices,
                                      const std::vector<std::uint32_t>& arrivals, const Action& action);

/// The inequalities are arithmetic: no question about code is asked.
[[nodiscard]] std::vector<explore::Question> questions(const Instance& family, const HeavyLowerTheorem& theorem);
[[nodiscard]] std::string sentence(const Instance& family, const HeavyLowerTheorem& theorem);
/// Empty when (L) holds at both ends, otherwise what is wrong. Cost: outcomes of the arrivals times actions.
[[nodiscard]] std::string arithmetic_rejection(const Instance& family, const HeavyLowerTheorem& theorem);

}  // namespace schedproof::queueing
