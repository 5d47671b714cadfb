/// Delay scheduling: a free core without local tasks waits a fixed time before it takes a remote one.
///
/// Source: [zaharia2010], as [jin2018] states it in Sections 4 and 6.1.1; docs/models/assignment.md, Online policies.
#pragma once

#include "model/assignment/online.hpp"
#include "model/assignment/unscheduled.hpp"

namespace schedproof::assignment {

struct DelayScheduling {
    static constexpr PolicyInfo info{"delay", "[jin2018], Sections 4 and 6.1.1",
                                     "a free core takes a local task, otherwise a remote one after a wait"};
    static constexpr bool online = true;
    Rational wait{3};  ///< W, in parts of a local task's cost
    Pick pick = Pick::lowest;
    JobOrder jobs = JobOrder::fifo;
    static constexpr std::tuple parameters{Parameter("W", &DelayScheduling::wait),
                                           Parameter("pick", &DelayScheduling::pick),
                                           Parameter("jobs", &DelayScheduling::jobs)};

    /// Throws LimitExceeded when the wait is no whole number of the problem's ticks.
    template <Number N, Randomness R>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        const N w = problem.time(wait);
        const auto fixed = [&](std::size_t, const CostFunction<N>&) { return std::optional<N>(w); };
        return run_online(problem, fixed, Unscheduled(*problem.shape, pick, jobs, randomness));
    }
};

}  // namespace schedproof::assignment
