#include "experiments/command/simulate/both_starts.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "experiments/runs/compare.hpp"
#include "experiments/simulators/slotted/far_start.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

/// The growth of the number of tasks in runs that begin there: after their first half from the empty state, which is
/// left in any case, and from the start from a large one, which a warm-up would hide draining.
statistics::Estimate growth_from(const simulation::StartState& start, const simulation::SimulatedSystem& system,
                                 const queueing::AnyPolicy& policy, const BothStartsOptions& options) {
    simulation::SlottedSettings settings;
    settings.batches = std::min<std::uint64_t>(200, options.slots);
    settings.slots = options.slots - options.slots % settings.batches;
    settings.delays = false;
    settings.start = start;
    const auto experiment = simulation::slotted_experiment(system, policy, settings);
    const runs::PointReport report = runs::compare({{std::string(policy.info().id), experiment.get()}},
                                                   {.seed = options.seed,
                                                    .replications = options.replications,
                                                    .confidence = both_starts_confidence,
                                                    .warm_up = start ? 0 : static_cast<double>(settings.slots) / 2,
                                                    .threads = options.threads,
                                                    .progress = options.progress});
    return runs::summary_of(report, "growth of tasks in system").estimate.value_or(statistics::Estimate{});
}

/// Whether the whole interval lies on this side of 0.
bool above_zero(const statistics::Estimate& growth) {
    return growth.half_width && growth.mean - *growth.half_width > 0;
}
bool below_zero(const statistics::Estimate& growth) {
    return growth.half_width && growth.mean + *growth.half_width < 0;
}

}  // namespace

std::string_view to_string(Seen seen) {
    switch (seen) {
        case Seen::stable:
            return "stable";
        case Seen::growing:
            return "growing";
        case Seen::metastable:
            return "metastable";
        case Seen::open:
            break;
    }
    return "open";
}

Seen BothStarts::seen() const {
    if (above_zero(from_empty)) return Seen::growing;
    if (!from_far) return Seen::open;
    if (above_zero(*from_far)) return Seen::metastable;
    return below_zero(*from_far) ? Seen::stable : Seen::open;
}

std::string BothStarts::in_words() const {
    const auto growth = [](const statistics::Estimate& of) {
        return fmt::format("{:.4f} +- {:.4f}", of.mean, of.half_width.value_or(0));
    };
    std::string words = fmt::format("growth {} tasks a slot from the empty state", growth(from_empty));
    if (from_far) words += fmt::format(", {} from {} at each home", growth(*from_far), far);
    return words;
}

BothStarts run_both_starts(const std::shared_ptr<const queueing::Instance>& instance, const queueing::AnyPolicy& policy,
                           const BothStartsOptions& options) {
    if (instance->continuous()) throw InputError::at_key("time", "expected slots for runs from a state far from empty");
    const simulation::SimulatedSystem system{instance};
    BothStarts found{simulation::far_tasks(policy.rules())};
    found.from_empty = growth_from(nullptr, system, policy, options);
    if (above_zero(found.from_empty)) return found;
    found.from_far = growth_from(simulation::far_start(system, policy, found.far), system, policy, options);
    return found;
}

}  // namespace schedproof::cli
