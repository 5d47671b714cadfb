#include "checks/sharing/misfit.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/core/errors.hpp"
#include "model/sharing/policy.hpp"

namespace schedproof::checks {

using namespace sharing;

namespace {

using Answer = std::optional<Misfit>;

Answer unless(bool fit, const char* key, const char* expected) { return fit ? Answer() : Misfit{key, expected}; }

Answer misfit_of_setting(const Setting& setting) {
    const Cluster& cluster = setting.cluster;
    if (cluster.nodes() == 0) return Misfit{"cluster.racks", "the rack of at least one node"};
    if (cluster.slots == 0) return Misfit{"cluster.slots", "at least 1"};
    if (setting.jobs.empty()) return Misfit{"jobs", "at least one job"};
    try {
        setting.validate();
    } catch (const ContractViolation& fault) {
        return Misfit{"jobs", std::string("a case in which ") + fault.what()};
    }
    for (const Job& job : setting.jobs)
        for (const Replicas& data : job.tasks)
            if (std::set<NodeId>(data.begin(), data.end()).size() != data.size())
                return Misfit{"jobs", "different nodes that hold a task's data"};
    return {};
}

Answer misfit_of_job(const JobState& now, const Job& job, const Cluster& cluster, bool routes) {
    const std::size_t tasks = job.tasks.size();
    if (!now.tasks.empty() && now.tasks.size() != tasks)
        return Misfit{"state.jobs", "a stage of every task, or of none"};
    if (!std::includes(job.probes.begin(), job.probes.end(), now.reserved.begin(), now.reserved.end()))
        return Misfit{"state.jobs", "reservations that are left of the job's probes, in ascending order"};
    if (now.queue.empty()) return unless(!routes || now.tasks.empty(), "state.jobs", "the queue of every task");
    if (now.queue.size() != tasks) return Misfit{"state.jobs", "the queue of every task, or of none"};
    for (std::size_t t = 0; t < tasks; ++t) {
        const auto& data = job.tasks[t];
        const bool own =
            std::any_of(data.begin(), data.end(), [&](NodeId n) { return n.index() == now.queue[t].index(); });
        if (!own && now.queue[t].index() != cluster.nodes())
            return Misfit{"state.jobs", "queues of nodes that hold the task's data, or the common one"};
    }
    return {};
}

Answer misfit_of_state(const SharingCase& c, bool routes) {
    const State& state = c.state;
    if (state.jobs.size() != c.setting.jobs.size()) return Misfit{"state.jobs", "a state of every job"};
    if (state.slots.size() != c.setting.cluster.all_slots()) return Misfit{"state.slots", "a state of every slot"};
    std::ptrdiff_t running = 0;
    for (std::size_t j = 0; j < state.jobs.size(); ++j) {
        if (auto wrong = misfit_of_job(state.jobs[j], c.setting.jobs[j], c.setting.cluster, routes)) return wrong;
        running += std::count(state.jobs[j].tasks.begin(), state.jobs[j].tasks.end(), Stage::running);
    }
    std::set<std::pair<JobId, std::uint32_t>> on_slots;
    for (const SlotState& s : state.slots) {
        if (!s.busy) continue;
        --running;
        const bool runs = s.job.index() < state.jobs.size() && s.task < state.jobs[s.job.index()].tasks.size() &&
                          state.jobs[s.job.index()].tasks[s.task] == Stage::running;
        if (!runs || !on_slots.emplace(s.job, s.task).second)
            return Misfit{"state.slots", "busy slots whose tasks run"};
    }
    return unless(running == 0, "state.slots", "a busy slot for every task that runs");
}

Answer misfit_of_offer(const SharingCase& c) {
    if (c.slot.index() >= c.state.slots.size()) return Misfit{"slot", "a slot that exists"};
    return unless(!c.state.slots[c.slot.index()].busy, "slot", "a free slot");
}

Answer misfit_of_nodes(const SharingCase& c) {
    return unless(c.of.nodes >= 1 && c.of.nodes <= c.setting.cluster.nodes(), "analysis.nodes",
                  "at least 1 and at most the nodes of the cluster");
}

Answer misfit_of_one_job(const SharingCase& c) {
    if (auto wrong = misfit_of_nodes(c)) return wrong;
    for (std::size_t n = 0; n < c.of.nodes; ++n)
        if (c.state.slots[n * c.setting.cluster.slots].busy)
            return Misfit{"state.slots", "the first slot of each of the nodes free"};
    const JobState& last = c.state.jobs.back();
    return unless(last.tasks == std::vector{Stage::unlaunched}, "jobs", "a last job of one task, unlaunched");
}

Answer misfit_of_wait(const SharingCase& c) {
    if (auto wrong = misfit_of_nodes(c)) return wrong;
    return unless(c.setting.jobs.size() == 1 && c.setting.jobs.front().tasks.size() == 1, "jobs", "one job of a task");
}

Answer misfit_of_analysis(const SharingCase& c) {
    if (c.of.nodes < 1) return Misfit{"analysis.nodes", "at least 1"};
    if (c.of.replicas < 1) return Misfit{"analysis.replicas", "at least 1"};
    if (c.of.tasks < 1) return Misfit{"analysis.tasks", "at least 1"};
    return unless(c.goal.sign() >= 0 && c.goal < Rational(1), "analysis.goal", "at least 0 and below 1");
}

Answer misfit_of_endless(const SharingCase& c) {
    if (c.setting.cluster.slots != 1) return Misfit{"cluster.slots", "1"};
    if (c.setting.cluster.nodes() % c.setting.jobs.size() != 0)
        return Misfit{"jobs", "a number of jobs that divides that of the nodes"};
    std::map<NodeId, const Job*> of;
    for (const Job& job : c.setting.jobs)
        for (const Replicas& data : job.tasks)
            if (data.size() != 1 || of.emplace(data.front(), &job).first->second != &job)
                return Misfit{"jobs", "one node that holds a task's data, and no other job's"};
    return {};
}

}  // namespace

std::optional<Misfit> misfit(const SharingCase& c, SharingPart part, const std::string& policy) {
    const Parameters& p = c.parameters;
    for (const std::int64_t value : {p.d, p.d1, p.d2.value_or(0), p.w})
        if (value < 0 || value > most_parameter) return Misfit{"parameters", "numbers from 0 to 2^61"};
    if (c.run < 1) return Misfit{"run", "at least 1"};
    if (part == SharingPart::analysis) return misfit_of_analysis(c);
    if (auto wrong = misfit_of_setting(c.setting)) return wrong;
    if (part == SharingPart::trajectory) return {};
    if (part == SharingPart::wait) return misfit_of_wait(c);
    if (part == SharingPart::endless) return misfit_of_endless(c);
    const bool routes = std::visit([]<class P>(const P&) { return RoutingPolicy<P>; }, make_policy(policy, p));
    if (auto wrong = misfit_of_state(c, routes)) return wrong;
    if (part == SharingPart::offer) return misfit_of_offer(c);
    return part == SharingPart::one_job ? misfit_of_one_job(c) : std::nullopt;
}

}  // namespace schedproof::checks
