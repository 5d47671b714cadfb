/// Invariants of decisions and of the slot as constraints that no state may satisfy.
///
/// `look` turns a state and all outcomes of its slot into linear forms over queue lengths, which are constants at an
/// exact state. So one function per invariant serves symbolic execution at a shape and enumeration at a state, and both
/// examine the same statement. Within a cell an outcome changes each queue by a constant; balance, departures, service
/// and arrivals are therefore decided by constants and leave an obligation only where they fail. Decisions are compared
/// with the rule that the policy states (decision_rules.hpp).
/// Source: [schedproof], docs/models/queueing.md, A slot.
#include "proofs/queueing/theorems/invariants.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/decision_rules.hpp"
#include "proofs/queueing/theorems/drift.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;
using proof::Constraint;
using proof::LinearForm;

namespace {

constexpr std::array<InvariantInfo, 8> all_invariants{{
    {"route-minimises", "a task may join exactly the admissible queues of smallest key, every tied one among them"},
    {"serve-maximises", "an idle server may turn to exactly the queues that the policy's rule names"},
    {"serve-takes-waiting", "an idle server turns to a waiting task whenever one waits where it may serve"},
    {"tasks-balance", "the number of tasks changes by arrivals minus completions"},
    {"execution-within-queue", "no queue is shorter than the number of its tasks in execution"},
    {"departures-by-servers", "a queue loses at most as many tasks as servers stand at it"},
    {"non-preemptive", "a busy server goes on with its task or becomes idle"},
    {"arrivals-mean", "the outcomes of a slot have total probability one and bring lambda tasks on average"},
}};

/// One way a slot can go, on the numbers of either execution mode.
struct Outcome {
    Lengths length;
    Vector<Service> serving;
    std::int64_t arrived = 0;
    std::int64_t completed = 0;
    Rational probability;
};

/// A state and what follows it.
struct Seen {
    Lengths length;
    Vector<Service> serving;
    std::vector<Outcome> outcomes;
    std::vector<std::vector<Candidate>> serves;  ///< per server, empty for busy ones
};

std::int64_t executing(const Vector<Service>& serving, QueueId q) {
    return std::count_if(serving.begin(), serving.end(),
                         [&](const Service& s) { return s.status == Service::Status::busy && s.queue == q; });
}

Lengths waiting(const Layout& layout, const Lengths& length, const Vector<Service>& serving) {
    Lengths rest = length;
    for (const QueueId q : IdRange<QueueId>(layout.queues()))
        rest[q.index()] -= LinearForm(Rational(executing(serving, q)));
    return rest;
}

/// `form` is zero everywhere: forbidden on both sides, at once where it is a constant.
void forbid_unless_zero(const LinearForm& form, std::vector<Forbidden>& forbidden) {
    if (form == LinearForm()) return;
    forbidden.push_back({{form, true}});
    forbidden.push_back({{-form, true}});
}

std::vector<Forbidden> tasks_balance(const Seen& seen) {
    std::vector<Forbidden> forbidden;
    for (const Outcome& o : seen.outcomes) {
        LinearForm excess(Rational(o.completed - o.arrived));
        for (std::size_t q = 0; q < o.length.size(); ++q) excess += o.length[q] - seen.length[q];
        forbid_unless_zero(excess, forbidden);
    }
    return forbidden;
}

std::vector<Forbidden> execution_within_queue(const Seen& seen) {
    std::vector<Forbidden> forbidden;
    for (const Outcome& o : seen.outcomes)
        for (const QueueId q : IdRange<QueueId>(o.length.size()))
            if (const std::int64_t b = executing(o.serving, q); b > 0) {
                const Forbidden shorter{{LinearForm(Rational(b)) - o.length[q.index()], true}};
                if (std::find(forbidden.begin(), forbidden.end(), shorter) == forbidden.end())
                    forbidden.push_back(shorter);
            }
    return forbidden;
}

std::vector<Forbidden> departures_by_servers(const Seen& seen) {
    std::vector<Forbidden> forbidden;
    for (const QueueId q : IdRange<QueueId>(seen.length.size())) {
        std::int64_t standing = 0;
        for (std::size_t m = 0; m < seen.serving.size(); ++m) {
            const Service& s = seen.serving[m];
            const auto& turns = seen.serves[m];
            standing += s.status != Service::Status::idle
                            ? s.queue == q
                            : std::any_of(turns.begin(), turns.end(), [&](const Candidate& c) { return c.queue == q; });
        }
        for (const Outcome& o : seen.outcomes) {
            const LinearForm lost = seen.length[q.index()] - o.length[q.index()] - LinearForm(Rational(standing));
            if (!lost.is_constant() || lost.constant().sign() > 0) forbidden.push_back({{lost, true}});
        }
    }
    return forbidden;
}

std::vector<Forbidden> non_preemptive(const Seen& seen) {
    std::vector<Forbidden> forbidden;
    for (const Outcome& o : seen.outcomes)
        for (std::size_t m = 0; m < seen.serving.size(); ++m)
            if (seen.serving[m].status == Service::Status::busy && o.serving[m] != Service{} &&
                o.serving[m] != seen.serving[m])
                forbidden.emplace_back();
    return forbidden;
}

std::vector<Forbidden> arrivals_mean(const Instance& instance, const Seen& seen) {
    Rational total, arrived;
    for (const Outcome& o : seen.outcomes) {
        total += o.probability;
        arrived += o.probability * Rational(o.arrived);
    }
    std::vector<Forbidden> forbidden;
    if (total != Rational(1) || arrived != instance.total_arrival_rate()) forbidden.emplace_back();
    return forbidden;
}

std::vector<Forbidden> slot_forbids(const Instance& instance, std::string_view name, const Seen& seen) {
    if (name == "tasks-balance") return tasks_balance(seen);
    if (name == "execution-within-queue") return execution_within_queue(seen);
    if (name == "departures-by-servers") return departures_by_servers(seen);
    if (name == "non-preemptive") return non_preemptive(seen);
    return arrivals_mean(instance, seen);
}

std::vector<Forbidden> serve_forbids(const RuleContext& context, std::string_view name, const Lengths& length,
                                     const Vector<Service>& serving, ServerId m, const std::vector<Candidate>& chosen) {
    return name == "serve-maximises" ? serving_forbids(context, length, m, chosen)
                                     : idling_forbids(context, waiting(context.layout, length, serving), m, chosen);
}

Lengths forms(const SymbolicState& state) {
    Lengths length;
    for (const Affine& n : state.length) length.push_back(n.form());
    return length;
}
Lengths forms(const ExactState& state) {
    Lengths length;
    for (const CheckedInt n : state.length) length.emplace_back(Rational(n.value()));
    return length;
}

/// Everything that a slot of `system`, exact or symbolic, does from a state, given its outcomes.
template <class System, class S, class Moves>
Seen look(const System& system, const S& state, const Moves& moves) {
    Seen seen{forms(state), state.serving, {}, {}};
    for (const auto& move : moves)
        seen.outcomes.push_back({forms(move.slot.next), move.slot.next.serving, move.slot.arrived - move.slot.blocked,
                                 move.slot.completed, move.probability});
    for (const ServerId m : system.instance().servers())
        seen.serves.push_back(state.serving[m.index()].status == Service::Status::idle ? system.serve(state, m)
                                                                                       : std::vector<Candidate>());
    return seen;
}

template <class System>
void require_stated(const System& system, std::string_view name) {
    if (const std::string why = not_stated(system.instance(), system.layout(), system.decisions(), name); !why.empty())
        throw InputError::at_key(std::string(name), why);
}

/// The questions of one invariant at one shape.
void add_questions(const SymbolicSystem& system, const std::shared_ptr<const FluidPlan>& plan, const std::string& name,
                   const Shape& shape, std::vector<Question>& questions) {
    const Instance& instance = system.instance();
    const std::string at = " " + shape_name(system, shape);
    const auto context = [&system, plan](const SymbolicState& state) {
        RuleContext of{system.instance(), system.layout(), system.decisions(), plan.get(), system.policy().plan(), {}};
        for (const Affine& counter : state.memory) of.counters.push_back(counter.form());
        return of;
    };
    if (of_slot(name)) {
        questions.push_back(
            {name + at, system.space(shape), [&system, shape, name](const std::vector<Affine>& symbols) {
                 const SymbolicState state = system.state(shape, symbols);
                 return slot_forbids(system.instance(), name, look(system, state, system.moves(state)));
             }});
    } else if (name == "route-minimises") {
        for (const TaskTypeId type : instance.types())
            questions.push_back({name + " of " + instance.type(type).name + at, system.space(shape),
                                 [&system, shape, type, context](const std::vector<Affine>& symbols) {
                                     const SymbolicState state = system.state(shape, symbols);
                                     return routing_forbids(context(state), forms(state), type,
                                                            system.route(state, type));
                                 }});
    } else {
        for (const ServerId m : instance.servers())
            if (shape.serving[m.index()].status == Service::Status::idle)
                questions.push_back({name + " of " + instance.server(m).name + at, system.space(shape),
                                     [&system, shape, m, name, context](const std::vector<Affine>& symbols) {
                                         const SymbolicState state = system.state(shape, symbols);
                                         return serve_forbids(context(state), name, forms(state), state.serving, m,
                                                              system.serve(state, m));
                                     }});
    }
}

}  // namespace

