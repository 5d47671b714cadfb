/// SRPT+R: as SRPT while there are jobs enough; otherwise every job gets copies, the smallest the leftover ones too.
///
/// Source: [xu2017], Section 4.1, Algorithm 1; docs/models/redundancy.md, Policies.
#pragma once

#include "policies/redundancy/copies.hpp"
#include "policies/redundancy/srpt.hpp"

namespace schedproof::redundancy {

struct SrptR {
    static constexpr PolicyInfo info{"srpt+r", "[xu2017], Section 4.1, Algorithm 1",
                                     "SRPT; with fewer jobs than machines M div n copies each, the smallest the rest"};
    static constexpr Order order = Order::remaining;

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        if (n >= machines) return Srpt{}.allocate(n, machines);
        return copies_for_all(0, n, machines, Leftover::first);
    }
};

}  // namespace schedproof::redundancy
