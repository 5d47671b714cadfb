/// Competitors: assignments that a policy's one is compared with, all of them.
#pragma once

#include <cstddef>
#include <vector>

#include "model/assignment/assignment.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::assignment {

/// a > b.
[[nodiscard]] inline proof::Constraint exceeds(const explore::Affine& a, const explore::Affine& b) {
    return {a.form() - b.form(), true};
}

/// x exceeds the load of every active core, that is, the makespan.
[[nodiscard]] inline explore::Forbidden above_makespan(const explore::Affine& x, const Totals<explore::Affine>& of) {
    explore::Forbidden constraints;
    for (std::size_t p = 0; p < of.load.size(); ++p)
        if (of.tasks[p] > 0) constraints.push_back(exceeds(x, of.load[p]));
    return constraints;
}

/// Calls visit(map) for every map from tasks to cores, or for those alone that keep every task local.
/// Throws LimitExceeded past a million.
template <class Visit>
void for_each_map(const Shape& shape, bool local_only, Visit&& visit) {
    const std::size_t tasks = shape.tasks().size();
    std::vector<std::vector<CoreId>> choices(tasks);
    std::size_t maps = 1;
    for (const TaskId t : shape.tasks()) {
        for (const CoreId p : shape.cores())
            if (!local_only || shape.is_local(t, shape.server_of(p))) choices[t.index()].push_back(p);
        maps *= choices[t.index()].size();
        if (maps > 1'000'000) throw LimitExceeded("maps", "a shape with more than a million assignments");
    }
    std::vector<std::size_t> digit(tasks, 0);
    Assignment map(tasks);
    for (std::size_t i = 0; i < maps; ++i) {
        for (std::size_t t = 0; t < tasks; ++t) map[t] = choices[t][digit[t]];
        visit(map);
        for (std::size_t t = 0; t < tasks && ++digit[t] == choices[t].size(); ++t) digit[t] = 0;
    }
}

/// Servers that work of `source` can be shifted to over tasks that run on one server and have a replica on the next,
/// `source` itself among them. By server.
[[nodiscard]] std::vector<bool> reachable(const Shape& shape, const Assignment& map, ServerId source);

/// The assignment has no cost-reducing path: moving one task along any path, or from core to core of a server, or (with
/// `direct`) over a single task, which is the paper's Constraint 2, ends no earlier than the load it came from.
/// The constraints that say so.
[[nodiscard]] explore::Forbidden no_cost_reducing_path(const Problem<explore::Affine>& problem, const Assignment& map,
                                                       bool direct);

}  // namespace schedproof::assignment
