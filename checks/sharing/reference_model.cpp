/// The reference model of the sharing policies: each rule on lists, in the order of its words.
///
/// A rule sorts the jobs, walks along them and copies skip counts; every count is made anew from the slots. Nothing is
/// kept between offers, so there is nothing that could be kept wrongly. Cost: about the square of the jobs per offer.
#include "checks/sharing/reference_model.hpp"

#include <algorithm>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::checks {

using namespace sharing;

std::int64_t reference_running(const State& state, std::size_t job) {
    std::int64_t count = 0;
    for (const SlotState& s : state.slots)
        if (s.busy && s.job.index() == job) ++count;
    return count;
}

Locality reference_level(const Cluster& cluster, std::size_t node, const Replicas& data) {
    bool on_rack = false, racks_differ = false;
    for (const NodeId holder : data) {
        if (holder.index() == node) return Locality::local;
        if (cluster.rack[holder.index()] == cluster.rack[node]) on_rack = true;
    }
    for (const RackId rack : cluster.rack)
        if (rack != cluster.rack.front()) racks_differ = true;
    return on_rack && racks_differ ? Locality::rack_local : Locality::remote;
}

std::optional<Locality> reference_nearest(const Setting& setting, const State& state, std::size_t job,
                                          std::size_t node) {
    std::optional<Locality> nearest;
    const JobState& now = state.jobs[job];
    for (std::size_t t = 0; t < now.tasks.size(); ++t) {
        if (now.tasks[t] != Stage::unlaunched) continue;
        const Locality level = reference_level(setting.cluster, node, setting.jobs[job].tasks[t]);
        if (!nearest || level < *nearest) nearest = level;
    }
    return nearest;
}

namespace {

/// What all rules look at.
struct Situation {
    const SharingCase& c;
    std::size_t node;

    explicit Situation(const SharingCase& all) : c(all), node(all.slot.index() / all.setting.cluster.slots) {}

