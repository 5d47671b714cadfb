/// Small clusters with symbolic rates: what a MaxWeight-type policy decides, read from its rules.
///
/// The drift argument for such a policy needs three facts, none of which mentions the number of servers:
///   routing   a task joins a queue of least value among those admissible to its type,
///   serving   an idle server turns to a queue of greatest value among those it may serve,
///   prices    mu(L,m) v_L <= w_m, where v_L is the least admissible value and w_m the greatest servable one.
/// Each speaks of one task type or one server and of the queues that the policy compares, which it names through sets
/// and never by position. So a cluster that shows every pair of distances at which two queues can stand shows every
/// case: a violation in a large cluster involves a chosen and a better queue, and is one in the small cluster that
/// keeps these, up to the names of the servers. That holds of a fragment of the policy language (fragment.cpp), and a
/// theorem is stated of no policy outside it. In a wider fragment all clusters of a few servers are asked, one by one.
///
/// The first two facts are needed up to a constant only (Slack), which the constant of the drift absorbs.
///
/// In slots a server may turn to a queue all of whose tasks are in execution, so lengths are all that a decision
/// depends on. In continuous time rules see too which queues have a waiting task. For each queue a symbol tells whether
/// it has one, a number that is positive if it does, and so small that it is at most the length and every product of
/// the length with rates and costs that has a symbol. There the second fact is
///   serving    an idle server turns to a queue of greatest value among those with a waiting task, or of a greater
///              value; it turns to one with a waiting task if there is one.
///
/// Rates are symbols r_0 > r_1 > ... > 0 and costs c_t > 0, or, to find real counterexamples, given numbers.
#include "proofs/queueing/theorems/small_model.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

using explore::Parametric;
using proof::LinearForm;
using proof::Monomial;
using proof::Polynomial;

namespace {

// Symbols of monomials after those of the rates: costs, lengths, whether a task waits.
constexpr std::uint32_t first_cost = 100, first_length = 200, first_waiting = 600;

}  // namespace

SmallModel::SmallModel(ParametricPolicy policy, std::shared_ptr<const Instance> cluster, Slack slack, Rates rates)
    : policy_(std::move(policy)),
      levels_(cluster->levels().size()),
      slack_(slack),
      rates_(std::move(rates)),
      instance_(std::move(cluster)),
      layout_(policy_.layout(*instance_)) {
    add_symbols();
    if (!rates_) add_orders();
}
SmallModel::SmallModel(ParametricPolicy policy, std::size_t levels, Slack slack, const Rates& rates, Timing timing)
    : SmallModel(std::move(policy), small_cluster(levels, rates, timing), slack, rates) {}

SmallModel::Multiplier SmallModel::rate(Level level) const {
    if (rates_) return {(*rates_)[level.index()], {}};
    return {Rational(1), Monomial::symbol(static_cast<std::uint32_t>(level.index()))};
}
SmallModel::Multiplier SmallModel::slowness(Level level) const {
    if (rates_) return {Rational(1) / (*rates_)[level.index()], {}};
    return {Rational(1), Monomial::symbol(static_cast<std::uint32_t>(level.index()), -1)};
}
SmallModel::Multiplier SmallModel::cost(TaskTypeId type) const {
    if (rates_) return {};
    return {Rational(1), Monomial::symbol(first_cost + static_cast<std::uint32_t>(type.index()))};
}
Polynomial SmallModel::length(QueueId q) const {
    return Polynomial::symbol(first_length + static_cast<std::uint32_t>(q.index()));
}
Polynomial SmallModel::waiting(QueueId q) const {
    if (!instance_->continuous()) return length(q);
    return Polynomial::symbol(first_waiting + static_cast<std::uint32_t>(q.index()));
}
Polynomial SmallModel::workload(ServerId m) const {
    Polynomial sum;
    for (const Level level : instance_->levels())
        sum = sum + polynomial(slowness(level)) * length(layout_.queue(m, level));
    return sum;
}

