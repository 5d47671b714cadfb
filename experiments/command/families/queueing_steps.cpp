/// A counterexample of the queueing family as a path: what the cluster does until the claim fails.
///
/// A state alone says that a claim fails; how the cluster comes there says why. The search runs over exact slots from
/// the empty cluster, nearest states first, so that every move of the way has its exact probability; another way may be
/// shorter. At each state stand the policy's answers, each with the line of the rule that gave it and the numbers that
/// the rule compared, value and drift of the functions that are listed for users, and
/// every invariant that is stated for the policy, decided there by exact enumeration.
#include "experiments/command/families/queueing_steps.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <unordered_map>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/render.hpp"
#include "checks/pictures/state_graph.hpp"
#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/policy_place.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/kernel/kernel.hpp"
#include "model/base/stored.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/invariants/violation.hpp"
#include "proofs/queueing/theorems/invariants.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;

using Predecessors = std::unordered_map<ExactState, ExactState, StateHash<CheckedInt>>;

/// How far a state is from another: tasks in other queues, and servers that do something else.
std::int64_t distance(const ExactState& a, const ExactState& b) {
    std::int64_t sum = 0;
    for (std::size_t q = 0; q < a.length.size(); ++q) sum += std::abs(a.length[q].value() - b.length[q].value());
    for (std::size_t m = 0; m < a.serving.size(); ++m) sum += a.serving[m] == b.serving[m] ? 0 : 1;
    return sum;
}

/// The states from the empty one to `end`, both included, or `end` alone.
std::vector<ExactState> way_to(const ExactSystem& system, const ExactState& end) {
    const ExactState start = system.initial();
    Predecessors from{{start, start}};
    // The nearest first, and of those the one that was met first.
    std::multimap<std::int64_t, ExactState> open{{distance(start, end), start}};
    for (std::size_t searched = 0; searched < max_searched && !open.empty() && !from.contains(end); ++searched) {
        const ExactState state = open.extract(open.begin()).mapped();
        for (const auto& [next, probability] : system.kernel(state))
            if (from.emplace(next, state).second) open.emplace(distance(next, end), next);
    }
    std::vector<ExactState> way{end};
    if (!from.contains(end)) return way;
    while (!(way.back() == start)) way.push_back(from.at(way.back()));
    std::reverse(way.begin(), way.end());
    return way;
}

/// The most probable next state that is another one; the state itself where there is none.
ExactState likely_next(const ExactSystem& system, const ExactState& state) {
    ExactState best = state;
    Rational most(0);
    for (const auto& [next, probability] : system.kernel(state))
        if (!(next == state) && probability > most) {
            best = next;
            most = probability;
        }
    return best;
}

struct InvariantAt {
    std::string name, sentence;
    std::optional<std::string> breach;
};

std::vector<InvariantAt> invariants_at(const ExactSystem& system, const ExactState& state) {
    std::vector<InvariantAt> list;
    std::optional<FluidPlan> plan;
    if (system.plan() != nullptr) plan = capacity::fluid_plan(system.instance());
    for (const InvariantInfo& invariant : invariants())
        if (not_stated(system.instance(), system.layout(), system.decisions(), invariant.name).empty())
            list.push_back({std::string(invariant.name), std::string(invariant.sentence),
                            if_any(invariant_violation(system, state, invariant.name, plan ? &*plan : nullptr).text)});
    return list;
}

struct FunctionAt {
    std::string id, formula;
    Rational value, drift;
};

/// The listed functions that are defined for the policy on this cluster.
std::vector<FunctionAt> functions_at(const ExactSystem& system, const ExactState& state) {
    std::vector<FunctionAt> list;
    for (const LyapunovInfo& info : lyapunov_functions()) try {
            const NamedLyapunov v = find_lyapunov(std::string(info.id), system.instance(), system.layout());
            list.push_back({v.id, v.formula, value(v.form, state), drift(system, state, v.form)});
        } catch (const InputError&) {
            continue;
        }
    return list;
}

/// An answer of the policy with the line of its rule and the numbers that this compared, if any.
struct Choice {
    Decision decision;
    std::size_t line = 0;
    std::optional<std::string> compared;
};

struct Slot {
    StateOf state;
    std::optional<Rational> probability;  ///< of the move into it
    std::vector<Choice> route, serve;
    std::vector<FunctionAt> functions;
    std::vector<InvariantAt> invariants;
};

std::vector<Choice> choices(const ExactSystem& system, const char* decision, const std::vector<Decision>& answers,
                            const std::vector<std::string>& compared) {
    const std::size_t line = policy_place("queueing", system.info().id, decision).line;
    std::vector<Choice> list;
    for (std::size_t i = 0; i < compared.size(); ++i) list.push_back({answers.at(i), line, if_any(compared[i])});
    return list;
}

/// The probability of the move into the state at a position of the way; none for the first.
std::optional<Rational> probability_into(const ExactSystem& system, const std::vector<ExactState>& way,
                                         std::size_t at) {
    if (at == 0) return {};
    for (const auto& [next, probability] : system.kernel(way[at - 1]))
        if (next == way[at]) return probability;
    return {};
}