    [[nodiscard]] std::optional<Locality> nearest(std::size_t job) const {
        return reference_nearest(c.setting, c.state, job, node);
    }
    /// Jobs with an unlaunched task, by (key, number).
    template <class Key>
    [[nodiscard]] std::vector<std::size_t> sorted(Key&& key) const {
        std::vector<std::pair<std::int64_t, std::size_t>> ranked;
        for (std::size_t j = 0; j < c.state.jobs.size(); ++j)
            if (nearest(j)) ranked.emplace_back(key(j), j);
        std::sort(ranked.begin(), ranked.end());
        std::vector<std::size_t> jobs;
        for (const auto& [rank, job] : ranked) jobs.push_back(job);
        return jobs;
    }
    [[nodiscard]] std::vector<std::size_t> by_running() const {
        return sorted([&](std::size_t j) { return reference_running(c.state, j); });
    }
    [[nodiscard]] std::vector<std::size_t> by_priority() const {
        return sorted([&](std::size_t j) { return c.setting.jobs[j].priority; });
    }
};

JobLaunch launch(std::size_t job, Locality level) { return {JobId(job), level}; }

ReferenceOffer first_of(const Situation& s, const std::vector<std::size_t>& order, ReferenceOffer answer) {
    if (!order.empty()) answer.launch = launch(order.front(), *s.nearest(order.front()));
    return answer;
}

ReferenceOffer delay(const Situation& s, ReferenceOffer answer) {
    for (const std::size_t j : s.by_running()) {
        if (s.nearest(j) == Locality::local) {
            answer.launch = launch(j, Locality::local);
            answer.skips[j] = 0;
            return answer;
        }
        if (answer.skips[j] >= s.c.parameters.d) {
            answer.launch = launch(j, *s.nearest(j));
            return answer;
        }
        answer.skips[j] += 1;
    }
    return answer;
}

/// The furthest level that a job may launch at.
Locality allowed(const Parameters& p, std::int64_t skips) {
    if (skips < p.d1) return Locality::local;
    return p.d2 && skips >= p.d1 + *p.d2 ? Locality::remote : Locality::rack_local;
}

ReferenceOffer delay_rack(const Situation& s, ReferenceOffer answer, bool keep) {
    for (const std::size_t j : s.by_running()) {
        const Locality level = *s.nearest(j);
        if (level > allowed(s.c.parameters, answer.skips[j])) {
            answer.skips[j] += 1;
            continue;
        }
        answer.launch = launch(j, level);
        if (level == Locality::local) answer.skips[j] = 0;
        if (level == Locality::rack_local && !keep) answer.skips[j] = s.c.parameters.d1;
        return answer;
    }
    return answer;
}

std::size_t remote_tasks(const Situation& s) {
    std::size_t remote = 0;
    for (std::size_t i = 0; i < s.c.setting.cluster.slots; ++i) {
        const SlotState& slot = s.c.state.slots[s.node * s.c.setting.cluster.slots + i];
        if (slot.busy && slot.level == Locality::remote) ++remote;
    }
    return remote;
}

/// Since the offered slot was free and the job there.
Ticks waited(const Situation& s, std::size_t job) {
    return s.c.state.now - std::max(s.c.state.slots[s.c.slot.index()].since, s.c.setting.jobs[job].submit);
}

std::vector<std::size_t> asked(const Situation& s) {
    return s.c.parameters.order == Order::fair ? s.by_running() : s.by_priority();
}

ReferenceOffer dyndlon(const Situation& s, ReferenceOffer answer) {
    const auto order = asked(s);
    for (const std::size_t j : order)
        if (s.nearest(j) == Locality::local) {
            answer.launch = launch(j, Locality::local);
            return answer;
        }
    const Cluster& cluster = s.c.setting.cluster;
    const std::size_t remote = remote_tasks(s);
    Ticks wait = s.c.parameters.w;
    if (remote > 0) wait = std::max(wait, cluster.remote_time[std::min(remote, cluster.remote_time.size()) - 1]);
    for (const std::size_t j : order) {
        if (waited(s, j) < wait) continue;
        answer.launch = launch(j, *s.nearest(j));
        return answer;
    }
    return answer;
}

ReferenceOffer delay_time(const Situation& s, ReferenceOffer answer, bool one_remote) {
    for (const std::size_t j : asked(s)) {
        const bool local = s.nearest(j) == Locality::local;
        const bool remote = waited(s, j) >= s.c.parameters.w && !(one_remote && remote_tasks(s) > 0);
        if (!local && !remote) continue;
        answer.launch = launch(j, *s.nearest(j));
        return answer;
    }
    return answer;
}

/// The first job that has a reservation left at the node.
ReferenceOffer sparrow(const Situation& s, ReferenceOffer answer) {
    for (const std::size_t j : s.by_priority()) {
        const auto& left = s.c.state.jobs[j].reserved;
        if (!std::any_of(left.begin(), left.end(), [&](NodeId n) { return n.index() == s.node; })) continue;
        answer.launch = launch(j, *s.nearest(j));
        return answer;
    }
    return answer;
}

/// Of the jobs that have waited for as long as their transfer costs, the one that has waited longest beyond that.
ReferenceOffer quincy(const Situation& s, ReferenceOffer answer) {
    std::optional<Ticks> most;
    for (const std::size_t j : s.by_priority()) {
        const Locality level = *s.nearest(j);
        const Ticks paid = s.c.setting.jobs[j].submit + s.c.parameters.w * static_cast<Ticks>(index(level));
        if (paid > s.c.state.now || (most && s.c.state.now - paid <= *most)) continue;
        most = s.c.state.now - paid;
        answer.launch = launch(j, level);
    }
    return answer;
}

std::int64_t length(const State& state, std::size_t queue) {
    std::int64_t tasks = 0;
    for (const JobState& job : state.jobs)
        for (std::size_t t = 0; t < job.queue.size(); ++t)
            if (job.queue[t].index() == queue && job.tasks[t] != Stage::done) ++tasks;
    return tasks;
}

ReferenceOffer subqueues(const Situation& s, ReferenceOffer answer) {
    const Cluster& cluster = s.c.setting.cluster;
    const std::size_t common = cluster.rack.size();
    const bool own = cluster.rate[0] * length(s.c.state, s.node) >= cluster.rate[2] * length(s.c.state, common);
    const std::size_t queue = own ? s.node : common;
    std::optional<std::pair<std::int64_t, std::size_t>> fewest;
    for (std::size_t j = 0; j < s.c.state.jobs.size(); ++j)
        for (std::size_t t = 0; t < s.c.state.jobs[j].tasks.size(); ++t) {
            const JobState& job = s.c.state.jobs[j];
            if (job.tasks[t] != Stage::unlaunched || job.queue[t].index() != queue) continue;
            const std::pair candidate(reference_running(s.c.state, j), j);
            if (!fewest || candidate < *fewest) fewest = candidate;
        }
    if (fewest) answer.launch = launch(fewest->second, own ? Locality::local : Locality::remote);
    return answer;
}

}  // namespace

