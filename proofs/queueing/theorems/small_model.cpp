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
/// Rates are symbols r_0 > r_1 > ... > 0 and costs c_t > 0, or, to find real counterexamples, given numbers.
#include "proofs/queueing/theorems/small_model.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Parametric;
using explore::Question;
using proof::LinearForm;
using proof::Monomial;
using proof::Polynomial;

namespace {

// Symbols of monomials: rates, then costs, then lengths, then the price variable.
constexpr std::uint32_t first_cost = 100, first_length = 200, price_symbol = 1000;

Polynomial polynomial(const Parametric::Multiplier& multiplier) {
    return Polynomial().add(multiplier.factor, multiplier.monomial);
}

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
SmallModel::SmallModel(ParametricPolicy policy, std::size_t levels, Slack slack, const Rates& rates)
    : SmallModel(std::move(policy), small_cluster(levels, rates), slack, rates) {}

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

/// One variable per monomial that a policy may compare or an obligation may mention.
void SmallModel::add_symbols() {
    const auto add = [&](const Polynomial& p, const std::string& label) {
        for (const auto& [monomial, c] : p.terms())
            if (!monomial.is_one()) linearization_->add(space_, monomial, label);
    };
    for (const QueueId q : IdRange<QueueId>(layout_.queues())) add(length(q), layout_.name(*instance_, q));
    if (rates_) {
        for (auto& symbol : space_.symbols) symbol.integer = true;
    } else {
        for (const Level level : instance_->levels()) {
            const std::string r = "r" + std::to_string(level.index());
            add(polynomial(rate(level)), r);
            if (has_thresholds_of_work()) {
                add(polynomial(slowness(level)), "1/" + r);
                for (const Level other : instance_->levels())
                    add(polynomial(slowness(level)) * polynomial(slowness(other)),
                        "1/" + r + " 1/r" + std::to_string(other.index()));
            }
            for (const QueueId q : IdRange<QueueId>(layout_.queues())) {
                const std::string queue = layout_.name(*instance_, q);
                if (layout_.arrangement() == Arrangement::per_type) {
                    const TaskTypeId type(q.index());
                    add(polynomial(cost(type)) * length(q), "c " + queue);
                    add(polynomial(cost(type)) * polynomial(rate(level)) * length(q), r + " c " + queue);
                } else if (layout_.arrangement() == Arrangement::per_server_and_level) {
                    add(polynomial(slowness(level)) * length(q), "1/" + r + " " + queue);
                    for (const Level other : instance_->levels()) {
                        const std::string product = "/" + r + " 1/r" + std::to_string(other.index());
                        add(polynomial(slowness(level)) * polynomial(slowness(other)) * length(q),
                            "1" + product + " " + queue);
                    }
                } else {
                    add(polynomial(rate(level)) * length(q), r + " " + queue);
                }
            }
        }
    }
    add(Polynomial::symbol(price_symbol), "w");
}

/// r_0 m >= r_1 m >= ... for every monomial m, and m >= r_0 m since rates are probabilities.
void SmallModel::add_orders() {
    const auto& variables = linearization_->variables();
    if (has_thresholds_of_work()) add_orders_of_slowness();
    for (const auto& [monomial, variable] : variables)
        for (std::uint32_t level = 0; level < levels_; ++level) {
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

Forbidden SmallModel::exceeds(const Polynomial& a, const Polynomial& b) const {
    return {{linearization_->linear(a - b), true}};
}

std::string SmallModel::name(TaskTypeId type) const {
    std::string replicas;
    for (const ServerId m : instance_->type(type).replicas)
        replicas += (replicas.empty() ? "" : ",") + instance_->server(m).name;
    return "{" + replicas + "}";
}

template <class Decide>
std::vector<Forbidden> SmallModel::with_view(const std::vector<Affine>& symbols, Decide&& decide) const {
    Weights<Parametric> weights;
    for (const Level level : instance_->levels()) {
        weights.rate.push_back(rate(level));
        weights.slowness.push_back(slowness(level));
    }
    for (const TaskTypeId type : instance_->types()) weights.cost.push_back(cost(type));
    Vector<Parametric> lengths;
    for (const QueueId q : IdRange<QueueId>(layout_.queues()))
        lengths.emplace_back(length(q), linearization_.get(), symbols.front().decider());
    const Vector<std::uint32_t> in_service(layout_.queues(), 0);
    const std::vector<Parametric> memory;
    return decide(ParametricPolicy::View(*instance_, layout_, weights, lengths, in_service, memory, nullptr));
}

Question SmallModel::routing(TaskTypeId type) const {
    const auto body = [model = *this, type, allowed = admissible(type)](const std::vector<Affine>& symbols) {
        return model.with_view(symbols, [&](const ParametricPolicy::View& now) {
            std::vector<Forbidden> no;
            const std::vector<Candidate> answer = model.policy_.route(now, type);
            if (answer.empty()) no.emplace_back();  // a task must go somewhere
            for (const Candidate& chosen : answer) {
                const auto value = std::find_if(allowed.begin(), allowed.end(),
                                                [&](const Valued& v) { return v.queue == chosen.queue; });
                if (value == allowed.end()) {
                    no.emplace_back();  // not admissible: this must not happen at all
                    continue;
                }
                for (const Valued& other : allowed)
                    if (other.queue != chosen.queue)
                        no.push_back(model.exceeds(value->value, other.value + model.routing_slack()));
            }
            return no;
        });
    };
    return {"routing of " + name(type), space_, body};
}

/// Queues per server and level: an idle server with any work of its own turns to a queue of its own that has some.
void SmallModel::find_own_queue(const std::vector<Candidate>& answer, ServerId m, std::vector<Forbidden>& no) const {
    if (answer.empty())
        for (const Level level : instance_->levels())
            no.push_back(exceeds(length(layout_.queue(m, level)), Polynomial()));
    for (const Candidate& chosen : answer) {
        if (layout_.owner(chosen.queue) != m) {
            no.emplace_back();
            continue;
        }
        const proof::Constraint empty{linearization_->linear(Polynomial() - length(chosen.queue)), false};
        for (const Level level : instance_->levels())
            if (const QueueId other = layout_.queue(m, level); other != chosen.queue)
                no.push_back({empty, {linearization_->linear(length(other)), true}});
    }
}

Question SmallModel::serving(ServerId m) const {
    const auto body = [model = *this, m, allowed = servable(m)](const std::vector<Affine>& symbols) {
        return model.with_view(symbols, [&](const ParametricPolicy::View& now) {
            std::vector<Forbidden> no;
            const std::vector<Candidate> answer = model.policy_.serve(now, m);
            if (model.layout_.arrangement() == Arrangement::per_server_and_level) {
                model.find_own_queue(answer, m, no);
                return no;
            }
            if (answer.empty())
                for (const Valued& other : allowed) no.push_back(model.exceeds(other.value, model.serving_slack()));
            for (const Candidate& chosen : answer) {
                const auto value = std::find_if(allowed.begin(), allowed.end(),
                                                [&](const Valued& v) { return v.queue == chosen.queue; });
                if (value == allowed.end()) {
                    no.emplace_back();
                    continue;
                }
                for (const Valued& other : allowed)
                    if (other.queue != chosen.queue)
                        no.push_back(model.exceeds(other.value, value->value + model.serving_slack()));
            }
            return no;
        });
    };
    return {"serving of " + instance_->server(m).name, space_, body};
}

Question SmallModel::price(TaskTypeId type, ServerId m) const {
    // Against: some w with mu v_i > w for every admissible value v_i, and w at least every servable value.
    Forbidden against;
    const Polynomial w = Polynomial::symbol(price_symbol);
    const Polynomial mu = polynomial(rate(instance_->level(type, m)));
    const bool own_only = layout_.arrangement() == Arrangement::per_server_and_level;
    for (const Valued& v : admissible(type))
        // With workloads the value at m itself does: mu W_m / mu = W_m.
        if (!own_only || layout_.owner(v.queue) == m)
            against.push_back({linearization_->linear(mu * v.value - w), true});
    for (const Valued& s : servable(m)) against.push_back({linearization_->linear(w - s.value), false});
    const auto body = [against](const std::vector<Affine>&) { return std::vector<Forbidden>{against}; };
    return {"price of " + name(type) + " at " + instance_->server(m).name, space_, body};
}

std::vector<Leaf> leaves(const ParametricPolicy& policy, std::size_t levels, Slack slack, const Rates& rates) {
    const Reduction reduced = reduction(policy.rules());
    const bool patterns = reduced.patterns && reduced.outside.empty();
    const SmallModel small(policy, levels, slack, rates);
    const auto types = small.instance().types();
    const auto servers = small.instance().servers();
    std::vector<Leaf> all;
    const auto of_pattern = [&](const std::shared_ptr<const Instance>& cluster, auto question) {
        SmallModel model(policy, cluster, slack, rates);
        Question asked = question(model);
        asked.name += " in " + cluster->name();
        all.push_back({std::move(model), std::move(asked)});
    };
    if (patterns) {
        for (const auto& cluster : routing_clusters(levels, reduced.routing, rates))
            of_pattern(cluster, [](const SmallModel& model) { return model.routing(TaskTypeId(0)); });
        for (const auto& cluster : serving_clusters(levels, reduced.serving, rates))
            of_pattern(cluster, [](const SmallModel& model) { return model.serving(ServerId(0)); });
    } else {
        for (const TaskTypeId type : types) all.push_back({small, small.routing(type)});
        for (const ServerId m : servers) all.push_back({small, small.serving(m)});
    }
    for (const TaskTypeId type : types)
        for (const ServerId m : servers) all.push_back({small, small.price(type, m)});
    return all;
}

}  // namespace schedproof::queueing
