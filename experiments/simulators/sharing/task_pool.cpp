/// Ready jobs in two orders, and each node's jobs with local data, kept up to date at every event.
///
/// A ready job stands in two ordered sets, by running tasks and by priority; a launch or completion changes its key, so
/// its node is extracted, changed and put back without an allocation. No policy asks for everything: an order, and the
/// lists of local jobs per node, are made when a policy asks for them for the first time.
///
/// A node's lists, one for each priority, are queues: jobs join them in the order of their submission, which is that of
/// first come, first served, so the first local job of the node is the front of a list. A job leaves when it is met
/// without an unlaunched task that is local to the node, since its tasks may have been launched elsewhere. It is met
/// once for each node that holds its data, which is less than once for each replica of its tasks; that makes the
/// first local job as cheap as a launch, however many jobs wait. Under fair sharing keys change with every launch, so
/// that the jobs with local tasks at the node are compared. A task that is put back returns its job to the lists of
/// its nodes. Entries carry the job's number of submission, since ids are used again.
///
/// Where a job's reservations are is drawn when a policy asks about them for the first time, and launches are kept from
/// then on, so that policies that do not ask pay for neither. A run in which the first question comes after a launch
/// begins again with launches kept.
#include "experiments/simulators/sharing/task_pool.hpp"

#include <algorithm>

