/// LIST: the tasks one by one, by id, each to the core of earliest predicted finish.
///
/// A local task on core p ends at L(p) + 1. A remote one makes its server's remote tasks dearer, those of p included:
/// it ends at L(p) with its remote tasks and the new one at g(r_s + 1). Ties: local first, then by server, core.
/// RECONSTRUCTED: the paper says that LIST predicts finish times from the numbers of local and remote tasks assigned so
/// far and heeds the dynamic cost; that the predicted finish is the new load of the chosen *core* is our
/// interpretation. `server-max` is the other one: the new largest load of an active core of the chosen *server* (on a
/// server, the core of least new load is taken in both). Source: [jin2018], Section 6.1.1; [graham1966];
/// docs/models/assignment.md, Interpretation A22.
#pragma once

#include "model/assignment/policy.hpp"
#include "policies/assignment/predicted_finish.hpp"

namespace schedproof::assignment {

struct List {
    static constexpr PolicyInfo info{"list", "[jin2018], Section 6.1.1",
                                     "tasks by id, each to the core where it is predicted to finish first"};
    Predict predict = Predict::core;
    static constexpr std::tuple parameters{Parameter("predict", &List::predict)};

    /// Cost: O(cores of a server + log servers) a task.
    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        PredictedFinish<N> now(problem, predict);
        ScheduleResult<N> outcome;
        for (const TaskId t : problem.shape->tasks()) outcome.assignment.push_back(now.place(t));
        return outcome;
    }
};

}  // namespace schedproof::assignment
