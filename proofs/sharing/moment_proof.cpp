/// Theorems asked question by question, and points of their symbols as whole states.
///
/// A state of a point has four nodes, two of a rack: the slot that is offered is on the first, and tasks whose data is
/// on the first, second and third are local, rack-local and remote there. Whatever else runs stands on the fourth, and
/// a last job without tasks to launch runs what the offered node is said to run.
#include "proofs/sharing/moment_proof.hpp"

#include <map>
#include <utility>

#include "proofs/sharing/theorems/state_statements.hpp"

namespace schedproof::sharing {

namespace {

/// Most tasks, skips or ticks of a state that is built.
constexpr std::int64_t most_count = 1000;

/// The values of a point by the names of their symbols.
class Values {
  public:
    Values(const proof::Space& space, const std::vector<Rational>& point) {
        for (std::size_t s = 0; s < space.symbols.size(); ++s) {
            const Rational& value = point[s];
            small_ = small_ && value.is_integer() && value >= Rational(0) && value <= Rational(most_count);
            if (small_) values_[space.symbols[s].name] = floor(value).convert_to<std::int64_t>();
        }
    }
    [[nodiscard]] bool small() const { return small_; }
    [[nodiscard]] std::int64_t operator[](const std::string& name) const {
        const auto found = values_.find(name);
        return found == values_.end() ? 0 : found->second;
    }
    [[nodiscard]] std::int64_t of(const char* name, std::size_t job) const {
        return (*this)[name + ("[" + std::to_string(job + 1)) + "]"];
    }
    [[nodiscard]] std::size_t counted(const char* name) const {
        std::size_t count = 0;
        while (values_.contains(name + ("[" + std::to_string(count + 1)) + "]")) ++count;
        return count;
    }

  private:
    std::map<std::string, std::int64_t> values_;
    bool small_ = true;
};

/// Puts tasks into a state; slots are taken one after another.
class Builder {
  public:
    Builder(std::size_t nodes, std::size_t slots) {
        all_.setting.cluster = Cluster::one_rack(nodes, slots);
        all_.state.slots.resize(nodes * slots);
        used_.resize(nodes);
    }
    Situation& situation() { return all_; }
    JobId job(Ticks submit, Priority priority) {
        all_.setting.jobs.push_back({submit, priority, {}});
        all_.state.jobs.emplace_back();
        return JobId(all_.setting.jobs.size() - 1);
    }
    void task(JobId j, NodeId data, Stage stage, std::optional<QueueId> queue = {}) {
        all_.setting.jobs[j.index()].tasks.push_back({data});
        JobState& job = all_.state.jobs[j.index()];
        job.tasks.push_back(stage);
        if (queue) job.queue.push_back(*queue);
    }
    /// A task that runs on a node.
    void running(JobId j, NodeId data, NodeId node, Locality level, std::optional<QueueId> queue = {}) {
        task(j, data, Stage::running, queue);
        const SlotId slot = all_.setting.cluster.slot(node, used_[node.index()]++);
        const auto number = static_cast<std::uint32_t>(all_.setting.jobs[j.index()].tasks.size() - 1);
        all_.state.slots[slot.index()] = {true, 0, j, number, level};
    }
    /// The first free slot of the node.
    void offers(NodeId node) { all_.slot = all_.setting.cluster.slot(node, used_[node.index()]); }

