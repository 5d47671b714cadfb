#include "tests/model/event_oracle.hpp"

#include <algorithm>
#include <map>

#include "tests/model/queueing_oracle_rules.hpp"

namespace schedproof::oracle {

namespace {

/// One event at a state. Laws of states are passed from step to step.
class Event {
  public:
    Event(const Cluster& cluster, const QueueShape& shape) : c_(cluster), shape_(shape) {}

    Pmf<OracleState> law(const OracleState& before, queueing::Truncation truncation) const {
        const auto fate = [&](const OracleState& state) { return happens(state, truncation); };
        if (!interrupts()) return fate(before);
        return then(then(offers(before, in_order({})), fate), [](OracleState state) {
            std::fill(state.servers.begin(), state.servers.end(), OracleServer{});
            return surely(state);
        });
    }

    /// Rounds until one starts nothing.
    Pmf<OracleState> offers(const OracleState& state, const Indices& order) const {
        using Round = std::pair<OracleState, bool>;
        Pmf<Round> round = surely(Round{state, false});
        for (const std::size_t m : order)
            round = then(round, [&](const Round& so_far) {
                return then(asked(so_far.first, m), [&](const OracleState& next) {
                    return surely(Round{next, so_far.second || next.servers[m] != so_far.first.servers[m]});
                });
            });
        return then(round,
                    [&](const Round& done) { return done.second ? offers(done.first, order) : surely(done.first); });
    }

    /// All servers, those of `first` before the others.
    Indices in_order(Indices first) const {
        for (std::size_t m = 0; m < c_.servers(); ++m)
            if (std::find(first.begin(), first.end(), m) == first.end()) first.push_back(m);
        return first;
    }

  private:
    bool interrupts() const { return c_.options().preemption == queueing::Preemption::resume; }
    long long waiting(const OracleState& state, std::size_t q) const {
        return state.length[q] - std::count_if(state.servers.begin(), state.servers.end(), [&](const OracleServer& s) {
                   return s.status == Status::busy && s.queue == q;
               });
    }
    Sight sight(const OracleState& state) const {
        Counts unserved = state.length;
        for (std::size_t q = 0; q < unserved.size(); ++q) unserved[q] = waiting(state, q);
        const bool all = c_.options().counting == queueing::Counting::in_system;
        return {c_, all ? state.length : unserved, unserved, state.memory};
    }
    /// The fastest rate of any server: that of a task whose data it holds.
    Rational fastest() const {
        Rational most;
        for (std::size_t type = 0; type < c_.types(); ++type) most = std::max(most, c_.rate_of(type, 0));
        return most;
    }

    Pmf<OracleState> asked(const OracleState& state, std::size_t m) const {
        if (state.servers[m].status != Status::idle) return surely(state);
        return then(c_.rules.serve(sight(state), m), [&](const Target& q) {
            if (!q || waiting(state, *q) <= 0) return surely(state);
            OracleState next = state;
            Pmf<std::size_t> level;
            if (shape_.tracking[*q] == queueing::Tracking::listed) {
                level = surely(c_.level(state.waiting[*q].front(), m));
                next.waiting[*q].erase(next.waiting[*q].begin());
            } else if (shape_.tracking[*q] == queueing::Tracking::counted) {
                level = surely(shape_.level[*q][m]);
            } else {
                Rational all;
                for (const Rational& lambda : c_.instance.data().rates) all += lambda;
                for (std::size_t type = 0; type < c_.types(); ++type)
                    level[c_.level(type, m)] += c_.instance.data().rates[type] / all;
            }
            return then(level, [&](std::size_t l) {
                OracleState started = next;
                started.servers[m] = {Status::busy, l, *q};
                return surely(started);
            });
        });
    }

    /// Per type, how often each number of its tasks comes per unit of time.
    std::vector<std::map<std::uint32_t, Rational>> comings() const {
        const queueing::InstanceData& data = c_.instance.data();
        std::vector<std::map<std::uint32_t, Rational>> all(c_.types());
        for (std::size_t type = 0; type < c_.types(); ++type) {
            std::map<std::uint32_t, Rational>& often = all[type];
            Rational mean(1);
            often[1] = Rational(1);
            if (!data.batches.empty())
                for (const queueing::BatchSize& size : data.batches[type]) {
                    often[size.tasks] += size.probability;
                    often[1] -= size.probability;
                    mean += size.probability * Rational(size.tasks) - size.probability;
                }
            for (auto& [tasks, p] : often) p *= data.rates[type] / mean;
        }
        return all;
    }

