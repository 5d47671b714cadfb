/// Hadoop's default policy: a free core takes a local task, otherwise any task, at once.
///
/// Source: [jin2018], Sections 4 and 6.1.1; docs/models/assignment.md, Online policies.
#pragma once

#include "model/assignment/online.hpp"
#include "model/assignment/unscheduled.hpp"

namespace schedproof::assignment {

struct Hadoop {
    static constexpr PolicyInfo info{"hadoop", "[jin2018], Sections 4 and 6.1.1",
                                     "a free core takes a local task, otherwise a remote one, at once"};
    static constexpr bool online = true;
    Pick pick = Pick::lowest;
    JobOrder jobs = JobOrder::fifo;
    static constexpr std::tuple parameters{Parameter("pick", &Hadoop::pick), Parameter("jobs", &Hadoop::jobs)};

    template <Number N, Randomness R>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        const auto no_delay = [](std::size_t, const CostFunction<N>&) { return std::optional<N>(N(0)); };
        return run_online(problem, no_delay, Unscheduled(*problem.shape, pick, jobs, randomness));
    }
};

}  // namespace schedproof::assignment
