/// Jobs of many tasks on the slots of a cluster: what is given, and what there is at a moment.
///
/// The state is a plain value: equal states are equal, and a law over states is a map. Everything that a policy asks is
/// found in it by scanning (scanning_view.hpp); a simulator keeps the same facts in indexes.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/sharing/cluster.hpp"

namespace schedproof::sharing {

/// Hadoop's five: 0 very high, 1 high, 2 normal, 3 low, 4 very low.
using Priority = std::uint8_t;
inline constexpr Priority priorities = 5;
inline constexpr Priority normal_priority = 2;

/// `Count` counts skips and ticks: 64-bit integers, or affine counts where one state stands for many.
template <class Count>
struct JobOf {
    Count submit = 0;
    Priority priority = normal_priority;
    std::vector<Replicas> tasks;  ///< where the data of each is; at least one
    std::vector<NodeId> probes;   ///< nodes at which it makes a reservation, ascending, one entry for each

    JobOf() = default;
    // No aggregate: g++ 12 fails where a member of a list of jobs is left to its default.
    JobOf(Count submitted, Priority its, std::vector<Replicas> data, std::vector<NodeId> reserves = {})
        : submit(std::move(submitted)), priority(its), tasks(std::move(data)), probes(std::move(reserves)) {}
};

/// The part of a problem that does not change. Jobs are numbered in order of submission, ties as listed.
template <class Count>
struct SettingOf {
    Cluster cluster;
    std::vector<JobOf<Count>> jobs;

    /// Throws ContractViolation unless there are a node, a slot and a task in each job, every id exists, submit times
    /// and probes ascend, and priorities are below five.
    void validate() const;
};

enum class Stage : std::uint8_t { unlaunched, running, done };

template <class Count>
struct JobStateOf {
    std::vector<Stage> tasks;    ///< empty before the job is submitted
    std::vector<QueueId> queue;  ///< that each task was routed to; empty under policies that do not route
    Count skips = 0;             ///< scheduling opportunities it was passed over at, as its policy counts them
    /// Nodes of the reservations that it has left, as `probes`: a launch uses up one of its node, if there is one.
    std::vector<NodeId> reserved = {};
    friend auto operator<=>(const JobStateOf&, const JobStateOf&) = default;
};

template <class Count>
struct SlotStateOf {
    bool busy = false;
    Count since = 0;  ///< when its task was launched, or when it became free
    JobId job;        ///< of the running task; 0 when free, as are the next two
    std::uint32_t task = 0;
    Locality level = Locality::local;
    friend auto operator<=>(const SlotStateOf&, const SlotStateOf&) = default;
};

template <class Count>
struct StateOf {
    Count now = 0;
    std::vector<JobStateOf<Count>> jobs;    ///< of all jobs of the setting
    std::vector<SlotStateOf<Count>> slots;  ///< of all slots, node by node
    friend auto operator<=>(const StateOf&, const StateOf&) = default;
};

using Job = JobOf<Ticks>;
using Setting = SettingOf<Ticks>;
using JobState = JobStateOf<Ticks>;
using SlotState = SlotStateOf<Ticks>;
using State = StateOf<Ticks>;

template <>
void SettingOf<Ticks>::validate() const;

/// No job submitted, every slot free since 0.
[[nodiscard]] inline State initial_state(const Setting& setting) {
    return {0, std::vector<JobState>(setting.jobs.size()), std::vector<SlotState>(setting.cluster.all_slots())};
}

}  // namespace schedproof::sharing
