/// all-for-one: how many copies each job has, and which share of its machines.
#pragma once

#include <array>

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy {

struct AllForOne {
    static constexpr PolicyInfo info{"all-for-one", "docs/tutorial-redundancy.md",
                                     "every machine runs a copy of the job of least remaining work"};
    static constexpr std::array hopes{"redundancy.srpt-order"};

    static constexpr Order order = Order::remaining;

    [[nodiscard]] constexpr Allocation allocate(std::size_t, std::size_t machines) const {
        Allocation allocation;
        grant(allocation, 0, 1, {machines, 1});
        return allocation;
    }
};

static_assert(admitted<AllForOne>());

}  // namespace schedproof::redundancy
