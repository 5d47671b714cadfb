/// Smaller counterexamples: fewer servers and types, simpler rates, single tasks in place of batches, idle servers,
/// simpler rays, shorter queues.
///
/// A variant on another instance takes the state along by the names of queues and servers, but no ray. Variants that
/// are no instance, or on which the policy cannot run, are none.

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "checks/queueing/family.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

using namespace queueing;

namespace {

/// A state by the names of its queues and servers, so that it can be read on a smaller instance.
struct NamedState {
    struct Work {
        Service::Status status;
        std::string queue;
    };
    std::map<std::string, std::int64_t> length;
    std::map<std::string, Work> serving;
    std::map<std::string, std::vector<std::string>> waiting;
    std::vector<CheckedInt> memory;
};

NamedState by_name(const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    NamedState named;
    for (const QueueId q : IdRange<QueueId>(state.length.size())) {
        const std::string name = system.layout().name(instance, q);
        named.length[name] = state.length[q.index()].value();
        if (!state.waiting.empty())
            for (const TaskTypeId type : state.waiting[q.index()])
                named.waiting[name].push_back(instance.type(type).name);
    }
    for (const ServerId m : instance.servers())
        if (const Service& s = state.serving[m.index()]; s.status != Service::Status::idle)
            named.serving[instance.server(m).name] = {s.status, system.layout().name(instance, s.queue)};
    named.memory.assign(state.memory.begin(), state.memory.end());
    return named;
}

/// The state on another instance: what its names still mean. None where a listed queue is involved in a way that
/// cannot be carried over.
std::optional<ExactState> on(const ExactSystem& system, const NamedState& named) {
    const Instance& instance = system.instance();
    const Layout& layout = system.layout();
    if (layout.lists_tasks()) return std::nullopt;
    ExactState state = system.initial();
    std::map<std::string, QueueId> queues;
    for (const QueueId q : IdRange<QueueId>(layout.queues())) {
        queues[layout.name(instance, q)] = q;
        if (const auto found = named.length.find(layout.name(instance, q)); found != named.length.end())
            state.length[q.index()] = CheckedInt(found->second);
    }
    for (const ServerId m : instance.servers()) {
        const auto work = named.serving.find(instance.server(m).name);
        if (work == named.serving.end()) continue;
        const auto q = queues.find(work->second.queue);
        if (q == queues.end() || layout.tracking(q->second) != Tracking::counted) continue;
        if (!layout.serves(instance, m, q->second)) continue;
        state.serving[m.index()] = {work->second.status, layout.service_level(instance, q->second, m), q->second};
    }
    // Tasks whose server went away wait again; one that is gone with its server needs no task.
    if (state.memory.size() == named.memory.size())
        std::copy(named.memory.begin(), named.memory.end(), state.memory.begin());
    return state;
}

/// The arrivals without the tasks of one type, the others' joint law as it was.
ArrivalLaw without(const ArrivalLaw& law, TaskTypeId gone) {
    std::vector<ArrivalFactor> factors;
    const auto renumbered = [&](TaskTypeId t) { return TaskTypeId(t.index() - (t.index() > gone.index() ? 1 : 0)); };
    for (const ArrivalFactor& factor : law.factors()) {
        std::vector<TaskTypeId> types;
        for (const TaskTypeId t : factor.types())
            if (t != gone) types.push_back(renumbered(t));
        if (types.empty()) continue;
        std::map<std::vector<std::uint32_t>, Rational> merged;
        for (const ArrivalOutcome& outcome : factor.outcomes()) {
            std::vector<std::uint32_t> count;
            for (std::size_t i = 0; i < outcome.count.size(); ++i)
                if (factor.types()[i] != gone) count.push_back(outcome.count[i]);
            merged[count] += outcome.probability;
        }
        std::vector<ArrivalOutcome> outcomes;
        for (auto& [count, probability] : merged) outcomes.push_back({count, probability});
        factors.emplace_back(std::move(types), std::move(outcomes));
    }
    return ArrivalLaw(std::move(factors));
}

InstanceData without_type(InstanceData data, TaskTypeId gone) {
    const auto at = static_cast<std::ptrdiff_t>(gone.index());
    data.types.erase(data.types.begin() + at);
    if (data.time) {  // the law of events follows
        data.rates.erase(data.rates.begin() + at);
        if (!data.batches.empty()) data.batches.erase(data.batches.begin() + at);
        return data;
    }
    data.arrivals = without(*data.arrivals, gone);
    data.rates.clear();
    return data;
}

/// Types that lose their last replica, or the last server that can serve them, go with the server.
InstanceData without_server(InstanceData data, ServerId gone) {
    for (std::size_t t = data.types.size(); t-- > 0;) {
        std::vector<ServerId> kept;
        for (const ServerId m : data.types[t].replicas)
            if (m != gone) kept.emplace_back(m.index() - (m.index() > gone.index() ? 1 : 0));
        data.types[t].replicas = kept;
        auto& rates = data.types[t].at_servers;
        if (!rates.empty()) rates.erase(rates.begin() + static_cast<std::ptrdiff_t>(gone.index()));
        const bool served = rates.empty() ? !kept.empty()
                                          : std::count(rates.begin(), rates.end(), std::nullopt) !=
                                                static_cast<std::ptrdiff_t>(rates.size());
        if (!served) data = without_type(std::move(data), TaskTypeId(t));
    }
    data.servers.erase(data.servers.begin() + static_cast<std::ptrdiff_t>(gone.index()));
    return data;
}

/// The nearest fraction with the given denominator, above zero.
Rational rounded(const Rational& value, int denominator) {
    const Rational nearest(nearest_integer(value * Rational(denominator)));
    return (nearest.sign() > 0 ? nearest : Rational(1)) / Rational(denominator);
}

/// The smaller variants of one state.
class Variants {
  public:
    Variants(const ClusterState& now, const std::string& policy, const Take<QueueingFamily>& take)
        : now_(now), policy_(policy), take_(take) {}

