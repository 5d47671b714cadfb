/// LATE: machines that would idle run a second copy of the jobs with the longest time left, a few at a time.
///
/// Deviation: the source speculates on the tasks of one Hadoop job at a time and leaves the order of jobs to Hadoop;
/// here each job is one task, and with more jobs than machines SRPT says which run. Machines are alike, so the time
/// left is longest where the most work is left, no machine is too slow for a copy, and the threshold on a task's own
/// progress (the slowest quarter) says nothing. The cap on speculative copies is the source's, a tenth of the machines.
/// Source: [zaharia2008], Section 4; docs/models/redundancy.md, Policies and Interpretation R16.
#pragma once

#include "policies/redundancy/srpt.hpp"

namespace schedproof::redundancy {

struct Late {
    static constexpr PolicyInfo info{"late", "[zaharia2008], Section 4",
                                     "SRPT; idle machines, a tenth of all at most, copy the jobs with the most left"};
    static constexpr Order order = Order::remaining;
    std::size_t one_in = 10;  ///< one speculative copy for so many machines, rounded up. Range: at least 1
    static constexpr std::tuple parameters{Parameter("one in", &Late::one_in)};

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        if (n >= machines) return Srpt{}.allocate(n, machines);
        const std::size_t cap = (machines + one_in - 1) / one_in;
        const std::size_t alone = n - std::min({n, machines - n, cap});
        Allocation allocation;
        grant(allocation, 0, alone, {1, 1});
        grant(allocation, alone, n, {2, 1});
        return allocation;
    }
};

}  // namespace schedproof::redundancy
