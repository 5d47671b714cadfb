/// idle-machine: how many copies each job has, and which share of its machines.
///
/// Seeded fault: one machine too few: with as many jobs as machines, or more, one machine stays idle.
#pragma once

#include <algorithm>
#include <array>

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy {

struct IdleMachine {
    static constexpr PolicyInfo info{"idle-machine", "", "one copy for each of the M jobs of least remaining work"};
    static constexpr std::array hopes{"redundancy.no-gain"};

    static constexpr Order order = Order::remaining;

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        grant(allocation, 0, std::min(n, std::max<std::size_t>(machines - 1, 1)), {1, 1});
        return allocation;
    }
};

static_assert(admitted<IdleMachine>());

}  // namespace schedproof::redundancy
