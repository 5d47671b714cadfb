/// Decisions and slots at one state, against the constraints that proofs refute on cells.
///
/// Those constraints have no symbols here, so each holds or not. Of a decision the sets of queues are tried as answers:
/// if just one breaks no constraint, it is the expected one. Only the numbers that are printed as compared are read off
/// the rule. Of a slot the first outcome that breaks the invariant by itself is named. Cost: 2^queues tests of a rule.
#include "proofs/queueing/invariants/violation.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/decision_rules.hpp"
#include "proofs/queueing/theorems/invariants.hpp"

namespace schedproof::queueing {

using explore::Forbidden;
using proof::Constraint;
using proof::LinearForm;

namespace {

using Answer = std::vector<Candidate>;
/// Whether an answer breaks the rule.
using Breaks = std::function<bool(const Answer&)>;

bool any_holds(const std::vector<Forbidden>& forbidden) {
    return std::any_of(forbidden.begin(), forbidden.end(), [](const Forbidden& all) {
        return std::all_of(all.begin(), all.end(), [](const Constraint& c) { return c.holds({}); });
    });
}

/// The only set of queues that breaks no rule, if there is one.
std::optional<Answer> expected(std::size_t queues, const Breaks& breaks) {
    constexpr std::size_t most_queues = 12;
    if (queues > most_queues) return std::nullopt;
    std::optional<Answer> found;
    for (std::uint32_t set = 0; set < std::uint32_t{1} << queues; ++set) {
        Answer answer;
        for (std::size_t q = 0; q < queues; ++q)
            if ((set >> q & 1U) != 0) answer.push_back({QueueId(q), Level(0)});
        if (breaks(answer)) continue;
        if (found) return std::nullopt;
        found = std::move(answer);
    }
    return found;
}

bool contains(const Answer& answer, QueueId q) {
    return std::any_of(answer.begin(), answer.end(), [&](const Candidate& c) { return c.queue == q; });
}

/// A decision of one type or server, against its rule.
struct Decision {
    const ExactSystem& system;
    std::string who;   ///< `type A joins`, `idle s0 turns to`
    std::string verb;  ///< `joins`, `turns to`
    Answer chosen;
    Breaks breaks;
    std::string compared;  ///< what the rule compares; may be empty

