/// The part of `validate` that is sampled: delays beside those of other policies, on the same arrivals.
///
/// A run of a policy that is transient, or of which nothing is known, may look steady for long: simulation decides
/// nothing about stability, and its remarks are called Measured.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/command/validate/validate.hpp"
#include "experiments/runs/study_report.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/plan.hpp"

namespace schedproof::command {

namespace {

/// The policies that a new one is set against.
constexpr std::array<const char*, 2> baselines{"jsq-maxweight", "balanced-pandas"};
constexpr std::uint64_t replications = 5;
/// Of the intervals beside the baselines, and of those that tell a mutant from the policy: there are dozens of the
/// latter, one for each mutant and instance, so at 0.95 chance alone would "notice" many a mutant.
constexpr double confidence_beside_baselines = 0.95, confidence_of_mutants = 0.999;
constexpr std::string_view delay = "task delay";

std::size_t index_of_delay(const runs::PolicyReport& policy) {
    const auto found = std::find_if(policy.quantities.begin(), policy.quantities.end(),
                                    [](const simulation::Quantity& quantity) { return quantity.name == delay; });
    return static_cast<std::size_t>(found - policy.quantities.begin());
}

/// Runs the policies on the same arrivals.
runs::PointReport simulated(const Validated& of, const std::shared_ptr<const queueing::Instance>& instance,
                            const std::vector<queueing::AnyPolicy>& policies, double confidence) {
    simulation::SlottedSettings settings;
    settings.batches = std::min<std::uint64_t>(200, of.request.slots);
    settings.slots = of.request.slots - of.request.slots % settings.batches;
    std::vector<std::unique_ptr<const simulation::Experiment>> experiments;
    runs::Study study{SCHEDPROOF_VERSION, {"validate"}, {}, {runs::StudyPoint{}}};
    runs::StudyPoint& point = study.points[0];
    point.seed = of.request.seed;
    point.replications = replications;
    point.options.confidence = confidence;
    runs::PointRun run{&study, 0, {}, base::default_threads()};
    for (const queueing::AnyPolicy& policy : policies) {
        experiments.push_back(simulation::slotted_experiment({instance}, policy, settings));
        run.experiments.push_back(experiments.back().get());
        point.policies.push_back({std::string(policy.info().id), {"validate"}, {}});
    }
    return runs::report(point, runs::run_point(run));
}

/// The policy first, then the baselines that run on the instance.
std::vector<queueing::AnyPolicy> with_baselines(const Validated& of, const queueing::Instance& instance) {
    std::vector<queueing::AnyPolicy> policies{queueing::make_policy(of.id, instance, capacity::fluid_plan)};
    for (const char* baseline : baselines) {
        const queueing::AnyPolicy other = queueing::make_policy(baseline);
        try {
            static_cast<void>(other.layout(instance));
        } catch (const InputError&) {  // it does not run on the instance
            continue;
        }
        if (other.info().id != of.id) policies.push_back(other);
    }
    return policies;
}

Json estimate_json(const statistics::Estimate& estimate) {
    return {{"mean", estimate.mean}, {"half_width", estimate.half_width}};
}

/// What the delays come to, in words and for programs.
std::pair<std::string, Json> compared(const runs::PointReport& report) {
    const runs::PolicyReport& own = report.policies.front();
    const std::size_t quantity = index_of_delay(own);
    const auto& mean = own.summary.quantities[quantity].estimate;
    if (!mean) return {"no task completed", Json(nullptr)};
    std::string words = fmt::format("mean delay {:.3f} +- {:.3f} slots", mean->mean, mean->half_width.value_or(0));
    Json json{{"delay", estimate_json(*mean)}, {"differences", Json::object()}};
    for (const runs::DifferenceReport& difference : report.differences) {
        if (difference.quantity != quantity) continue;
        const std::string& label = report.policies[difference.policy].label;
        const statistics::Estimate& by = difference.difference.difference;
        words += fmt::format("; {} {:+.3f} +- {:.3f}", label, by.mean, by.half_width.value_or(0));
        json["differences"][label] = estimate_json(by);
    }
    return {words, json};
}

}  // namespace

bool delays_differ(const Validated& of, const std::shared_ptr<const queueing::Instance>& instance,
                   const queueing::AnyPolicy& policy, const queueing::AnyPolicy& other) {
    if (of.request.slots == 0) return false;
    const runs::PointReport report = simulated(of, instance, {policy, other}, confidence_of_mutants);
    const std::size_t delay_of_tasks = index_of_delay(report.policies.front());
    return std::any_of(report.differences.begin(), report.differences.end(), [&](const auto& difference) {
        const statistics::Estimate& by = difference.difference.difference;
        return difference.quantity == delay_of_tasks && by.half_width && std::abs(by.mean) > *by.half_width;
    });
}

Json validate_by_simulation(const Validated& of, Journal& journal) {
    Json all = Json::object();
    if (of.request.slots == 0) return all;
    for (const auto& instance : of.instances) {
        const Stopwatch watch;
        Remark remark{.part = "simulation", .about = instance->name(), .verdict = "Measured"};
        try {
            auto [words, json] =
                compared(simulated(of, instance, with_baselines(of, *instance), confidence_beside_baselines));
            remark.says = std::move(words);
            all[instance->name()] = std::move(json);
        } catch (const InputError& error) {
            remark.verdict = "Unknown";
            remark.says = error.what();
        } catch (const LimitExceeded& limit) {
            remark.verdict = "Unknown";
            remark.says = limit.what();
        }
        remark.seconds = watch.seconds();
        journal.add(std::move(remark));
    }
    return all;
}

}  // namespace schedproof::command
