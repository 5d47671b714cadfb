/// Random cases and grids of the sharing family.
///
/// A random state is made from the outside in: cluster, jobs with their data, then stages of tasks, where a running
/// task takes a slot that is still free. So it is consistent without rejection, and need not be reachable: rules are
/// stated for all states. Grids are nested loops, or the digits of a running number, so that a grid needs no memory and
/// stops when its visitor says so.
#include "checks/sharing/generate.hpp"

#include <algorithm>
#include <array>

#include "model/core/errors.hpp"

namespace schedproof::checks {

using namespace sharing;

namespace {

std::size_t between(Sampler& randomness, std::size_t low, std::size_t high) {
    return low + static_cast<std::size_t>(randomness.below(high - low + 1));
}

std::int64_t small(Sampler& randomness, std::uint64_t bound) {
    return static_cast<std::int64_t>(randomness.below(bound));
}

Cluster random_cluster(Sampler& randomness) {
    Cluster cluster;
    const std::size_t racks = between(randomness, 1, 3);
    for (std::size_t n = between(randomness, 1, 4); n > 0; --n)  // numbered in the order in which they come up
        cluster.rack.emplace_back(randomness.below(std::min(racks, cluster.racks() + 1)));
    cluster.slots = between(randomness, 1, 2);
    cluster.rate = {1 + small(randomness, 4), 1, 1};
    cluster.rate[1] = std::min<std::int64_t>(cluster.rate[0], 1 + small(randomness, 3));
    cluster.remote_time = {1 + small(randomness, 3), 2 + small(randomness, 3)};
    return cluster;
}

Replicas random_replicas(Sampler& randomness, std::size_t nodes) {
    Replicas data;
    for (std::size_t n = 0; n < nodes; ++n)
        if (randomness.below(nodes + 1) < 2) data.emplace_back(n);
    if (data.empty()) data.emplace_back(randomness.below(nodes));
    return data;
}

Job random_job(Sampler& randomness, std::size_t nodes, Ticks submit) {
    Job job;
    job.submit = submit;
    job.priority = static_cast<Priority>(randomness.below(2) == 0 ? normal_priority : randomness.below(priorities));
    for (std::size_t t = between(randomness, 1, 4); t > 0; --t) {
        job.tasks.push_back(random_replicas(randomness, nodes));
        for (std::size_t probes = between(randomness, 1, 2); probes > 0; --probes)
            job.probes.emplace_back(randomness.below(nodes));
    }
    std::sort(job.probes.begin(), job.probes.end());
    return job;
}

Parameters random_parameters(Sampler& randomness) {
    Parameters p{small(randomness, 4), small(randomness, 3), small(randomness, 3), small(randomness, 4), Order::fifo};
    if (randomness.below(4) == 0) p.d2.reset();
    if (randomness.below(2) == 0) p.order = Order::fair;
    return p;
}

Setting random_setting(Sampler& randomness) {
    Setting setting{random_cluster(randomness), {}};
    Ticks submit = 0;
    for (std::size_t j = between(randomness, 1, 4); j > 0; --j) {
        submit += small(randomness, 3);
        setting.jobs.push_back(random_job(randomness, setting.cluster.nodes(), submit));
    }
    return setting;
}

QueueId random_queue(Sampler& randomness, const Cluster& cluster, const Replicas& data) {
    return randomness.below(3) == 0 ? QueueId(cluster.nodes()) : QueueId(data[randomness.below(data.size())].index());
}

/// Puts a task on a free slot.
void run_on(SharingCase& c, SlotId slot, std::size_t job, std::size_t task, Ticks since) {
    const Locality level = c.setting.cluster.locality(c.setting.cluster.node_of(slot), c.setting.jobs[job].tasks[task]);
    c.state.jobs[job].tasks[task] = Stage::running;
    c.state.slots[slot.index()] = {true, since, JobId(job), static_cast<std::uint32_t>(task), level};
}

SharingCase random_state(Sampler& randomness, bool one_free) {
    SharingCase c;
    c.setting = random_setting(randomness);
    c.parameters = random_parameters(randomness);
    c.state = initial_state(c.setting);
    c.state.now = c.setting.jobs.back().submit + small(randomness, 4);
    const std::size_t slots = c.setting.cluster.all_slots();
    c.slot = SlotId(randomness.below(slots));
    std::vector<SlotId> left;
    for (std::size_t s = 0; s < slots; ++s) {
        c.state.slots[s].since = small(randomness, static_cast<std::uint64_t>(c.state.now) + 1);
        if (!one_free || (SlotId(s) != c.slot && randomness.below(4) != 0)) left.emplace_back(s);
    }
    for (std::size_t j = 0; j < c.setting.jobs.size(); ++j) {
        JobState& job = c.state.jobs[j];
        if (j > 0 && j + 1 == c.setting.jobs.size() && randomness.below(4) == 0) break;  // not submitted yet
        job.skips = small(randomness, 6);
        job.tasks.assign(c.setting.jobs[j].tasks.size(), Stage::unlaunched);
        for (const NodeId n : c.setting.jobs[j].probes)
            if (randomness.below(3) > 0) job.reserved.push_back(n);
        for (std::size_t t = 0; t < job.tasks.size(); ++t) {
            job.queue.push_back(random_queue(randomness, c.setting.cluster, c.setting.jobs[j].tasks[t]));
            const std::uint64_t stage = randomness.below(3);
            if (stage == 0) job.tasks[t] = Stage::done;
            if (stage == 1 && !left.empty()) {
                const std::size_t at = randomness.below(left.size());
                run_on(c, left[at], j, t, c.state.slots[left[at].index()].since);
                left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
            }
        }
    }
    return c;
}

}  // namespace

SharingCase random_sharing_state(Sampler& randomness) { return random_state(randomness, true); }

SharingCase random_busy_state(Sampler& randomness) {
    SharingCase c = random_state(randomness, false);
    // What is still free runs further tasks of some job that is there.
    for (std::size_t s = 0; s < c.state.slots.size(); ++s) {
        if (c.state.slots[s].busy) continue;
        const std::size_t j = randomness.below(c.state.jobs[c.state.jobs.size() - 1].tasks.empty()
                                                   ? std::max<std::size_t>(1, c.state.jobs.size() - 1)
                                                   : c.state.jobs.size());
        c.setting.jobs[j].tasks.push_back(random_replicas(randomness, c.setting.cluster.nodes()));
        c.state.jobs[j].tasks.push_back(Stage::unlaunched);
        c.state.jobs[j].queue.emplace_back(c.setting.cluster.nodes());
        run_on(c, SlotId(s), j, c.state.jobs[j].tasks.size() - 1, c.state.slots[s].since);
    }
    return c;
}

SharingCase random_sharing_trajectory(Sampler& randomness) {
    SharingCase c;
    c.setting = random_setting(randomness);
    c.parameters = random_parameters(randomness);
    c.state = initial_state(c.setting);
    c.run = 1 + small(randomness, 4);
    return c;
}

namespace {

struct SmallTask {
    std::size_t node = 0;
    Stage stage = Stage::unlaunched;
};
using SmallJob = std::vector<SmallTask>;

/// All jobs of one task or two, each on one of three nodes, in every stage.
std::vector<SmallJob> small_jobs() {
    std::vector<SmallTask> tasks;
    for (std::size_t node = 0; node < 3; ++node)
        for (const Stage stage : {Stage::unlaunched, Stage::running, Stage::done}) tasks.push_back({node, stage});
    std::vector<SmallJob> jobs;
    for (std::size_t a = 0; a < tasks.size(); ++a) {
        jobs.push_back({tasks[a]});
        for (std::size_t b = a; b < tasks.size(); ++b) jobs.push_back({tasks[a], tasks[b]});
    }
    return jobs;
}

/// Three nodes of a slot, the first two on a rack; nothing where more tasks run than the other two slots can.
std::optional<SharingCase> small_state(const std::vector<SmallJob>& jobs) {
    SharingCase c;
    c.setting.cluster = {{RackId(0), RackId(0), RackId(1)}, 1, {4, 2, 1}, {2, 3}};
    c.slot = SlotId(0);
    c.parameters.w = 2;
    for (const SmallJob& tasks : jobs) {
        c.setting.jobs.emplace_back();
        c.setting.jobs.back().submit = 2;
        for (const SmallTask& task : tasks) c.setting.jobs.back().tasks.push_back({NodeId(task.node)});
        // A reservation where the data of each task is, and one next to it: none, one or two at the offered node.
        std::vector<NodeId>& probes = c.setting.jobs.back().probes;
        for (const SmallTask& task : tasks)
            for (const std::size_t next : {0U, 1U}) probes.emplace_back((task.node + next) % 3);
        std::sort(probes.begin(), probes.end());
    }
    c.state = initial_state(c.setting);
    c.state.now = 4;
    std::size_t slot = 1;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        c.state.jobs[j].reserved = c.setting.jobs[j].probes;
        for (std::size_t t = 0; t < jobs[j].size(); ++t) {
            c.state.jobs[j].tasks.push_back(jobs[j][t].stage);
            c.state.jobs[j].queue.emplace_back(jobs[j][t].node);
            if (jobs[j][t].stage != Stage::running) continue;
            if (slot == c.state.slots.size()) return {};
            run_on(c, SlotId(slot++), j, t, 2);
        }
    }
    return c;
}

/// All pairs of small jobs, and single ones.
void for_each_small_state(const VisitCase& visit) {
    const std::vector<SmallJob> all = small_jobs();
    for (const SmallJob& a : all) {
        if (const auto alone = small_state({a}); alone && !visit(*alone)) return;
        for (const SmallJob& b : all)
            if (const auto both = small_state({a, b}); both && !visit(*both)) return;
    }
}

}  // namespace

