/// The comparisons of a sharing policy with itself.
///
/// Each asks the policy on a case and on a variant of it, and compares the answers up to the change. Renaming permutes
/// the nodes with their racks, slots, data and queues; which racks there are and the order of the jobs stay, since
/// policies may go by submission. A job that was done before shifts every job's number by one. On affine counts, the
/// type on which theorems run it, a policy must answer what it answers on integers.
#include "checks/sharing/agreement.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "checks/sharing/generate.hpp"
#include "proofs/sharing/theorems/moment.hpp"

namespace schedproof::checks {

using namespace sharing;

namespace {

/// A random case and an order of its nodes.
struct Varied {
    SharingCase c;
    bool offered = true;               ///< whether its slot is free
    std::vector<std::size_t> renamed;  ///< node -> node
};

Varied draw(Sampler& randomness) {
    Varied v;
    v.offered = randomness.below(4) > 0;
    v.c = v.offered ? random_sharing_state(randomness) : random_busy_state(randomness);
    v.renamed.resize(v.c.setting.cluster.nodes());
    std::iota(v.renamed.begin(), v.renamed.end(), std::size_t{0});
    for (std::size_t left = v.renamed.size(); left > 1; --left)
        std::swap(v.renamed[left - 1], v.renamed[randomness.below(left)]);
    return v;
}

class Renaming {
  public:
    explicit Renaming(const Varied& v) : to_(v.renamed), slots_(v.c.setting.cluster.slots) {}

    [[nodiscard]] NodeId operator()(NodeId n) const { return NodeId(to_[n.index()]); }
    [[nodiscard]] SlotId operator()(SlotId s) const {
        return SlotId(to_[s.index() / slots_] * slots_ + s.index() % slots_);
    }
    [[nodiscard]] QueueId operator()(QueueId q) const {
        return q.index() < to_.size() ? QueueId(to_[q.index()]) : q;  // the common one is the last
    }
    [[nodiscard]] Setting operator()(Setting setting) const {
        const std::vector<RackId> rack = setting.cluster.rack;
        for (std::size_t n = 0; n < rack.size(); ++n) setting.cluster.rack[to_[n]] = rack[n];
        for (Job& job : setting.jobs) {
            for (Replicas& data : job.tasks)
                for (NodeId& n : data) n = (*this)(n);
            job.probes = (*this)(std::move(job.probes));
        }
        return setting;
    }
    [[nodiscard]] State operator()(const State& state) const {
        State result = state;
        for (std::size_t s = 0; s < state.slots.size(); ++s) result.slots[(*this)(SlotId(s)).index()] = state.slots[s];
        for (JobState& job : result.jobs) {
            for (QueueId& q : job.queue) q = (*this)(q);
            job.reserved = (*this)(std::move(job.reserved));
        }
        return result;
    }
    [[nodiscard]] std::vector<NodeId> operator()(std::vector<NodeId> nodes) const {
        for (NodeId& n : nodes) n = (*this)(n);
        std::sort(nodes.begin(), nodes.end());
        return nodes;
    }
    [[nodiscard]] Queues operator()(Queues queues) const {
        for (QueueId& q : queues) q = (*this)(q);
        std::sort(queues.begin(), queues.end());
        return queues;
    }
    [[nodiscard]] std::optional<Started> operator()(std::optional<Started> started) const {
        if (started) started->slot = (*this)(started->slot);
        return started;
    }

