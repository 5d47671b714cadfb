#include "experiments/command/simulate/experiment_on.hpp"

#include <algorithm>
#include <utility>

#include "experiments/simulators/events/event_experiment.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"

namespace schedproof::cli {

std::unique_ptr<const simulation::Experiment> experiment_on(const std::shared_ptr<const queueing::Instance>& instance,
                                                            const queueing::AnyPolicy& policy, std::uint64_t slots) {
    const std::uint64_t batches = std::min<std::uint64_t>(200, slots);
    if (!instance->continuous()) {
        simulation::SlottedSettings settings;
        settings.batches = batches;
        settings.slots = slots - slots % batches;
        return simulation::slotted_experiment({instance}, policy, settings);
    }
    simulation::EventSettings settings{{instance}, policy};
    settings.gap = workload::Exponential{1 / instance->total_batch_rate().approximate()};
    settings.duration = static_cast<double>(slots) / instance->total_arrival_rate().approximate();
    settings.batches = static_cast<std::uint32_t>(batches);
    settings.unit = instance->data().time->unit.empty() ? "unit" : instance->data().time->unit;
    return simulation::make_event_experiment(std::move(settings));
}

}  // namespace schedproof::cli
