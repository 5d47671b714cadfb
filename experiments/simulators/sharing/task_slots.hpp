/// What runs where: the slots of a cluster as a simulator keeps them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/simulators/core/index_set.hpp"
#include "model/sharing/cluster.hpp"

namespace schedproof::simulation {

/// From when a free slot has waited: from when it became free, or from its last launch, as [jin2018], Algorithm 1,
/// prints it, so that the time of the task that it ran counts as waiting.
enum class WaitFrom : std::uint8_t { free, launch };

struct Slot {
    bool busy = false;
    sharing::Locality level = sharing::Locality::local;
    std::uint32_t task = 0;
    JobId job;
    sharing::Ticks since = 0;       ///< launched, or free, since
    sharing::Ticks finish = 0;      ///< of the running task
    sharing::Ticks alone = 0;       ///< what the running task would take on a node that holds its data
    std::uint64_t left_by = 0;      ///< number of the job whose task left it last, from 1; 0: none yet
    sharing::Ticks waits_from = 0;  ///< of a free one: when its wait for a remote task began
    bool background = false;        ///< busy with what is no task of a job
};

/// Cost: linear in the slots of the node, at most, where nothing else is said.
class Slots {
  public:
    /// `from`: when a free slot's wait for a remote task begins.
    explicit Slots(const sharing::Cluster& cluster, WaitFrom from = WaitFrom::free)
        : per_node_(cluster.slots),
          wait_from_(from),
          slot_(cluster.all_slots()),
          free_(slot_.size()),
          free_of_(cluster.nodes(), static_cast<std::uint32_t>(per_node_)),
          remote_(cluster.nodes()),
          with_free_(cluster.nodes()),
          all_free_(slot_.size()) {
        for (std::size_t s = 0; s < slot_.size(); ++s) free_[s] = sharing::SlotId(s);
        for (std::size_t n = 0; n < cluster.nodes(); ++n) with_free_.insert(n);
    }

    [[nodiscard]] std::size_t size() const { return slot_.size(); }
    [[nodiscard]] const Slot& operator[](sharing::SlotId s) const { return slot_[s.index()]; }
    [[nodiscard]] std::span<const Slot> of(sharing::NodeId n) const {
        return std::span(slot_).subspan(n.index() * per_node_, per_node_);
    }
    /// Free slots of a node, the longest free first, ties by number.
    [[nodiscard]] std::span<const sharing::SlotId> free_of(sharing::NodeId n) const {
        return std::span(free_).subspan(n.index() * per_node_, free_of_[n.index()]);
    }
    [[nodiscard]] const IndexSet& nodes_with_free() const { return with_free_; }
    [[nodiscard]] std::size_t free() const { return all_free_; }
    [[nodiscard]] std::size_t busy() const { return slot_.size() - all_free_; }
    /// Remote tasks that run on a node.
    [[nodiscard]] std::size_t remote_tasks(sharing::NodeId n) const { return remote_[n.index()]; }

    /// The slot of the job's task that was launched last, ties by the largest slot. Requires a running task.
    /// Cost: linear in the job's launches at that time, amortized over its launches; the first time, in all slots.
    [[nodiscard]] sharing::SlotId launched_last(JobId j) {
        if (launches_.empty()) list_launches();
        require(j.index() < launches_.size(), no_running_task);
        auto& launches = launches_[j.index()];
        while (!launches.empty() && !runs(launches.back(), j)) launches.pop_back();
        require(!launches.empty(), no_running_task);
        Launch last = launches.back();
        for (std::size_t i = launches.size(); i-- > 0 && launches[i].time == last.time;)
            if (launches[i].slot > last.slot && runs(launches[i], j)) last = launches[i];
        return last.slot;
    }