  private:
    std::vector<std::size_t> to_;
    std::size_t slots_;
};

/// The case after a job of a task that is done.
SharingCase after_a_done_job(SharingCase c) {
    c.setting.jobs.insert(c.setting.jobs.begin(), Job{0, normal_priority, {{NodeId(0)}}});
    c.state.jobs.insert(c.state.jobs.begin(), JobState{{Stage::done}, {QueueId(0)}, 0});
    for (SlotState& s : c.state.slots)
        if (s.busy) s.job = JobId(s.job.index() + 1);
    return c;
}
bool is_next(std::optional<JobId> after, std::optional<JobId> before) {
    return after.has_value() == before.has_value() && (!before || after->index() == before->index() + 1);
}

std::string offers_differ(const SharingPolicyUnderTest& policy, const SharingPolicyUnderTest& again, const Varied& v) {
    const SharingCase& c = v.c;
    const Offered first = policy.offer(c.setting, c.state, c.slot);
    for (std::size_t s = 0; s < c.state.slots.size(); ++s)
        if (!c.state.slots[s].busy) static_cast<void>(policy.offer(c.setting, c.state, SlotId(s)));
    if (policy.offer(c.setting, c.state, c.slot) != first) return "asked twice about an offer, it answers differently";
    if (again.offer(c.setting, c.state, c.slot) != first) return "made twice, it answers an offer differently";
    const Renaming renamed(v);
    const Offered there = policy.offer(renamed(c.setting), renamed(c.state), renamed(c.slot));
    if (there.started != renamed(first.started) || there.next != renamed(first.next))
        return "it answers an offer differently when nodes are renamed";
    const SharingCase later = after_a_done_job(c);
    const Offered shifted = policy.offer(later.setting, later.state, later.slot);
    const auto job = [](const Offered& o) { return o.started ? std::optional(o.started->job) : std::nullopt; };
    if (!is_next(job(shifted), job(first))) return "it answers an offer differently when a job was done before";
    return {};
}

std::string routes_differ(const SharingPolicyUnderTest& policy, const SharingPolicyUnderTest& again, const Varied& v) {
    const Renaming renamed(v);
    const Setting there = renamed(v.c.setting);
    const State state = renamed(v.c.state);
    for (std::size_t j = 0; j < v.c.setting.jobs.size(); ++j)
        for (std::size_t t = 0; t < v.c.setting.jobs[j].tasks.size(); ++t) {
            const Replicas& data = v.c.setting.jobs[j].tasks[t];
            const Queues first = policy.route(v.c.setting, v.c.state, data);
            if (policy.route(v.c.setting, v.c.state, data) != first)
                return "asked twice to route, it answers differently";
            if (again.route(v.c.setting, v.c.state, data) != first) return "made twice, it routes differently";
            if (policy.route(there, state, there.jobs[j].tasks[t]) != renamed(first))
                return "it routes differently when nodes are renamed";
        }
    return {};
}

std::string kills_differ(const SharingPolicyUnderTest& policy, const SharingPolicyUnderTest& again, const Varied& v) {
    const SharingCase& c = v.c;
    const std::optional<JobId> first = policy.reclaim(c.setting, c.state);
    if (policy.reclaim(c.setting, c.state) != first) return "asked twice whom to kill, it answers differently";
    if (again.reclaim(c.setting, c.state) != first) return "made twice, it kills differently";
    const Renaming renamed(v);
    if (policy.reclaim(renamed(c.setting), renamed(c.state)) != first)
        return "it kills differently when nodes are renamed";
    const SharingCase later = after_a_done_job(c);
    if (!is_next(policy.reclaim(later.setting, later.state), first))
        return "it kills differently when a job was done before";
    static_cast<void>(policy.reclaim_all(c.setting, c.state));
    return {};
}

/// The ready jobs of a state as jobs without end, asked about the same slot; nothing where the two differ by what jobs
/// without end do not have: priorities, waits, remote tasks, reservations.
std::string endless_differ(const SharingPolicyUnderTest& policy, SharingCase c) {
    const NodeId n = c.setting.cluster.node_of(c.slot);
    for (Job& job : c.setting.jobs) {
        job.priority = normal_priority;
        job.submit = c.state.now;
    }
    for (JobState& job : c.state.jobs) job.reserved.clear();
    c.state.slots[c.slot.index()].since = c.state.now;
    ScanningView seen(c.setting, c.state, c.slot);
    if (seen.remote_tasks(n) > 0) return {};
    std::vector<JobId> ready = seen.jobs(Order::fifo);
    EndlessJobs jobs;
    for (const JobId j : ready) {
        jobs.level.emplace_back(c.setting.cluster.nodes(), Locality::remote);
        jobs.level.back()[n.index()] = seen.nearest(j, n);
        jobs.running_tasks.push_back(seen.running(j));
        jobs.skip_count.push_back(seen.skips(j));
    }
    const Offered is = policy.offer(c.setting, c.state, c.slot);
    const std::optional<JobLaunch> launch = policy.offer_endless(jobs, n);
    bool same = launch.has_value() == is.started.has_value() &&
                (!launch || (ready[launch->job.index()] == is.started->job && launch->level == is.started->level));
    for (std::size_t i = 0; i < ready.size(); ++i)
        same = same && jobs.skip_count[i] == is.next.jobs[ready[i].index()].skips;
    return same ? "" : "it answers an offer differently when the jobs have no end";
}

/// A case as a moment, with the jobs of which a policy is told.
struct CaseMoment {
    Moment numbers;
    std::vector<JobId> jobs;

