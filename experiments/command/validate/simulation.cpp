/// The part of `validate` that is sampled: means beside those of other policies, on the same random numbers.
///
/// A run of a policy that is transient, or of which nothing is known, may look steady for long: simulation decides
/// nothing about stability, and its remarks are called Measured.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "experiments/command/families/family_files.hpp"
#include "experiments/command/simulate/both_starts.hpp"
#include "experiments/command/simulate/experiment_on.hpp"
#include "experiments/command/validate/validate.hpp"
#include "experiments/runs/compare.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/plan.hpp"

namespace schedproof::cli {

namespace {

/// The policies that a new one is set against.
constexpr std::array<const char*, 2> baselines{"jsq-maxweight", "balanced-pandas"};
constexpr std::uint64_t replications = 5;
/// Of the intervals beside the baselines, and of those that tell a mutant from the policy: there are dozens of the
/// latter, one for each mutant and instance, so at 0.95 chance alone would "notice" many a mutant.
constexpr double confidence_beside_baselines = 0.95, confidence_of_mutants = 0.999;

runs::PointReport simulated(const Validated& of, const Comparison& comparison, double confidence) {
    std::vector<runs::Contender> contenders;
    for (const auto& [id, experiment] : comparison.policies) contenders.push_back({id, experiment.get()});
    return runs::compare(contenders, {.seed = of.request.seed,
                                      .replications = replications,
                                      .confidence = confidence,
                                      .threads = base::default_threads(),
                                      .progress = [&of](double, double) { of.deadline.check(); }});
}

/// Queueing policies on an instance.
Comparison on_instance(const Validated& of, const std::shared_ptr<const queueing::Instance>& instance,
                       const std::vector<queueing::AnyPolicy>& policies) {
    Comparison comparison{instance->name(), "task delay", {}};
    for (const queueing::AnyPolicy& policy : policies)
        comparison.policies.emplace_back(policy.info().id, experiment_on(instance, policy, of.request.slots));
    return comparison;
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

/// What the means come to.
ObservedMean observed(const Comparison& comparison, const runs::PointReport& report) {
    const runs::PolicyReport& own = report.policies.front();
    const std::size_t quantity = runs::quantity_named(report, comparison.quantity);
    ObservedMean of{comparison.system, comparison.quantity, own.quantities[quantity].unit,
                    own.summary.quantities[quantity].estimate};
    if (!of.mean) return of;
    for (const runs::DifferenceReport& difference : report.differences)
        if (difference.quantity == quantity)
            of.differences.emplace_back(report.policies[difference.policy].label, difference.difference.difference);
    return of;
}

std::string words_of(const ObservedMean& of) {
    if (!of.mean) return fmt::format("no {} was observed", of.quantity);
    std::string words = fmt::format("mean {} {:.3f} +- {:.3f} {}s", of.quantity, of.mean->mean,
                                    of.mean->half_width.value_or(0), of.unit);
    for (const auto& [policy, by] : of.differences)
        words += fmt::format("; {}: {:.3f} +- {:.3f} {}", policy, std::abs(by.mean), by.half_width.value_or(0),
                             by.mean < 0 ? "less" : "more");
    return words;
}

/// Simulates, when the comparison can be made, and adds what it comes to.
void compare(const Validated& of, const std::string& system, const std::function<Comparison()>& make,
             std::vector<ObservedMean>& all, Journal& journal) {
    const Stopwatch watch;
    Remark remark{.part = "simulation", .about = system, .verdict = "Measured"};
    journal.begin(remark.part, remark.about);
    try {
        const Comparison comparison = make();
        all.push_back(observed(comparison, simulated(of, comparison, confidence_beside_baselines)));
        remark.says = words_of(all.back());
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

/// A rule with constants may look stable from the empty state and grow from a large one.
void start_twice(const Validated& of, const std::shared_ptr<const queueing::Instance>& instance, bool built_in,
                 Journal& journal) {
    const Stopwatch watch;
    Remark remark{.part = "simulation", .about = instance->name(), .verdict = "Measured", .built_in = built_in};
    journal.begin(remark.part, remark.about + ", from two starts");
    try {
        const queueing::AnyPolicy policy = queueing::make_policy(of.id, *instance, capacity::fluid_plan);
        const BothStarts seen = run_both_starts(instance, policy,
                                                {.slots = of.request.slots,
                                                 .seed = of.request.seed,
                                                 .threads = base::default_threads(),
                                                 .progress = [&of](double, double) { of.deadline.check(); }});
        remark.says = fmt::format("seen {}: {}", to_string(seen.seen()), seen.in_words());
    } catch (const InputError& error) {
        remark.verdict = "Unknown";
        remark.says = error.what();
    }
    remark.seconds = watch.seconds();
    journal.add(std::move(remark));
}

}  // namespace

bool delays_differ(const Validated& of, const std::shared_ptr<const queueing::Instance>& instance,
                   const queueing::AnyPolicy& policy, const queueing::AnyPolicy& other) {
    if (of.request.slots == 0) return false;
    const Comparison comparison = on_instance(of, instance, {policy, other});
    const runs::PointReport report = simulated(of, comparison, confidence_of_mutants);
    const std::size_t delay = runs::quantity_named(report, comparison.quantity);
    return std::any_of(report.differences.begin(), report.differences.end(), [&](const auto& difference) {
        const statistics::Estimate& by = difference.difference.difference;
        return difference.quantity == delay && by.half_width && std::abs(by.mean) > *by.half_width;
    });
}

std::vector<ObservedMean> validate_by_simulation(const Validated& of, const std::vector<Standing>& standings,
                                                 Journal& journal) {
    std::vector<ObservedMean> all;
    if (of.request.slots == 0) return all;
    for (std::size_t i = 0; i < of.instances.size(); ++i)
        if (standings[i] == Standing::unknown && !of.instances[i]->continuous())
            start_twice(of, of.instances[i], of.beside(i), journal);
    for (const auto& instance : of.instances)
        compare(
            of, instance->name(), [&] { return on_instance(of, instance, with_baselines(of, *instance)); }, all,
            journal);
    std::vector<Comparison> standard = files_of(of.family).comparisons(of.id, of.request.slots);
    for (Comparison& comparison : standard)
        compare(
            of, comparison.system, [&] { return std::move(comparison); }, all, journal);
    return all;
}

}  // namespace schedproof::cli
