#include "experiments/simulators/slotted/far_start.hpp"

#include <algorithm>
#include <vector>

#include "model/core/errors.hpp"
#include "model/queueing/kernel.hpp"

namespace schedproof::simulation {

namespace {

using namespace queueing;

/// What is far from a constant, and how many tasks are where a rule has none.
constexpr std::int64_t beyond = 20, least_far = 5'000, most_far = most_tasks_at_start / 1000;

/// Not that of multiples: `3 * tasks(10)` compares as far as 10 and 30 tasks do, and `beyond` covers both.
std::int64_t greatest_constant(const language::Tree& rule) {
    std::int64_t greatest = 0;
    for (std::size_t i = 0; i < rule.size(); ++i)
        if (rule[i].op == language::Op::constant) greatest = std::max(greatest, rule[i].a);
    return greatest;
}

/// The queue of a type's tasks at a server to which they are the most local.
QueueId home(const Instance& instance, const Layout& layout, TaskTypeId type, ServerId m) {
    switch (layout.arrangement()) {
        case Arrangement::per_type:
            return layout.queue(type);
        case Arrangement::single:
            return layout.shared();
        default:
            return layout.queue(m, instance.level(type, m), layout.row(type));
    }
}

}  // namespace

std::uint64_t far_tasks(const Rules& rules) {
    const std::int64_t greatest = std::max(greatest_constant(rules.route()), greatest_constant(rules.serve()));
    return static_cast<std::uint64_t>(std::clamp(greatest, least_far / beyond, most_far / beyond) * beyond);
}

StartState far_start(const SimulatedSystem& system, const AnyPolicy& policy, std::uint64_t tasks) {
    require(!system.random, "a state does not say where random data lie");
    const Instance& instance = *system.instance;
    const Kernel<CheckedInt> kernel(instance, policy);
    const Layout& layout = kernel.layout();
    State<CheckedInt> state = kernel.initial();
    for (const TaskTypeId type : instance.types()) {
        Level nearest = instance.remote();
        for (const ServerId m : instance.servers())
            if (instance.can_serve(m, type)) nearest = std::min(nearest, instance.level(type, m));
        for (const ServerId m : instance.servers()) {
            if (!instance.can_serve(m, type) || instance.level(type, m) != nearest) continue;
            const QueueId q = home(instance, layout, type, m);
            if (state.length[q.index()] != CheckedInt(0)) continue;
            state.length[q.index()] = CheckedInt(static_cast<std::int64_t>(tasks));
            if (layout.tracking(q) == Tracking::listed) state.waiting[q.index()].assign(tasks, type);
        }
    }
    return std::make_shared<const State<CheckedInt>>(std::move(state));
}

}  // namespace schedproof::simulation
