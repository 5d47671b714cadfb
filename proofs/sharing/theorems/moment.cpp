/// Moments as sources of answers, and the space of their symbols.
///
/// The symbols stand in the order of `each_count`, which is the one list of them: the space and the moment are made
/// from it. Sources look up counts; who is nearest, first or poorest they leave to the scan.
#include "proofs/sharing/theorems/moment.hpp"

#include <fmt/core.h>

#include <array>

#include "model/core/errors.hpp"
#include "model/sharing/scan.hpp"
#include "model/sharing/sharing_state.hpp"

namespace schedproof::sharing {

using explore::Affine;
using proof::Constraint;
using proof::LinearForm;
using proof::Space;

namespace {

template <class Visit>
void each_job(const char* name, AffineCount MomentJob::*member, Moment& m, Visit&& visit) {
    for (std::size_t j = 0; j < m.jobs.size(); ++j) visit(fmt::format("{}[{}]", name, j + 1), m.jobs[j].*member, 0);
}

/// Calls `visit(name, count, least)` for each symbol of a moment.
template <class Visit>
void each_count(Asked asked, Moment& m, Visit&& visit) {
    switch (asked) {
        case Asked::offer:
            visit("D", m.parameters.d, 0);
            visit("D1", m.parameters.d1, 0);
            visit("D2", m.parameters.d2.emplace(), 0);
            visit("W", m.parameters.w, 0);
            visit("fifo", m.fifo, 0);
            visit("slot-free", m.slot_free, 0);
            visit("remote-tasks", m.remote_tasks, 0);
            visit("remote-time", m.remote_time, 1);
            each_job("level", &MomentJob::level, m, visit);
            each_job("skips", &MomentJob::skips, m, visit);
            each_job("running", &MomentJob::running, m, visit);
            each_job("age", &MomentJob::age, m, visit);
            each_job("reserved", &MomentJob::reserved, m, visit);
            each_job("priority", &MomentJob::priority, m, visit);
            break;
        case Asked::queues:
            visit("own-weight", m.own_weight, 0);
            visit("common-weight", m.common_weight, 0);
            each_job("running", &MomentJob::running, m, visit);
            each_job("waits-own", &MomentJob::waits_own, m, visit);
            each_job("waits-common", &MomentJob::waits_common, m, visit);
            break;
        case Asked::route:
            for (std::size_t q = 0; q < m.length.size(); ++q)
                visit(q + 1 < m.length.size() ? fmt::format("length[{}]", q + 1) : "common-length", m.length[q], 0);
            break;
        case Asked::reclaim:
            visit("free-slots", m.free_slots, 0);
            visit("fair-share", m.fair_share, 0);
            each_job("running", &MomentJob::running, m, visit);
            each_job("unlaunched", &MomentJob::unlaunched, m, visit);
            break;
        case Asked::state:
            throw ContractViolation("a whole state is more than a moment");
    }
}

Moment empty_moment(Asked asked, std::size_t count) {
    Moment m;
    if (asked == Asked::route)
        m.length.resize(count + 1);
    else
        m.jobs.resize(count);
    return m;
}

/// What ties the counts of a moment together.
Ties ties(Asked asked, const Moment& m) {
    Ties all;
    if (asked == Asked::offer) {
        all.emplace_back(1, m.fifo);
        const ParametersOf<AffineCount>& p = m.parameters;
        for (const AffineCount& parameter : {p.d, p.d1, *p.d2, p.w}) all.emplace_back(most_parameter, parameter);
    }
    AffineCount running = 0, own = 0, common = 0;
    for (std::size_t j = 0; j < m.jobs.size(); ++j) {
        const MomentJob& job = m.jobs[j];
        running += job.running;
        own += job.waits_own;
        common += job.waits_common;
        if (asked == Asked::offer) {
            all.emplace_back(2, job.level);
            all.emplace_back(priorities - 1, job.priority);
            if (j > 0) all.emplace_back(m.jobs[j - 1].age, job.age);
        }
        if (asked == Asked::queues) {
            all.emplace_back(1, job.waits_own);
            all.emplace_back(1, job.waits_common);
            all.emplace_back(job.waits_own + job.waits_common, 1);
        }
        if (asked == Asked::reclaim) all.emplace_back(job.running + job.unlaunched, 1);
    }
    // A queue's weight is a rate of at least 1 times its length.
    if (asked == Asked::queues) {
        all.emplace_back(m.own_weight, own);
        all.emplace_back(m.common_weight, common);
    }
    // fair share = floor(slots / jobs)
    if (asked == Asked::reclaim) {
        const AffineCount slots = m.free_slots + running, jobs = m.jobs.size();
        const AffineCount shares = m.jobs.size() * m.fair_share;
        all.emplace_back(slots, shares);
        all.emplace_back(shares + jobs - 1, slots);
    }
    return all;
}

/// Never asked: the ties of a space are written down, not compared.
class NoOracle final : public CountOracle {
    [[nodiscard]] bool exceeds_zero(const AffineCount&, bool) const override {
        throw ContractViolation("a space is made without comparisons");
    }
};

LinearForm linear_form(const AffineCount& count) {
    LinearForm form{Rational(count.constant())};
    for (std::size_t s = 0; s < count.factors().size(); ++s)
        if (count.factors()[s] != 0) form.append(static_cast<proof::Variable>(s), Rational(count.factors()[s]));
    return form;
}

const NodeId offered_node(0);

/// The counts of a moment, one by one, and by scanning what they come to.
class Counts : public Scan<Counts> {
  public:
    explicit Counts(const Moment& moment) : m_(moment) {}
    [[nodiscard]] IdRange<JobId> all_jobs() const { return IdRange<JobId>(m_.jobs.size()); }
    [[nodiscard]] bool is_ready(JobId j) const { return reclaiming() ? of(j).unlaunched > 0 : true; }
    [[nodiscard]] AffineCount running(JobId j) const { return of(j).running; }
    [[nodiscard]] AffineCount priority(JobId j) const { return of(j).priority; }
    [[nodiscard]] Locality nearest(JobId j, NodeId) const { return level_of(of(j).level); }
    [[nodiscard]] static QueueId own(NodeId n) { return QueueId(n.index()); }
    /// Behind those of the nodes that hold the task's data, or the offered one.
    [[nodiscard]] QueueId common() const { return QueueId(m_.length.empty() ? 1 : m_.length.size() - 1); }
    [[nodiscard]] bool waits_in(JobId j, QueueId q) const {
        return (q == common() ? of(j).waits_common : of(j).waits_own) > 0;
    }
    [[nodiscard]] const AffineCount& seen_length(QueueId q) const { return m_.length[q.index()]; }
    using Scan::own;

