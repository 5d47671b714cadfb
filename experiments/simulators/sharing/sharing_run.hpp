/// One run of the simulator of jobs that share a cluster, whatever the policy.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "experiments/simulators/core/observation.hpp"
#include "experiments/simulators/sharing/job_recorder.hpp"
#include "experiments/simulators/sharing/job_source.hpp"
#include "experiments/simulators/sharing/links/fluid_network.hpp"
#include "experiments/simulators/sharing/task_slots.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof::simulation {

/// Until when a run may last. Unit: tick.
inline constexpr sharing::Ticks latest_tick = sharing::Ticks{1} << 62;

enum class OfferOrder : std::uint8_t { index, random };

/// Everything that a run needs but the policy. The loop is stated in simulator.hpp.
struct SharingWorld {
    sharing::Cluster cluster;
    JobLaws laws;
    std::variant<std::vector<TracedJob>, GeneratedJobs> jobs;
    sharing::Ticks heartbeat = 3000;       ///< 0: slotted
    OfferOrder order = OfferOrder::index;  ///< of the nodes, slotted
    std::optional<sharing::Ticks> end;     ///< none: every job is done; required where jobs come without end
    double tick = 0.001;                   ///< Unit: second or slot per tick
    SharingRecorder::Cut cut;
    SizeClasses classes;
    std::size_t without_bytes = 0;  ///< jobs of the trace passed over because they have no bytes
    WaitFrom wait_from = WaitFrom::free;
    std::optional<RunTimes> initial_loads = {};  ///< what each slot is busy with at the start; none: nothing
    /// Over which remote tasks read their blocks before they run; none: `laws` says what remote tasks take.
    /// Requires a policy that does not route.
    std::shared_ptr<const FluidNetwork> network = {};
};

/// Observes every event, for tests. Jobs are named by their number of submission, from 1.
class SharingWatcher {
  public:
    virtual ~SharingWatcher() = default;
    virtual void submitted(sharing::Ticks now, std::uint64_t job, const sharing::Job& what) = 0;
    /// Under a policy that routes, `task` is 1 for one of the common queue, else 0.
    virtual void launched(sharing::Ticks now, sharing::SlotId slot, std::uint64_t job, std::uint32_t task,
                          sharing::Locality level) = 0;
    virtual void completed(sharing::Ticks now, sharing::SlotId slot, std::uint64_t job) = 0;
    virtual void killed(sharing::Ticks now, sharing::SlotId slot, std::uint64_t job, std::uint32_t task) = 0;
};

/// Throws LimitExceeded when more than 100 million tasks wait, a task would end later than the latest tick, or the
/// policy declines every offer for ever; ContractViolation when the policy breaks a contract of its family.
[[nodiscard]] Observation run_sharing(const SharingWorld& world, const sharing::AnyPolicy& policy,
                                      const statistics::Replication& replication, const Done& done,
                                      SharingWatcher* watcher = nullptr);

}  // namespace schedproof::simulation
