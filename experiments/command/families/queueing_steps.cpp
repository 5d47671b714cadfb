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
#include "experiments/command/check/policy_place.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/kernel/kernel.hpp"
#include "model/core/errors.hpp"
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

Json invariants_json(const ExactSystem& system, const ExactState& state) {
    Json list = Json::array();
    for (const InvariantInfo& invariant : invariants()) {
        if (!not_stated(system.instance(), system.layout(), system.decisions(), invariant.name).empty()) continue;
        const InvariantViolation found = invariant_violation(system, state, invariant.name);
        list.push_back({{"name", invariant.name},
                        {"sentence", invariant.sentence},
                        {"holds", found.text.empty()},
                        {"breach", text_or_null(found.text)}});
    }
    return list;
}

/// A listed function on this cluster; nothing where it is not defined for the policy.
std::optional<NamedLyapunov> defined(const LyapunovInfo& info, const ExactSystem& system) {
    try {
        return find_lyapunov(std::string(info.id), system.instance(), system.layout());
    } catch (const InputError&) {
        return {};
    }
}

Json functions_json(const ExactSystem& system, const ExactState& state) {
    Json list = Json::array();
    for (const LyapunovInfo& info : lyapunov_functions()) {
        const std::optional<NamedLyapunov> v = defined(info, system);
        if (!v) continue;
        list.push_back({{"id", v->id},
                        {"formula", v->formula},
                        {"value", number(value(v->form, state))},
                        {"drift", number(drift(system, state, v->form))}});
    }
    return list;
}

/// The policy's answers, each with the line of its rule and the numbers that this compared; null where it compares
/// none.
Json choices_json(const ExactSystem& system, const ExactState& state) {
    Json all = decisions_json(system, state);
    const auto told = [&](const Json& choices, const char* decision, const std::vector<std::string>& compared) {
        const std::size_t line = policy_place("queueing", system.info().id, decision).line;
        Json list = Json::array();
        for (std::size_t i = 0; i < compared.size(); ++i) {
            Json choice = choices.items().at(i);
            choice.update({{"line", line}, {"compared", text_or_null(compared[i])}});
            list.push_back(std::move(choice));
        }
        return list;
    };
    std::vector<std::string> routing, serving;
    for (const TaskTypeId type : system.instance().types()) routing.push_back(routing_compares(system, state, type));
    for (const ServerId m : system.instance().servers())
        if (state.serving[m.index()].status == Service::Status::idle)
            serving.push_back(serving_compares(system, state, m));
    return {{"route", told(all["route"], "joins", routing)}, {"serve", told(all["serve"], "turns to", serving)}};
}

/// The probability of the move into the state at a position of the way; null for the first.
Json probability_into(const ExactSystem& system, const std::vector<ExactState>& way, std::size_t at) {
    if (at == 0) return nullptr;
    for (const auto& [next, probability] : system.kernel(way[at - 1]))
        if (next == way[at]) return number(probability);
    return nullptr;
}

Json steps_json(const ExactSystem& system, const std::vector<ExactState>& way, std::size_t fails,
                const std::string& violation) {
    Json slots = Json::array();
    for (std::size_t t = 0; t < way.size(); ++t)
        slots.push_back({{"state", state_json(system, way[t])},
                         {"words", to_words(system, way[t]).line()},
                         {"probability", probability_into(system, way, t)},
                         {"decisions", choices_json(system, way[t])},
                         {"functions", functions_json(system, way[t])},
                         {"invariants", invariants_json(system, way[t])}});
    Json servers = Json::array();
    for (const ServerId m : system.instance().servers()) servers.push_back(system.instance().server(m).name);
    const PolicyPlace place = policy_place("queueing", system.info().id, "");
    return {{"instance", system.instance().name()},
            {"policy", system.info().id},
            {"file", text_or_null(place.file)},
            {"line", place.line},
            {"queue_names", queue_names(system.instance(), system.layout())},
            {"servers", servers},
            {"from_empty", way.front() == system.initial()},
            {"fails_at", fails},
            {"violation", violation},
            {"slots", slots}};
}

}  // namespace

void write_steps(const std::string& folder, const ExactSystem& system, const ExactState& failing,
                 const std::string& violation) {
    std::vector<ExactState> way = way_to(system, failing);
    const std::size_t fails = way.size() - 1;
    for (std::size_t t = 0; t < slots_beyond; ++t) {
        ExactState next = likely_next(system, way.back());
        if (next == way.back()) break;
        way.push_back(std::move(next));
    }
    write_json(folder + "/steps.json", "counterexample-steps", steps_json(system, way, fails, violation));
    graph::GraphOptions options;
    options.highlighted = {failing};
    graph::StateGraph picture = graph::path_graph(system, way, options);
    picture.caption.push_back(violation);
    graph::write_dot(picture, folder + "/path.dot");
    graph::write_picture(picture, folder + "/path.svg", graph::PictureFormat::svg);
}

}  // namespace schedproof::cli