namespace schedproof::simulation {

using sharing::Locality;
using sharing::NodeId;

JobId TaskPool::submit(const sharing::Job& job, std::span<const sharing::Ticks> times) {
    const JobId j = jobs_.open(job);
    if (j.index() >= lists_.size()) {
        lists_.resize(j.index() + 1);
        reservations_.resize(j.index() + 1);
    }
    lists_[j.index()].fill(cluster_, racks_, job, times);
    if (fair_) fair_->insert(fair_place(j));
    if (fifo_) fifo_->insert(fifo_place(j));
    if (listed_) list_at_its_nodes(j);
    return j;
}

const TaskPool::Line& TaskPool::line(sharing::Order order) {
    std::optional<Line>& line = order == sharing::Order::fair ? fair_ : fifo_;
    if (line) return *line;
    line.emplace();
    for (const JobId j : IdRange<JobId>(jobs_.ids()))
        if (is_ready(j)) line->insert(order == sharing::Order::fair ? fair_place(j) : fifo_place(j));
    return *line;
}

void TaskPool::list_at_its_nodes(JobId j) {
    lists_[j.index()].each_node([&](NodeId n) {
        LocalJobs& here = local_jobs(n, jobs_[j].priority);
        // Before the list would grow, jobs that are no longer ready are removed.
        if (here.jobs.size() >= 16 && here.jobs.size() == here.jobs.capacity()) {
            here.jobs.erase(here.jobs.begin(), here.jobs.begin() + static_cast<std::ptrdiff_t>(here.head));
            std::erase_if(here.jobs, [&](const Present& p) { return !is_ready(p); });
            if (2 * here.jobs.size() > here.jobs.capacity()) here.jobs.reserve(2 * here.jobs.capacity());
            here.head = 0;
        }
        here.jobs.push_back({j, jobs_[j].number});
    });
}

void TaskPool::list_all() {
    local_.resize(cluster_.nodes() * sharing::priorities);
    std::vector<JobId> ready;
    for (const JobId j : IdRange<JobId>(jobs_.ids()))
        if (is_ready(j)) ready.push_back(j);
    std::sort(ready.begin(), ready.end(), [&](JobId a, JobId b) { return jobs_[a].number < jobs_[b].number; });
    for (const JobId j : ready) list_at_its_nodes(j);
    listed_ = true;
}

void TaskPool::list_again(JobId j, std::uint32_t task) {
    const std::uint64_t number = jobs_[j].number;
    for (const NodeId n : lists_[j.index()].holders(task)) {
        LocalJobs& here = local_jobs(n, jobs_[j].priority);
        const auto at = std::lower_bound(here.jobs.begin() + static_cast<std::ptrdiff_t>(here.head), here.jobs.end(),
                                         number, [](const Present& p, std::uint64_t of) { return p.number < of; });
        if (at == here.jobs.end() || at->number != number) here.jobs.insert(at, {j, number});
    }
}

TaskPool::Launched TaskPool::launch(const sharing::JobLaunch& launch, NodeId n) {
    const JobId j = launch.job;
    constexpr const char* contract = "a policy launches a task that there is";
    require(jobs_[j].unlaunched > 0, contract);
    const auto [task, level] = lists_[j.index()].nearest(cluster_, n);
    require(level == launch.level, contract);
    lists_[j.index()].launch(task);
    has_launched_ = true;
    if (keeps_launches_) {
        std::vector<NodeId>& launched = reservations_[j.index()].launched;
        launched.insert(
            reservations_[j.index()].probes ? std::upper_bound(launched.begin(), launched.end(), n) : launched.end(),
            n);
    }
    Line::node_type place;
    if (fair_) place = fair_->extract(fair_place(j));
    jobs_.launched(j);
    if (jobs_[j].unlaunched > 0) {
        if (fair_) insert_fair(std::move(place), j);
    } else if (fifo_) {
        fifo_->erase(fifo_place(j));
    }
    return {task, lists_[j.index()].time(task)};
}

void TaskPool::put_back(JobId j, std::uint32_t task) {
    if (fair_ && jobs_[j].unlaunched > 0) fair_->erase(fair_place(j));
    jobs_.killed(j);
    lists_[j.index()].put_back(cluster_, task);
    if (fair_) fair_->insert(fair_place(j));
    if (fifo_) fifo_->insert(fifo_place(j));
    if (listed_) list_again(j, task);
}

bool TaskPool::finish(JobId j, std::uint32_t, NodeId) {
    if (!fair_ || jobs_[j].unlaunched == 0) return jobs_.finished(j);
    Line::node_type place = fair_->extract(fair_place(j));
    const bool done = jobs_.finished(j);
    insert_fair(std::move(place), j);
    return done;
}

void TaskPool::insert_fair(Line::node_type place, JobId j) {
    place.value() = fair_place(j);
    fair_->insert(std::move(place));
}

std::vector<NodeId> TaskPool::holders(JobId j, std::uint32_t task) const {
    const auto held = lists_[j.index()].holders(task);
    std::vector<NodeId> nodes(held.begin(), held.end());
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

void TaskPool::Reservations::clear() {
    if (launched.size() > 1000) launched = {};  // memory of smaller jobs is used again
    launched.clear();
    probes.reset();
}

std::int64_t TaskPool::reserved(JobId j, NodeId n) {
    if (!keeps_launches_) {
        lacks_launches_ = has_launched_;
        keeps_launches_ = true;
    }
    Reservations& of = reservations_[j.index()];
    if (!of.probes) {
        of.probes = probes_(jobs_[j]);
        std::sort(of.launched.begin(), of.launched.end());
    }
    const auto entries = [&](const std::vector<NodeId>& nodes) {
        const auto [first, last] = std::equal_range(nodes.begin(), nodes.end(), n);
        return last - first;
    };
    const std::int64_t all = static_cast<std::int64_t>(of.probes->everywhere) + entries(of.probes->more);
    return std::max<std::int64_t>(0, all - entries(of.launched));
}

std::optional<JobId> TaskPool::first_local(sharing::Order order, NodeId n) {
    if (!listed_) list_all();
    return order == sharing::Order::fifo ? first_come_local(n) : poorest_local(n);
}

std::optional<JobId> TaskPool::first_come_local(NodeId n) {
    for (sharing::Priority p = 0; p < sharing::priorities; ++p) {
        LocalJobs& here = local_jobs(n, p);
        for (; here.head < here.jobs.size(); ++here.head)
            if (has_local(here.jobs[here.head], n)) return here.jobs[here.head].job;
        here.jobs.clear();
        here.head = 0;
    }
    return {};
}

std::optional<JobId> TaskPool::poorest_local(NodeId n) {
    std::optional<Place> first;
    for (sharing::Priority p = 0; p < sharing::priorities; ++p) {
        LocalJobs& here = local_jobs(n, p);
        std::size_t kept = 0;
        for (std::size_t i = here.head; i < here.jobs.size(); ++i) {
            if (!is_ready(here.jobs[i])) continue;
            const Place place = fair_place(here.jobs[i].job);
            const bool before = !first || place < *first;
            // Of a job that would not be the first anyhow the tasks are not looked at.
            if (before && !has_local(here.jobs[i], n)) continue;
            here.jobs[kept++] = here.jobs[i];
            if (before) first = place;
        }
        here.jobs.resize(kept);
        here.head = 0;
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
