// Redundancy policies that the type system must refuse, one per CASE_ macro; CASE_redundancy_control is one done right.
#include <algorithm>
#include <cstdlib>

#include "model/redundancy/allocation.hpp"

using namespace schedproof;
using namespace schedproof::redundancy;

struct Case {
    static constexpr PolicyInfo info{"case", "test", "test"};
    static constexpr Order order = Order::arrival;
    std::size_t most = 2;
#ifdef CASE_redundancy_keeps_an_undeclared_member
    mutable std::size_t calls = 0;
#endif
    static constexpr std::tuple parameters{Parameter("most", &Case::most)};
    static inline int calls_of_all = 0;

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
#if defined(CASE_redundancy_counts_calls)
        if (++calls_of_all > 1'000'000) return allocation;
#elif defined(CASE_redundancy_draws)
        if (std::rand() % 2 == 0) return allocation;
#elif defined(CASE_redundancy_grants_more_than_there_is)
        machines += 1;
#elif defined(CASE_redundancy_grants_beyond_the_last_job)
        n += 1;
#elif defined(CASE_redundancy_divides_by_none)
        grant(allocation, 0, 1, {machines / (n - 1), 1});
#endif
        if (allocation.empty()) grant(allocation, 0, std::min({n, machines, most}), {1, 1});
#ifdef CASE_redundancy_grants_more_than_there_is
        allocation.push_back({allocation.front().last, n, {machines, 1}});
#endif
        return allocation;
    }
};

static_assert(admitted<Case>());
