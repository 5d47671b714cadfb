/// One policy in the queueing simulators, made in a unit that knows the policy's type.
#pragma once

#include <utility>
#include <vector>

#include "experiments/simulators/events/event_loop.hpp"
#include "experiments/simulators/simulated_policies.hpp"
#include "experiments/simulators/slotted/dense_counts.hpp"
#include "experiments/simulators/slotted/slotted.hpp"

namespace schedproof::simulation {

/// Whether the policy's layout may have queues of servers that hold counts, as DenseRun wants: not where the policy
/// states otherwise. Others are not compiled for it.
template <class P>
[[nodiscard]] constexpr bool may_be_dense() {
    using queueing::RoutingRule;
    const RoutingRule routing = queueing::decision_class<P>().routing;
    return !queueing::DeficitCountingPolicy<P> && routing != RoutingRule::own_type && routing != RoutingRule::common &&
           routing != RoutingRule::least_weighted_workload;
}

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
        if constexpr (may_be_dense<P>())
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

template <class P>
std::unique_ptr<const Experiment> simulate_in_slots(System system, const queueing::AnyPolicy& policy,
                                                    const SlottedSettings& settings) {
    return std::make_unique<SlottedExperiment<P>>(std::move(system), policy.as<P>(), settings);
}

/// Requires: runs_in_continuous_time.
template <class P>
Observation simulate_in_continuous_time(const EventPlan& plan, const statistics::Replication& replication,
                                        const Done& done) {
    if constexpr (queueing::DeficitCountingPolicy<P>)
        throw ContractViolation("a policy with deficit counters, which count slots, in continuous time");
    else
        return EventLoop<P>(plan, plan.settings.policy.as<P>(), replication).run(done);
}

}  // namespace schedproof::simulation

/// Defines the row of one policy of registry.def in the table of simulated_policies.cpp.
#define SCHEDPROOF_SIMULATE(Name)                                                                   \
    namespace schedproof::simulation::detail {                                                      \
    extern const SimulatedPolicy simulated_##Name;                                                  \
    constinit const SimulatedPolicy simulated_##Name{&simulate_in_slots<queueing::Name>,            \
                                                     &simulate_in_continuous_time<queueing::Name>}; \
    }
