/// The exact load of a pooled problem by raising prices along minimum cuts: no linear program, no floating point.
/// The method stands at the head of price_ascent.cpp.
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
    bool confined = false;             ///< some leaves are the bottleneck alone, by types that no other can serve
    std::size_t rounds = 0;            ///< flows computed
};

/// Requires at least one pooled type. `start`: positive prices to begin with, one per leaf; empty: all equal.
[[nodiscard]] Equilibrium raise_prices(const Pooled& problem, std::vector<Rational> start, std::size_t max_rounds);

}  // namespace schedproof::capacity