    bool run() {
        return fewer_servers() || fewer_types() || simpler_rates() || simpler_rates_of_types() || simpler_arrivals() ||
               smaller_batches() || idler() || simpler_ray() || shorter();
    }

  private:
    /// Offers the state that `make` finds on the instance, if the system can move from there.
    bool offer(const InstancePtr& instance, const queueing::Direction& direction,
               const std::function<std::optional<ExactState>(const ExactSystem&)>& make) {
        std::optional<ClusterState> variant;
        try {
            const ExactSystem system = registered_exact(*instance, policy_);
            if (std::optional<ExactState> state = make(system)) {
                require(system.is_settled(*state), "a counterexample is a state that the cluster can be in");
                (void)system.moves(*state);
                variant = {instance, std::move(*state), direction};
            }
        } catch (const Error&) {
            variant.reset();
        }
        return take_(std::move(variant));
    }

    bool take_instance(InstanceData data) {
        data.slack.reset();  // of other arrivals
        const NamedState named = by_name(registered_exact(*now_.instance, policy_), now_.state);
        const bool same_shape = data.servers.size() == now_.instance->servers().size() &&
                                data.types.size() == now_.instance->types().size();
        InstancePtr instance;
        try {
            instance = std::make_shared<const Instance>(std::move(data));
        } catch (const Error&) {
            return false;
        }
        const queueing::Direction none;
        return offer(instance, same_shape ? now_.direction : none, [&](const ExactSystem& other) {
            return same_shape ? std::optional(now_.state) : on(other, named);
        });
    }
    bool take_state(const ExactState& state) {
        return offer(now_.instance, now_.direction, [&](const ExactSystem&) { return std::optional(state); });
    }

    [[nodiscard]] const InstanceData& data() const { return now_.instance->data(); }