    [[nodiscard]] const MomentJob& of(JobId j) const { return m_.jobs[j.index()]; }
    [[nodiscard]] const Moment& moment() const { return m_; }
    void ask_of_all() { reclaiming_ = true; }

  private:
    [[nodiscard]] bool reclaiming() const { return reclaiming_; }
    const Moment& m_;
    bool reclaiming_ = false;
};

/// The jobs in both orders, each found when it is asked for; a policy is asked at one moment, so the orders stand
/// still.
class Orders {
  public:
    explicit Orders(const Counts& counts) : counts_(counts) {}
    [[nodiscard]] std::optional<JobId> job(Order order, std::size_t position) const {
        std::optional<std::vector<JobId>>& line = lines_[order == Order::fair ? 0 : 1];
        if (!line) line = counts_.jobs(order);
        return position < line->size() ? std::optional((*line)[position]) : std::nullopt;
    }

  private:
    const Counts& counts_;
    mutable std::array<std::optional<std::vector<JobId>>, 2> lines_;
};

class OfferAtMoment final : public AnyOfferSourceOf<AffineCount> {
  public:
    explicit OfferAtMoment(Moment& moment) : m_(moment), counts_(moment), orders_(counts_) {}
    [[nodiscard]] std::optional<JobId> first_local(Order order, NodeId n) const override {
        return counts_.first_local(order, n);
    }
    [[nodiscard]] Locality nearest(JobId j, NodeId n) const override { return counts_.nearest(j, n); }
    [[nodiscard]] AffineCount skips(JobId j) const override { return counts_.of(j).skips; }
    void skip(JobId j) override { m_.jobs[j.index()].skips += 1; }
    void set_skips(JobId j, const AffineCount& skips) override { m_.jobs[j.index()].skips = skips; }
    [[nodiscard]] AffineCount waited(JobId j) const override {
        return m_.slot_free <= counts_.of(j).age ? m_.slot_free : counts_.of(j).age;
    }
    [[nodiscard]] AffineCount since_submitted(JobId j) const override { return counts_.of(j).age; }
    [[nodiscard]] AffineCount reserved(JobId j, NodeId) const override { return counts_.of(j).reserved; }
    [[nodiscard]] AffineCount remote_tasks(NodeId) const override { return m_.remote_tasks; }
    [[nodiscard]] AffineCount remote_time(NodeId) const override { return m_.remote_time; }
    [[nodiscard]] AffineCount running(JobId j) const override { return counts_.running(j); }

  private:
    [[nodiscard]] std::optional<JobId> job(Order order, std::size_t position) const override {
        return orders_.job(order, position);
    }
    Moment& m_;
    Counts counts_;
    Orders orders_;
};

class QueuesAtMoment final : public AnyQueueSourceOf<AffineCount> {
  public:
    explicit QueuesAtMoment(const Moment& moment)
        : AnyQueueSourceOf(offered_node, {Counts::own(offered_node), moment.own_weight},
                           {Counts(moment).common(), moment.common_weight}),
          counts_(moment) {}
    [[nodiscard]] std::optional<JobId> fewest_running(QueueId q) const override { return counts_.fewest_running(q); }