std::span<const InvariantInfo> invariants() { return all_invariants; }

bool of_slot(std::string_view name) {
    return name != "route-minimises" && name != "serve-maximises" && name != "serve-takes-waiting";
}

std::string not_stated(const Instance& instance, const Layout& layout, const DecisionClass& decisions,
                       std::string_view name) {
    const auto known = [&](const InvariantInfo& i) { return i.name == name; };
    if (std::none_of(all_invariants.begin(), all_invariants.end(), known)) return "expected a known invariant";
    if (of_slot(name)) return instance.continuous() ? "expected slots, of which the invariant speaks" : "";
    const RuleContext context{instance, layout, decisions, nullptr, nullptr, {}};
    const bool stated = name == "route-minimises" ? has_routing_rule(context)
                                                  : has_serving_rule(context, name == "serve-takes-waiting");
    return stated ? ""
                  : "expected a policy whose rule is a comparison of lengths, on the default interpretations of "
                    "`counting` and `empty-target`, with quadratic costs";
}

std::vector<Question> questions(const SymbolicSystem& system, const InvariantTheorem& theorem) {
    for (const std::string& name : theorem.names) require_stated(system, name);
    std::vector<Question> all = status_questions(system, {theorem.statuses});
    const auto plan = theorem.plan ? std::make_shared<const FluidPlan>(*theorem.plan) : nullptr;
    for (const std::string& name : theorem.names)
        for (const Shape& shape : shapes_of(theorem.statuses)) add_questions(system, plan, name, shape, all);
    return all;
}

