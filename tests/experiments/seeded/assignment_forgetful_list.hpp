/// forgetful-list: tasks by id, each to the core where it would end first.
///
/// Seeded fault: a remote task is taken to cost what a local one does.
#pragma once

#include <array>

#include "model/assignment/policy.hpp"

namespace schedproof::assignment {

struct ForgetfulList {
    static constexpr PolicyInfo info{"forgetful-list", "", "tasks by id, each to the core where it would end first"};
    static constexpr std::array hopes{"assignment.twice-the-optimum"};

    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const Shape& shape = *problem.shape;
        std::vector<N> load = problem.initial;
        ScheduleResult<N> result;
        for (std::size_t t = 0; t < shape.tasks().size(); ++t) {
            CoreId best(0);
            for (const CoreId p : shape.cores())
                if (load[p.index()] < load[best.index()]) best = p;
            load[best.index()] = load[best.index()] + problem.local;
            result.assignment.push_back(best);
        }
        return result;
    }
};

static_assert(admitted<ForgetfulList>());

}  // namespace schedproof::assignment
