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
/// theorem is stated of no policy outside it.
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

/// Two levels: three servers. Three: racks {0,1,2} and {3}, so that some server sees itself and two of its rack and one
/// beyond, and another three beyond: every pair of distances at which two queues can stand.
std::vector<Server> servers(std::size_t levels) {
    const std::size_t count = levels == 2 ? 3 : 4;
    std::vector<Server> all;
    for (std::size_t i = 0; i < count; ++i) {
        Server server{"s" + std::to_string(i), {}};
        if (levels == 3) server.groups.push_back(i < 3 ? "r0" : "r1");
        all.push_back(std::move(server));
    }
    return all;
}

/// Replica sets, one per pattern of the servers up to renaming.
std::vector<TaskType> types(std::size_t servers, std::size_t levels) {
    std::vector<std::vector<std::size_t>> sets{{0}, {0, 1}};
    if (levels > 2) sets.push_back({0, 3});
    sets.push_back({0, 1, 2});
    if (servers > 3) {
        sets.push_back({3});
        sets.push_back({0, 1, 2, 3});
    }
    std::vector<TaskType> all;
    for (const auto& set : sets) {
        TaskType type;
        type.name = "t";
        for (const std::size_t m : set) {
            type.name += std::to_string(m);
            type.replicas.emplace_back(m);
        }
        all.push_back(std::move(type));
    }
    return all;
}

std::shared_ptr<const Instance> small_instance(std::size_t levels, const std::optional<std::vector<Rational>>& rates) {
    if (levels < 2 || levels > 3) throw InputError::at_key("levels", "expected two or three levels");
    InstanceData data;
    data.name = "small-" + std::to_string(levels);
    for (std::size_t i = 0; i < levels; ++i)
        data.levels.push_back({"level" + std::to_string(i),
                               rates ? rates->at(i) : Rational(Integer(1), Integer(1) << static_cast<unsigned>(i))});
    data.servers = servers(levels);
    data.types = types(data.servers.size(), levels);
    const Rational each(Integer(1), Integer(static_cast<std::int64_t>(data.types.size() + 1)));
    data.arrivals = ArrivalLaw::single(std::vector<Rational>(data.types.size(), each));
    return std::make_shared<const Instance>(std::move(data));
}

}  // namespace

SmallModel::SmallModel(ParametricPolicy policy, std::size_t levels, std::optional<std::vector<Rational>> rates)
    : policy_(std::move(policy)),
      levels_(levels),
      rates_(std::move(rates)),
      instance_(small_instance(levels, rates_)),
      layout_(policy_.layout(*instance_)) {
    add_symbols();
    if (!rates_) add_orders();
}

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
                    if (other.queue != chosen.queue) no.push_back(model.exceeds(value->value, other.value));
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
                for (const Valued& other : allowed) no.push_back(model.exceeds(other.value, Polynomial()));
            for (const Candidate& chosen : answer) {
                const auto value = std::find_if(allowed.begin(), allowed.end(),
                                                [&](const Valued& v) { return v.queue == chosen.queue; });
                if (value == allowed.end()) {
                    no.emplace_back();
                    continue;
                }
                for (const Valued& other : allowed)
                    if (other.queue != chosen.queue) no.push_back(model.exceeds(other.value, value->value));
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

std::vector<Question> SmallModel::questions() const {
    std::vector<Question> all;
    for (const TaskTypeId type : instance_->types()) all.push_back(routing(type));
    for (const ServerId m : instance_->servers()) all.push_back(serving(m));
    for (const TaskTypeId type : instance_->types())
        for (const ServerId m : instance_->servers()) all.push_back(price(type, m));
    return all;
}

}  // namespace schedproof::queueing