    /// Puts a task on a free slot; `task` says which, from when and how long.
    void occupy(sharing::SlotId s, const Slot& task) {
        const std::size_t n = s.index() / per_node_, first = n * per_node_;
        std::size_t at = first;
        while (free_[at] != s) ++at;
        const std::size_t last = first + --free_of_[n];
        for (; at < last; ++at) free_[at] = free_[at + 1];
        if (free_of_[n] == 0) with_free_.erase(n);
        --all_free_;
        const std::uint64_t left_by = slot_[s.index()].left_by;
        slot_[s.index()] = task;
        slot_[s.index()].busy = true;
        slot_[s.index()].left_by = left_by;
        if (!launches_.empty() && !task.background) list_launch(s);
        remote_[n] += task.level == sharing::Locality::remote;
    }
    /// Ends the task of a busy slot. `number` is that of its job.
    void release(sharing::SlotId s, sharing::Ticks now, std::uint64_t number) {
        const std::size_t n = s.index() / per_node_, first = n * per_node_;
        Slot& slot = slot_[s.index()];
        remote_[n] -= slot.level == sharing::Locality::remote;
        const sharing::Ticks launched = slot.since;
        slot = {};
        slot.since = now;
        slot.waits_from = wait_from_ == WaitFrom::free ? now : launched;
        slot.left_by = number;
        std::size_t at = first + free_of_[n]++;
        for (; at > first && free_[at - 1] > s && slot_[free_[at - 1].index()].since == now; --at)
            free_[at] = free_[at - 1];
        free_[at] = s;
        if (free_of_[n] == 1) with_free_.insert(n);
        ++all_free_;
    }
    /// Calls `visit(slot id, slot)` for each slot of a node that runs a remote task.
    template <class Visit>
    void each_remote(sharing::NodeId n, Visit&& visit) const {
        for (std::size_t s = n.index() * per_node_; s < (n.index() + 1) * per_node_; ++s)
            if (slot_[s].busy && slot_[s].level == sharing::Locality::remote) visit(sharing::SlotId(s), slot_[s]);
    }
    void set_finish(sharing::SlotId s, sharing::Ticks finish) { slot_[s.index()].finish = finish; }

  private:
    static constexpr const char* no_running_task = "only a running task can be killed";
    struct Launch {
        sharing::Ticks time;
        sharing::SlotId slot;
        friend auto operator<=>(const Launch&, const Launch&) = default;
    };
    [[nodiscard]] bool runs(const Launch& launch, JobId j) const {
        const Slot& slot = slot_[launch.slot.index()];
        return slot.busy && !slot.background && slot.job == j && slot.since == launch.time;
    }
    void list_launches() {
        launches_.resize(1);
        for (std::size_t s = 0; s < slot_.size(); ++s)
            if (slot_[s].busy && !slot_[s].background) list_launch(sharing::SlotId(s));
        for (auto& launches : launches_) std::sort(launches.begin(), launches.end());
    }
    void list_launch(sharing::SlotId s) {
        const JobId j = slot_[s.index()].job;
        if (j.index() >= launches_.size()) launches_.resize(j.index() + 1);
        auto& launches = launches_[j.index()];
        // Before the list would grow, tasks that have ended are removed.
        if (launches.size() >= 16 && launches.size() == launches.capacity()) {
            std::erase_if(launches, [&](const Launch& launch) { return !runs(launch, j); });
            if (2 * launches.size() > launches.capacity()) launches.reserve(2 * launches.capacity());
        }
        launches.push_back({slot_[s.index()].since, s});
    }

    std::size_t per_node_;
    WaitFrom wait_from_;
    std::vector<Slot> slot_;
    std::vector<std::vector<Launch>>
        launches_;                        // by job, in order of time; some have ended; empty until they are asked
    std::vector<sharing::SlotId> free_;   // node by node; of each, the first free_of_
    std::vector<std::uint32_t> free_of_;  // by node
    std::vector<std::uint32_t> remote_;   // by node
    IndexSet with_free_;
    std::size_t all_free_;
};

}  // namespace schedproof::simulation
