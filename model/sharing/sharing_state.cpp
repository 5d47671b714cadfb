#include "model/sharing/sharing_state.hpp"

#include "model/sharing/trajectory.hpp"

namespace schedproof::sharing {

void Setting::validate() const {
    require(cluster.nodes() > 0 && cluster.slots > 0, "a cluster has nodes and slots");
    require(!cluster.remote_time.empty(), "a cluster says how long remote tasks take");
    Ticks last = 0;
    for (const Job& job : jobs) {
        require(job.submit >= last, "jobs are listed in order of submission");
        last = job.submit;
        require(job.priority < priorities, "there are five priorities");
        require(!job.tasks.empty(), "a job has a task");
        for (const Replicas& data : job.tasks) {
            require(!data.empty(), "a task's data is somewhere");
            for (const NodeId n : data) require(n.index() < cluster.nodes(), "data is on a node that exists");
        }
    }
}

SlotId launched_last(const State& state, JobId j) {
    std::optional<std::size_t> last;
    for (std::size_t s = 0; s < state.slots.size(); ++s) {
        if (!state.slots[s].busy || state.slots[s].job != j) continue;
        if (!last || state.slots[s].since >= state.slots[*last].since) last = s;
    }
    require(last.has_value(), "only a running task can be killed");
    return SlotId(*last);
}

}  // namespace schedproof::sharing
