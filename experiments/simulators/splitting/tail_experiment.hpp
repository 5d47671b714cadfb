/// Tails of a queueing chain by splitting: P(N > k) in a stationary run, however small; tail_experiment.cpp says how,
/// and why the estimate is unbiased. Paths are those of the exact kernel, sampled: right for every policy and option
/// that the kernel knows, and slower than the simulators, O(servers + queues) a slot.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/simulators/core/observation.hpp"
#include "model/queueing/any_policy.hpp"
#include "model/queueing/state.hpp"

namespace schedproof::simulation {

/// More than `above` tasks in the system, or in a queue, those in execution included, at the start of a slot.
struct TailEvent {
    std::optional<QueueId> queue;
    std::uint64_t above = 0;
    std::string name;  ///< of the quantity
};

struct Threshold {
    std::uint64_t tasks = 0;   ///< reached from so many on
    std::uint64_t factor = 1;  ///< paths that go on, for each that passes it
    friend bool operator==(const Threshold&, const Threshold&) = default;
};

struct TailSettings {
    std::uint64_t slots = 100'000;  ///< of the trunk; a multiple of batches
    std::uint64_t batches = 200;
    queueing::Truncation truncation = {};
    std::shared_ptr<const queueing::State<CheckedInt>> start = {};  ///< null: empty
    /// None: found by a pilot run.
    std::optional<std::vector<Threshold>> thresholds = {};
};

/// Quantities: the probability, and `tasks in system`, of the trunk. `work` counts the slots of all paths.
/// Throws InputError when the policy cannot run on the instance, or thresholds are not ascending with factors of at
/// least 1, up to above + 1; LimitExceeded, from a run, when copies take more than 10,000 times the slots of the trunk.
class TailExperiment final : public Experiment {
  public:
    TailExperiment(std::shared_ptr<const queueing::Instance> instance, const queueing::AnyPolicy& policy,
                   TailEvent event, TailSettings settings);
    ~TailExperiment() override;

    [[nodiscard]] const std::vector<Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return "slot"; }
    [[nodiscard]] std::string engine() const override { return "splitting: the exact step, drawn"; }
    [[nodiscard]] Observation run(const statistics::Replication& replication, const Done& done) const override;
    [[nodiscard]] std::span<const Threshold> thresholds() const { return thresholds_; }

  private:
    class Chain;
    std::unique_ptr<const Chain> chain_;
    TailSettings settings_;
    std::vector<Quantity> quantities_;
    std::vector<Threshold> thresholds_;
};

}  // namespace schedproof::simulation