void for_each_state_with_skips(const VisitCase& visit) {
    for_each_small_state([&](const SharingCase& from) {
        SharingCase c = from;
        const std::int64_t second = c.state.jobs.size() > 1 ? 3 : 1;
        for (std::int64_t i = 0; i < 3 * second; ++i) {
            c.state.jobs.front().skips = i % 3;
            c.state.jobs.back().skips = c.state.jobs.size() > 1 ? i / 3 : i % 3;
            if (!visit(c)) return false;
        }
        return true;
    });
}

void for_each_state_with_queues(const VisitCase& visit) {
    for_each_small_state([&](const SharingCase& from) {
        for (unsigned options = 0; options < 16; ++options) {
            SharingCase c = from;
            if (c.state.jobs.size() == 1 && (options & 2U) != 0) continue;
            for (std::size_t j = 0; j < c.state.jobs.size(); ++j)
                if ((options >> j & 1U) != 0)
                    for (QueueId& queue : c.state.jobs[j].queue) queue = QueueId(3);
            if ((options & 4U) != 0) c.setting.jobs.front().priority = normal_priority + 1;
            c.state.slots[0].since = (options & 8U) != 0 ? 3 : 1;
            if (!visit(c)) return false;
        }
        return true;
    });
}

void for_each_single_task_state(const VisitCase& visit) {
    for (std::size_t slots = 1; slots <= 2; ++slots)
        for (unsigned code = 0; code < 6 * 6; ++code) {
            SharingCase c;
            c.setting.cluster = Cluster::one_rack(2, slots);
            c.state = {0, {}, std::vector<SlotState>(2 * slots)};
            std::size_t busy = 1;
            for (const unsigned job : {code % 6, code / 6}) {
                c.setting.jobs.push_back({0, normal_priority, {{NodeId(job % 2)}}});
                c.state.jobs.push_back({{Stage::unlaunched}, {QueueId(job % 2)}, 0});
                if (job / 2 == 2) c.state.jobs.back().tasks.front() = Stage::done;
                if (job / 2 == 1 && busy < c.state.slots.size())
                    run_on(c, SlotId(busy++), c.state.jobs.size() - 1, 0, 0);
            }
            if (!visit(c)) return;
        }
}

