/// What variance reduction saves: processor time until an interval is so narrow, beside the plain way in the same run.
/// Exit code 1 when a target is missed.
///
/// Controls: a study of as many replications with and without the drift of the number of tasks as a control
/// (simulators/slotted/task_drift.hpp), on the same random numbers. An estimate whose half width after a processor time
/// T is h needs T (h / h')^2 for h'. So the two are compared by T h^2, T being the time after the warm-up, which both
/// need alike; the time with one warm-up is printed beside it. Coverage is tested in tests/experiments.
///
/// Splitting: the plain way would count slots. Were these independent, it needed (z / w)^2 (1 - p) / p of them for a
/// relative half width w, z the normal quantile; they are positively correlated, so it needs more. Its time a slot is
/// that of the fastest simulator there is for the system.
///
/// Tried on prototypes and left out: antithetic arrivals and services leave 0.76 to 1.04 of the variance of as many
/// independent runs, on two servers at loads of 0.8 and 0.99, since tasks in heavy traffic depend on the square of what
/// is drawn; and stratified numbers of arrivals cannot leave less than their regression does, 0.76 to 0.93.
#include <fmt/core.h>

#include <cmath>

#include "experiments/bench/support.hpp"
#include "experiments/runs/replicate.hpp"
#include "experiments/runs/summary.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "experiments/simulators/splitting/tail_experiment.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/load.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::simulation;

struct Study {
    const char *name, *instance, *load;  ///< factor of the instance's arrivals
    const char* policy;
    std::uint64_t slots, warm_up;
    std::size_t runs;
};

std::shared_ptr<const queueing::Instance> loaded(const char* name, const char* factor) {
    return std::make_shared<const queueing::Instance>(with_load(
        queueing::read_instance(std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments/instances/" + name + ".toml"),
        *Rational::parse(factor)));
}

struct Measured {
    double mean = 0, half_width = 0;
    double kept = 0, warm_up = 0;  ///< processor time after the warm-ups, and of one. Unit: second
    /// After the warm-up, until the interval is as wide as this part of the mean.
    [[nodiscard]] double seconds(double width) const { return kept * std::pow(2 * half_width / (width * mean), 2); }
};

Measured measured(const Study& study, bool control) {
    SlottedSettings settings{study.slots, study.slots / 100};
    settings.drift = control;
    const auto experiment =
        slotted_experiment({loaded(study.instance, study.load)}, queueing::make_policy(study.policy), settings);
    const double start = bench::process_seconds();
    const auto seen = runs::replicate(*experiment, {1, 0}, study.runs, 1);
    const double seconds = bench::process_seconds() - start;
    runs::SummaryOptions options;
    options.warm_up = static_cast<double>(study.warm_up);
    const runs::Summary summary = runs::summarise(experiment->quantities(), seen, options);
    for (std::size_t q = 0; q < summary.quantities.size(); ++q) {
        if (experiment->quantities()[q].name != "task delay") continue;
        const auto& of = summary.quantities[q];
        const statistics::Estimate estimate = control ? of.controlled.value().estimate : *of.estimate;
        const double part = static_cast<double>(study.warm_up) / static_cast<double>(study.slots);
        return {estimate.mean, *estimate.half_width, seconds * (1 - part),
                seconds * part / static_cast<double>(study.runs)};
    }
    return {};
}

bool controls(const Study& study) {
    constexpr double target = 1.0 / 3;
    const Measured plain = measured(study, false), control = measured(study, true);
    const double ratio = control.seconds(1) / plain.seconds(1);
    const bool met = ratio <= target;
    fmt::print(
        "{}\n  mean delay {:.4g} +- {:.2g} plain, {:.4g} +- {:.2g} controlled; the same width after {:.4f} of the "
        "time (target {:.2f}: {})\n",
        study.name, plain.mean, plain.half_width, control.mean, control.half_width, ratio, target,
        met ? "met" : "MISSED");
    for (const double width : {0.01, 0.001}) {
        const double before = plain.seconds(width), after = control.seconds(width);
        fmt::print(
            "  {:g} % wide after {:.3g} s plain, {:.3g} s controlled; with one warm-up of {} slots {:.3g} s and "
            "{:.3g} s, {:.2f} of it\n",
            100 * width, before, after, study.warm_up, plain.warm_up + before, control.warm_up + after,
            (control.warm_up + after) / (plain.warm_up + before));
    }
    return met;
}

/// Of m2-half under join-shortest-queue, where each queue is geometric: P(tasks > k) = 4^-(k+1) (1 + 3 (k+1) / 4).
bool splitting() {
    constexpr double target = 1e-3, z = 1.96;
    constexpr std::uint64_t above = 16, runs = 20;
    const double exact = std::pow(0.25, above + 1) * (1 + 0.75 * (above + 1));
    const auto instance = loaded("m2-half", "1");
    const queueing::AnyPolicy policy = queueing::make_policy("join-shortest-queue");
    const double start = bench::process_seconds();
    const TailExperiment tail(instance, policy, {{}, above, "tail"}, {20'000, 20});
    std::vector<double> values;
    for (const Observation& o : runs::replicate(tail, {1, 0}, runs, 1)) {
        const Tally kept = runs::kept(o, 0, 1);
        values.push_back(kept.sum / kept.weight);
    }
    const double seconds = bench::process_seconds() - start;
    const statistics::Estimate estimate = statistics::estimate(values, 0.95);
    const double relative = *estimate.half_width / exact;
    const auto plain = slotted_experiment({instance}, policy, {100'000, 100, false});
    const double slot = bench::least_seconds(3,
                                             [&] {
                                                 static_cast<void>(runs::replicate(*plain, {1, 0}, 16, 1));
                                             }) /
                        1.6e6;
    const double counting = std::pow(z / relative, 2) * (1 - exact) / exact * slot;
    const bool covers = std::abs(estimate.mean - exact) <= *estimate.half_width,
               met = covers && seconds / counting <= target;
    fmt::print(
        "P(tasks > {}) on m2-half under join-shortest-queue, exactly {:.4g}\n"
        "  {:.4g} +- {:.2g} by splitting in {:.2f} s, which {} it; counting slots at {:.0f} ns takes at least {:.2g} "
        "s to this width: {:.1e} of it (target {:.0e}: {})\n",
        above, exact, estimate.mean, *estimate.half_width, seconds, covers ? "holds" : "misses", 1e9 * slot, counting,
        seconds / counting, target, met ? "met" : "MISSED");
    return met;
}

}  // namespace

int main() {
    bool met = controls({"Wang's cluster, load 0.99, wang-jsq-maxweight", "wang-cluster", "187/175",
                         "wang-jsq-maxweight", 40'000, 30'000, 12});
    met &=
        controls({"two servers, load 0.99, jsq-maxweight", "m2-half", "198/125", "jsq-maxweight", 500'000, 50'000, 48});
    met &= splitting();
    return met ? 0 : 1;
}
