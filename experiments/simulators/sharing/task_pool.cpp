/// Ready jobs in two orders, and each node's jobs with local data, kept up to date at every event.
///
/// A ready job stands in two ordered sets, by running tasks and by priority; a launch or completion changes its key, so
/// its node is extracted, changed and put back without an allocation. The lists of local jobs per node are made when a
/// policy asks for the first time, since many never do, and are cleaned lazily: an entry whose job is done or has no
/// unlaunched task is dropped when it is met, and before a list would grow. Entries carry the job's number of
/// submission, since ids are used again.
#include "experiments/simulators/sharing/task_pool.hpp"

#include <algorithm>

namespace schedproof::simulation {

using sharing::Locality;
using sharing::NodeId;

JobId TaskPool::submit(const sharing::Job& job, std::span<const sharing::Ticks> times) {
    const JobId j = jobs_.open(job);
    if (j.index() >= lists_.size()) lists_.resize(j.index() + 1);
    lists_[j.index()].fill(cluster_, one_rack_, job, times);
    fair_.insert(fair_place(j));
    fifo_.insert(fifo_place(j));
    if (listed_) list_at_its_nodes(j);
    return j;
}

void TaskPool::list_at_its_nodes(JobId j) {
    lists_[j.index()].each_node([&](NodeId n) {
        auto& here = local_[n.index()];
        // Before the list would grow, entries that are no longer ready are removed.
        if (here.size() >= 16 && here.size() == here.capacity())
            here.erase(std::remove_if(here.begin(), here.end(), [&](const Present& p) { return !ready(p); }),
                       here.end());
        here.push_back({j, jobs_[j].number});
    });
}

TaskPool::Launched TaskPool::launch(const sharing::JobLaunch& launch, NodeId n) {
    const JobId j = launch.job;
    require(jobs_[j].unlaunched > 0 && lists_[j.index()].nearest(cluster_, n) == launch.level,
            "a policy launches a task that there is");
    const std::uint32_t task = lists_[j.index()].launch(cluster_, n);
    auto place = fair_.extract(fair_place(j));
    jobs_.launched(j);
    if (jobs_[j].unlaunched > 0) {
        place.value() = fair_place(j);
        fair_.insert(std::move(place));
    } else {
        fifo_.erase(fifo_place(j));
    }
    return {task, lists_[j.index()].time(task)};
}

void TaskPool::put_back(JobId j, std::uint32_t task) {
    const bool was_ready = jobs_[j].unlaunched > 0;
    if (was_ready) fair_.erase(fair_place(j));
    jobs_.killed(j);
    lists_[j.index()].put_back(task);
    fair_.insert(fair_place(j));
    fifo_.insert(fifo_place(j));
    if (was_ready || !listed_) return;
    for (auto& here : local_) std::erase_if(here, [&](const Present& p) { return p.job == j; });
    list_at_its_nodes(j);
}

bool TaskPool::finish(JobId j, std::uint32_t, NodeId) {
    if (jobs_[j].unlaunched == 0) return jobs_.finished(j);
    auto place = fair_.extract(fair_place(j));
    const bool done = jobs_.finished(j);
    place.value() = fair_place(j);
    fair_.insert(std::move(place));
    return done;
}

std::optional<JobId> TaskPool::first_local(sharing::Order order, NodeId n) {
    if (!listed_)
        for (const Place& place : fifo_) list_at_its_nodes(place.job);
    listed_ = true;
    std::optional<Place> first;
    auto& here = local_[n.index()];
    for (std::size_t i = 0; i < here.size();) {
        if (!ready(here[i])) {
            here[i] = here.back();
            here.pop_back();
            continue;
        }
        const JobId j = here[i++].job;
        const Place place = order == sharing::Order::fair ? fair_place(j) : fifo_place(j);
        if (lists_[j.index()].has_local(n) && (!first || place < *first)) first = place;
    }
    return first ? std::optional(first->job) : std::nullopt;
}

std::optional<JobId> TaskPool::most_running() const {
    std::optional<JobId> most;
    for (const JobId j : IdRange<JobId>(jobs_.ids())) {
        if (jobs_[j].number == 0 || jobs_[j].running == 0) continue;
        if (!most ||
            std::pair(jobs_[j].running, jobs_[j].number) > std::pair(jobs_[*most].running, jobs_[*most].number))
            most = j;
    }
    return most;
}

}  // namespace schedproof::simulation
