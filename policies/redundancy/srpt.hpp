/// SRPT: shortest remaining processing time first; one copy each for the jobs with the least remaining work.
///
/// Source: [xu2017], Section 4; docs/models/redundancy.md, Policies.
#pragma once

#include <algorithm>

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy {

struct Srpt {
    static constexpr PolicyInfo info{"srpt", "[xu2017], Section 4",
                                     "one copy for each of the M jobs with the least remaining work"};
    static constexpr Order order = Order::remaining;

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        grant(allocation, 0, std::min(n, machines), {1, 1});
        return allocation;
    }
};

}  // namespace schedproof::redundancy
