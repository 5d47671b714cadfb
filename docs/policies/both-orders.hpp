/// DynDLOff's two decisions in both orders, and the better result.
///
/// DynDLOff balances all tasks where they are local, and only then puts remote tasks on top of what is left. It never
/// moves a local task out of their way: where a remote task should run, a local one may stand that could as well be
/// elsewhere. The other order has the opposite weakness. So both are tried:
///
///   local first   DynDLOff
///   remote first  for i = 1, 2, ...: i remote tasks on the initial loads, where the last of them ends earliest; all
///                 tasks balanced on top of these (Phase I on the raised loads), and the i latest become the remote
///                 ones
///
/// until the remote tasks alone end no earlier than the least makespan found, which is returned; DynDLOff's on a tie.
///
/// Never worse than DynDLOff, and optimal if the optimum is below two local tasks' cost or there are at most two tasks.
/// Source: own, on [jin2018], Algorithms 2 and 3; the proofs are in docs/tutorial-assignment.md.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "model/assignment/policy.hpp"
#include "policies/assignment/dyndloff.hpp"
#include "policies/assignment/remote_placement.hpp"

namespace schedproof::assignment {

struct BothOrders {
    static constexpr PolicyInfo info{"both-orders", "[schedproof], docs/tutorial-assignment.md",
                                     "DynDLOff, or remote tasks first and local ones on top, whichever ends earlier"};
    static constexpr std::array hopes{"assignment.twice-the-optimum"};

    /// Cost: of DynDLOff; then of a placement and a Phase I for each number of remote tasks tried.
    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        ScheduleResult<N> best = DynDlOff{}.schedule(problem);
        std::optional<N> least = evaluate(problem, best.assignment).makespan;
        for (std::size_t i = 1; i <= problem.shape->tasks().size(); ++i) {
            const std::vector<Position<N>> remote = place_exactly(problem, problem.initial, i);
            if (std::any_of(remote.begin(), remote.end(), [&](const auto& r) { return *least <= r.finish; })) break;
            Assignment other = local_on_top(problem, remote);
            std::optional<N> makespan = evaluate(problem, other).makespan;
            if (!(*makespan < *least)) continue;
            least = std::move(makespan);
            best.assignment = std::move(other);
        }
        return best;
    }

  private:
    /// All tasks balanced on top of the remote ones, which the latest of them become.
    template <Number N>
    [[nodiscard]] static Assignment local_on_top(const Problem<N>& problem, const std::vector<Position<N>>& remote) {
        Problem<N> raised = problem;
        for (const Position<N>& r : remote) {
            N& load = raised.initial[r.core.index()];
            if (load < r.finish) load = r.finish;
        }
        const BalancedAssignment<N> balanced = DynDlOff{}.balance(raised);
        const std::vector<TaskId> latest = order_by_deadline(balanced).tasks;
        Assignment result = balanced.assignment();
        for (std::size_t k = 0; k < remote.size(); ++k) result[latest[k].index()] = remote[k].core;
        return result;
    }
};

// Says at the first rule that is broken what the family asks of a policy.
static_assert(admitted<BothOrders>());

}  // namespace schedproof::assignment
