#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "experiments/command/core/output.hpp"
#include "experiments/command/core/requests.hpp"
#include "experiments/command/core/system.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::command {

namespace {

using namespace queueing;
using nlohmann::ordered_json;

ordered_json to_json(const StateWords& words) {
    ordered_json state{{"queues", words.queues}, {"serving", words.serving}};
    if (!words.counters.empty()) state["counters"] = words.counters;
    return state;
}

/// What the policy answers at the state: the tied sets, before anyone picks.
ordered_json decisions(const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    const auto names = [&](const std::vector<Candidate>& candidates) {
        ordered_json list = ordered_json::array();
        for (const Candidate& c : candidates) list.push_back(system.layout().name(instance, c.queue));
        return list;
    };
    ordered_json route = ordered_json::array(), serve = ordered_json::array();
    for (const TaskTypeId type : instance.types())
        route.push_back({{"type", instance.type(type).name}, {"queues", names(system.route(state, type))}});
    for (const ServerId m : instance.servers())
        if (state.serving[m.index()].status == Service::Status::idle)
            serve.push_back({{"server", instance.server(m).name}, {"queues", names(system.serve(state, m))}});
    return {{"route", route}, {"serve", serve}};
}

std::string joined(const ordered_json& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : " or ") + name.get<std::string>();
    return text.empty() ? "nothing" : text;
}

}  // namespace

int run(const KernelRequest& request) {
    require_writable({request.to.path});
    const LoadedSystem loaded = load(request.system);
    const ExactSystem& system = loaded.system;
    const ExactState state = parse_state(system, request.state);
    const Law<ExactState> law = system.kernel(state);
    const ordered_json choice = decisions(system, state);

    ordered_json answer{{"instance", loaded.instance->name()},
                        {"policy", system.info().id},
                        {"truncation", describe(system.truncation())},
                        {"state", to_json(to_words(system, state))},
                        {"decisions", choice}};
    std::string text =
        fmt::format("instance    {}\npolicy      {}\ntruncation  {}\nstate       {}\n", loaded.instance->name(),
                    system.info().id, describe(system.truncation()), to_words(system, state).line());
    for (const auto& route : choice["route"])
        text +=
            fmt::format("route       type {} joins {}\n", route["type"].get<std::string>(), joined(route["queues"]));
    for (const auto& serve : choice["serve"])
        text += fmt::format("serve       idle {} turns to {}\n", serve["server"].get<std::string>(),
                            joined(serve["queues"]));
    if (!request.lyapunov.empty()) {
        const NamedLyapunov lyapunov = find_lyapunov(request.lyapunov, system.instance(), system.layout());
        const LyapunovForm& v = lyapunov.form;
        const Rational here = value(v, state), change = drift(system, state, v);
        answer["lyapunov"] = {
            {"id", lyapunov.id}, {"formula", lyapunov.formula}, {"value", number(here)}, {"drift", number(change)}};
        text += fmt::format("V           {} = {}\n  value     {}\n  drift     {}\n", lyapunov.id, lyapunov.formula,
                            display(here), display(change));
    }
    text += fmt::format("next slot   {} states, probabilities sum to {}\n", law.size(), law.total().to_string());
    ordered_json next = ordered_json::array();
    for (const auto& [successor, probability] : law) {
        const StateWords words = to_words(system, successor);
        next.push_back({{"state", to_json(words)}, {"probability", number(probability)}});
        text += fmt::format("  {:<28} {}\n", display(probability), words.line());
    }
    answer["next"] = std::move(next);
    if (request.to.json())
        write_json(request.to.path, "kernel", answer);
    else
        write_text(request.to.path, text);
    return 0;
}

}  // namespace schedproof::command