    Pmf<OracleState> happens(const OracleState& state, queueing::Truncation truncation) const {
        const auto coming = comings();
        Rational all = Rational(c_.servers()) * fastest();
        for (const auto& often : coming)
            for (const auto& [tasks, rate] : often) all += rate;
        Pmf<OracleState> law;
        Rational nothing(1);
        const auto add = [&](const Rational& probability, const Pmf<OracleState>& then_at) {
            nothing -= probability;
            for (const auto& [next, p] : then_at) law[next] += probability * p;
        };
        for (std::size_t type = 0; type < c_.types(); ++type)
            for (const auto& [tasks, rate] : coming[type]) {
                if (rate == 0) continue;
                Pmf<OracleState> after = surely(state);
                for (std::uint32_t i = 0; i < tasks; ++i)
                    after = then(after, [&](const OracleState& now) { return arrives(now, type, truncation); });
                add(rate / all, after);
            }
        for (std::size_t m = 0; m < c_.servers(); ++m) {
            const OracleServer& server = state.servers[m];
            if (server.status != Status::busy) continue;
            OracleState next = state;
            --next.length[server.queue];
            next.servers[m] = {};
            add(c_.rate_in(server.queue, server.level) / all,
                interrupts() ? surely(next) : offers(next, in_order({m})));
        }
        if (nothing > 0) law[state] += nothing;
        return law;
    }

    Pmf<OracleState> arrives(const OracleState& state, std::size_t type, queueing::Truncation truncation) const {
        if (truncation.rule == queueing::Truncation::Rule::total && total(state.length) >= truncation.cap)
            return surely(state);
        return then(c_.rules.route(sight(state), type), [&](std::size_t q) {
            if (truncation.rule == queueing::Truncation::Rule::queue && state.length[q] >= truncation.cap)
                return surely(state);
            OracleState next = state;
            ++next.length[q];
            if (shape_.tracking[q] == queueing::Tracking::listed) next.waiting[q].push_back(type);
            return interrupts() ? surely(next) : offers(next, in_order(around(type, q)));
        });
    }

    /// The owner of the queue, or the holders of the data; then who is in their groups, from the smallest on.
    Indices around(std::size_t type, std::size_t q) const {
        using queueing::Arrangement;
        const Arrangement kept = c_.rules.arrangement;
        Indices order = c_.replicas(type);
        if (kept == Arrangement::per_server || (kept == Arrangement::per_server_and_common && q < c_.servers()))
            order = {q};
        if (kept == Arrangement::per_server_and_level) order = {c_.owner(q)};
        const Indices centre = order;
        for (std::size_t distance = 1; distance + 1 < c_.levels(); ++distance)
            for (const std::size_t n : centre)
                for (std::size_t m = 0; m < c_.servers(); ++m)
                    if (c_.distance(m, n) <= distance && std::find(order.begin(), order.end(), m) == order.end())
                        order.push_back(m);
        return order;
    }

    const Cluster& c_;
    const QueueShape& shape_;
};

}  // namespace

Pmf<OracleState> next_event(const queueing::Instance& instance, const std::string& policy_id, const OracleState& state,
                            queueing::Truncation truncation) {
    const QueueShape shape = queue_shape(instance, policy_id);
    const Cluster cluster = cluster_of(instance, policy_id, std::nullopt);
    require(state.servers.size() == cluster.servers() && consistent(shape, state),
            "the state does not fit the policy's queues");
    return Event(cluster, shape).law(state, truncation);
}

Pmf<OracleState> settled(const queueing::Instance& instance, const std::string& policy_id, const OracleState& state) {
    const QueueShape shape = queue_shape(instance, policy_id);
    const Cluster cluster = cluster_of(instance, policy_id, std::nullopt);
    const Event event(cluster, shape);
    return event.offers(state, event.in_order({}));
}

std::vector<std::string> policies_in_continuous_time() {
    std::vector<std::string> ids = policy_ids();
    std::erase_if(ids, [](const std::string& id) { return needs_plan(id); });
    return ids;
}

rc::Gen<queueing::Instance> small_cluster_in_time(const std::string& policy_id, InstanceWish wish) {
    return rc::gen::exec([=] {
        queueing::InstanceData data = (*small_instance(policy_id, wish)).data();
        data.time = queueing::ContinuousTime{};
        data.arrivals.reset();
        for (Rational& rate : data.rates) rate = rate.sign() == 0 ? Rational(Integer(1), Integer(2)) : rate;
        const Rational faster(*rc::gen::inRange(1, 4));
        for (queueing::LevelInfo& level : data.levels) level.rate *= faster;
        for (queueing::TaskType& type : data.types)
            for (Rational& rate : type.rates) rate *= faster;
        data.options.preemption = queueing::Preemption::none;
        const bool listed = std::ranges::any_of(queue_shape(queueing::Instance(data), policy_id).tracking,
                                                [](auto tracking) { return tracking != queueing::Tracking::counted; });
        if (!listed && *rc::gen::arbitrary<bool>()) data.options.preemption = queueing::Preemption::resume;
        // Tasks of a common queue whose types are drawn at starts must come one by one.
        if (data.options.reveal == queueing::Reveal::on_arrival && *rc::gen::arbitrary<bool>()) {
            data.batches.resize(data.types.size());
            const Rational probability(Integer(1), Integer(*rc::gen::inRange(1, 4)));
            data.batches[*rc::gen::inRange(std::size_t{0}, data.types.size())] = {
                {*rc::gen::inRange(2U, 4U), probability}};
        }
        return queueing::Instance(std::move(data));
    });
}

}  // namespace schedproof::oracle
