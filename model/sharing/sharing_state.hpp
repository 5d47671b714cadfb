/// Jobs of many tasks on the slots of a cluster: what is given, and what there is at a moment.
///
/// The state is a plain value: equal states are equal, and a law over states is a map. Everything that a policy asks is
/// found in it by scanning (scanning_view.hpp); a simulator keeps the same facts in indexes.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "model/sharing/cluster.hpp"

namespace schedproof::sharing {

/// Hadoop's five: 0 very high, 1 high, 2 normal, 3 low, 4 very low.
using Priority = std::uint8_t;
inline constexpr Priority priorities = 5;
inline constexpr Priority normal_priority = 2;

struct Job {
    Ticks submit = 0;
    Priority priority = normal_priority;
    std::vector<Replicas> tasks;  ///< where the data of each is; at least one
};

/// The part of a problem that does not change. Jobs are numbered in order of submission, ties as listed.
struct Setting {
    Cluster cluster;
    std::vector<Job> jobs;

    /// Throws ContractViolation unless there are a node, a slot and a task in each job, every id exists, submit times
    /// ascend, and priorities are below five.
    void validate() const;
};

enum class Stage : std::uint8_t { unlaunched, running, done };

struct JobState {
    std::vector<Stage> tasks;    ///< empty before the job is submitted
    std::vector<QueueId> queue;  ///< that each task was routed to; empty under policies that do not route
    std::int64_t skips = 0;      ///< scheduling opportunities it was passed over at, as its policy counts them
    friend auto operator<=>(const JobState&, const JobState&) = default;
};

struct SlotState {
    bool busy = false;
    Ticks since = 0;  ///< when its task was launched, or when it became free
    JobId job;        ///< of the running task; 0 when free, as are the next two
    std::uint32_t task = 0;
    Locality level = Locality::local;
    friend auto operator<=>(const SlotState&, const SlotState&) = default;
};

struct State {
    Ticks now = 0;
    std::vector<JobState> jobs;    ///< of all jobs of the setting
    std::vector<SlotState> slots;  ///< of all slots, node by node
    friend auto operator<=>(const State&, const State&) = default;
};

/// No job submitted, every slot free since 0.
[[nodiscard]] inline State initial_state(const Setting& setting) {
    return {0, std::vector<JobState>(setting.jobs.size()), std::vector<SlotState>(setting.cluster.all_slots())};
}

}  // namespace schedproof::sharing
