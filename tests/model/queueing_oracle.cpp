#include "tests/model/queueing_oracle.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "model/core/errors.hpp"
#include "tests/model/queueing_oracle_rules.hpp"

namespace schedproof::oracle {

namespace {

using queueing::Tracking;
using queueing::Truncation;

using Joined = std::vector<Counts>;  // tasks of this slot: [queue][type]

/// Law of the counts when n tasks independently take option i with probability share[i]: n!/prod k_i! prod share^k_i,
/// built up option by option as prod binomial(tasks left, k_i) share^k_i.
Pmf<Counts> multinomial(long long n, const std::vector<Rational>& share) {
    Pmf<Counts> law = surely(Counts{});
    for (std::size_t i = 0; i < share.size(); ++i)
        law = then(law, [&](const Counts& head) {
            const long long left = n - total(head);
            Pmf<Counts> weights;
            Rational weight = 1;
            for (long long k = 0; k <= left; ++k) {
                Counts longer = head;
                longer.push_back(k);
                if (k == left || i + 1 < share.size()) weights[longer] = weight;
                weight *= share[i] * Rational(left - k, k + 1);
            }
            return weights;
        });
    return law;
}

/// What becomes of a server in a slot. A server that `worked` had a task, finished or not.
struct Fate {
    std::size_t server;
    OracleServer next;
    bool worked;
    friend auto operator<=>(const Fate&, const Fate&) = default;
};

/// What becomes of a queue and of the servers that serve or ask it.
struct QueueOutcome {
    long long length;
    Indices waiting;
    std::vector<Fate> fates;
    friend auto operator<=>(const QueueOutcome&, const QueueOutcome&) = default;
};

class Slot {
  public:
    Slot(const Cluster& cluster, const QueueShape& shape, const OracleState& state, Truncation truncation)
        : c_(cluster), shape_(shape), state_(state), truncation_(truncation), in_execution_(state.length.size(), 0) {
        for (const OracleServer& server : state.servers)
            if (server.status == Status::busy) ++in_execution_[server.queue];
        accrue();
    }

    Pmf<OracleState> law() {
        const Pmf<Joined> joined = then(arrivals(), [&](const Counts& tasks) { return routed(tasks); });
        const Pmf<std::vector<Target>> asked = targets();
        return then(joined, [&](const Joined& j) {
            return then(asked, [&](const std::vector<Target>& t) { return all_queues(j, t); });
        });
    }

  private:
    Pmf<Counts> arrivals() const;
    Pmf<Joined> routed(const Counts& tasks) const;
    Joined joining(Joined joined, std::size_t q, std::size_t type, long long tasks) const;
    Sight sight(const Joined& joined) const;
    Pmf<std::vector<Target>> targets() const;
    Pmf<OracleState> all_queues(const Joined& joined, const std::vector<Target>& target);
    const Pmf<QueueOutcome>& one_queue(std::size_t q, const Counts& joined, const Indices& askers);
    Pmf<Indices> lines(std::size_t q, const Counts& joined) const;
    Pmf<Indices> served(const Indices& askers, long long tasks) const;
    Pmf<std::size_t> start_level(std::size_t q, std::size_t m, const Indices& line, std::size_t position) const;
    Pmf<QueueOutcome> execute(const QueueOutcome& so_far, std::size_t m, std::size_t level, std::size_t q) const;
    Pmf<QueueOutcome> go_without(const QueueOutcome& so_far, std::size_t m, std::size_t q) const;
    void accrue();
    void spend(std::vector<Rational>& memory, std::size_t q, std::size_t m) const;