  private:
    Situation all_;
    std::vector<std::size_t> used_;  // slots, by node
};

const NodeId here(0), on_the_rack(1), elsewhere(2), busy(3);

std::size_t sum_of(const Values& v, const char* name, std::size_t jobs) {
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < jobs; ++j) sum += v.of(name, j);
    return static_cast<std::size_t>(sum);
}

Situation at_offer(const Values& v) {
    const std::size_t jobs = v.counted("level");
    const auto remote = v["remote-tasks"];
    Builder made(4, std::max<std::size_t>(static_cast<std::size_t>(remote), sum_of(v, "running", jobs)) + 1);
    Situation& s = made.situation();
    s.setting.cluster.rack = {RackId(0), RackId(0), RackId(1), RackId(1)};
    s.setting.cluster.remote_time = {v["remote-time"]};
    s.parameters.d = v["D"];
    s.parameters.d1 = v["D1"];
    s.parameters.d2 = v["D2"];
    s.parameters.w = v["W"];
    s.parameters.order = v["fifo"] > 0 ? Order::fifo : Order::fair;
    s.state.now = std::max(v.of("age", 0), v["slot-free"]);
    for (std::size_t j = 0; j < jobs; ++j) {
        const JobId job = made.job(s.state.now - v.of("age", j), static_cast<Priority>(v.of("priority", j)));
        const std::int64_t level = v.of("level", j);
        made.task(job, level == 0 ? here : level == 1 ? on_the_rack : elsewhere, Stage::unlaunched);
        for (std::int64_t r = 0; r < v.of("running", j); ++r) made.running(job, busy, busy, Locality::local);
        s.state.jobs[j].skips = v.of("skips", j);
        s.setting.jobs[j].probes.assign(static_cast<std::size_t>(v.of("reserved", j)), here);
        s.state.jobs[j].reserved = s.setting.jobs[j].probes;
    }
    if (remote > 0) {
        const JobId other = made.job(s.state.now, normal_priority);
        for (std::int64_t r = 0; r < remote; ++r) made.running(other, elsewhere, here, Locality::remote);
    }
    made.offers(here);
    s.state.slots[s.slot.index()].since = s.state.now - v["slot-free"];
    return s;
}

/// Tasks of a last job run for what makes the queues as long as they are said to be.
Situation at_queues(const Values& v) {
    const std::size_t jobs = v.counted("waits-own");
    const std::int64_t own = v["own-weight"] - static_cast<std::int64_t>(sum_of(v, "waits-own", jobs)),
                       common = v["common-weight"] - static_cast<std::int64_t>(sum_of(v, "waits-common", jobs));
    Builder made(4, sum_of(v, "running", jobs) + static_cast<std::size_t>(own + common) + 1);
    const QueueId own_queue(here.index()), common_queue(4), other_queue(busy.index());
    for (std::size_t j = 0; j < jobs; ++j) {
        const JobId job = made.job(0, normal_priority);
        if (v.of("waits-own", j) > 0) made.task(job, here, Stage::unlaunched, own_queue);
        if (v.of("waits-common", j) > 0) made.task(job, here, Stage::unlaunched, common_queue);
        for (std::int64_t r = 0; r < v.of("running", j); ++r)
            made.running(job, busy, busy, Locality::local, other_queue);
    }
    if (own + common > 0) {
        const JobId other = made.job(0, normal_priority);
        for (std::int64_t r = 0; r < own; ++r) made.running(other, here, busy, Locality::remote, own_queue);
        for (std::int64_t r = 0; r < common; ++r) made.running(other, here, busy, Locality::remote, common_queue);
    }
    made.offers(here);
    return made.situation();
}

Situation at_route(const Values& v) {
    const std::size_t nodes = v.counted("length");
    const std::size_t tasks = sum_of(v, "length", nodes) + static_cast<std::size_t>(v["common-length"]);
    Builder made(nodes, tasks + 1);
    const JobId running = made.job(0, normal_priority);
    for (std::size_t q = 0; q <= nodes; ++q)
        for (std::int64_t t = 0; t < (q < nodes ? v.of("length", q) : v["common-length"]); ++t)
            made.running(running, NodeId(0), NodeId(0), Locality::local, QueueId(q));
    // The task that joins: of a job that is submitted next.
    Situation& s = made.situation();
    made.job(0, normal_priority);
    s.setting.jobs.back().tasks.emplace_back();
    for (std::size_t n = 0; n < nodes; ++n) s.setting.jobs.back().tasks.back().push_back(NodeId(n));
    if (tasks == 0) made.task(running, NodeId(0), Stage::done, QueueId(0));
    made.offers(NodeId(0));
    return s;
}

Situation at_reclaim(const Values& v) {
    const std::size_t jobs = v.counted("unlaunched");
    Builder made(1, static_cast<std::size_t>(v["free-slots"]) + sum_of(v, "running", jobs));
    for (std::size_t j = 0; j < jobs; ++j) {
        const JobId job = made.job(0, normal_priority);
        for (std::int64_t r = 0; r < v.of("running", j); ++r) made.running(job, here, here, Locality::local);
        for (std::int64_t r = 0; r < v.of("unlaunched", j); ++r) made.task(job, here, Stage::unlaunched);
    }
    return made.situation();
}

/// As many nodes of a slot as jobs, each job with data on a node of its own; nobody was passed over.
Situation with_nodes_of_their_own(const Values& v) {
    const std::size_t jobs = v.counted("level");
    Builder made(jobs, 1);
    Situation& s = made.situation();
    s.parameters.d = v["D"];
    for (std::size_t j = 0; j < jobs; ++j) s.setting.jobs.push_back({0, normal_priority, {{NodeId(j)}}});
    s.state.jobs.resize(jobs);
    made.offers(NodeId(0));
    return s;
}

/// The numbers of a point in a state of this shape; its first slot is offered.
std::optional<Situation> in_shape(const StateShape& shape, const Values& v) {
    if (!v.small()) return {};
    Situation s{shape.setting, {}, shape.state, SlotId(0)};
    s.parameters = {v["D"], v["D1"], v["D2"], v["W"], v["fifo"] > 0 ? Order::fifo : Order::fair};
    s.state.now = v["now"];
    for (std::size_t j = 0; j < s.state.jobs.size(); ++j) {
        s.setting.jobs[j].submit = v.of("submit", j);
        s.state.jobs[j].skips = v.of("skips", j);
    }
    for (std::size_t slot = 0; slot < s.state.slots.size(); ++slot) s.state.slots[slot].since = v.of("since", slot);
    return s;
}

std::optional<Situation> situation_at(Asked asked, const Values& values) {
    if (!values.small()) return {};
    switch (asked) {
        case Asked::offer:
            return at_offer(values);
        case Asked::queues:
            return at_queues(values);
        case Asked::route:
            return at_route(values);
        case Asked::reclaim:
            return at_reclaim(values);
        case Asked::state:
            break;
    }
    return {};
}

/// The state that a point refutes the statement at; `number` is that of its question.
std::optional<Situation> replayed(const StatementInfo& what, const std::string& policy,
                                  const std::vector<StateShape>& states, std::size_t number, const proof::Space& space,
                                  const explore::Counterpoint& point) {
    // What sticks to a slot is claimed of jobs without end, and a state has none.
    if (what.name == "slots-stick") return {};
    const Values values(space, point.point);
    auto situation = !states.empty() ? in_shape(states[number], values) : situation_at(asked_of(what, policy), values);
    if (what.name == "slots-settle" && situation) situation = with_nodes_of_their_own(values);
    if (const auto own = parameters_of_added(what, policy); own && situation) situation->parameters = *own;
    return situation;
}

}  // namespace

