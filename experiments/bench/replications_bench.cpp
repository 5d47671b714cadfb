/// Replications on two threads beside one: wall-clock time of the same runs, and that their results are the same.
///
/// The experiment is the cheapest there is, Lindley's recursion, so that the cost of threads is visible: shared memory,
/// locks of the progress report, waiting for the last run. Least of several repetitions, since other programs can only
/// add. Exit code 1 when the target is missed, or results differ.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/bench/support.hpp"
#include "experiments/runs/replicate.hpp"
#include "model/base/parallel.hpp"

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

}  // namespace

int main() {
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
    return same && met ? 0 : 1;
}