  private:
    Counts counts_;
};

class ReclaimAtMoment final : public AnyReclaimSourceOf<AffineCount> {
  public:
    explicit ReclaimAtMoment(const Moment& moment) : counts_(moment), orders_(counts_) { counts_.ask_of_all(); }
    [[nodiscard]] AffineCount running(JobId j) const override { return counts_.running(j); }
    [[nodiscard]] AffineCount unlaunched(JobId j) const override { return counts_.of(j).unlaunched; }
    [[nodiscard]] AffineCount free_slots() const override { return counts_.moment().free_slots; }
    [[nodiscard]] std::optional<JobId> most_running() const override { return counts_.most_running(); }
    [[nodiscard]] AffineCount fair_share() const override { return counts_.moment().fair_share; }

  private:
    [[nodiscard]] std::optional<JobId> job(Order order, std::size_t position) const override {
        return orders_.job(order, position);
    }
    Counts counts_;
    Orders orders_;
};

}  // namespace

Affine CountsOnSymbols::affine(const AffineCount& count) const {
    Affine sum(count.constant());
    for (std::size_t s = 0; s < count.factors().size(); ++s)
        if (count.factors()[s] != 0) sum += Rational(count.factors()[s]) * symbols_.at(s);
    return sum;
}

bool CountsOnSymbols::exceeds_zero(const AffineCount& number, bool strict) const {
    const Affine value = affine(number);
    return strict ? value > Affine(0) : value >= Affine(0);
}

void state_equal(const CountsOnSymbols& oracle, const AffineCount& a, const AffineCount& b,
                 std::vector<explore::Forbidden>& left) {
    const LinearForm difference = oracle.affine(a - b).form();
    if (difference.is_constant() && difference.constant().sign() == 0) return;
    left.push_back({{difference, true}});
    left.push_back({{-difference, true}});
}

Space moment_space(Asked asked, std::size_t count, Ties (*assume)(Moment&)) {
    require(count >= 1 && count <= most_moment, "a moment has few jobs");
    Space space;
    Moment names = empty_moment(asked, count);
    each_count(asked, names, [&](const std::string& name, const AffineCount&, std::int64_t least) {
        space.add(name, true, Rational(least));
    });
    const NoOracle oracle;
    Moment m = moment(asked, count, oracle);
    for (const Ties& all : {ties(asked, m), assume(m)})
        for (const auto& [larger, smaller] : all) space.premises.push_back({linear_form(larger - smaller), false});
    return space;
}

Moment moment(Asked asked, std::size_t count, const CountOracle& oracle) {
    Moment m = empty_moment(asked, count);
    std::size_t symbol = 0;
    each_count(asked, m,
               [&](const std::string&, AffineCount& its, std::int64_t) { its = AffineCount(symbol++, oracle); });
    return m;
}

std::vector<Rational> point_of(Asked asked, Moment numbers) {
    if (!numbers.parameters.d2) numbers.parameters.d2 = 0;
    std::vector<Rational> point;
    const std::optional<AffineCount> second = numbers.parameters.d2;
    each_count(asked, numbers, [&](const std::string& name, const AffineCount& its, std::int64_t) {
        // The list makes D2 anew, for moments that have none.
        point.emplace_back(name == "D2" ? second->constant() : its.constant());
    });
    return point;
}

Outcome offer(const PolicyAnswers<AffineCount>& policy, Moment moment) {
    Outcome outcome;
    if (policy.form() == PolicyForm::routes) {
        QueuesAtMoment source(moment);
        outcome.launch = policy.offer(source, offered_node);
    } else {
        OfferAtMoment source(moment);
        outcome.launch = policy.offer(source, offered_node);
    }
    for (const MomentJob& job : moment.jobs) outcome.skips.push_back(job.skips);
    return outcome;
}

std::vector<std::size_t> route(const PolicyAnswers<AffineCount>& policy, const Moment& moment) {
    Replicas data;
    for (std::size_t n = 0; n + 1 < moment.length.size(); ++n) data.push_back(NodeId(n));
    const Counts counts(moment);
    const QueueSet set = policy.route(DataRef(data));
    std::vector<std::size_t> joined;
    for (const QueueId q : counts.shortest(set == QueueSet::own ? counts.own(data) : counts.own_and_common(data)))
        joined.push_back(q.index());
    return joined;
}

std::optional<JobId> reclaim(const PolicyAnswers<AffineCount>& policy, const Moment& moment) {
    return policy.reclaim(ReclaimAtMoment(moment));
}

Locality level_of(const AffineCount& level) {
    return level <= 0 ? Locality::local : level <= 1 ? Locality::rack_local : Locality::remote;
}

}  // namespace schedproof::sharing