namespace {

/// Digits of a number in changing bases.
class Digits {
  public:
    explicit Digits(std::size_t code) : left_(code) {}
    std::size_t next(std::size_t base) {
        const std::size_t digit = left_ % base;
        left_ /= base;
        return digit;
    }
    [[nodiscard]] bool spent() const { return left_ == 0; }

  private:
    std::size_t left_;
};

/// The case of a number; nothing when there are fewer.
std::optional<SharingCase> killing_state(std::size_t nodes, std::size_t slots, std::size_t jobs, std::size_t code) {
    Digits digits(code);
    SharingCase c;
    c.setting.cluster = Cluster::one_rack(nodes, slots);
    c.setting.jobs.resize(jobs);
    c.state = initial_state(c.setting);
    c.state.now = 2;
    const auto add_task = [&](std::size_t j, Stage stage) {
        c.setting.jobs[j].tasks.push_back({NodeId(j % nodes)});
        c.state.jobs[j].tasks.push_back(stage);
        return c.state.jobs[j].tasks.size() - 1;
    };
    for (std::size_t s = 0; s < nodes * slots; ++s) {
        const std::size_t use = digits.next(2 * jobs + 1);  // 0: free; else which job, and since when
        if (use == 0) continue;
        const std::size_t job = (use - 1) / 2;
        run_on(c, SlotId(s), job, add_task(job, Stage::unlaunched), static_cast<Ticks>((use - 1) % 2));
    }
    for (std::size_t j = 0; j < jobs; ++j)
        for (std::size_t waiting = digits.next(3); waiting > 0; --waiting) add_task(j, Stage::unlaunched);
    for (std::size_t j = 0; j < jobs; ++j)
        if (c.setting.jobs[j].tasks.empty()) add_task(j, Stage::done);
    return digits.spent() ? std::optional(c) : std::nullopt;
}

}  // namespace

