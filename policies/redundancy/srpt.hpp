/// SRPT: shortest remaining processing time first; one copy each for the jobs with the least remaining work.
///
/// Source: Xu et al., section 4; specification 2.
#pragma once

#include <algorithm>

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy {

struct Srpt {
    static constexpr PolicyInfo info{"srpt", "Xu et al., section 4",
                                     "one copy for each of the M jobs with the least remaining work"};
    static constexpr Order order = Order::remaining;

    [[nodiscard]] Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        grant(allocation, 0, std::min(n, machines), {1, 1});
        return allocation;
    }
};

}  // namespace schedproof::redundancy