TheoremProof prove(const std::string& policy, const Theorem& theorem, const AffineCode& code,
                   const explore::Budget& budget) {
    const StatementInfo& what = statement(theorem.statement);
    TheoremProof all;
    Certificate certificate{policy, theorem, {}};
    const std::vector<explore::Question> all_questions = questions(what, policy, theorem.most, code);
    const std::vector<StateShape> states = shapes(what, policy, theorem.most);
    for (const explore::Question& question : all_questions) {
        explore::Reply reply = explore::ask(question, budget);
        all.statistics += reply.statistics;
        if (auto* proof = std::get_if<proof::ExploredProof>(&reply.result)) {
            certificate.proofs.push_back(std::move(*proof));
        } else if (auto* point = std::get_if<explore::Counterpoint>(&reply.result)) {
            auto situation = replayed(what, policy, states, certificate.proofs.size(), question.space, *point);
            all.result = Refuted{question.name, std::move(*point), std::move(situation)};
            return all;
        } else {
            all.result = std::get<explore::Ended>(std::move(reply.result));
            return all;
        }
    }
    all.result = std::move(certificate);
    return all;
}

TheoremProof prove(const std::string& policy, const Theorem& theorem, const explore::Budget& budget) {
    return prove(policy, theorem, code_of(policy), budget);
}

}  // namespace schedproof::sharing
