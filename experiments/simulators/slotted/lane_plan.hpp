/// Whether and how replications of a system under a policy run side by side: everything about them that is fixed before
/// the first slot.
#pragma once

#include <optional>
#include <vector>

#include "experiments/simulators/slotted/arrival_words.hpp"
#include "experiments/simulators/slotted/exact_cuts.hpp"
#include "experiments/simulators/slotted/lane_slots.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "model/queueing/any_policy.hpp"

namespace schedproof::simulation {

/// What all replications share.
class LanePlan {
  public:
    /// None where lane_rules has none, or an option, a setting or the size asks for another simulator.
    [[nodiscard]] static std::optional<LanePlan> make(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                                                      const SlottedSettings& settings);
    /// Whether lanes run rather than slotted.hpp: by the lengths of the programs and the tasks of a slot, no clock, for
    /// the two take other paths of a seed.
    [[nodiscard]] bool pays() const;

    [[nodiscard]] const SimulatedSystem& system() const { return system_; }
    [[nodiscard]] const LaneRules& rules() const { return rules_; }
    /// Most tasks that a slot may bring.
    [[nodiscard]] std::uint64_t most_tasks() const { return most_tasks_; }
    /// By factor of the arrivals, and by entry of the table of rates.
    [[nodiscard]] const ExactCuts& outcomes(std::size_t factor) const { return outcomes_[factor]; }
    [[nodiscard]] const ExactCuts& completion(std::size_t rate) const { return rates_[rate]; }
    /// What is fixed of the kernel's data, borrowed from here; rows and settings are the caller's to add.
    [[nodiscard]] LaneSlots slots() const;

  private:
    LanePlan(const SimulatedSystem& system, const queueing::Layout& layout, LaneRules rules);
    void add_factor(const queueing::ArrivalFactor& factor);
    void add_server(const queueing::Layout& layout, ServerId m);

    SimulatedSystem system_;
    LaneRules rules_;
    std::vector<LaneFactor> factors_;
    std::vector<LaneFactorType> factor_types_;
    std::vector<std::uint32_t> cuts_, steps_;
    std::vector<LaneType> types_;
    std::vector<LaneServer> servers_;
    std::vector<LaneTarget> targets_;
    std::vector<ExactCuts> outcomes_, rates_;  // by factor; by entry of the table of rates
    std::uint32_t draws_ = 0, first_service_ = 0, sample_ = 0;
    std::uint64_t most_tasks_ = 0;  // in a slot
};

}  // namespace schedproof::simulation