namespace {

/// Who does how much of what: `1/2 of A on s0, 1/4 of B on s1`.
std::string in_words(const FluidPlan& plan, const Instance& instance) {
    std::string text;
    for (const FluidPlan::Activity& activity : plan.activities)
        text += (text.empty() ? "" : ", ") + activity.amount.to_string() + " of " + instance.type(activity.type).name +
                " on " + instance.server(activity.server).name;
    return (text.empty() ? "nothing" : text) + " a slot, of load " + plan.load.to_string();
}

}  // namespace

std::string sentence(const SymbolicSystem& system, const InvariantTheorem& theorem) {
    std::string text = "On " + about(system.instance(), system.info().id) + ", ";
    if (theorem.plan) text += "where the plan is " + in_words(*theorem.plan, system.instance()) + ", ";
    for (std::size_t i = 0; i < theorem.names.size(); ++i)
        for (const InvariantInfo& info : all_invariants)
            if (info.name == theorem.names[i]) text += (i > 0 ? "; " : "") + std::string(info.sentence);
    const auto& names = theorem.names;
    if (theorem.plan && std::find(names.begin(), names.end(), "route-minimises") != names.end())
        text += ", those of the plan with its probabilities";
    return text + ", for all queue lengths and all statuses of the servers.";
}

std::string arithmetic_rejection(const SymbolicSystem& system, const InvariantTheorem& theorem) {
    if (theorem.plan.has_value() != (system.policy().plan() != nullptr))
        return theorem.plan ? "the policy follows no plan" : "the plan of the policy is not given";
    if (theorem.names.empty()) return "no invariant is named";
    for (const std::string& name : theorem.names)
        if (!not_stated(system.instance(), system.layout(), system.decisions(), name).empty())
            return "the invariant '" + name + "' is not stated for the policy";
    if (std::none_of(theorem.names.begin(), theorem.names.end(), of_slot))
        return decision_statuses_rejection(system, theorem.statuses);
    return statuses_rejection(system, theorem.statuses);
}

std::vector<Forbidden> slot_forbids(const ExactSystem& system, const ExactState& state,
                                    const std::vector<Move>& outcomes, std::string_view name) {
    require(of_slot(name), "an invariant of the slot");
    return slot_forbids(system.instance(), name, look(system, state, outcomes));
}

}  // namespace schedproof::queueing
