// A policy with a slip: with as many jobs as machines, or more, one machine stays idle.
#pragma once

#include <algorithm>
#include <array>

#include "model/redundancy/allocation.hpp"

namespace mine {

struct IdleMachine {
    static constexpr schedproof::PolicyInfo info{"idle-machine", "", "one copy for each of the M jobs with least left"};
    static constexpr std::array hopes{"redundancy.no-gain"};
    static constexpr schedproof::redundancy::Order order = schedproof::redundancy::Order::remaining;

    [[nodiscard]] constexpr schedproof::redundancy::Allocation allocate(std::size_t n, std::size_t machines) const {
        schedproof::redundancy::Allocation allocation;
        grant(allocation, 0, std::min(n, std::max<std::size_t>(machines - 1, 1)), {1, 1});
        return allocation;
    }
};

static_assert(schedproof::redundancy::admitted<IdleMachine>());

}  // namespace mine