    /// `told` says of which jobs.
    template <class Told>
    CaseMoment(const SharingPolicyUnderTest& policy, const ScanningView& seen, const Told& told) {
        const Parameters& p = policy.parameters;
        numbers.parameters = {p.d, p.d1, p.d2, p.w, p.order};
        for (const JobId j : seen.all_jobs()) {
            if (!told(j)) continue;
            jobs.push_back(j);
            MomentJob& job = numbers.jobs.emplace_back();
            job.skips = seen.skips(j);
            job.running = seen.running(j);
            job.unlaunched = seen.unlaunched(j);
            job.priority = seen.priority(j);
        }
    }
    /// What `ask` returns of the policy's code and the moment, both on symbols, as in a theorem, where comparisons go
    /// as they do at these numbers. A policy that looked at what a count is made of would answer otherwise than on
    /// numbers.
    template <class Ask>
    [[nodiscard]] auto on_symbols(Asked asked, const SharingPolicyUnderTest& policy, const Ask& ask) const {
        const proof::Space space = moment_space(asked, jobs.size(), [](Moment&) { return Ties(); });
        explore::PointDecider decider(space, point_of(asked, numbers));
        const std::vector<explore::Affine> symbols = explore::symbols(decider);
        const CountsOnSymbols oracle(symbols);
        Moment m = moment(asked, jobs.size(), oracle);
        m.parameters.order = numbers.parameters.order;
        if (!numbers.parameters.d2) m.parameters.d2.reset();
        return ask(*policy.on_affine_counts(m.parameters), m);
    }
};

std::string symbolic_offers_differ(const SharingPolicyUnderTest& policy, SharingCase c) {
    const NodeId n = c.setting.cluster.node_of(c.slot);
    const Offered is = policy.offer(c.setting, c.state, c.slot);
    ScanningView seen(c.setting, c.state, c.slot);
    const Asked asked = policy.route ? Asked::queues : Asked::offer;
    const auto waits = [&](JobId j, QueueId q) { return seen.waits_in(j, q) ? 1 : 0; };
    CaseMoment at(policy, seen, [&](JobId j) {
        return asked == Asked::offer ? seen.is_ready(j) : waits(j, seen.own(n)) + waits(j, seen.common()) > 0;
    });
    if (at.jobs.empty()) return {};
    Moment& m = at.numbers;
    m.fifo = m.parameters.order == Order::fifo ? 1 : 0;
    m.slot_free = c.state.now - c.state.slots[c.slot.index()].since;
    m.remote_tasks = seen.remote_tasks(n);
    m.remote_time = m.remote_tasks > 0 ? seen.remote_time(n) : 1;
    m.own_weight = seen.weight(seen.own(n));
    m.common_weight = seen.weight(seen.common());
    for (std::size_t i = 0; i < at.jobs.size(); ++i) {
        const JobId j = at.jobs[i];
        m.jobs[i].level = index(seen.nearest(j, n));
        m.jobs[i].age = seen.since_submitted(j);
        m.jobs[i].reserved = seen.reserved(j, n);
        m.jobs[i].waits_own = waits(j, seen.own(n));
        m.jobs[i].waits_common = waits(j, seen.common());
    }
    const bool same = at.on_symbols(asked, policy, [&](const auto& code, const Moment& there) {
        const Outcome outcome = offer(code, there);
        const bool launch = outcome.launch.has_value() == is.started.has_value() &&
                            (!outcome.launch || (at.jobs[outcome.launch->job.index()] == is.started->job &&
                                                 outcome.launch->level == is.started->level));
        // A policy with queues cannot ask for skip counts, so its moment has none.
        for (std::size_t i = 0; asked == Asked::offer && launch && i < at.jobs.size(); ++i)
            if (!(outcome.skips[i] == is.next.jobs[at.jobs[i].index()].skips)) return false;
        return launch;
    });
    return same ? "" : "it answers an offer differently on affine counts";
}

std::string symbolic_kills_differ(const SharingPolicyUnderTest& policy, SharingCase c) {
    const std::optional<JobId> is = policy.reclaim(c.setting, c.state);
    const ScanningView seen(c.setting, c.state);
    CaseMoment at(policy, seen, [&](JobId j) { return seen.is_ready(j) || seen.running(j) > 0; });
    if (at.jobs.empty()) return {};
    at.numbers.free_slots = seen.free_slots();
    at.numbers.fair_share = seen.fair_share();
    const std::optional<JobId> killed = at.on_symbols(
        Asked::reclaim, policy, [](const auto& code, const Moment& there) { return reclaim(code, there); });
    return killed.has_value() == is.has_value() && (!is || at.jobs[killed->index()] == *is)
               ? ""
               : "it kills differently on affine counts";
}

}  // namespace

std::string sharing_disagreement(const MakeSharingPolicy& make, std::uint64_t cases) {
    return disagreement(
        draw,
        [&](const Varied& v) -> std::string {
            const SharingPolicyUnderTest policy = make(v.c.parameters), again = make(v.c.parameters);
            std::string found;
            if (v.offered) found = offers_differ(policy, again, v);
            if (found.empty() && v.offered && policy.offer_endless) found = endless_differ(policy, v.c);
            if (found.empty() && v.offered) found = symbolic_offers_differ(policy, v.c);
            if (found.empty() && policy.route) found = routes_differ(policy, again, v);
            if (found.empty() && policy.reclaim) found = kills_differ(policy, again, v);
            if (found.empty() && policy.reclaim) found = symbolic_kills_differ(policy, v.c);
            return found;
        },
        cases);
}

}  // namespace schedproof::checks