Slot slot_of(const ExactSystem& system, const std::vector<ExactState>& way, std::size_t t) {
    const ExactState& state = way[t];
    std::vector<std::string> routing, serving;
    for (const TaskTypeId type : system.instance().types()) routing.push_back(routing_compares(system, state, type));
    for (const ServerId m : system.instance().servers())
        if (state.serving[m.index()].status == Service::Status::idle)
            serving.push_back(serving_compares(system, state, m));
    const Decisions all = decisions(system, state);
    return {{system, state},
            probability_into(system, way, t),
            choices(system, "joins", all.route, routing),
            choices(system, "turns to", all.serve, serving),
            functions_at(system, state),
            invariants_at(system, state)};
}

struct Steps {
    const ExactSystem& system;
    PolicyPlace place;
    bool from_empty = false;
    std::size_t fails_at = 0;
    std::string violation;
    std::vector<Slot> slots;
};

Record<Slot> slot_record() {
    const auto choice = [](const char* of, const char* what) {
        return Record<Choice>{field(
                                  of, [](const Choice& c) { return c.decision.of; }, what),
                              field(
                                  "queues", [](const Choice& c) { return c.decision.queues; }, "Tied queues."),
                              field("line", &Choice::line,
                                    "Line of the rule in the source of the policy, from 1; 0 where it is not known."),
                              field("compared", &Choice::compared,
                                    "The numbers that the rule compares, by queue; null where it compares none.")};
    };
    const Record<FunctionAt> function{field("id", &FunctionAt::id, "Name."),
                                      field("formula", &FunctionAt::formula, "In words."),
                                      field("value", &FunctionAt::value, "At the state."),
                                      field("drift", &FunctionAt::drift, "Mean change in the next slot.")};
    const Record<InvariantAt> invariant{
        field("name", &InvariantAt::name, "Of the claim without its family."),
        field("sentence", &InvariantAt::sentence, "What it says."),
        field(
            "holds", [](const InvariantAt& i) { return !i.breach; }, "Whether it holds there and in the next slot."),
        field("breach", &InvariantAt::breach, "How it fails; null where it holds.")};
    return {field("state", &Slot::state, "As in every answer about states.", state_record()),
            field(
                "words", [](const Slot& s) { return to_words(s.state.system, s.state.state).line(); },
                "The state in a line."),
            field("probability", &Slot::probability, "Of the move from the state before; null for the first."),
            base::group("decisions", "What the policy answers.",
                        Record<Slot>{field("route", &Slot::route, "Of each task type the queues that it may join.",
                                           choice("type", "Task type.")),
                                     field("serve", &Slot::serve, "Of each idle server the queues that it may turn to.",
                                           choice("server", "Server."))}),
            field("functions", &Slot::functions, "The functions of `schedproof list lyapunov`.", function),
            field("invariants", &Slot::invariants, "Those that are stated for the policy.", invariant)};
}

const Answer<Steps>& steps_file() {
    static const Answer<Steps> answer{
        "counterexample-steps",
        "The way from the empty cluster to the state at which a claim of the queueing family fails, and some slots "
        "beyond. Written by `schedproof check --evidence DIR`.",
        Record<Steps>{
            instance_field([](const Steps& s) { return s.system.instance().name(); }),
            policy_field([](const Steps& s) { return s.system.info().id; }),
            field(
                "file", [](const Steps& s) { return if_any(s.place.file); },
                "Source of the policy, below the root of the source tree; null where it is not known."),
            field(
                "line", [](const Steps& s) { return s.place.line; },
                "Line of the policy in that file, from 1; 0 where it is not known."),
            queue_names_field([](const Steps& s) { return queue_names(s.system.instance(), s.system.layout()); }),
            field(
                "servers",
                [](const Steps& s) {
                    std::vector<std::string> names;
                    for (const ServerId m : s.system.instance().servers())
                        names.push_back(s.system.instance().server(m).name);
                    return names;
                },
                "Names, in the order of the lists of a state."),
            field("from_empty", &Steps::from_empty, "Whether the first state is the empty cluster."),
            field("fails_at", &Steps::fails_at, "Position of the state at which the claim fails."),
            field("violation", &Steps::violation, "What fails there."),
            field("slots", &Steps::slots,
                  "States in the order of time. The first is the empty cluster, or, where the way from there was not "
                  "found, the failing one.",
                  slot_record())
                .items(1)},
        false};
    return answer;
}

}  // namespace

base::Form steps_form() { return steps_file().form(); }

void write_steps(const std::string& folder, const ExactSystem& system, const ExactState& failing,
                 const std::string& violation) {
    std::vector<ExactState> way = way_to(system, failing);
    const std::size_t fails = way.size() - 1;
    for (std::size_t t = 0; t < slots_beyond; ++t) {
        ExactState next = likely_next(system, way.back());
        if (next == way.back()) break;
        way.push_back(std::move(next));
    }
    Steps steps{
        system, policy_place("queueing", system.info().id, ""), way.front() == system.initial(), fails, violation, {}};
    for (std::size_t t = 0; t < way.size(); ++t) steps.slots.push_back(slot_of(system, way, t));
    write_file(folder + "/steps.json", steps_file(), steps);
    graph::GraphOptions options;
    options.highlighted = {failing};
    options.unjoined = unjoined_queues(system);
    graph::StateGraph picture = graph::path_graph(system, way, options);
    picture.caption.push_back(violation);
    graph::write_dot(picture, folder + "/path.dot");
    graph::write_picture(picture, folder + "/path.svg", graph::PictureFormat::svg);
}

}  // namespace schedproof::cli
