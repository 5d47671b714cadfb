/// Fair+R: as FAIR while there are jobs enough; otherwise every job gets copies, the latest the leftover ones too.
///
/// Source: [xu2017], Section 5.1, Algorithm 2; docs/models/redundancy.md, Policies.
#pragma once

#include "policies/redundancy/fair.hpp"

namespace schedproof::redundancy {

struct FairR {
    static constexpr PolicyInfo info{"fair+r", "[xu2017], Section 5.1, Algorithm 2",
                                     "FAIR; with fewer jobs than machines M div n copies each, the latest the rest"};
    static constexpr Order order = Order::arrival;

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        if (n >= machines) return Fair{}.allocate(n, machines);
        return copies_for_all(0, n, machines, Leftover::last);
    }
};

}  // namespace schedproof::redundancy
