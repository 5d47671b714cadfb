/// even-counts: tasks by id, each to the local core with the fewest tasks.
///
/// Seeded fault: the work that a core has at the beginning is not counted.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/assignment/policy.hpp"

namespace schedproof::assignment {

struct EvenCounts {
    static constexpr PolicyInfo info{"even-counts", "", "tasks by id, each to the local core with the fewest tasks"};
    static constexpr std::array hopes{"assignment.not-above-balanced"};

    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const Shape& shape = *problem.shape;
        std::vector<std::uint32_t> tasks(shape.cores().size(), 0);
        ScheduleResult<N> result;
        for (const TaskId t : shape.tasks()) {
            CoreId best = shape.core(shape.replicas(t).front(), 0);
            for (const ServerId s : shape.replicas(t))
                for (std::size_t i = 0; i < shape.cores_of(s); ++i)
                    if (tasks[shape.core(s, i).index()] < tasks[best.index()]) best = shape.core(s, i);
            ++tasks[best.index()];
            result.assignment.push_back(best);
        }
        return result;
    }
};

static_assert(admitted<EvenCounts>());

}  // namespace schedproof::assignment
