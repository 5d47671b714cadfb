/// Tails of a queueing chain by splitting: P(N > k) in a stationary run, however small.
///
/// Let f be the number of tasks, in the system or in one queue, and l_1 < ... < l_m <= k + 1 thresholds with factors
/// R_1, ..., R_m. The run of the chain is its *trunk*. Whenever a path passes l_i upwards, R_i - 1 copies of its state go
/// on from there beside it, each with random numbers of its own; a copy that was made at l_i ends when it is below l_i
/// again, the path it came from goes on (RESTART). A path that has reached i thresholds weighs 1 / (R_1 ... R_i).
///
/// For every slot t and every function g of the state, the weighted sum of g over the paths that are alive in t has the
/// mean E g(X_t). Proof, by induction on m: for one threshold, consider the time since the trunk passed it last. Until
/// it is below again, the trunk and its R - 1 copies have one law and the weight 1 / R each; afterwards the trunk alone
/// is left, with weight 1. For more, a path above l_1 is a trunk for the others. Thresholds that are passed in one jump
/// are passed one after another. So the estimate is unbiased as the plain mean over slots is: exactly, for the law of
/// the kept slots from the given start, and up to what the warm-up leaves of the start, for the stationary law. It holds
/// for all thresholds and factors; these decide on the variance alone. Copies end with the run, whatever they have done.
///
/// Replications are independent, trunk and warm-up included, so that Student's t of their means is an interval; slots
/// within a run are not, and neither are the copies of one path.
///
/// Thresholds are found by a pilot run on random numbers of its own, the same for every replication: so far as the pilot
/// has come, at the least values with P(f >= l_i) at most half of P(f >= l_(i-1)), with factors that keep R_1 ... R_i
/// near 1 / P(f >= l_i); from there it goes on with these.
///
/// Paths are those of the exact kernel, sampled: right for every policy and option that the kernel knows, and slower than
/// the simulators, O(servers + queues) a slot.
/// Source: Villen-Altamirano (1991); Garvels (2000); Asmussen and Glynn (2007), VI.9.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/simulators/core/observation.hpp"
#include "model/queueing/policy.hpp"
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

/// Quantities: `tasks in system`, of the trunk, and the probability. `work` counts the slots of all paths.
/// Throws InputError when the policy cannot run on the instance, or thresholds are not ascending with factors of at
/// least 1, up to above + 1; LimitExceeded, from a run, when copies take more than 10,000 times the slots of the trunk.
class TailExperiment final : public Experiment {
  public:
    TailExperiment(std::shared_ptr<const queueing::Instance> instance, const queueing::AnyPolicy& policy,
                   TailEvent event, TailSettings settings);
    ~TailExperiment() override;

    [[nodiscard]] const std::vector<Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return "slot"; }
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
