/// Starts near the stationary level, and how a pilot finds it.
///
/// From the empty system, most of a warm-up near capacity is the time until as many tasks are there as in a stationary
/// run: only the slack of the capacity and what servers lose while queues are short can fill it. Any law of the start
/// is as good, if what is kept is stationary, so the tasks may be there at once. They are put where the policy puts
/// tasks, for what is left to settle, how they lie, to be near as well.
///
/// The level: the mean drift b(n) of the number of tasks, where n are there, is positive below it and negative above.
/// A pilot run from the empty system gives the means of both over its third and its fourth quarter, and the line
/// through the two points a first zero; a second run from there gives a third point, and the line through the last two
/// the level. Where b is linear, as where idle servers take more the more tasks wait, the first zero is the level
/// already, however short the run. Where the points do not lie as those of a falling line, as by chance at the level
/// itself, the zero is taken to be the last point; and it is never sought beyond twice or half of that, so that chance
/// does little harm. A wrong level costs warm-up, and is seen in the runs as any start is: nothing else rests on it.
#include "experiments/simulators/slotted/settled_start.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "model/core/errors.hpp"
#include "model/core/randomness.hpp"
#include "model/queueing/kernel.hpp"

namespace schedproof::simulation {

namespace {

using queueing::State;

/// What names the streams of random numbers; `pilot` stands in place of a seed.
constexpr std::uint64_t fill_purpose = 0x66696c6c, pilot_seed = 0x70696c6f74;

/// Means over a stretch of a run: tasks in the system, and the drift of their number in a slot.
struct Point {
    double tasks, drift;
};

double zero_between(const Point& before, const Point& after) {
    const double slope = (after.drift - before.drift) / (after.tasks - before.tasks);
    if (!(slope < 0)) return after.tasks;
    return std::clamp(after.tasks - after.drift / slope, after.tasks / 2, 2 * after.tasks);
}

std::uint64_t whole_tasks(double tasks) {
    return static_cast<std::uint64_t>(std::clamp(std::round(tasks), 1.0, static_cast<double>(most_tasks_at_start)));
}

}  // namespace

StartState filled(const SimulatedSystem& system, const queueing::AnyPolicy& policy, std::uint64_t tasks) {
    require(tasks >= 1 && tasks <= most_tasks_at_start, "a start is filled with 1 to 10^8 tasks");
    if (system.random)
        throw InputError::at_key("--fill", "expected listed task types: a state does not say where random data lie");
    const queueing::Instance& instance = *system.instance;
    const queueing::Kernel<CheckedInt> kernel(instance, policy);
    if (instance.total_arrival_rate().sign() == 0)
        throw InputError::at_key("--fill", "expected an instance where tasks arrive");
    State<CheckedInt> state = kernel.initial();
    Sampler random({0, 0, fill_purpose});
    kernel.with_view(state, [&](const auto& now) {
        const auto put = [&](TaskTypeId type) {
            const queueing::Ties tied = queueing::language::evaluate(policy.rules().route(), now,
                                                                     queueing::language::Asker::task(type), random);
            if (tied.empty()) queueing::throw_routes_nowhere(instance, policy.info(), type, "");
            const QueueId q = tied[random.uniform(tied.size())].queue;
            state.length[q.index()] = state.length[q.index()] + CheckedInt(1);
            if (kernel.layout().tracking(q) == queueing::Tracking::listed) state.waiting[q.index()].push_back(type);
        };
        std::uint64_t left = tasks;
        while (left > 0)
            for (const queueing::ArrivalFactor& factor : instance.arrivals().factors()) {
                const queueing::ArrivalOutcome& outcome = factor.outcomes()[random.draw(factor.distribution())];
                for (std::size_t i = 0; i < outcome.count.size(); ++i)
                    for (std::uint32_t k = 0; k < outcome.count[i] && left > 0; ++k, --left) put(factor.types()[i]);
            }
    });
    return std::make_shared<const State<CheckedInt>>(std::move(state));
}

std::uint64_t settled_level(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                            const SlottedSettings& settings) {
    if (settings.slots < 4) throw InputError::at_key("--horizon", "expected at least 4 slots with --fill auto");
    const auto quarters = [&](StartState start, std::uint64_t number) {
        SlottedSettings pilot{settings.slots, 4, false, settings.truncation, std::move(start)};
        pilot.drift = true;
        const auto experiment = slotted_experiment(system, policy, pilot);
        const auto place = [&](const char* name) {
            const auto& all = experiment->quantities();
            return static_cast<std::size_t>(
                std::find_if(all.begin(), all.end(), [&](const Quantity& q) { return q.name == name; }) - all.begin());
        };
        const std::size_t tasks = place("tasks in system"), drift = place("drift of tasks");
        std::vector<Point> points;
        for (const Batch& batch : experiment->run({pilot_seed, number}, {}).batches)
            points.push_back({batch.tallies.at(tasks).sum / batch.tallies.at(tasks).weight,
                              batch.tallies.at(drift).sum / batch.tallies.at(drift).weight});
        return points;
    };
    const std::vector<Point> empty = quarters(nullptr, 0);
    const std::vector<Point> near = quarters(filled(system, policy, whole_tasks(zero_between(empty[2], empty[3]))), 1);
    return whole_tasks(
        zero_between(empty[3], {(near[2].tasks + near[3].tasks) / 2, (near[2].drift + near[3].drift) / 2}));
}

}  // namespace schedproof::simulation