std::vector<SmallModel::Valued> SmallModel::admissible(TaskTypeId type) const {
    std::vector<Valued> all;
    switch (layout_.arrangement()) {
        case Arrangement::per_server:
        case Arrangement::per_server_and_common:
            for (const ServerId m : instance_->type(type).replicas)
                all.push_back({layout_.queue(m, instance_->local()), length(layout_.queue(m, instance_->local()))});
            if (layout_.arrangement() == Arrangement::per_server_and_common)
                all.push_back({layout_.shared(), length(layout_.shared())});
            break;
        case Arrangement::per_server_and_level:
            for (const ServerId m : instance_->servers()) {
                const Level level = instance_->level(type, m);
                all.push_back({layout_.queue(m, level), polynomial(slowness(level)) * workload(m)});
            }
            break;
        case Arrangement::per_type:
            all.push_back({layout_.queue(type), polynomial(cost(type)) * length(layout_.queue(type))});
            break;
        case Arrangement::single:
            all.push_back({layout_.shared(), length(layout_.shared())});
            break;
    }
    return all;
}

std::vector<SmallModel::Valued> SmallModel::servable(ServerId m) const {
    std::vector<Valued> all;
    if (layout_.arrangement() == Arrangement::per_server_and_level) {
        for (const Level level : instance_->levels()) all.push_back({layout_.queue(m, level), workload(m)});
        return all;
    }
    for (const QueueId q : IdRange<QueueId>(layout_.queues())) {
        if (layout_.arrangement() == Arrangement::per_server_and_common && !layout_.is_shared(q) &&
            layout_.owner(q) != m)
            continue;
        // A queue that mixes tasks of several levels guarantees the least rate only.
        const Level level = layout_.tracking(q) == Tracking::counted && layout_.arrangement() != Arrangement::single
                                ? layout_.service_level(*instance_, q, m)
                                : instance_->remote();
        Polynomial value = polynomial(rate(level)) * length(q);
        if (layout_.arrangement() == Arrangement::per_type) value = polynomial(cost(TaskTypeId(q.index()))) * value;
        all.push_back({q, std::move(value)});
    }
    return all;
}

Polynomial SmallModel::routing_slack() const {
    Polynomial tasks(Rational(static_cast<std::int64_t>(slack_.routing)));
    switch (layout_.arrangement()) {
        case Arrangement::per_server:
        case Arrangement::per_server_and_common:
            return tasks;
        case Arrangement::per_server_and_level: {
            const Polynomial slowest = polynomial(slowness(instance_->remote()));
            return tasks * slowest * slowest;
        }
        default:
            return {};
    }
}
Polynomial SmallModel::serving_slack() const {
    const Arrangement arrangement = layout_.arrangement();
    if (arrangement != Arrangement::per_server && arrangement != Arrangement::per_server_and_common) return {};
    return Polynomial(Rational(static_cast<std::int64_t>(slack_.serving))) * polynomial(rate(instance_->local()));
}

void SmallModel::add_symbol(const Polynomial& p, const std::string& label) {
    for (const auto& [monomial, c] : p.terms())
        if (!monomial.is_one()) linearization_->add(space_, monomial, label);
}

/// One variable per monomial that a policy may compare or an obligation may mention.
void SmallModel::add_symbols() {
    const IdRange<QueueId> queues(layout_.queues());
    for (const QueueId q : queues) add_symbol(length(q), layout_.name(*instance_, q));
    if (instance_->continuous())
        for (const QueueId q : queues) add_symbol(waiting(q), "waiting in " + layout_.name(*instance_, q));
    if (rates_) {
        for (auto& symbol : space_.symbols) symbol.integer = true;
    } else {
        for (const Level level : instance_->levels()) {
            const std::string r = "r" + std::to_string(level.index());
            add_symbol(polynomial(rate(level)), r);
            if (has_thresholds_of_work()) {
                add_symbol(polynomial(slowness(level)), "1/" + r);
                for (const Level other : instance_->levels())
                    add_symbol(polynomial(slowness(level)) * polynomial(slowness(other)),
                               "1/" + r + " 1/r" + std::to_string(other.index()));
            }
            for (const QueueId q : queues) add_products(q, level, r);
        }
    }
    add_symbol(Polynomial::symbol(price_symbol), "w");
    if (instance_->continuous()) add_bounds_of_waiting();
}

