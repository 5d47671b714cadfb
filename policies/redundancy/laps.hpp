/// LAPS(beta): the ceil(beta n) latest jobs share the machines, one copy each; the others wait.
///
/// Source: [edmonds2012]; [xu2017], Section 5; docs/models/redundancy.md, Policies and Interpretation R6.
#pragma once

#include "policies/redundancy/beta.hpp"
#include "policies/redundancy/copies.hpp"

namespace schedproof::redundancy {

/// What happens when the served jobs are at least as many as the machines; the paper's text is not clear.
enum class Crowded {
    rounds,  ///< as FAIR: z div M to a machine, z mod M more wait
    all,     ///< all z served, ceil(z/M) to a machine
};

struct Laps {
    static constexpr PolicyInfo info{"laps", "[edmonds2012]", "one copy for each of the ceil(beta n) latest jobs"};
    static constexpr Order order = Order::arrival;
    Beta beta;
    Crowded crowded = Crowded::rounds;
    static constexpr std::tuple parameters{Parameter("beta", &Laps::beta), Parameter("crowded", &Laps::crowded)};

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        const std::size_t z = beta.latest_of(n);
        if (z >= machines && crowded == Crowded::rounds) return shares_for_latest(n, z, machines);
        Allocation allocation;
        grant(allocation, n - z, n, {1, (z + machines - 1) / machines});
        return allocation;
    }
};

}  // namespace schedproof::redundancy
