/// The queueing simulators for one pair of rules, or, where both are unspecified, for any.
#pragma once

#include <utility>
#include <vector>

#include "experiments/simulators/events/event_loop.hpp"
#include "experiments/simulators/events/own_queue_loop.hpp"
#include "experiments/simulators/simulated_policies.hpp"
#include "experiments/simulators/slotted/dense_run.hpp"
#include "experiments/simulators/slotted/dense_workloads.hpp"
#include "experiments/simulators/slotted/replication_lanes.hpp"
#include "experiments/simulators/slotted/slotted.hpp"

namespace schedproof::simulation::detail {

template <queueing::RoutingRule routing, queueing::ServingRule serving>
class SlottedExperiment final : public Experiment {
    using Asked = AskedRules<routing, serving>;

  public:
    SlottedExperiment(System system, queueing::AnyPolicy policy, const SlottedSettings& settings)
        : system_(std::move(system)),
          policy_(std::move(policy)),
          settings_(settings),
          quantities_(slotted_quantities(system_, settings)),
          dense_(dense_pays(system_) && dense_suits(system_, policy_)),
          workloads_(dense_pays(system_) && dense_workloads_suit(system_, policy_, settings)) {
        // What is wrong with the settings shows now, not at the first replication.
        static_cast<void>(SlottedRun<Asked>(system_, policy_, settings_, {}));
        if (!dense_ && !workloads_) lanes_ = LanePlan::make(system_, policy_, settings_);
        if (lanes_ && !lanes_->pays()) lanes_.reset();
    }

    [[nodiscard]] const std::vector<Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return "slot"; }
    [[nodiscard]] Observation run(const statistics::Replication& replication, const Done& done) const override {
        if (dense_) return DenseRun(system_, policy_, settings_, replication).run(done);
        if (workloads_) return DenseWorkloads(system_, policy_, settings_, replication).run(done);
        if (lanes_) return std::move(run_together({&replication, 1}, done).front());
        return SlottedRun<Asked>(system_, policy_, settings_, replication).run(done);
    }
    [[nodiscard]] std::size_t side_by_side() const override { return lanes_ ? ReplicationLanes::most() : 1; }
    [[nodiscard]] std::vector<Observation> run_together(std::span<const statistics::Replication> replications,
                                                        const Done& done) const override {
        if (!lanes_) return Experiment::run_together(replications, done);
        return ReplicationLanes(*lanes_, settings_, replications).run(done);
    }

  private:
    System system_;
    queueing::AnyPolicy policy_;
    SlottedSettings settings_;
    std::vector<Quantity> quantities_;
    bool dense_, workloads_;
    std::optional<LanePlan> lanes_;
};

template <queueing::RoutingRule routing, queueing::ServingRule serving>
std::unique_ptr<const Experiment> simulate_in_slots(System system, const queueing::AnyPolicy& policy,
                                                    const SlottedSettings& settings) {
    return std::make_unique<SlottedExperiment<routing, serving>>(std::move(system), policy, settings);
}

/// Requires: runs_in_continuous_time.
template <queueing::RoutingRule routing, queueing::ServingRule serving>
Observation simulate_in_continuous_time(const EventPlan& plan, const statistics::Replication& replication,
                                        const Done& done) {
    using Asked = AskedRules<routing, serving>;
    if constexpr (serving == queueing::ServingRule::own || serving == queueing::ServingRule::unspecified)
        if (OwnQueueLoop<Asked>::suits(plan)) return OwnQueueLoop<Asked>(plan, replication).run(done);
    return EventLoop<Asked>(plan, replication).run(done);
}

template <queueing::RoutingRule routing, queueing::ServingRule serving>
[[nodiscard]] constexpr SimulatedRules simulated_rules() {
    return {routing, serving, {&simulate_in_slots<routing, serving>, &simulate_in_continuous_time<routing, serving>}};
}

}  // namespace schedproof::simulation::detail