    bool fewer_servers() {
        for (const ServerId m : now_.instance->servers())
            if (data().servers.size() > 1 && take_instance(without_server(data(), m))) return true;
        return false;
    }
    bool fewer_types() {
        for (const TaskTypeId t : now_.instance->types())
            if (data().types.size() > 1 && data().arrivals && take_instance(without_type(data(), t))) return true;
        return false;
    }
    /// Smaller denominators of one service rate.
    bool simpler_rates() {
        if (now_.instance->rates_at_servers()) return simpler_rates_at_servers();
        for (std::size_t k = 0; k < data().levels.size(); ++k)
            for (const int d : {1, 2, 3, 4, 5, 6, 8, 10}) {
                InstanceData simpler = data();
                if (simpler.levels[k].rate.denominator() <= Integer(d)) break;
                simpler.levels[k].rate = rounded(simpler.levels[k].rate, d);
                if (take_instance(std::move(simpler))) return true;
            }
        return false;
    }
    bool simpler_rates_at_servers() {
        for (std::size_t t = 0; t < data().types.size(); ++t)
            for (std::size_t m = 0; m < data().servers.size(); ++m)
                for (const int d : {1, 2, 3, 4, 5, 6, 8, 10}) {
                    InstanceData simpler = data();
                    std::optional<Rational>& rate = simpler.types[t].at_servers[m];
                    if (!rate || rate->denominator() <= Integer(d)) break;
                    rate = rounded(*rate, d);
                    if (take_instance(std::move(simpler))) return true;
                }
        return false;
    }
    /// A type with the rates of the levels in place of its own, or smaller denominators of one of its own.
    bool simpler_rates_of_types() {
        for (std::size_t t = 0; t < data().types.size(); ++t) {
            const std::vector<Rational>& own = data().types[t].rates;
            if (own.empty()) continue;
            InstanceData shared = data();
            shared.types[t].rates.clear();
            if (take_instance(std::move(shared))) return true;
            for (std::size_t k = 0; k < own.size(); ++k)
                for (const int d : {1, 2, 3, 4, 5, 6, 8, 10}) {
                    if (own[k].denominator() <= Integer(d)) break;
                    InstanceData simpler = data();
                    simpler.types[t].rates[k] = rounded(own[k], d);
                    if (take_instance(std::move(simpler))) return true;
                }
        }
        return false;
    }
    /// A smaller denominator of the probability of one outcome, at the cost of the last one: of the slot without a
    /// task, where at most one comes.
    bool simpler_arrivals() {
        if (!data().arrivals) return false;
        const auto factors = data().arrivals->factors();
        for (std::size_t f = 0; f < factors.size(); ++f)
            for (std::size_t o = 0; o + 1 < factors[f].outcomes().size(); ++o)
                for (const int d : {2, 3, 4, 5, 6, 8, 10}) {
                    std::vector<ArrivalOutcome> outcomes(factors[f].outcomes().begin(), factors[f].outcomes().end());
                    if (outcomes[o].probability.denominator() <= Integer(d)) break;
                    const Rational p = rounded(outcomes[o].probability, d);
                    outcomes.back().probability += outcomes[o].probability - p;
                    outcomes[o].probability = p;
                    if (outcomes.back().probability.sign() <= 0) continue;
                    std::vector<ArrivalFactor> changed(factors.begin(), factors.end());
                    changed[f] =
                        ArrivalFactor({factors[f].types().begin(), factors[f].types().end()}, std::move(outcomes));
                    InstanceData simpler = data();
                    simpler.arrivals = ArrivalLaw(std::move(changed));
                    simpler.rates.clear();
                    if (take_instance(std::move(simpler))) return true;
                }
        return false;
    }
    /// Single tasks of a type in place of its batches, or no batches of its largest size, at the same rate of tasks.
    bool smaller_batches() {
        for (std::size_t t = 0; t < data().batches.size(); ++t)
            for (const bool every : {true, false}) {
                if (data().batches[t].size() < (every ? 1U : 2U)) continue;
                InstanceData simpler = data();
                if (every)
                    simpler.batches[t].clear();
                else
                    simpler.batches[t].pop_back();
                if (take_instance(std::move(simpler))) return true;
            }
        return false;
    }
    bool idler() {
        const ExactState& now = now_.state;
        for (std::size_t m = 0; m < now.serving.size(); ++m) {
            if (now.serving[m].status == Service::Status::idle) continue;
            ExactState state = now;
            state.serving[m] = {};
            // In a listed queue a task in execution is not among those that wait: it goes with its server.
            const std::size_t q = now.serving[m].queue.index();
            if (!state.waiting.empty() && now.serving[m].status == Service::Status::busy)
                state.length[q] = state.length[q] - CheckedInt(1);
            if (take_state(state)) return true;
        }
        return false;
    }
    /// One step fewer, shorter or of one task.
    bool simpler_ray() {
        for (std::size_t x = 0; x < now_.direction.size(); ++x) {
            const std::int64_t step = now_.direction[x];
            for (const std::int64_t less : {std::int64_t{0}, std::int64_t{1}, step / 2}) {
                if (less >= step) continue;
                queueing::Direction direction = now_.direction;
                direction[x] = less;
                if (std::none_of(direction.begin(), direction.end(), [](std::int64_t d) { return d != 0; })) continue;
                if (offer(now_.instance, direction, [&](const ExactSystem&) { return std::optional(now_.state); }))
                    return true;
            }
        }
        return false;
    }
    /// Shorter queues: empty, the round number below, halves, one less; in listed queues the head or the tail less.
    bool shorter() {
        const ExactState& now = now_.state;
        for (std::size_t q = 0; q < now.length.size(); ++q) {
            const std::int64_t n = now.length[q].value();
            if (n == 0) continue;
            if (!now.waiting.empty() && !now.waiting[q].empty()) {
                for (const bool head : {true, false}) {
                    ExactState state = now;
                    auto& list = state.waiting[q];
                    list.erase(head ? list.begin() : list.end() - 1);
                    state.length[q] = CheckedInt(n - 1);
                    if (take_state(state)) return true;
                }
                continue;
            }
            std::int64_t round = 1;
            while (round * 10 < n) round *= 10;
            for (const std::int64_t less : {std::int64_t{0}, round < n ? round : n - 1, n / 2, n - n % round, n - 1}) {
                if (less >= n) continue;
                ExactState state = now;
                state.length[q] = CheckedInt(less);
                if (take_state(state)) return true;
            }
        }
        return false;
    }

    const ClusterState& now_;
    const std::string& policy_;
    const Take<QueueingFamily>& take_;
};

}  // namespace

bool QueueingFamily::smaller(const ClusterState& from, const std::string& policy, const Take<QueueingFamily>& take) {
    return Variants(from, policy, take).run();
}

}  // namespace schedproof::checks