    const Cluster& c_;
    const QueueShape& shape_;
    const OracleState& state_;
    Truncation truncation_;
    Counts in_execution_;
    Rational unit_;                  // S of `accrue`
    std::vector<Rational> accrued_;  // the counters, this slot's share added
    // A queue's law depends only on what joined it and who asks it, so it is computed once for each such pair.
    std::map<std::tuple<std::size_t, Counts, Indices>, Pmf<QueueOutcome>> known_;
};

Pmf<Counts> Slot::arrivals() const {
    Pmf<Counts> law = surely(Counts(c_.types(), 0));
    for (const queueing::ArrivalFactor& factor : c_.instance.arrivals().factors())
        law = then(law, [&](const Counts& others) {
            Pmf<Counts> sums;
            for (const queueing::ArrivalOutcome& outcome : factor.outcomes()) {
                Counts sum = others;
                for (std::size_t i = 0; i < outcome.count.size(); ++i)
                    sum[factor.types()[i].index()] += outcome.count[i];
                sums[sum] += outcome.probability;
            }
            return sums;
        });
    if (truncation_.rule != Truncation::Rule::total) return law;
    return then(law, [&](const Counts& tasks) {
        return surely(total(state_.length) + total(tasks) > truncation_.cap ? Counts(tasks.size(), 0) : tasks);
    });
}

/// `joined` and as many of `tasks` more tasks as the queue accepts.
Joined Slot::joining(Joined joined, std::size_t q, std::size_t type, long long tasks) const {
    const long long room = truncation_.cap - state_.length[q] - total(joined[q]);
    joined[q][type] += truncation_.rule == Truncation::Rule::queue ? std::clamp(room, 0LL, tasks) : tasks;
    return joined;
}

Pmf<Joined> Slot::routed(const Counts& tasks) const {
    const Joined none(state_.length.size(), Counts(c_.types(), 0));
    const bool batch = c_.options().routing == queueing::Routing::batch;
    Pmf<Joined> law = surely(none);
    for (std::size_t type = 0; type < tasks.size(); ++type) {
        // Under batch all tasks of a type are one multinomial; under sequential each is one, of a single task.
        const long long together = batch ? tasks[type] : 1;
        for (long long done = 0; done < tasks[type]; done += together)
            law = then(law, [&](const Joined& earlier) {
                Indices queues;
                std::vector<Rational> share;
                for (const auto& [q, p] : c_.rules.route(sight(batch ? none : earlier), type)) {
                    queues.push_back(q);
                    share.push_back(p);
                }
                return then(multinomial(together, share), [&](const Counts& split) {
                    Joined now = earlier;
                    for (std::size_t i = 0; i < queues.size(); ++i)
                        now = joining(std::move(now), queues[i], type, split[i]);
                    return surely(now);
                });
            });
    }
    return law;
}

Sight Slot::sight(const Joined& joined) const {
    Counts present = state_.length, unserved = state_.length;
    for (std::size_t q = 0; q < present.size(); ++q) {
        present[q] += total(joined[q]);
        unserved[q] = present[q] - in_execution_[q];
    }
    const bool all = c_.options().counting == queueing::Counting::in_system;
    return {c_, all ? present : unserved, unserved, state_.memory};
}

/// The queue that each server asks in this slot; of busy servers none.
Pmf<std::vector<Target>> Slot::targets() const {
    const Sight see = sight(Joined(state_.length.size(), Counts{}));
    Pmf<std::vector<Target>> law = surely(std::vector<Target>{});
    for (std::size_t m = 0; m < state_.servers.size(); ++m) {
        const OracleServer& server = state_.servers[m];
        const Pmf<Target> choice = server.status == Status::idle      ? c_.rules.serve(see, m)
                                   : server.status == Status::phantom ? surely(Target(server.queue))
                                                                      : surely(Target());
        law = then(law, [&](const std::vector<Target>& lower) {
            return then(choice, [&](const Target& target) {
                std::vector<Target> longer = lower;
                longer.push_back(target);
                return surely(longer);
            });
        });
    }
    return law;
}

Pmf<OracleState> Slot::all_queues(const Joined& joined, const std::vector<Target>& target) {
    OracleState start = state_;
    start.servers.assign(start.servers.size(), OracleServer{});
    start.memory = accrued_;
    Pmf<OracleState> law = surely(start);
    for (std::size_t q = 0; q < joined.size(); ++q) {
        Indices askers;
        for (std::size_t m = 0; m < target.size(); ++m)
            if (target[m] == q) askers.push_back(m);
        const Pmf<QueueOutcome>& outcomes = one_queue(q, joined[q], askers);
        law = then(law, [&](const OracleState& state) {
            return then(outcomes, [&](const QueueOutcome& outcome) {
                OracleState next = state;
                next.length[q] = outcome.length;
                if (!next.waiting.empty()) next.waiting[q] = outcome.waiting;
                for (const Fate& fate : outcome.fates) {
                    next.servers[fate.server] = fate.next;
                    if (fate.worked) spend(next.memory, q, fate.server);
                }
                return surely(next);
            });
        });
    }
    return law;
}

const Pmf<QueueOutcome>& Slot::one_queue(std::size_t q, const Counts& joined, const Indices& askers) {
    const auto [place, fresh] = known_.try_emplace({q, joined, askers});
    if (!fresh) return place->second;
    const long long length = state_.length[q] + total(joined);
    place->second = then(lines(q, joined), [&](const Indices& line) {
        return then(served(askers, length - in_execution_[q]), [&](const Indices& matched) {
            QueueOutcome start{length, line, {}};
            if (shape_.tracking[q] == Tracking::listed)
                start.waiting.erase(start.waiting.begin(),
                                    start.waiting.begin() + static_cast<std::ptrdiff_t>(matched.size()));
            Pmf<QueueOutcome> law = surely(start);
            for (std::size_t m = 0; m < state_.servers.size(); ++m) {
                const OracleServer& server = state_.servers[m];
                const auto win = std::find(matched.begin(), matched.end(), m);
                const auto position = static_cast<std::size_t>(win - matched.begin());
                if (server.status == Status::busy && server.queue == q)
                    law = then(law, [&](const QueueOutcome& o) { return execute(o, m, server.level, q); });
                else if (win != matched.end())
                    law = then(law, [&](const QueueOutcome& o) {
                        return then(start_level(q, m, line, position),
                                    [&](std::size_t k) { return execute(o, m, k, q); });
                    });
                else if (std::find(askers.begin(), askers.end(), m) != askers.end())
                    law = then(law, [&](const QueueOutcome& o) { return go_without(o, m, q); });
            }
            return law;
        });
    });
    return place->second;
}

/// The waiting list after this slot's tasks joined it, in any order of them; empty for queues that only count.
Pmf<Indices> Slot::lines(std::size_t q, const Counts& joined) const {
    if (shape_.tracking[q] != Tracking::listed) return surely(Indices{});
    Indices fresh;
    for (std::size_t type = 0; type < joined.size(); ++type)
        fresh.insert(fresh.end(), static_cast<std::size_t>(joined[type]), type);
    std::vector<Indices> orders;  // distinct orders of a multiset are equally likely
    do {
        orders.push_back(state_.waiting[q]);
        orders.back().insert(orders.back().end(), fresh.begin(), fresh.end());
    } while (std::next_permutation(fresh.begin(), fresh.end()));
    return uniform(orders);
}

/// Which of the asking servers get one of the waiting tasks.
Pmf<Indices> Slot::served(const Indices& askers, long long tasks) const {
    const std::size_t winners = std::min(askers.size(), static_cast<std::size_t>(tasks));
    if (c_.options().scarcity == queueing::Scarcity::lowest_index)
        return surely(Indices(askers.begin(), askers.begin() + static_cast<std::ptrdiff_t>(winners)));
    std::vector<bool> chosen(askers.size(), false);
    std::fill_n(chosen.rbegin(), winners, true);
    std::vector<Indices> subsets;
    do {
        subsets.emplace_back();
        for (std::size_t i = 0; i < askers.size(); ++i)
            if (chosen[i]) subsets.back().push_back(askers[i]);
    } while (std::next_permutation(chosen.begin(), chosen.end()));
    return uniform(subsets);
}

Pmf<std::size_t> Slot::start_level(std::size_t q, std::size_t m, const Indices& line, std::size_t position) const {
    if (shape_.tracking[q] == Tracking::counted) return surely(shape_.level[q][m]);
    if (shape_.tracking[q] == Tracking::listed) return surely(c_.level(line[position], m));
    Pmf<std::size_t> law;
    const auto& lambda = c_.instance.data().rates;
    const Rational sum = std::accumulate(lambda.begin(), lambda.end(), Rational(0));
    for (std::size_t type = 0; type < lambda.size(); ++type)
        if (lambda[type] > 0) law[c_.level(type, m)] += lambda[type] / sum;
    return law;
}

Pmf<QueueOutcome> Slot::execute(const QueueOutcome& so_far, std::size_t m, std::size_t level, std::size_t q) const {
    QueueOutcome done = so_far, not_done = so_far;
    --done.length;
    done.fates.push_back({m, {}, true});
    not_done.fates.push_back({m, {Status::busy, level, q}, true});
    const Rational& rate = c_.rate_in(q, level);
    Pmf<QueueOutcome> law{{done, rate}};
    if (rate < 1) law.emplace(not_done, Rational(1) - rate);
    return law;
}

Pmf<QueueOutcome> Slot::go_without(const QueueOutcome& so_far, std::size_t m, std::size_t q) const {
    QueueOutcome idle = so_far, phantom = so_far;
    idle.fates.push_back({m, {}, false});
    if (c_.options().unmatched == queueing::Unmatched::idle) return surely(idle);
    const std::size_t level = shape_.level[q][m];
    phantom.fates.push_back({m, {Status::phantom, level, q}, false});
    const Rational& rate = c_.rate_in(q, level);
    Pmf<QueueOutcome> law{{idle, rate}};
    if (rate < 1) law.emplace(phantom, Rational(1) - rate);
    return law;
}

/// Deficits: activity a is owed the part share(a) = x/(mu rho) of its server's slots. They are counted in units of 1/S
/// slot, with S the common denominator of all shares, so that they are integers.
void Slot::accrue() {
    accrued_ = state_.memory;
    if (accrued_.empty()) return;
    std::vector<Rational> share;
    for (const Plan::Activity& a : plan_of(c_).activities)
        share.push_back(a.x / c_.rate_of(a.type, c_.level(a.type, a.server)) / plan_of(c_).load);
    unit_ = Rational(common_denominator(share));
    for (std::size_t a = 0; a < share.size(); ++a) accrued_[a] += unit_ * share[a];
}

void Slot::spend(std::vector<Rational>& memory, std::size_t type, std::size_t m) const {
    for (std::size_t a = 0; a < memory.size(); ++a)
        if (plan_of(c_).activities[a].type == type && plan_of(c_).activities[a].server == m) memory[a] -= unit_;
}

void require_defined(const Cluster& c, const QueueShape& shape) {
    for (const Tracking tracking : shape.tracking) {
        require(tracking == Tracking::counted || c.options().unmatched == queueing::Unmatched::idle,
                "a phantom service of a queue that does not count has no rate");
        require(tracking != Tracking::revealed || c.instance.arrivals().largest_total() <= 1,
                "types can be revealed on start only when a slot brings at most one task");
    }
}

}  // namespace

Pmf<OracleState> next_slot(const queueing::Instance& instance, const std::string& policy_id, const OracleState& state,
                           const std::optional<Plan>& plan, Truncation truncation) {
    const Cluster c = cluster_of(instance, policy_id, plan);
    const QueueShape shape = queue_shape(instance, policy_id, plan);
    require_defined(c, shape);
    require(state.servers.size() == c.servers() && consistent(shape, state),
            "the state does not fit the policy's queues");
    return Slot(c, shape, state, truncation).law();
}

}  // namespace schedproof::oracle