    [[nodiscard]] std::string listed(const Answer& answer) const {
        std::string text;
        for (const Candidate& c : answer)
            text += (text.empty() ? "" : " or ") + system.layout().name(system.instance(), c.queue);
        return text.empty() ? "none" : text;
    }
    [[nodiscard]] InvariantViolation against(const std::string& rule) const {
        const std::optional<Answer> right = expected(system.layout().queues(), breaks);
        std::string kind = verb + " another queue";
        if (chosen.empty())
            kind = verb + " none";
        else if (right && std::all_of(chosen.begin(), chosen.end(),
                                      [&](const Candidate& c) { return contains(*right, c.queue); }))
            kind = "drops a tie";
        return {kind, who + " " + listed(chosen) + ", expected " + (right ? listed(*right) : rule) +
                          (compared.empty() ? "" : "; compared: " + compared)};
    }
};

Lengths forms(const ExactState& state) {
    Lengths length;
    for (const CheckedInt n : state.length) length.emplace_back(Rational(n.value()));
    return length;
}

/// Lengths without the tasks in execution.
Lengths waiting(const ExactState& state) {
    Lengths rest = forms(state);
    for (const Service& s : state.serving)
        if (s.status == Service::Status::busy) rest[s.queue.index()] -= LinearForm(Rational(1));
    return rest;
}

std::string values(const ExactSystem& system, const std::vector<Keyed>& keys) {
    std::string text;
    for (const Keyed& k : keys)
        text += (text.empty() ? "" : ", ") + system.layout().name(system.instance(), k.queue) + " = " +
                k.key.constant().to_string();
    return text;
}

bool draws_at_random(const DecisionClass& decisions) {
    return decisions.routing == RoutingRule::random_local || decisions.routing == RoutingRule::random_any ||
           decisions.routing == RoutingRule::planned;
}

RuleContext context_of(const ExactSystem& system, const ExactState& state, const FluidPlan* plan) {
    RuleContext context{system.instance(), system.layout(), system.decisions(), plan, system.plan(), {}};
    for (const CheckedInt& counter : state.memory) context.counters.emplace_back(Rational(counter.value()));
    return context;
}

InvariantViolation routing_violation(const RuleContext& context, const ExactSystem& system, const ExactState& state) {
    const Lengths length = forms(state);
    for (const TaskTypeId type : context.instance.types()) {
        const Breaks breaks = [&](const Answer& chosen) {
            return any_holds(routing_forbids(context, length, type, chosen));
        };
        Answer chosen = system.route(state, type);
        if (!breaks(chosen)) continue;
        return Decision{
            system,  "type " + context.instance.type(type).name + " joins",
            "joins", std::move(chosen),
            breaks,  draws_at_random(context.decisions) ? "" : values(system, routing_keys(context, length, type))}
            .against("the admissible queues of least key");
    }
    return {};
}

/// What the rule of the policy compares for a server.
std::vector<Keyed> compared_for(const RuleContext& c, const Lengths& length, ServerId m) {
    std::vector<Keyed> keys;
    const auto by_length = [&](QueueId q) { keys.push_back({q, length[q.index()]}); };
    switch (c.decisions.serving) {
        case ServingRule::furthest_behind:
            if (c.plan != nullptr) keys = behind_plan(c, m);
            break;
        case ServingRule::unspecified:
        case ServingRule::own:
        case ServingRule::common:
            break;
        case ServingRule::most_local_first:
        case ServingRule::most_local_or_none:
            for (const QueueId q : c.layout.queues_of(m)) by_length(q);
            break;
        case ServingRule::own_then_longest:
            for (const QueueId q : IdRange<QueueId>(c.layout.queues())) by_length(q);
            break;
        case ServingRule::largest_of_own_and_common:
            for (const Keyed& k : serving_weights(c, length, m))
                if (c.layout.is_shared(k.queue) || c.layout.owner(k.queue) == m) keys.push_back(k);
            break;
        case ServingRule::largest_weight:
        case ServingRule::own_then_largest_weight:
        case ServingRule::largest_marginal_cost:
            return serving_weights(c, length, m);
    }
    return keys;
}

InvariantViolation serving_violation(const RuleContext& context, const ExactSystem& system, const ExactState& state,
                                     std::string_view name) {
    const bool idling = name == "serve-takes-waiting";
    const Lengths length = idling ? waiting(state) : forms(state);
    for (const ServerId m : context.instance.servers()) {
        if (state.serving[m.index()].status != Service::Status::idle) continue;
        const Breaks breaks = [&](const Answer& chosen) {
            return any_holds(idling ? idling_forbids(context, length, m, chosen)
                                    : serving_forbids(context, length, m, chosen));
        };
        Answer chosen = system.serve(state, m);
        if (!breaks(chosen)) continue;
        std::vector<Keyed> keys;
        if (idling)
            for (const QueueId q : IdRange<QueueId>(length.size())) keys.push_back({q, length[q.index()]});
        else
            keys = compared_for(context, length, m);
        std::string compared = values(system, keys);
        if (idling) compared = "waiting tasks " + compared;
        return Decision{system,     "idle " + context.instance.server(m).name + " turns to",
                        "turns to", std::move(chosen),
                        breaks,     std::move(compared)}
            .against(idling ? "a queue with a waiting task" : "what the policy's rule names");
    }
    return {};
}

std::string listed(const Vector<CheckedInt>& length) {
    std::string text;
    for (const CheckedInt n : length) text += (text.empty() ? "" : ", ") + std::to_string(n.value());
    return "(" + text + ")";
}

std::string in_words(const ExactState& from, const Move& move) {
    const Slot<CheckedInt>& slot = move.slot;
    return "with probability " + move.probability.to_string() + ", " + std::to_string(slot.arrived - slot.blocked) +
           " arriving and " + std::to_string(slot.completed) + " completed, the queues go from " + listed(from.length) +
           " to " + listed(slot.next.length);
}

InvariantViolation slot_violation(const ExactSystem& system, const ExactState& state, const std::vector<Move>& outcomes,
                                  std::string_view name) {
    if (!any_holds(slot_forbids(system, state, outcomes, name))) return {};
    const auto known = invariants();
    const auto info = std::find_if(known.begin(), known.end(), [&](const InvariantInfo& i) { return i.name == name; });
    const std::string rule = "; expected: " + std::string(info->sentence);
    if (name == "arrivals-mean") {
        Rational total, arrived;
        for (const Move& move : outcomes) {
            total += move.probability;
            arrived += move.probability * Rational(move.slot.arrived - move.slot.blocked);
        }
        return {std::string(name), "total probability " + total.to_string() + ", " + arrived.to_string() +
                                       " tasks on average, lambda " +
                                       system.instance().total_arrival_rate().to_string() + rule};
    }
    for (const Move& move : outcomes)
        if (any_holds(slot_forbids(system, state, {move}, name)))
            return {std::string(name), in_words(state, move) + rule};
    return {std::string(name), "an outcome of the slot breaks the invariant" + rule};
}

}  // namespace

InvariantViolation invariant_violation(const ExactSystem& system, const ExactState& state,
                                       const std::vector<Move>& outcomes, std::string_view name,
                                       const FluidPlan* plan) {
    if (const std::string why = not_stated(system.instance(), system.layout(), system.decisions(), name); !why.empty())
        throw InputError::at_key(std::string(name), why);
    if (of_slot(name)) return slot_violation(system, state, outcomes, name);
    require((plan != nullptr) == (system.plan() != nullptr), "a plan where the policy follows one");
    const RuleContext context = context_of(system, state, plan);
    return name == "route-minimises" ? routing_violation(context, system, state)
                                     : serving_violation(context, system, state, name);
}

InvariantViolation invariant_violation(const ExactSystem& system, const ExactState& state, std::string_view name,
                                       const FluidPlan* plan) {
    return invariant_violation(system, state, of_slot(name) ? system.moves(state) : std::vector<Move>(), name, plan);
}

std::string routing_compares(const ExactSystem& system, const ExactState& state, TaskTypeId type) {
    const RuleContext context = context_of(system, state, nullptr);
    if (!has_routing_rule(context) || draws_at_random(context.decisions)) return "";
    const std::vector<Keyed> keys = routing_keys(context, forms(state), type);
    return keys.size() < 2 ? "" : values(system, keys);
}

std::string serving_compares(const ExactSystem& system, const ExactState& state, ServerId m) {
    const RuleContext context = context_of(system, state, nullptr);
    return has_serving_rule(context) ? values(system, compared_for(context, forms(state), m)) : "";
}

}  // namespace schedproof::queueing
