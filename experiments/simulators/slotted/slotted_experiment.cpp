#include "experiments/simulators/slotted/slotted_experiment.hpp"

#include <fmt/core.h>

#include <optional>
#include <utility>
#include <vector>

#include "experiments/simulators/slotted/dense_run.hpp"
#include "experiments/simulators/slotted/dense_workloads.hpp"
#include "experiments/simulators/slotted/replication_lanes.hpp"
#include "experiments/simulators/slotted/slotted.hpp"

namespace schedproof::simulation {

namespace {

class SlottedExperiment final : public Experiment {
  public:
    SlottedExperiment(SimulatedSystem system, queueing::AnyPolicy policy, const SlottedSettings& settings)
        : system_(std::move(system)),
          policy_(std::move(policy)),
          settings_(settings),
          quantities_(slotted_quantities(system_, settings)),
          dense_(dense_pays(system_) && dense_suits(system_, policy_)),
          workloads_(dense_pays(system_) && dense_workloads_suit(system_, policy_, settings)) {
        // What is wrong with the settings shows now, not at the first replication.
        static_cast<void>(SlottedRun<>(system_, policy_, settings_, {}));
        if (!dense_ && !workloads_) lanes_ = LanePlan::make(system_, policy_, settings_);
        if (lanes_ && !lanes_->pays()) lanes_.reset();
    }

    [[nodiscard]] const std::vector<Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return "slot"; }
    [[nodiscard]] std::string engine() const override {
        if (dense_ || workloads_) return "dense: all servers of a slot side by side";
        if (lanes_) return "lanes: replications side by side";
        return "indexed: " + QuestionPlan(*system_.instance, policy_).text();
    }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> questions() const override {
        if (dense_ || workloads_ || lanes_) return {};
        return QuestionPlan(*system_.instance, policy_).questions();
    }
    [[nodiscard]] Observation run(const statistics::Replication& replication, const Done& done) const override {
        if (dense_) return DenseRun(system_, policy_, settings_, replication).run(done);
        if (workloads_) return DenseWorkloads(system_, policy_, settings_, replication).run(done);
        if (lanes_) return std::move(run_together({&replication, 1}, done).front());
        return SlottedRun<>(system_, policy_, settings_, replication).run(done);
    }
    [[nodiscard]] std::size_t side_by_side() const override { return lanes_ ? ReplicationLanes::most() : 1; }
    [[nodiscard]] std::vector<Observation> run_together(std::span<const statistics::Replication> replications,
                                                        const Done& done) const override {
        if (!lanes_) return Experiment::run_together(replications, done);
        return ReplicationLanes(*lanes_, settings_, replications).run(done);
    }

  private:
    SimulatedSystem system_;
    queueing::AnyPolicy policy_;
    SlottedSettings settings_;
    std::vector<Quantity> quantities_;
    bool dense_, workloads_;
    std::optional<LanePlan> lanes_;
};

}  // namespace

std::unique_ptr<const Experiment> slotted_experiment(SimulatedSystem system, const queueing::AnyPolicy& policy,
                                                     const SlottedSettings& settings) {
    queueing::require_slots(*system.instance, "this simulator");
    return std::make_unique<SlottedExperiment>(std::move(system), policy, settings);
}

}  // namespace schedproof::simulation
