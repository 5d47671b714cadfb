/// `schedproof kernel`: the exact law of the next slot at one state, with the policy's decisions there.
///
/// The kernel enumerates the whole slot. Decisions are asked beside it and printed before anyone picks, as the set of
/// tied queues, since a law does not show which choices were ties.
#include "experiments/command/kernel/kernel.hpp"

#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;

const Record<Decisions>& decisions_record() {
    const auto by = [](const char* of, const char* name, const char* queues) {
        return Record<Decision>{field(of, &Decision::of, name), field("queues", &Decision::queues, queues).distinct()};
    };
    static const Record<Decisions> record{
        field("route", &Decisions::route, "One entry per task type, in the order of the instance.",
              by("type", "Name of the task type.", "The queues that an arriving task of the type may join."))
            .items(1)
            .each("type {type} joins {queues| or |nothing}"),
        field("serve", &Decisions::serve, "One entry per idle server, in the order of the instance.",
              by("server", "Name of the server.", "The queues it may turn to; none: it stays idle."))
            .each("idle {server} turns to {queues| or |nothing}")};
    return record;
}

struct LyapunovAt {
    std::string id, formula;
    Rational value, drift;
};

struct Next {
    StateOf state;
    Rational probability;
};

struct KernelAnswer {
    const LoadedSystem& loaded;
    StateOf state;
    Law<ExactState> law;
    std::optional<LyapunovAt> lyapunov;

    [[nodiscard]] std::vector<Next> next() const {
        std::vector<Next> list;
        for (const auto& [successor, probability] : law) list.push_back({{loaded.system, successor}, probability});
        return list;
    }
};

const Answer<KernelAnswer>& kernel_answer() {
    using A = KernelAnswer;
    const Record<LyapunovAt> lyapunov =
        Record<LyapunovAt>{
            field("id", &LyapunovAt::id, "Id of the function, as in `schedproof list lyapunov`.").hidden(),
            field("formula", &LyapunovAt::formula, "The function in words.").hidden(),
            field("value", &LyapunovAt::value,
                  "V at the state. Unit: that of the formula (tasks, tasks squared, or slots squared)."),
            field("drift", &LyapunovAt::drift, "E[V(next)] - V. Unit: that of V, per slot or event.")}
            .column(10);
    const Record<Next> next{field("state", &Next::state, "", state_record()),
                            field("probability", &Next::probability, "Range: above 0, at most 1.").least(0).open()};
    static const Answer<A> answer{
        "kernel", "The exact law of the next slot, or event, at a state. Answer of `schedproof kernel --format json`.",
        Record<A>{
            instance_field([](const A& a) { return a.loaded.instance->name(); }),
            policy_field([](const A& a) { return a.loaded.system.info().id; }),
            truncation_field([](const A& a) { return describe(a.loaded.system.truncation(), *a.loaded.instance); }),
            queue_names_field([](const A& a) { return queue_names(*a.loaded.instance, a.loaded.system.layout()); }),
            field("state", &A::state, "The state that the law starts from.", state_record()).form("{line}"),
            field(
                "decisions", [](const A& a) { return decisions(a.loaded.system, a.state.state); },
                "What the policy answers at the state: the tied sets, before one member is drawn uniformly.",
                decisions_record())
                .among(),
            field("lyapunov", &A::lyapunov, "Only with --lyapunov.", lyapunov)
                .optional()
                .label("V")
                .below("{id} = {formula}"),
            aside("step", [](const A& a) { return step_of(*a.loaded.instance); }),
            aside("total", [](const A& a) { return a.law.total().to_string(); }),
            field("next", &A::next,
                  "Every state of the next slot, or after the next event, that has positive probability; the "
                  "probabilities sum to 1.",
                  next)
                .items(1)
                .label("next")
                .below("{step}: {#} states, probabilities sum to {total}", "{probability:<28} {state.line}")}
            .column(12)};
    return answer;
}

}  // namespace

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

int run(const KernelRequest& request) {
    require_writable({request.to.path});
    const LoadedSystem loaded = load(request.system);
    const ExactSystem& system = loaded.system;
    const ExactState state = parse_state(system, request.state);
    KernelAnswer answer{loaded, {system, state}, system.kernel(state), {}};
    if (!request.lyapunov.empty()) {
        const NamedLyapunov named = find_lyapunov(request.lyapunov, system.instance(), system.layout());
        answer.lyapunov = {named.id, named.formula, value(named.form, state), drift(system, state, named.form)};
    }
    return write_answer(request.to, kernel_answer(), answer);
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
                                          options, forms(kernel_answer));
}

}  // namespace schedproof::cli
