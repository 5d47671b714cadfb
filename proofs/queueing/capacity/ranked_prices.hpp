/// Prices of a pooled problem, ranked: what the price ascent compares, and the vertices among price vectors.
/// The method stands at the head of ranked_prices.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/core/rational.hpp"
#include "proofs/queueing/capacity/pooled.hpp"

namespace schedproof::capacity {

struct RankedPrices {
    std::vector<Rational> price;                          ///< distinct leaf prices, ascending
    std::vector<std::uint32_t> leaf;                      ///< rank of each leaf's price
    std::vector<std::uint32_t> node;                      ///< rank of the least price below each node
    std::vector<Rational> slowness;                       ///< distinct values price / mu over all rates, ascending
    std::vector<std::vector<std::uint32_t>> slowness_of;  ///< by rate and price rank: rank of price / mu
    std::vector<std::uint32_t> type;                      ///< rank of v = the least slowness of an option, per type

    /// Of an option of a type.
    [[nodiscard]] std::uint32_t option_slowness(const Pooled& problem, std::size_t t, std::uint32_t n) const {
        return slowness_of[problem.rate_index(t, n)][node[n]];
    }
};

/// Requires positive prices, one per leaf. Cost: linear in the options, and sorting the distinct prices.
[[nodiscard]] RankedPrices rank_prices(const Pooled& problem, const std::vector<Rational>& prices);

/// Least slowness of an option of the type when only some leaves exist: `below` is `smallest_below` of their ranks.
/// `Pooled::none` when no option has one of them.
[[nodiscard]] std::uint32_t least_slowness(const Pooled& problem, const RankedPrices& ranked, std::size_t type,
                                           const std::vector<std::uint32_t>& below);

/// Positive prices whose tight options connect all leaves and types, worth at least as much as `prices`.
/// `demand`: of the types, in any unit. Cost: number of components times the cost of `rank_prices`.
[[nodiscard]] std::vector<Rational> to_vertex(const Pooled& problem, const std::vector<Integer>& demand,
                                              std::vector<Rational> prices);

}  // namespace schedproof::capacity
