/// Redundancy-d: d copies of each job, the oldest job first, and the others are cancelled when one is done.
///
/// Deviation: in the source the copies of an arriving job join the queues of d machines drawn at random, each served
/// first come, first served, so that a machine may idle while a job waits elsewhere. Machines are alike here and copies
/// move freely at events, so there is one queue: a job gets d machines when its turn comes, or those that are left.
/// Source: [gardner2017], Section 2; docs/models/redundancy.md, Policies and Interpretation R15.
#pragma once

#include <algorithm>

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy {

struct RedundancyD {
    static constexpr PolicyInfo info{"redundancy-d", "[gardner2017], Section 2",
                                     "2 copies of each job, the oldest first, the last one with what is left"};
    static constexpr Order order = Order::arrival;
    std::size_t d = 2;  ///< Range: at least 1; 1 is FIFO
    static constexpr std::tuple parameters{Parameter("d", &RedundancyD::d)};

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        const std::size_t served = std::min(n, machines / d);
        Allocation allocation;
        grant(allocation, 0, served, {d, 1});
        if (served < n && served * d < machines) grant(allocation, served, served + 1, {machines - served * d, 1});
        return allocation;
    }
};

}  // namespace schedproof::redundancy
