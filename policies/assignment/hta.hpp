/// HTA, the algorithm of Fischer, Su and Yin for the Hadoop task assignment problem.
///
/// For every time tau: cover as many tasks as possible locally by tau (max-cover), then balance the rest (bal-assign):
/// the uncovered tasks, by id, one by one, go where the *virtual* load ends least. It prices every remote task
/// pessimistically, as if all tasks that are still unassigned became remote. A task placed where it is local costs a
/// local task. Of all the complete assignments, the one of least true makespan in HTA's own model is returned.
/// Times at which the cover does not grow repeat the assignment before, so there are at most as many rounds as tasks.
/// RECONSTRUCTED: servers of HTA are single cores without loads; see total_price.hpp. With loads, tau runs over the
/// values of the positions, and a core covers tasks in its positions up to tau; without loads and with single cores
/// this is the original. Ties of bal-assign: local first, then the lowest core.
/// Source: [fischer2010]; [jin2018], Section 6.1.1; docs/models/assignment.md, Interpretation A24.
#pragma once

#include <chrono>
#include <limits>

#include "policies/assignment/bal_assign.hpp"
#include "policies/assignment/max_cover.hpp"

namespace schedproof::assignment {

struct Hta {
    static constexpr PolicyInfo info{"hta", "[fischer2010]; [jin2018], Section 6.1.1",
                                     "cover tasks locally by every time, balance the rest at pessimistic prices"};
    Price price = Price::capped;
    std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();  ///< placements of bal-assign in all
    std::chrono::milliseconds timeout{std::chrono::minutes(30)};       ///< the paper gave up after half an hour
    static constexpr std::tuple parameters{Parameter("price", &Hta::price), Parameter("budget", &Hta::budget),
                                           Parameter("timeout", &Hta::timeout)};

    /// Throws LimitExceeded ("budget" or "timeout") when it takes longer. Cost: O(tasks) rounds, each with
    /// O(replicas times cores of a server + log cores) for every task not covered, and O(cores).
    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        Clock clock{budget, std::chrono::steady_clock::now() + timeout};
        const Shape& shape = *problem.shape;
        MaxCover<N> alpha(problem);
        TotalPriceLoads<N> covered(problem, price);
        ScheduleResult<N> best;
        std::optional<N> least;
        while (alpha.grow([&](CoreId p) { covered.add_local(p); })) {
            Assignment assignment(shape.tasks().size());
            std::vector<std::size_t> used(shape.servers().size(), 0);
            std::vector<TaskId> uncovered;
            for (const TaskId t : shape.tasks()) {
                if (const auto s = alpha.server_of()[t.index()])
                    assignment[t.index()] = alpha.position(*s, ++used[s->index()]).core;
                else
                    uncovered.push_back(t);
            }
            BalAssign<N> b(covered, uncovered.size());
            for (const TaskId t : uncovered) {
                clock.tick();
                assignment[t.index()] = b.place(t);
            }
            const N makespan = b.makespan();
            if (least && !(makespan < *least)) continue;
            least = makespan;
            best.assignment = std::move(assignment);
        }
        return best;
    }

  private:
    struct Clock {
        std::uint64_t left;
        std::chrono::steady_clock::time_point end;
        void tick() {
            if (left-- == 0) throw LimitExceeded("budget", "HTA has made its number of placements");
            if (left % 1024 == 0 && std::chrono::steady_clock::now() > end)
                throw LimitExceeded("timeout", "HTA takes longer than it was given");
        }
    };
};

}  // namespace schedproof::assignment