ReferenceOffer reference_offer(const std::string& id, const SharingCase& c) {
    const Situation s(c);
    ReferenceOffer answer;
    for (const JobState& job : c.state.jobs) answer.skips.push_back(job.skips);
    if (id == "hadoop-fifo") return first_of(s, s.by_priority(), std::move(answer));
    if (id == "naive-fair" || id == "fair-kill") return first_of(s, s.by_running(), std::move(answer));
    if (id == "delay") return delay(s, std::move(answer));
    if (id == "delay-rack") return delay_rack(s, std::move(answer), false);
    if (id == "delay-rack:keep") return delay_rack(s, std::move(answer), true);
    if (id == "dyndlon") return dyndlon(s, std::move(answer));
    if (id == "delay-time") return delay_time(s, std::move(answer), false);
    if (id == "delay-time:one-remote") return delay_time(s, std::move(answer), true);
    if (id == "sparrow") return sparrow(s, std::move(answer));
    if (id == "quincy") return quincy(s, std::move(answer));
    if (id != "jsq-maxweight:subqueues")
        throw InputError::at_key("policy", "expected a policy whose rule the reference model has, not '" + id + "'");
    return subqueues(s, std::move(answer));
}

namespace {

std::int64_t reference_waiting(const State& state, std::size_t job) {
    return std::count(state.jobs[job].tasks.begin(), state.jobs[job].tasks.end(), Stage::unlaunched);
}

}  // namespace

std::optional<std::size_t> reference_reclaim(const State& state) {
    std::int64_t present = 0, free = 0, due = 0, most = 0;
    std::optional<std::size_t> richest;
    for (const SlotState& s : state.slots) free += s.busy ? 0 : 1;
    for (std::size_t j = 0; j < state.jobs.size(); ++j) {
        const std::int64_t running = reference_running(state, j);
        if (running > 0 || reference_waiting(state, j) > 0) ++present;
        if (running > 0 && running >= most) {
            richest = j;
            most = running;
        }
    }
    if (!richest) return {};
    const std::int64_t share = static_cast<std::int64_t>(state.slots.size()) / present;
    for (std::size_t j = 0; j < state.jobs.size(); ++j)
        for (std::int64_t lacking = share - reference_running(state, j), left = reference_waiting(state, j);
             lacking > 0 && left > 0; --lacking, --left)
            ++due;
    return due > free && most > share ? richest : std::nullopt;
}

State reference_kills(const Setting& setting, State state) {
    while (const auto job = reference_reclaim(state)) {
        std::pair<Ticks, std::size_t> last(0, state.slots.size());
        for (std::size_t s = 0; s < state.slots.size(); ++s)
            if (state.slots[s].busy && state.slots[s].job.index() == *job &&
                (last.second == state.slots.size() || last < std::pair(state.slots[s].since, s)))
                last = {state.slots[s].since, s};
        SlotState& slot = state.slots[last.second];
        state.jobs[*job].tasks[slot.task] = Stage::unlaunched;
        slot = {false, state.now, JobId(), 0, Locality::local};
        SharingCase there;
        there.setting = setting;
        there.state = state;
        there.slot = SlotId(last.second);
        const auto taken = reference_offer("naive-fair", there).launch;
        if (!taken) return state;
        const std::size_t j = taken->job.index(), node = last.second / setting.cluster.slots;
        std::size_t task = 0;
        while (state.jobs[j].tasks[task] != Stage::unlaunched ||
               reference_level(setting.cluster, node, setting.jobs[j].tasks[task]) != taken->level)
            ++task;
        state.jobs[j].tasks[task] = Stage::running;
        auto& reserved = state.jobs[j].reserved;
        const auto used = std::find_if(reserved.begin(), reserved.end(), [&](NodeId n) { return n.index() == node; });
        if (used != reserved.end()) reserved.erase(used);
        slot = {true, state.now, taken->job, static_cast<std::uint32_t>(task), taken->level};
    }
    return state;
}

std::vector<std::size_t> reference_route(const Setting& setting, const State& state, const Replicas& data) {
    std::vector<std::size_t> queues{setting.cluster.rack.size()};
    for (const NodeId n : data) queues.push_back(n.index());
    std::sort(queues.begin(), queues.end());
    std::int64_t least = length(state, queues.front());
    for (const std::size_t q : queues) least = std::min(least, length(state, q));
    std::erase_if(queues, [&](std::size_t q) { return length(state, q) != least; });
    return queues;
}

std::optional<std::size_t> reference_head(const SharingCase& c) {
    std::optional<std::pair<std::int64_t, std::size_t>> head;
    for (std::size_t j = 0; j < c.state.jobs.size(); ++j) {
        const std::pair its(reference_running(c.state, j), j);
        if (reference_nearest(c.setting, c.state, j, 0) && (!head || its < *head)) head = its;
    }
    return head ? std::optional(head->second) : std::nullopt;
}

}  // namespace schedproof::checks
