/// Replications on two threads beside one, and of a small cluster side by side beside one after another; and that the
/// results are the same. Least of several repetitions, in turn, since other programs can only add. Exit code 1 when a
/// target is missed, or results differ.
///
/// Two threads: wall-clock time of the same runs of the cheapest experiment there is, Lindley's recursion, so that the
/// cost of threads is visible: shared memory, locks of the progress report, waiting for the last run.
///
/// Side by side: processor time of 16 replications of a cluster of two servers, a lane of a vector each, beside the
/// indexed simulator. What bounds the lanes, with delays under Wang's policy
/// on AVX-512: a quarter of the time goes into stamps and histograms, whose words are looked up lane by lane; a quarter
/// into the rules and the ties that they leave; random words and arrivals take an eighth, starting and ending services
/// the rest.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/bench/support.hpp"
#include "experiments/runs/replicate.hpp"
#include "experiments/simulators/slotted/replication_lanes.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "model/base/parallel.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"

namespace {

using namespace schedproof;

/// Waiting times of a queue with exponential gaps and sizes, load 0.9.
class Lindley : public simulation::Experiment {
  public:
    [[nodiscard]] const std::vector<simulation::Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return "second"; }
    [[nodiscard]] simulation::Observation run(const statistics::Replication& replication,
                                              const simulation::Done& done) const override {
        constexpr std::size_t batches = 200, jobs = 2'000;
        statistics::Stream gaps(replication, "arrivals"), sizes(replication, "sizes");
        const auto exponential = [](statistics::Stream& stream) {
            return -std::log((static_cast<double>(stream() >> 12) + 0.5) * 0x1p-52);
        };
        simulation::Observation o{jobs / 0.9, {}, batches * jobs};
        double wait = 0;
        for (std::size_t b = 0; b < batches; ++b) {
            simulation::Batch batch{std::vector<simulation::Tally>(1), std::vector<statistics::Histogram>(1)};
            for (std::size_t i = 0; i < jobs; ++i) {
                batch.tallies[0].add(wait);
                batch.histograms[0].add(static_cast<std::uint64_t>(wait * 100));
                wait = std::max(0.0, wait + exponential(sizes) - exponential(gaps) / 0.9);
            }
            o.batches.push_back(std::move(batch));
            done(static_cast<double>(b + 1) / batches);
        }
        return o;
    }

  private:
    std::vector<simulation::Quantity> quantities_{{"wait", "second", true, 0.01}};
};

bool two_threads() {
    constexpr double target = 1.8;
    constexpr std::size_t runs = 40, repetitions = 5;
    const Lindley experiment;
    std::vector<simulation::Observation> results[2];
    double least[2] = {INFINITY, INFINITY};
    for (std::size_t i = 0; i < repetitions; ++i)
        for (const unsigned threads : {1U, 2U}) {
            const double time = bench::wall_seconds([&] {
                results[threads - 1] = runs::replicate(experiment, {1, 0}, runs, threads, [](double) {});
            });
            least[threads - 1] = std::min(least[threads - 1], time);
        }
    const double speedup = least[0] / least[1];
    const bool same = results[0] == results[1], met = speedup >= target || base::default_threads() < 2;
    fmt::print(
        "{} runs of 400,000 jobs: {:.2f} s on one thread, {:.2f} s on two; {:.2f} times as fast (target {}): {}\n",
        runs, least[0], least[1], speedup, target,
        base::default_threads() < 2 ? "one core only" : (met ? "met" : "MISSED"));
    if (!same) fmt::print("results differ with the number of threads: MISSED\n");
    return same && met;
}

/// On m2-half, of the repository.
bool side_by_side(const std::string& name, const queueing::AnyPolicy& policy) {
    using namespace simulation;
    constexpr double target = 4;
    constexpr std::size_t runs = 16;
    const SimulatedSystem system{std::make_shared<const queueing::Instance>(
        queueing::read_instance(SCHEDPROOF_SOURCE_DIR "/experiments/instances/m2-half.toml"))};
    std::vector<statistics::Replication> replications;
    for (std::uint64_t r = 0; r < runs; ++r) replications.push_back({1, r});
    bool all_met = true;
    for (const bool delays : {true, false}) {
        const SlottedSettings settings{100'000, 200, delays, {}};
        const LanePlan plan = LanePlan::make(system, policy, settings).value();
        const auto lanes_of = [&](std::size_t at_once) {
            std::vector<Observation> seen;
            for (std::size_t first = 0; first < runs; first += at_once)
                for (Observation& o :
                     ReplicationLanes(plan, settings, std::span(replications).subspan(first, at_once)).run({}))
                    seen.push_back(std::move(o));
            return seen;
        };
        double before = INFINITY, together = INFINITY, alone = INFINITY;
        bool same = true;
        for (int i = 0; i < 3; ++i) {
            std::vector<Observation> seen, seen_alone;
            before = std::min(before, bench::least_seconds(1, [&] {
                                  for (const statistics::Replication& replication : replications)
                                      static_cast<void>(SlottedRun<>(system, policy, settings, replication).run({}));
                              }));
            together = std::min(together, bench::least_seconds(1, [&] { seen = lanes_of(ReplicationLanes::most()); }));
            alone = std::min(alone, bench::least_seconds(1, [&] { seen_alone = lanes_of(1); }));
            same = same && seen == seen_alone;
        }
        const double ratio = before / together, slots = 1e9 / (100'000.0 * runs);
        const bool met = ratio >= target && same;
        fmt::print(
            "  {:<20} {:<12} {:5.1f} ns a slot side by side, {:5.1f} indexed: {:4.1f} times as fast (target {}: "
            "{}); {:5.1f} alone{}\n",
            name, delays ? "with delays" : "counts only", together * slots, before * slots, ratio, target,
            met ? "met" : "MISSED", alone * slots, same ? "" : ", and results differ");
        all_met = all_met && met;
    }
    return all_met;
}

}  // namespace

int main() {
    bool met = two_threads();
    fmt::print("16 replications of m2-half, {} at once\n", simulation::ReplicationLanes::most());
    met &= side_by_side("wang-jsq-maxweight", queueing::WangJsqMaxWeight{});
    met &= side_by_side("jsq-maxweight", queueing::JsqMaxWeight{});
    met &= side_by_side("balanced-pandas", queueing::BalancedPandas{});
    return met ? 0 : 1;
}
