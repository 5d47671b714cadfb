/// oldest-first: how many copies each job has, and which share of its machines.
///
/// Seeded fault: jobs are ranked by arrival, where SRPT+R ranks them by remaining work.
#pragma once

#include <array>

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy {

struct OldestFirst {
    static constexpr PolicyInfo info{"oldest-first", "",
                                     "the first M jobs, a machine each; fewer jobs share the machines as copies"};
    static constexpr std::array hopes{"redundancy.srpt-order"};

    static constexpr Order order = Order::arrival;

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        if (n >= machines) {
            grant(allocation, 0, machines, {1, 1});
        } else {
            const std::size_t each = machines / n;
            grant(allocation, 0, 1, {machines - (n - 1) * each, 1});
            grant(allocation, 1, n, {each, 1});
        }
        return allocation;
    }
};

static_assert(admitted<OldestFirst>());

}  // namespace schedproof::redundancy
