/// Smaller cases: without jobs and tasks that do not run, and nodes and slots where nothing runs; on one rack; with
/// fewer replicas and probes, lower skip counts, parameters and times. One change at a time.
///
/// A smaller case stays one of which claims may speak: data is on nodes that exist, queues are of nodes that hold it,
/// and reservations are left of probes. Whether it still fails is the caller's question.

#include <algorithm>
#include <utility>
#include <vector>

#include "checks/sharing/family.hpp"

namespace schedproof::checks {

using namespace sharing;

namespace {

using Candidates = std::vector<SharingCase>;

bool runs(const SharingCase& c, std::size_t job) {
    return std::any_of(c.state.slots.begin(), c.state.slots.end(),
                       [&](const SlotState& s) { return s.busy && s.job.index() == job; });
}

template <class T>
void erase_at(std::vector<T>& all, std::size_t at) {
    if (at < all.size()) all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Without a job that runs nothing, or without the last task of one, when that does not run.
void add_fewer_jobs(const SharingCase& from, Candidates& all) {
    const std::size_t jobs = from.setting.jobs.size();
    for (std::size_t j = 0; j < jobs; ++j) {
        if (jobs > 1 && !runs(from, j)) {
            all.push_back(from);
            erase_at(all.back().setting.jobs, j);
            erase_at(all.back().state.jobs, j);
            for (SlotState& s : all.back().state.slots)
                if (s.busy && s.job.index() > j) s.job = JobId(s.job.index() - 1);
        }
        const JobState& now = from.state.jobs[j];
        const std::size_t last = from.setting.jobs[j].tasks.size() - 1;
        if (last == 0 || (!now.tasks.empty() && now.tasks[last] == Stage::running)) continue;
        all.push_back(from);
        erase_at(all.back().setting.jobs[j].tasks, last);
        erase_at(all.back().state.jobs[j].tasks, last);
        erase_at(all.back().state.jobs[j].queue, last);
    }
}

/// Without the last probe of a job, nor the reservation that is left of it alone.
void add_fewer_probes(const SharingCase& from, Candidates& all) {
    for (std::size_t j = 0; j < from.setting.jobs.size(); ++j) {
        if (from.setting.jobs[j].probes.empty()) continue;
        all.push_back(from);
        std::vector<NodeId>&probes = all.back().setting.jobs[j].probes, &reserved = all.back().state.jobs[j].reserved;
        probes.pop_back();
        if (!std::includes(probes.begin(), probes.end(), reserved.begin(), reserved.end())) reserved.pop_back();
    }
}

void add_fewer_replicas(const SharingCase& from, Candidates& all) {
    for (std::size_t j = 0; j < from.setting.jobs.size(); ++j)
        for (std::size_t t = 0; t < from.setting.jobs[j].tasks.size(); ++t)
            if (from.setting.jobs[j].tasks[t].size() > 1) {
                all.push_back(from);
                Replicas& data = all.back().setting.jobs[j].tasks[t];
                std::vector<QueueId>& queues = all.back().state.jobs[j].queue;
                if (t < queues.size() && queues[t].index() == data.back().index())
                    queues[t] = QueueId(data.front().index());
                data.pop_back();
            }
}

/// Of a cluster on which nothing runs: a slot less on each node, or without the last node, its replicas on the first.
void add_smaller_clusters(const SharingCase& from, Candidates& all) {
    const Cluster& cluster = from.setting.cluster;
    const bool busy =
        std::any_of(from.state.slots.begin(), from.state.slots.end(), [](const auto& s) { return s.busy; });
    if (busy || from.of.nodes > 1 || cluster.nodes() == 0) return;  // an analysis of M nodes keeps them
    const auto fit = [&] {
        all.back().state.slots.assign(all.back().setting.cluster.all_slots(), SlotState{});
        all.back().slot = SlotId(0);
    };
    if (cluster.slots > 1) {
        all.push_back(from);
        --all.back().setting.cluster.slots;
        fit();
    }
    if (cluster.nodes() == 1) return;
    all.push_back(from);
    const NodeId last(cluster.nodes() - 1);
    all.back().setting.cluster.rack.pop_back();
    for (Job& job : all.back().setting.jobs) {
        std::erase(job.probes, last);
        for (Replicas& data : job.tasks) {
            data.erase(std::remove(data.begin(), data.end(), last), data.end());
            if (data.empty()) data = {NodeId(0)};
        }
    }
    for (JobState& job : all.back().state.jobs) std::erase(job.reserved, last);
    for (std::size_t j = 0; j < from.state.jobs.size(); ++j)
        for (std::size_t t = 0; t < from.state.jobs[j].queue.size(); ++t) {
            QueueId& queue = all.back().state.jobs[j].queue[t];
            if (queue.index() == last.index()) queue = QueueId(all.back().setting.jobs[j].tasks[t].front().index());
            if (queue.index() > last.index()) queue = QueueId(last.index());  // the common one
        }
    fit();
}

/// With a number lowered to 0, or by one.
template <class Number>
void add_lower(const SharingCase& from, Candidates& all, Number&& number, std::int64_t least) {
    SharingCase probe = from;
    const std::int64_t value = number(probe);
    for (const std::int64_t lower : {least, value - 1}) {
        if (lower < least || lower >= value) continue;
        all.push_back(from);
        number(all.back()) = lower;
    }
}

void add_lower_numbers(const SharingCase& from, Candidates& all) {
    for (std::size_t j = 0; j < from.state.jobs.size(); ++j)
        add_lower(
            from, all, [j](SharingCase& c) -> std::int64_t& { return c.state.jobs[j].skips; }, 0);
    add_lower(
        from, all, [](SharingCase& c) -> std::int64_t& { return c.parameters.d; }, 0);
    add_lower(
        from, all, [](SharingCase& c) -> std::int64_t& { return c.parameters.d1; }, 0);
    add_lower(
        from, all, [](SharingCase& c) -> std::int64_t& { return c.parameters.w; }, 0);
    add_lower(
        from, all, [](SharingCase& c) -> std::int64_t& { return c.run; }, 1);
    if (std::any_of(from.setting.cluster.rack.begin(), from.setting.cluster.rack.end(),
                    [](RackId rack) { return rack.index() > 0; })) {
        all.push_back(from);
        for (RackId& rack : all.back().setting.cluster.rack) rack = RackId(0);
    }
}

}  // namespace

bool SharingFamily::smaller(const SharingCase& from, const std::string&, const Take<SharingFamily>& take) {
    Candidates all;
    add_fewer_jobs(from, all);
    add_fewer_probes(from, all);
    add_fewer_replicas(from, all);
    add_smaller_clusters(from, all);
    add_lower_numbers(from, all);
    return std::any_of(all.begin(), all.end(), take);
}

}  // namespace schedproof::checks
