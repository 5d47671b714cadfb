// An experiment of one's own under the statistics of the installed library: fails unless the interval of five runs
// holds the mean of a fair die.
#include <cmath>
#include <cstdio>

#include "experiments/runs/replicate.hpp"
#include "experiments/runs/summary.hpp"

using namespace schedproof;

class Die : public simulation::Experiment {
  public:
    [[nodiscard]] const std::vector<simulation::Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return "throw"; }
    [[nodiscard]] simulation::Observation run(const statistics::Replication& replication,
                                              const simulation::Done&) const override {
        statistics::Stream stream(replication, "throws");
        simulation::Observation o{100, std::vector<simulation::Batch>(10), 1000};
        for (simulation::Batch& batch : o.batches) {
            batch.tallies.resize(1);
            for (int i = 0; i < 100; ++i) batch.tallies[0].add(static_cast<double>(1 + stream.below(6)));
        }
        return o;
    }

  private:
    std::vector<simulation::Quantity> quantities_{{"points", "1"}};
};

int main() {
    const Die die;
    const auto runs = runs::replicate(die, {1, 0}, 5, 2);
    const auto mean =
        *runs::summarise(die.quantities(), runs, {.confidence = 0.999, .warm_up = 0.0}).quantities[0].estimate;
    std::printf("points %.3f +- %.3f\n", mean.mean, *mean.half_width);
    return std::abs(mean.mean - 3.5) <= *mean.half_width ? 0 : 1;
}
