/// copies-for-last: how many copies each job has, and which share of its machines.
///
/// Seeded fault: leftover copies go to the job of most remaining work, where SRPT+R gives them to that of least.
#pragma once

#include <array>

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy {

struct CopiesForLast {
    static constexpr PolicyInfo info{"copies-for-last", "",
                                     "least remaining work first; fewer jobs than machines share them as copies"};
    static constexpr std::array hopes{"redundancy.srpt-order"};

    static constexpr Order order = Order::remaining;

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        if (n >= machines) {
            grant(allocation, 0, machines, {1, 1});
        } else {
            const std::size_t each = machines / n;
            grant(allocation, 0, n - 1, {each, 1});
            grant(allocation, n - 1, n, {machines - (n - 1) * each, 1});
        }
        return allocation;
    }
};

static_assert(admitted<CopiesForLast>());

}  // namespace schedproof::redundancy
