/// frozen-price: as hadoop, by an event loop of its own.
///
/// Seeded fault: a remote task keeps the price of its start, though others make it dearer while it runs. Its executions
/// are not those of the model, so every command refuses it, before any claim does.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "model/assignment/policy.hpp"

namespace schedproof::assignment {

struct FrozenPrice {
    static constexpr PolicyInfo info{"frozen-price", "",
                                     "the core that is free first takes a local task, otherwise a remote one"};
    static constexpr bool online = true;
    static constexpr std::array hopes{"assignment.outcome-consistent"};

    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const Shape& shape = *problem.shape;
        std::vector<N> free = problem.initial;
        std::vector<bool> taken(shape.tasks().size(), false);
        ScheduleResult<N> result;
        result.assignment.resize(taken.size());
        while (result.executions.size() < taken.size()) {
            CoreId p(0);
            for (const CoreId other : shape.cores())
                if (free[other.index()] < free[p.index()]) p = other;
            const ServerId s = shape.server_of(p);
            std::optional<TaskId> task;
            for (const TaskId t : shape.tasks())
                if (!taken[t.index()] && (!task || (shape.is_local(t, s) && !shape.is_local(*task, s)))) task = t;
            const bool local = shape.is_local(*task, s);
            const N start = free[p.index()];
            std::size_t remote = 1;
            for (const Execution<N>& e : result.executions)
                if (!e.local && shape.server_of(e.core) == s && start < e.finish) ++remote;
            free[p.index()] = start + (local ? problem.local : problem.cost(s)(remote));
            result.executions.push_back({*task, p, start, free[p.index()], local});
            result.assignment[task->index()] = p;
            taken[task->index()] = true;
            if (!result.event_makespan || *result.event_makespan < free[p.index()])
                result.event_makespan = free[p.index()];
        }
        return result;
    }
};

static_assert(admitted<FrozenPrice>());

}  // namespace schedproof::assignment
