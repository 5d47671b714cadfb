/// The questions of the drift argument about decisions, asked of a small cluster (small_model.cpp): which queues a task
/// joins, which an idle server turns to, and whether values price each other.
///
/// A question runs the rules once on each path of comparisons and lists what must not hold there: a better queue than
/// the one chosen, or, where nothing may be chosen, any queue at all.
#include <algorithm>

#include "proofs/queueing/theorems/small_model.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Parametric;
using explore::Question;
using proof::Polynomial;

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
    const ParametricPolicy::View view(*instance_, layout_, weights, lengths, in_service, memory, nullptr);
    if (!instance_->continuous()) return decide(view);
    Vector<Parametric> waiting_tasks;
    for (const QueueId q : IdRange<QueueId>(layout_.queues()))
        waiting_tasks.emplace_back(waiting(q), linearization_.get(), symbols.front().decider());
    return decide(OfferView(view, waiting_tasks));
}

Question SmallModel::routing(TaskTypeId type) const {
    const auto body = [model = *this, type, allowed = admissible(type)](const std::vector<Affine>& symbols) {
        return model.with_view(symbols, [&](const auto& now) {
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
            no.push_back(exceeds(waiting(layout_.queue(m, level)), Polynomial()));
    for (const Candidate& chosen : answer) {
        if (layout_.owner(chosen.queue) != m) {
            no.emplace_back();
            continue;
        }
        const proof::Constraint empty{linearization_->linear(Polynomial() - waiting(chosen.queue)), false};
        for (const Level level : instance_->levels())
            if (const QueueId other = layout_.queue(m, level); other != chosen.queue)
                no.push_back({empty, {linearization_->linear(waiting(other)), true}});
    }
}

/// Shared queues: an idle server turns to one of greatest value.
void SmallModel::find_greatest(const std::vector<Candidate>& answer, const std::vector<Valued>& allowed,
                               std::vector<Forbidden>& no) const {
    const auto but_for = [&](const Valued& other, Forbidden forbidden) {
        if (instance_->continuous()) forbidden.push_back({linearization_->linear(waiting(other.queue)), true});
        no.push_back(std::move(forbidden));
    };
    if (answer.empty())
        for (const Valued& other : allowed)
            but_for(other, instance_->continuous() ? Forbidden{} : exceeds(other.value, serving_slack()));
    for (const Candidate& chosen : answer) {
        const auto value =
            std::find_if(allowed.begin(), allowed.end(), [&](const Valued& v) { return v.queue == chosen.queue; });
        if (value == allowed.end()) {
            no.emplace_back();
            continue;
        }
        for (const Valued& other : allowed)
            if (other.queue != chosen.queue) {
                but_for(other, exceeds(other.value, value->value + serving_slack()));
                if (instance_->continuous())
                    but_for(other, {{linearization_->linear(Polynomial() - waiting(chosen.queue)), false}});
            }
    }
}

Question SmallModel::serving(ServerId m) const {
    const auto body = [model = *this, m, allowed = servable(m)](const std::vector<Affine>& symbols) {
        return model.with_view(symbols, [&](const auto& now) {
            std::vector<Forbidden> no;
            const std::vector<Candidate> answer = model.policy_.serve(now, m);
            if (model.layout_.arrangement() == Arrangement::per_server_and_level)
                model.find_own_queue(answer, m, no);
            else
                model.find_greatest(answer, allowed, no);
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

std::vector<Leaf> leaves(const ParametricPolicy& policy, std::size_t levels, Slack slack, const Rates& rates,
                         Timing timing) {
    const Reduction reduced = reduction(policy.rules());
    const bool patterns = reduced.patterns && reduced.outside.empty();
    const SmallModel small(policy, levels, slack, rates, timing);
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
        for (const auto& cluster : routing_clusters(levels, reduced.routing, rates, timing))
            of_pattern(cluster, [](const SmallModel& model) { return model.routing(TaskTypeId(0)); });
        for (const auto& cluster : serving_clusters(levels, reduced.serving, rates, timing))
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
