/// The exact load of a pooled problem by raising prices along minimum cuts: no linear program, no floating point.
///
/// Let w be prices of the leaves, W_n the least price below node n, S_n = W_n / mu_{level(n)} and v_L = min S_n over
/// the options of L. Every server can serve every type, so the dual of the capacity problem is the maximum of
///     G(w) = sum_L lambda_L v_L / sum_m w_m      over w > 0
/// (w_m = 0 for one server makes every v_L zero). G is homogeneous; rho* = max G. Call an option tight when it attains
/// the minimum. By complementary slackness w is optimal iff all work fits on tight options with load rho* on every
/// server. Measure work by its value: lambda_L tasks of type L are worth lambda_L v_L, and served over a tight option
/// they occupy lambda_L v_L of server-time valued at w_m, because x / mu * w_m = x v_L. In this unit nothing is gained
/// or lost along an arc, so the generalised flow becomes an ordinary one:
///     supply lambda_L v_L  ->  tight options  ->  leaves of least price below  ->  room G(w) w_m.
/// Supply and room have the same sum. If the flow saturates, it is an optimal decomposition. If not, a minimum cut has
/// types A whose tight options all lie above the leaves N, with supply(A) > room(N): the price of N is too low.
/// Multiply it by t > 1. As long as the types of A keep their tight options,
///     G(t) = (K + t B) / (c + t b),   B = supply(A), b = w(N),
/// increases, since B > G b; each type leaves A for good at the t where another option becomes as cheap, moving its
/// value from B to K. G(t) is quasi-concave: go to the last such breakpoint before B c <= K b.
///
/// Termination. Prices with numerators and denominators of a few digits are left alone; longer ones are moved to a
/// vertex of at least the same value (ranked_prices.hpp). Up to scale, both kinds are finitely many, and a raise
/// strictly increases G, so no prices recur. No polynomial bound is claimed; `max_rounds` stops the search, and the
/// result then still carries prices and a decomposition, which prove an interval. Measured: 1 to 12 rounds on
/// listings; at most 24 on thousands of random instances with up to five levels, weights over six decades, racks of
/// two servers and overlapping chains of replicas.
///
/// Arithmetic. Rationals are touched per distinct price; the flow runs on machine integers after one scaling (64 bits,
/// 128 bits, unbounded: the first that holds the total), so cuts and decompositions are exact. What bounds the time on
/// a large listing is the memory traffic of the flow's breadth-first searches and the passes over all options.
///
/// Not here: dual prices of zero, which no optimum with arrivals has; types without arrivals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/core/rational.hpp"
#include "proofs/queueing/capacity/pooled.hpp"

namespace schedproof::capacity {

/// Work of a pooled type on a leaf.
struct Share {
    std::uint32_t type = 0;
    std::uint32_t leaf = 0;
    Rational amount;  ///< Unit: tasks per slot
};

struct Equilibrium {
    std::vector<Rational> leaf_price;  ///< > 0; with multiplicities they sum to one
    std::vector<Rational> type_price;  ///< v of each pooled type
    std::vector<Share> shares;         ///< all demand, over tight options; when `optimal` without cycles, so a vertex
    bool optimal = false;              ///< every leaf has the same load, the value of the prices
    std::size_t rounds = 0;            ///< flows computed
};

/// Requires at least one pooled type. `start`: positive prices to begin with, one per leaf; empty: all equal.
[[nodiscard]] Equilibrium raise_prices(const Pooled& problem, std::vector<Rational> start, std::size_t max_rounds);

}  // namespace schedproof::capacity