/// Of the queue's length and the rate of the level, which is called `r`.
void SmallModel::add_products(QueueId q, Level level, const std::string& r) {
    const std::string queue = layout_.name(*instance_, q);
    if (layout_.arrangement() == Arrangement::per_type) {
        const Polynomial weighted = polynomial(cost(TaskTypeId(q.index()))) * length(q);
        add_symbol(weighted, "c " + queue);
        add_symbol(polynomial(rate(level)) * weighted, r + " c " + queue);
    } else if (layout_.arrangement() == Arrangement::per_server_and_level) {
        add_symbol(polynomial(slowness(level)) * length(q), "1/" + r + " " + queue);
        for (const Level other : instance_->levels())
            add_symbol(polynomial(slowness(level)) * polynomial(slowness(other)) * length(q),
                       "1/" + r + " 1/r" + std::to_string(other.index()) + " " + queue);
    } else {
        add_symbol(polynomial(rate(level)) * length(q), r + " " + queue);
    }
}

/// A queue with a waiting task is not empty, nor is any product of its length zero.
void SmallModel::add_bounds_of_waiting() {
    for (const QueueId q : IdRange<QueueId>(layout_.queues())) {
        const proof::Variable waits = linearization_->variables().at(waiting(q).terms().begin()->first);
        for (const auto& [monomial, variable] : linearization_->variables()) {
            const auto& powers = monomial.powers();
            if (std::any_of(powers.begin(), powers.end(),
                            [&](const auto& p) { return p.first == first_length + q.index(); }))
                space_.premises.push_back({LinearForm::variable(variable) - LinearForm::variable(waits), false});
        }
    }
}

/// r_0 m >= r_1 m >= ... for every monomial m, and in slots m >= r_0 m, since rates are probabilities there.
void SmallModel::add_orders() {
    const auto& variables = linearization_->variables();
    if (has_thresholds_of_work()) add_orders_of_slowness();
    const std::uint32_t first = instance_->continuous() ? 1 : 0;
    for (const auto& [monomial, variable] : variables)
        for (std::uint32_t level = first; level < levels_; ++level) {
            const Monomial fewer = monomial * Monomial::symbol(level, -1);
            const Monomial larger = level == 0 ? fewer : fewer * Monomial::symbol(level - 1);
            const bool has_rate = std::any_of(monomial.powers().begin(), monomial.powers().end(),
                                              [&](const auto& p) { return p.first == level && p.second > 0; });
            const auto found = variables.find(larger);
            if (has_rate && found != variables.end())
                space_.premises.push_back(
                    {LinearForm::variable(found->second) - LinearForm::variable(variable), false});
        }
}

/// m / r_i <= m / r_(i+1) for every monomial m.
void SmallModel::add_orders_of_slowness() {
    const auto& variables = linearization_->variables();
    for (const auto& [monomial, variable] : variables)
        for (std::uint32_t level = 0; level + 1 < levels_; ++level) {
            const bool divided = std::any_of(monomial.powers().begin(), monomial.powers().end(),
                                             [&](const auto& p) { return p.first == level && p.second < 0; });
            const auto found = variables.find(monomial * Monomial::symbol(level) * Monomial::symbol(level + 1, -1));
            if (divided && found != variables.end())
                space_.premises.push_back(
                    {LinearForm::variable(found->second) - LinearForm::variable(variable), false});
        }
}

/// Whether work is compared with numbers of tasks over rates. Without these, fewer symbols and premises do.
bool SmallModel::has_thresholds_of_work() const {
    return layout_.arrangement() == Arrangement::per_server_and_level &&
           (slack_.routing > 0 ||
            policy_.rules().route().any([](language::Op op) { return op == language::Op::constant; }));
}

std::vector<Rational> SmallModel::lengths(const std::vector<Rational>& point) const {
    std::vector<Rational> values;
    for (const QueueId q : IdRange<QueueId>(layout_.queues()))
        values.push_back(linearization_->linear(length(q)).at(point));
    return values;
}

}  // namespace schedproof::queueing
