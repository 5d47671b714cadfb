/// The exact laws of the simulators in slots, from their own code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/simulators/slotted/system.hpp"
#include "model/core/law.hpp"
#include "model/queueing/any_policy.hpp"
#include "model/queueing/state.hpp"

namespace schedproof::simulation {

/// After each slot, by queue: its length, and of these the tasks in execution.
using Trajectory = std::vector<std::int64_t>;

/// Which simulator runs: slotted.hpp, dense_run.hpp, dense_workloads.hpp or replication_lanes.hpp.
enum class Engine { indexed, dense, workloads, lanes };

struct EnumeratedRun {
    Engine engine = Engine::indexed;
    queueing::Truncation truncation;
    bool delays = false;           ///< as SlottedSettings
    std::size_t watched = 16;      ///< as SlottedTuning
    int slots = 1;                 ///< from the empty system
    std::size_t most_runs = 4000;  ///< of the simulator, one for each combination of outcomes
};

/// What is run: the simulator, or a mutant that breaks ties in favour of the first candidate: every one in the indexed
/// simulator, in the others those that random words break.
enum class Ties { uniform, first };

struct SimulatedLaw {
    Law<Trajectory> law;
    std::size_t runs = 0;
};

/// Whether the engine runs the policy on the system at all.
[[nodiscard]] bool engine_suits(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                                const EnumeratedRun& wanted);

/// None when there are more combinations of outcomes than `most_runs`, or one run may draw without end. Requires: the
/// engine suits.
[[nodiscard]] std::optional<SimulatedLaw> simulated_law(const SimulatedSystem& system,
                                                        const queueing::AnyPolicy& policy, const EnumeratedRun& wanted,
                                                        Ties ties = Ties::uniform);

/// Means over all runs of what task_drift.hpp sums up over the slots, and of what the tasks in the system, and their
/// square, have grown by.
struct EnumeratedDrift {
    double tasks = 0, squares = 0, grown = 0, squares_grown = 0;
    double apart = 0;  ///< mean of |squares - squares_grown|
};
/// None as above, without truncation.
[[nodiscard]] std::optional<EnumeratedDrift> enumerated_drift(const SimulatedSystem& system,
                                                              const queueing::AnyPolicy& policy,
                                                              const EnumeratedRun& wanted);

}  // namespace schedproof::simulation
