/// The simulator in slots: copies follow the actual paths of the machines that they are on.
///
/// The slot loop. Slot k is the time [k, k+1). At its start:
///   1. Jobs that arrived in (k-1, k], and those known to be done at k, change the set of active jobs. If it changed:
///      a. checkpoint: the remaining work of every active job falls by the work of its most advanced copy since the
///         last checkpoint, and all its copies go on from there;
///      b. done jobs leave, then arrived ones enter; the policy's order is made anew (remaining work, ties by id; or
///         arrival) and the policy allocates, `allocate(n, M)`, the code that the proofs are about;
///      c. copies are placed (placement.hpp): kept where they are as far as possible, the others at random.
///   2. Every machine works: machine i gets w_i(k) done (machine_work.hpp), and each copy on it moves by s/ways w_i(k),
///      where s is the speed and ways the number that machines are divided into, all taken or not.
///   3. A job with a copy whose work since the last checkpoint reaches the remaining work, but for 1e-12 of the job's
///      size, is done at k+1.
/// A flowtime is c_j - a_j, with c_j the end of a slot and a_j as given, perhaps within one. Slots without active jobs
/// are passed over. There is no horizon: every job is run to its completion.
///
/// Shared with the model (model/redundancy/schedule.hpp): the policies and the order of events. Different by intent:
/// work between checkpoints is that of the best sample path, not its mean, and decisions wait for the start of a slot.
/// Checked equal: with rate 1, whole sizes and arrivals, and shares that do not divide a slot, every flow time is that
/// of the exact schedule (tests/experiments/slotted_test.cpp). Machines, arrivals and sizes come from streams that no
/// policy touches.
/// Source: [xu2017], Section 6; docs/models/redundancy.md, Interpretations R13, R14.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "experiments/simulators/redundancy/machine_work.hpp"
#include "experiments/simulators/redundancy/placement.hpp"
#include "experiments/simulators/redundancy/slotted_run.hpp"
#include "experiments/statistics/stream.hpp"
#include "model/core/real.hpp"
#include "policies/redundancy/registry.hpp"

namespace schedproof::simulation {

/// An active job as a watcher sees it, by rank in the policy's order.
struct Placed {
    std::size_t job = 0;
    double remaining = 0;  ///< at this checkpoint
    std::size_t ways = 1;
    std::span<const std::uint32_t> machines;  ///< empty: waits
};

class Watcher {
  public:
    virtual ~Watcher() = default;
    /// After every decision: all active jobs.
    virtual void decided(std::uint64_t slot, std::span<const Placed> active) = 0;
    /// What machines do in a slot that has active jobs.
    virtual void worked(std::uint64_t slot, std::span<const double> work) = 0;
};

/// Everything that a run in slots needs but policy and machines.
struct SlottedSetting {
    const redundancy::Jobs<Real>& jobs;  ///< ascending by arrival, from 0 on; sizes above 0
    double speed = 1;
    statistics::Replication replication = {};  ///< for the placement of copies
    std::uint64_t max_slots = 10'000'000'000;
    Watcher* watcher = nullptr;
    Progress progress = {};
};

/// Throws LimitExceeded when a job arrives later than max_slots, or is not done then.
/// Cost: a slot with an event is linear in active jobs and machines, any other in machines.
[[nodiscard]] Run run_in_slots(const redundancy::AnyPolicy& policy, MachineWork& machines,
                               const SlottedSetting& setting);

}  // namespace schedproof::simulation
