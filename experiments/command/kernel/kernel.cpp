/// `schedproof kernel`: the exact law of the next slot at one state, with the policy's decisions there.
///
/// The kernel enumerates the whole slot. Decisions are asked beside it and printed before anyone picks, as the set of
/// tied queues, since a law does not show which choices were ties.
#include "experiments/command/kernel/kernel.hpp"

#include <fmt/core.h>

#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;

/// What the policy answers at the state, before anyone picks: of a task type or an idle server, the tied queues.
struct Decision {
    std::string of;
    std::vector<std::string> queues;

    [[nodiscard]] std::string text() const {
        std::string line;
        for (const std::string& queue : queues) line += (line.empty() ? "" : " or ") + queue;
        return line.empty() ? "nothing" : line;
    }
};

struct Decisions {
    std::vector<Decision> route, serve;
};

Decisions decisions(const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    const auto names = [&](const std::vector<Candidate>& candidates) {
        std::vector<std::string> list;
        for (const Candidate& c : candidates) list.push_back(system.layout().name(instance, c.queue));
        return list;
    };
    Decisions all;
    for (const TaskTypeId type : instance.types())
        all.route.push_back({instance.type(type).name, names(system.route(state, type))});
    for (const ServerId m : instance.servers())
        if (state.serving[m.index()].status == Service::Status::idle)
            all.serve.push_back({instance.server(m).name, names(system.serve(state, m))});
    return all;
}

Json to_json(const std::vector<Decision>& decisions, const char* of) {
    Json list = Json::array();
    for (const Decision& decision : decisions) list.push_back({{of, decision.of}, {"queues", decision.queues}});
    return list;
}

Json to_json(const Decisions& all) {
    return {{"route", to_json(all.route, "type")}, {"serve", to_json(all.serve, "server")}};
}

}  // namespace

Json decisions_json(const ExactSystem& system, const ExactState& state) { return to_json(decisions(system, state)); }

int run(const KernelRequest& request) {
    require_writable({request.to.path});
    const LoadedSystem loaded = load(request.system);
    const ExactSystem& system = loaded.system;
    const ExactState state = parse_state(system, request.state);
    const Law<ExactState> law = system.kernel(state);
    const Decisions choice = decisions(system, state);

    Json answer{
        {"instance", loaded.instance->name()},         {"policy", system.info().id},
        {"truncation", describe(system.truncation())}, {"queue_names", queue_names(system.instance(), system.layout())},
        {"state", state_json(system, state)},          {"decisions", to_json(choice)}};
    std::string text =
        fmt::format("instance    {}\npolicy      {}\ntruncation  {}\nstate       {}\n", loaded.instance->name(),
                    system.info().id, describe(system.truncation()), to_words(system, state).line());
    for (const Decision& route : choice.route)
        text += fmt::format("route       type {} joins {}\n", route.of, route.text());
    for (const Decision& serve : choice.serve)
        text += fmt::format("serve       idle {} turns to {}\n", serve.of, serve.text());
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
    Json next = Json::array();
    for (const auto& [successor, probability] : law) {
        next.push_back({{"state", state_json(system, successor)}, {"probability", number(probability)}});
        text += fmt::format("  {:<28} {}\n", display(probability), to_words(system, successor).line());
    }
    answer["next"] = std::move(next);
    if (request.to.json())
        write_json_answer(request.to.path, "kernel", answer);
    else
        write_text(request.to.path, text);
    return 0;
}

namespace {

OptionTable options(KernelRequest& r) {
    return joined({system_options(r.system),
                   state_options(r.state),
                   {{.names = "--lyapunov",
                     .value = "FUNCTION",
                     .target = &r.lyapunov,
                     .meaning = "function whose exact drift is computed as well: one of `schedproof list lyapunov` or "
                                "of the instance file",
                     .offers = lyapunov_ids}},
                   destination_options(r.to)});
}

}  // namespace

Subcommand kernel() {
    return make_subcommand<KernelRequest>("kernel", "the exact law of the next slot at a state",
                                          "schedproof kernel experiments/instances/m2-half.toml -p wang-jsq-maxweight "
                                          "--queues 2,0,1 --serving idle,common --lyapunov regret",
                                          options);
}

}  // namespace schedproof::cli