void for_each_killing_state(const VisitCase& visit) {
    constexpr std::array<std::array<std::size_t, 3>, 2> shapes{{{3, 1, 3}, {2, 2, 2}}};
    for (const auto& [nodes, slots, jobs] : shapes)
        for (std::size_t code = 0;; ++code) {
            const auto c = killing_state(nodes, slots, jobs, code);
            if (!c) break;
            if (!visit(*c)) return;
        }
}

namespace {

/// M nodes of a slot, and a job of a task with data on the first n of them; on none there is a further node, whose slot
/// is never offered.
SharingCase one_job(std::size_t nodes, std::size_t local, std::int64_t d) {
    SharingCase c;
    c.setting.cluster = Cluster::one_rack(local == 0 ? nodes + 1 : nodes, 1);
    Replicas data;
    for (std::size_t n = 0; n < local; ++n) data.emplace_back(n);
    if (local == 0) data.emplace_back(nodes);
    c.setting.jobs.push_back({0, normal_priority, {data}});
    c.state = initial_state(c.setting);
    c.state.jobs.front().tasks = {Stage::unlaunched};
    c.parameters.d = d;
    c.of = {nodes, 1, 1};
    return c;
}

}  // namespace

void for_each_one_job(const VisitCase& visit) {
    for (std::size_t nodes = 1; nodes <= 4; ++nodes)
        for (std::size_t local = 0; local <= nodes; ++local)
            for (std::int64_t d = 0; d <= 4; ++d)
                if (!visit(one_job(nodes, local, d))) return;
}

void for_each_head_of_line(const VisitCase& visit) {
    for (std::size_t nodes = 1; nodes <= 4; ++nodes)
        for (std::size_t local = 0; local <= nodes; ++local)
            for (std::int64_t d = 0; d <= 3; ++d) {
                SharingCase c = one_job(nodes, local, d);
                // A slot that is never offered runs a task of the large job, which was submitted first.
                c.setting.cluster.rack.emplace_back(0);
                Replicas everywhere;
                for (std::size_t n = 0; n < c.setting.cluster.nodes(); ++n) everywhere.emplace_back(n);
                Job large;
                large.tasks.assign(static_cast<std::size_t>(d) + 2, everywhere);
                c.setting.jobs.insert(c.setting.jobs.begin(), large);
                const JobState small = c.state.jobs.front();
                c.state = initial_state(c.setting);
                c.state.jobs[1] = small;
                c.state.jobs[0].tasks.assign(large.tasks.size(), Stage::unlaunched);
                run_on(c, SlotId(c.setting.cluster.nodes() - 1), 0, 0, 0);
                if (!visit(c)) return;
            }
}

void for_each_wait(const VisitCase& visit) {
    for (std::size_t nodes = 1; nodes <= 3; ++nodes)
        for (std::size_t slots = 1; slots <= 2; ++slots)
            for (Ticks run = 1; run <= 3; ++run)
                for (std::int64_t i = 0; i < 10; ++i) {
                    SharingCase c = one_job(nodes, static_cast<std::size_t>(i % 2), i / 2);
                    c.setting.cluster.slots = slots;
                    c.state = initial_state(c.setting);
                    c.run = run;
                    if (nodes * slots <= 4 && !visit(c)) return;
                }
}

}  // namespace schedproof::checks
