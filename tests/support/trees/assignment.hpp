/// Whole policies of the assignment family as trees, sensible and perverse; as in sharing.hpp.
#pragma once

#include <rapidcheck.h>

#include <memory>
#include <ostream>
#include <vector>

#include "model/assignment/online.hpp"
#include "model/assignment/policy.hpp"
#include "model/assignment/unscheduled.hpp"

namespace schedproof::assignment::trees {

/// How long a core waits: by what its server runs remotely.
struct Delay {
    enum class Kind { never, constant, price, larger, smaller, sum } kind = Kind::constant;
    std::int64_t halves = 0;   ///< of a local task's cost
    std::int64_t further = 1;  ///< price of this many more remote tasks
};
/// An online policy: the i-th delay holds while i remote tasks run, the last for more; without any there is no wait.
struct DelayTree {
    std::vector<Delay> delays;
    JobOrder jobs = JobOrder::fifo;
    WaitFrom wait_from = WaitFrom::idle;
};
/// An offline policy: tasks one by one, each to the core of least key among those it may go to.
struct PlaceTree {
    enum class Tasks { by_id, last_first, fewest_replicas_first } tasks = Tasks::by_id;
    enum class Cores { local, all, idle_or_local } cores = Cores::all;
    enum class Key { initial, load, finish, number_of_tasks } key = Key::finish;
    bool last_of_ties = false;
    bool forgets_one = false;  ///< breaks the contract
};

[[nodiscard]] rc::Gen<DelayTree> delay_trees();
[[nodiscard]] rc::Gen<PlaceTree> place_trees();
std::ostream& operator<<(std::ostream& out, const DelayTree& tree);
std::ostream& operator<<(std::ostream& out, const PlaceTree& tree);

template <Number N>
[[nodiscard]] std::optional<N> delay_of(const DelayTree& tree, std::size_t running, const CostFunction<N>& g,
                                        const N& half) {
    if (tree.delays.empty()) return N(0);
    const Delay& d = tree.delays[std::min(running, tree.delays.size() - 1)];
    const N constant = times(d.halves, half), price = g(running + static_cast<std::size_t>(d.further));
    switch (d.kind) {
        case Delay::Kind::never:
            return std::nullopt;
        case Delay::Kind::constant:
            return constant;
        case Delay::Kind::price:
            return price;
        case Delay::Kind::larger:
            return constant < price ? price : constant;
        case Delay::Kind::smaller:
            return constant < price ? constant : price;
        default:
            return constant + price;
    }
}

/// Runs a DelayTree.
struct DelayTreePolicy {
    static constexpr PolicyInfo info{"delay-tree", "test", "waits before remote tasks as a tree says"};
    static constexpr bool online = true;
    std::shared_ptr<const DelayTree> tree;
    static constexpr std::tuple parameters{Parameter("tree", &DelayTreePolicy::tree)};

    template <Number N, Randomness R>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        const N half = problem.time(Rational(1) / Rational(2));
        const auto rule = [&](std::size_t running, const CostFunction<N>& g) {
            return delay_of(*tree, running, g, half);
        };
        return run_online(problem, rule, Unscheduled(*problem.shape, Pick::lowest, tree->jobs, randomness),
                          tree->wait_from);
    }
};

/// Runs a PlaceTree.
struct PlaceTreePolicy {
    static constexpr PolicyInfo info{"place-tree", "test", "tasks one by one to the core of least key"};
    PlaceTree tree;
    static constexpr std::tuple parameters{Parameter("tree", &PlaceTreePolicy::tree)};

    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const Shape& shape = *problem.shape;
        std::vector<TaskId> order;
        for (const TaskId t : shape.tasks()) order.push_back(t);
        if (tree.tasks == PlaceTree::Tasks::last_first) std::reverse(order.begin(), order.end());
        if (tree.tasks == PlaceTree::Tasks::fewest_replicas_first)
            std::stable_sort(order.begin(), order.end(),
                             [&](TaskId a, TaskId b) { return shape.replicas(a).size() < shape.replicas(b).size(); });
        std::vector<N> load = problem.initial;
        std::vector<std::size_t> tasks(load.size()), remote(shape.servers().size());
        ScheduleResult<N> result;
        result.assignment.resize(order.size());
        for (const TaskId t : order) {
            std::optional<CoreId> best;
            std::optional<N> least;
            for (const CoreId p : shape.cores()) {
                const ServerId s = shape.server_of(p);
                const bool local = shape.is_local(t, s);
                if (!local && tree.cores == PlaceTree::Cores::local) continue;
                if (!local && tree.cores == PlaceTree::Cores::idle_or_local && tasks[p.index()] > 0) continue;
                N key = tree.key == PlaceTree::Key::number_of_tasks
                            ? N(static_cast<std::int64_t>(tasks[p.index()]))
                            : (tree.key == PlaceTree::Key::initial ? problem.load(p) : load[p.index()]);
                if (tree.key == PlaceTree::Key::finish)
                    key = key + (local ? problem.local : problem.cost(s)(remote[s.index()] + 1));
                if (least && (*least < key || (!tree.last_of_ties && !(key < *least)))) continue;
                best = p;
                least = key;
            }
            const ServerId s = shape.server_of(*best);
            const bool local = shape.is_local(t, s);
            remote[s.index()] += local ? 0 : 1;
            load[best->index()] = load[best->index()] + (local ? problem.local : problem.cost(s)(remote[s.index()]));
            ++tasks[best->index()];
            result.assignment[t.index()] = *best;
        }
        if (tree.forgets_one && !order.empty()) result.assignment.pop_back();
        return result;
    }
};

}  // namespace schedproof::assignment::trees
