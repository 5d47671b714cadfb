/// What variance reduction saves: processor time until an interval is so narrow, beside the plain way in the same run.
/// Exit code 1 when a target is missed.
///
/// Controls: a study of as many replications with and without the drift of the number of tasks as a control
/// (simulators/slotted/task_drift.hpp), on the same random numbers. An estimate whose half width after a processor time
/// T is h needs T (h / h')^2 for h'. So the two are compared by T h^2, T being the time after the warm-up. Coverage is
/// tested in tests/experiments.
///
/// Warm-up included: the plain way takes R replications from the empty system, each with its warm-up, and as many slots
/// beyond as Student's t with R - 1 degrees of freedom then needs; of all R, the one that takes least time. Its warm-up
/// is the one that MSER-5 finds. Against it, the controlled way from the level (simulators/slotted/settled_start.hpp),
/// with everything that it takes: the pilot, the fill, and ten runs with their warm-up. One long run would save the
/// plain way warm-ups, but the batches of one are no sample until each is much longer than the relaxation time, 3,800
/// slots here.
///
/// Splitting: the plain way would count slots. Were these independent, it needed (z / w)^2 (1 - p) / p of them for a
/// relative half width w, z the normal quantile; they are positively correlated, so it needs more. Its time a slot is
/// that of the fastest simulator there is for the system.
///
/// Tried on prototypes and left out: antithetic arrivals and services leave 0.76 to 1.04 of the variance of as many
/// independent runs, on two servers at loads of 0.8 and 0.99, since tasks in heavy traffic depend on the square of what
/// is drawn; and stratified numbers of arrivals cannot leave less than their regression does, 0.76 to 0.93.
#include <fmt/core.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "experiments/bench/support.hpp"
#include "experiments/runs/replicate.hpp"
#include "experiments/runs/summary.hpp"
#include "experiments/simulators/slotted/settled_start.hpp"
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

double student(std::size_t runs) {
    return boost::math::quantile(boost::math::students_t(static_cast<double>(runs - 1)), 0.975);
}

struct Measured {
    double mean = 0, half_width = 0;
    double kept = 0, warm_up = 0;  ///< processor time after the warm-ups, and of one. Unit: second
    std::size_t runs = 0;
    /// After the warm-up, until the interval is as wide as this part of the mean.
    [[nodiscard]] double seconds(double width) const { return kept * std::pow(2 * half_width / (width * mean), 2); }
    /// The same of a plain estimate with the warm-ups, of as many replications as take least.
    [[nodiscard]] double all_seconds(double width) const {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t r = 2; r <= runs; ++r)
            least = std::min(
                least, static_cast<double>(r) * warm_up + seconds(width) * std::pow(student(r) / student(runs), 2));
        return least;
    }
};

/// Estimate of the mean delay.
statistics::Estimate delay(const Experiment& experiment, std::span<const Observation> seen, double warm_up,
                           bool control) {
    runs::SummaryOptions options;
    options.warm_up = warm_up;
    const runs::Summary summary = runs::summarise(experiment.quantities(), seen, options);
    for (std::size_t q = 0; q < summary.quantities.size(); ++q)
        if (experiment.quantities()[q].name == "task delay")
            return control ? summary.quantities[q].controlled.value().estimate : *summary.quantities[q].estimate;
    return {};
}

Measured measured(const Study& study, bool control) {
    SlottedSettings settings{study.slots, study.slots / 100};
    settings.drift = control;
    const auto experiment =
        slotted_experiment({loaded(study.instance, study.load)}, queueing::make_policy(study.policy), settings);
    const double start = bench::process_seconds();
    const auto seen = runs::replicate(*experiment, {1, 0}, study.runs, 1);
    const double seconds = bench::process_seconds() - start;
    const statistics::Estimate estimate = delay(*experiment, seen, static_cast<double>(study.warm_up), control);
    const double part = static_cast<double>(study.warm_up) / static_cast<double>(study.slots);
    return {estimate.mean, *estimate.half_width, seconds * (1 - part), seconds * part / static_cast<double>(study.runs),
            study.runs};
}

struct Compared {
    Measured plain, control;
    bool met;
};
Compared controls(const Study& study) {
    constexpr double target = 1.0 / 3;
    const Measured plain = measured(study, false), control = measured(study, true);
    const double ratio = control.seconds(1) / plain.seconds(1);
    const bool met = ratio <= target;
    fmt::print(
        "{}\n  mean delay {:.4g} +- {:.2g} plain, {:.4g} +- {:.2g} controlled; the same width after {:.4f} of the "
        "time after the warm-up (target {:.2f}: {})\n",
        study.name, plain.mean, plain.half_width, control.mean, control.half_width, ratio, target,
        met ? "met" : "MISSED");
    return {plain, control, met};
}

/// Runs of these slots from the level, in a hundred batches, ten of them.
bool from_the_level(const Study& study, const Compared& empty) {
    constexpr double target = 1.0 / 3, width = 0.01;
    const SimulatedSystem system{loaded(study.instance, study.load)};
    const queueing::AnyPolicy policy = queueing::make_policy(study.policy);
    SlottedSettings settings{study.slots, 100};
    settings.drift = true;
    const double start = bench::process_seconds();
    const std::uint64_t level = settled_level(system, policy, settings);
    settings.start = filled(system, policy, level);
    const double found = bench::process_seconds() - start;
    const auto experiment = slotted_experiment(system, policy, settings);
    const auto seen = runs::replicate(*experiment, {2, 0}, study.runs, 1);
    const double seconds = bench::process_seconds() - start, plain = empty.plain.all_seconds(width);
    const statistics::Estimate estimate = delay(*experiment, seen, static_cast<double>(study.warm_up), true);
    const double reached = 2 * *estimate.half_width / estimate.mean;
    const bool agrees =
        std::abs(estimate.mean - empty.control.mean) <= 2 * (*estimate.half_width + empty.control.half_width);
    const bool met = seconds / plain <= target && reached <= width && agrees;
    fmt::print(
        "  from {} tasks, found and queued in {:.2g} s, {} runs of {} slots, the first {} left out: {:.5g} +- {:.2g}, "
        "{:.2g} % wide after {:.3g} s in all{}; plain 1 % wide after {:.3g} s with the warm-ups: {:.2f} of it (target "
        "{:.2f}: {})\n",
        level, found, study.runs, study.slots, study.warm_up, estimate.mean, *estimate.half_width, 100 * reached,
        seconds, agrees ? "" : ", elsewhere than from the empty system", plain, seconds / plain, target,
        met ? "met" : "MISSED");
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
    Study wang{"Wang's cluster, load 0.99, wang-jsq-maxweight",
               "wang-cluster",
               "187/175",
               "wang-jsq-maxweight",
               40'000,
               22'500,
               16};
    const Compared from_empty = controls(wang);
    wang.slots = 3'000, wang.warm_up = 1'500, wang.runs = 10;
    bool met = from_the_level(wang, from_empty) && from_empty.met;
    met &=
        controls({"two servers, load 0.99, jsq-maxweight", "m2-half", "198/125", "jsq-maxweight", 500'000, 50'000, 48})
            .met;
    met &= splitting();
    return met ? 0 : 1;
}
