/// FAIR: machines shared equally, one copy each; the baseline of Fair+R.
///
/// With n >= M jobs each machine holds n div M of the latest, and the n mod M oldest wait, so that shares stay equal.
/// Source: [xu2017], Section 5.1; docs/models/redundancy.md, Policies.
#pragma once

#include "policies/redundancy/copies.hpp"

namespace schedproof::redundancy {

struct Fair {
    static constexpr PolicyInfo info{"fair", "[xu2017], Section 5.1",
                                     "one copy each, n div M of the latest to a machine"};
    static constexpr Order order = Order::arrival;

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        if (n >= machines) return shares_for_latest(n, n, machines);
        Allocation allocation;
        grant(allocation, 0, n, {1, 1});
        return allocation;
    }
};

}  // namespace schedproof::redundancy
