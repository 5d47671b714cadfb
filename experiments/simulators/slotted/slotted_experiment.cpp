#include "experiments/simulators/slotted/slotted_experiment.hpp"

#include <utility>

#include "experiments/simulators/slotted/dense_counts.hpp"
#include "experiments/simulators/slotted/slotted.hpp"

namespace schedproof::simulation {

namespace {

template <class P>
class SlottedExperiment final : public Experiment {
  public:
    SlottedExperiment(System system, P policy, const SlottedSettings& settings)
        : system_(std::move(system)),
          policy_(std::move(policy)),
          settings_(settings),
          quantities_(slotted_quantities(system_, settings.delays)),
          dense_(dense_counts_suit(system_, policy_.layout(*system_.instance), settings)) {
        // What is wrong with the settings shows now, not at the first replication.
        static_cast<void>(SlottedRun<P>(system_, policy_, settings_, {}));
    }

    [[nodiscard]] const std::vector<Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return "slot"; }
    [[nodiscard]] Observation run(const statistics::Replication& replication, const Done& done) const override {
        if (dense_) return DenseRun<P>(system_, policy_, settings_, replication).run(done);
        return SlottedRun<P>(system_, policy_, settings_, replication).run(done);
    }

  private:
    System system_;
    P policy_;
    SlottedSettings settings_;
    std::vector<Quantity> quantities_;
    bool dense_;
};

}  // namespace

std::unique_ptr<const Experiment> slotted_experiment(System system, queueing::AnyPolicy policy,
                                                     const SlottedSettings& settings) {
    return std::visit(
        [&]<class P>(P& p) -> std::unique_ptr<const Experiment> {
            return std::make_unique<SlottedExperiment<P>>(std::move(system), std::move(p), settings);
        },
        policy);
}

}  // namespace schedproof::simulation
