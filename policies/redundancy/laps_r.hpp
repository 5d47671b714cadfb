/// LAPS+R(beta): of the z = ceil(beta n) latest jobs, while fewer than machines, each gets copies and one of them the
/// leftover ones too; otherwise they share the machines.
///
/// Deviation: the paper's text for z >= M describes one job with a machine count of its own (`Crowded::all`: all z
/// served, ceil(z/M) to a machine, copies for one where machines have room), yet calls LAPS+R a generalisation of
/// Fair+R, which only `Crowded::rounds` is, the default. Which job takes leftover copies is open: the latest, as in
/// Fair+R, or the oldest of the served.
///
/// Source: [xu2017], Section 5.3, Algorithm 3; docs/models/redundancy.md, Interpretations R6, R7.
#pragma once

#include "policies/redundancy/laps.hpp"

namespace schedproof::redundancy {

struct LapsR {
    static constexpr PolicyInfo info{"laps+r", "[xu2017], Section 5.3, Algorithm 3",
                                     "the ceil(beta n) latest jobs, with copies while they are fewer than machines"};
    static constexpr Order order = Order::arrival;
    Beta beta;
    Crowded crowded = Crowded::rounds;
    Leftover leftover = Leftover::last;
    static constexpr std::tuple parameters{Parameter("beta", &LapsR::beta), Parameter("crowded", &LapsR::crowded),
                                           Parameter("leftover", &LapsR::leftover)};

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        const std::size_t z = beta.latest_of(n), oldest = n - z;
        if (z < machines) return copies_for_all(oldest, n, machines, leftover);
        if (crowded == Crowded::rounds) return shares_for_latest(n, z, machines);
        const std::size_t ways = (z + machines - 1) / machines;
        const std::size_t lucky = leftover == Leftover::last ? n - 1 : oldest;
        Allocation allocation;
        grant(allocation, oldest, lucky, {1, ways});
        grant(allocation, lucky, lucky + 1, {machines * ways - (z - 1), ways});
        grant(allocation, lucky + 1, n, {1, ways});
        return allocation;
    }
};

}  // namespace schedproof::redundancy
