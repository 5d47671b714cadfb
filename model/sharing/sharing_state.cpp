#include "model/sharing/sharing_state.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::sharing {

template <>
void SettingOf<Ticks>::validate() const {
    require(cluster.nodes() > 0 && cluster.slots > 0, "a cluster has nodes and slots");
    require(!cluster.remote_time.empty(), "a cluster says how long remote tasks take");
    Ticks last = 0;
    for (const Job& job : jobs) {
        require(job.submit >= last, "jobs are listed in order of submission");
        last = job.submit;
        require(job.priority < priorities, "there are five priorities");
        require(!job.tasks.empty(), "a job has a task");
        require(std::is_sorted(job.probes.begin(), job.probes.end()), "probes are listed in ascending order");
        for (const NodeId n : job.probes) require(n.index() < cluster.nodes(), "probes are of nodes that exist");
        for (const Replicas& data : job.tasks) {
            require(!data.empty(), "a task's data is somewhere");
            for (const NodeId n : data) require(n.index() < cluster.nodes(), "data is on a node that exists");
        }
    }
}

}  // namespace schedproof::sharing
