/// `prove drift`: whether E[V(X(t+1)) - V(X(t)) | X(t) = x] <= -delta at every state x whose queues sum to a threshold.
///
/// The policy is executed symbolically from an arbitrary state; on each cell of states the drift is affine, and Farkas
/// multipliers show the bound (proofs/queueing/drift/). A refutation is a state whose drift, by exact enumeration,
/// exceeds the bound, with the command that shows it. Where the statement is proved but does not give stability by
/// Foster's criterion, the gap is named and the exit code is 3.
#include <fmt/core.h>

#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "experiments/runs/unit.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"

namespace schedproof::cli {

struct ProveDriftRequest {
    SystemRequest system;
    std::string lyapunov;  ///< or empty with `find_lyapunov`
    bool find_lyapunov = false;
    bool above = false;
    std::string delta;
    std::string threshold;
    BudgetRequest budget;
    EvidenceRequest evidence;
    Destination to;
};

namespace {

using namespace queueing;

/// One run of `prove drift`: what was asked, and the policy for exact enumeration and for symbolic execution.
struct DriftRun {
    const ProveDriftRequest& request;
    std::shared_ptr<const Instance> instance;
    ExactSystem exact;
    SymbolicSystem symbolic;
    NamedLyapunov v;
    DriftGoal goal;

    [[nodiscard]] bool below() const { return goal.sense == Sense::below; }
    [[nodiscard]] std::string claim() const {
        return fmt::format("On {}, the drift of V = {} is at {} {} at every state with sum of Q >= {}.",
                           about(*instance, exact.info().id), in_quotes(v.id), below() ? "most" : "least",
                           display(below() ? -goal.delta : goal.delta),
                           goal.threshold ? display(*goal.threshold) : "some threshold");
    }
    /// The command that shows the drift at a state.
    [[nodiscard]] std::string replay(const ExactState& state) const {
        const StateRequest words = to_words(exact, state).request();
        std::vector<std::string> command = policy_words(std::string(exact.info().id), "-p");
        command.insert(command.begin(), {"schedproof", "kernel", request.system.instance});
        command.insert(command.end(), {"--queues", words.queues, "--serving", words.serving});
        if (!words.counters.empty()) command.insert(command.end(), {"--counters", words.counters});
        command.insert(command.end(), {"--lyapunov", v.id});
        return runs::command_line(command);
    }
};

DriftRun start(const ProveDriftRequest& request) {
    LoadedSystem loaded = load(request.system);
    if (loaded.system.truncation().rule != Truncation::Rule::none)
        throw InputError::at_key("--cap-total, --cap-queue", "expected no truncation: the statement is for all states");
    SymbolicSystem symbolic = symbolic_system(*loaded.instance, loaded.system.info().id);
    if (request.find_lyapunov && (!request.lyapunov.empty() || request.above || !request.threshold.empty()))
        throw InputError::at_key("--find-lyapunov", "cannot be used with --lyapunov, --above or --threshold");
    const std::string chosen = request.lyapunov.empty() ? lyapunov_of(loaded.system.info().id) : request.lyapunov;
    if (!request.find_lyapunov && chosen.empty())
        throw InputError::at_key("--lyapunov", "expected a function, here or in the policy's file, or --find-lyapunov");
    NamedLyapunov v = request.find_lyapunov ? NamedLyapunov{"found", "found by synthesis; see the theorem", {}}
                                            : find_lyapunov(chosen, *loaded.instance, loaded.system.layout());
    DriftGoal goal{v.form, request.above ? Sense::above : Sense::below, Rational(1), std::nullopt, std::nullopt};
    if (!request.delta.empty()) goal.delta = option_number(request.delta, "--delta");
    if (goal.delta.sign() <= 0) throw InputError::at_key("--delta", "expected a number above 0, not " + request.delta);
    if (!request.threshold.empty()) goal.threshold = option_number(request.threshold, "--threshold");
    return {request,        std::move(loaded.instance), std::move(loaded.system), std::move(symbolic), std::move(v),
            std::move(goal)};
}

/// What every verdict comes with.
struct Common {
    explore::Statistics statistics;
    double seconds = 0;
};

Json opening(const DriftRun& run, const Common& common, const char* verdict) {
    return {{"instance", run.instance->name()},
            {"policy", run.exact.info().id},
            {"definition", definition(run.exact.info().id)},
            {"queue_names", queue_names(*run.instance, run.exact.layout())},
            {"lyapunov", {{"id", run.v.id}, {"formula", run.v.formula}}},
            {"sense", run.below() ? "below" : "above"},
            {"delta", number(run.goal.delta)},
            {"claim", run.claim()},
            {"verdict", verdict},
            {"seconds", common.seconds},
            {"statistics", statistics_json(common.statistics)}};
}

std::string effort(const Common& common) { return effort_line(common.statistics, common.seconds); }

int give(const DriftRun& run, const Json& json, const std::string& text, int code) {
    return write_answer(run.request.to, "prove-drift", json, text, code);
}

int answer(const DriftRun& run, Common common, DriftProof proof) {
    common.statistics = proof.statistics;
    const Certificate certificate =
        certified(run.instance, std::string(run.exact.info().id), std::move(proof.theorem), proof.proofs);
    const std::size_t files = write_evidence(run.request.evidence, certificate);
    const auto& theorem = std::get<DriftTheorem>(certificate.theorem);
    const std::string words = sentence(run.symbolic, theorem), gap = stability_gap(run.symbolic, theorem);
    const bool open = run.below() && !gap.empty();

    Json json = opening(run, common, "proved");
    json["theorem"] = {{"sentence", words},
                       {"threshold", number(theorem.threshold)},
                       {"questions", certificate.proofs.size()},
                       {"stability", !run.below() ? Json(nullptr)
                                                  : Json{{"verdict", open ? "unknown" : "proved"},
                                                         {"reason", open ? Json(gap) : Json()}}}};
    std::string text =
        fmt::format("verdict       Proved\ntheorem       {}\nthreshold     {}\n", words, display(theorem.threshold));
    if (run.below())
        text += open ? "stability     Unknown: " + gap + "\n" : "stability     Proved, by Foster's criterion\n";
    text += effort(common) + fmt::format("checked       {} questions, without any solver\n", certificate.proofs.size());
    json["certificate"] = text_or_null(run.request.evidence.certificate);
    json["smtlib_files"] = files;
    text += evidence_lines(run.request.evidence, files);
    return give(run, json, text, open ? 3 : 0);
}

Json to_json(const DriftRun& run, const ExactState& state) {
    return {{"state", state_json(run.exact, state)},
            {"drift", number(drift(run.exact, state, run.v.form))},
            {"replay", run.replay(state)}};
}

std::string to_text(const DriftRun& run, const char* heading, const ExactState& state) {
    return fmt::format("{:<14}{}\n  drift       {}\n  replay      {}\n", heading, to_words(run.exact, state).line(),
                       display(drift(run.exact, state, run.v.form)), run.replay(state));
}

/// The direction as a state has it; queues that list their tasks do not grow along it.
Json ray_json(const DriftRun& run, const std::vector<Rational>& ray) {
    const Layout& layout = run.exact.layout();
    Json queues = Json::array(), counters = Json::array();
    auto step = ray.begin();
    for (const QueueId q : IdRange<QueueId>(layout.queues()))
        queues.push_back(number(layout.tracking(q) == Tracking::listed ? Rational(0) : *step++));
    Json json{{"queues", queues}};
    for (; step != ray.end(); ++step) counters.push_back(number(*step));
    if (!counters.items().empty()) json["counters"] = counters;
    return json;
}

int answer(const DriftRun& run, Common common, const DriftRefutation& refutation) {
    common.statistics = refutation.statistics;
    Json json = opening(run, common, "refuted");
    json["counterexample"] = to_json(run, refutation.state);
    json["far"] = refutation.far ? to_json(run, *refutation.far) : Json(nullptr);
    std::string text =
        "verdict       Refuted\nclaim         " + run.claim() + "\n" + to_text(run, "state", refutation.state);
    if (refutation.far) text += to_text(run, "far state", *refutation.far);
    json["ray"] = nullptr;
    if (refutation.ray) {
        const proof::Space space = run.symbolic.space(refutation.state);
        std::string steps, names;
        for (std::size_t x = 0; x < refutation.ray->size(); ++x) {
            const Rational& step = (*refutation.ray)[x];
            if (step.sign() == 0) continue;
            steps += (steps.empty() ? "" : ", ") + step.to_string();
            names += (names.empty() ? "" : ", ") + space.symbols[x].name;
        }
        json["ray"] = ray_json(run, *refutation.ray);
        text += "ray           the claim also fails arbitrarily far out, in the direction " +
                (names.find(',') == std::string::npos ? "of " + names : "(" + steps + ") of (" + names + ")") + "\n";
    }
    return give(run, json, text + effort(common), 1);
}

int answer(const DriftRun& run, Common common, const DriftUnknown& unknown) {
    common.statistics = unknown.statistics;
    Json json = opening(run, common, "unknown");
    json["reason"] = unknown.reason;
    return give(run, json,
                "verdict       Unknown\nclaim         " + run.claim() + "\nreason        " + unknown.reason + "\n" +
                    effort(common),
                3);
}

/// A function of the pair template with drift at most -1, when there is one.
DriftOutcome synthesised(const DriftRun& run, const explore::Budget& budget) {
    SynthesisBudget limits;
    limits.explore = budget;
    auto outcome = synthesise(run.symbolic, run.exact, pair_template(*run.instance, run.symbolic.layout()), limits);
    if (auto* found = std::get_if<FoundLyapunov>(&outcome)) return std::move(found->proof);
    auto& failure = std::get<SynthesisFailure>(outcome);
    return DriftUnknown{fmt::format("{} ({} proposals)", failure.reason, failure.rounds), failure.statistics};
}

}  // namespace

int run(const ProveDriftRequest& request) {
    require_writable_evidence(request.evidence, request.to.path);
    const DriftRun run = start(request);
    const Stopwatch watch;
    const DriftOutcome outcome = [&]() -> DriftOutcome {
        Progress progress("prove drift");
        try {
            const explore::Budget budget = budget_of(request.budget, progress);
            return request.find_lyapunov ? synthesised(run, budget)
                                         : prove_drift(run.symbolic, run.exact, run.goal, budget);
        } catch (const LimitExceeded& limit) {
            return DriftUnknown{limit.what(), {}};
        }
    }();
    const Common common{{}, watch.seconds()};
    return std::visit([&](const auto& kind) { return answer(run, common, kind); }, outcome);
}

namespace {

OptionTable options(ProveDriftRequest& r) {
    return joined(
        {instance_and_policy(r.system),
         {{.names = "--lyapunov",
           .value = "FUNCTION",
           .target = &r.lyapunov,
           .meaning =
               "a function of `schedproof list lyapunov` or of the instance file, or a sum such as 'regret + 2 * "
               "total' (default: that of the policy's file)",
           .offers = lyapunov_ids},
          {.names = "--find-lyapunov",
           .target = &r.find_lyapunov,
           .meaning = "look for a function instead: a quadratic one with terms of the statuses"},
          {.names = "--above",
           .target = &r.above,
           .meaning = "prove instead that the drift is at least delta beyond the threshold"},
          {.names = "--delta",
           .value = "NUMBER",
           .target = &r.delta,
           .meaning = "bound of the drift, an exact number above 0 (default 1)"},
          {.names = "--threshold",
           .value = "NUMBER",
           .target = &r.threshold,
           .meaning = "sum of the queues from which the bound holds, an exact number (default: the least)"}},
         budget_options(r.budget),
         evidence_options(r.evidence),
         destination_options(r.to)});
}

}  // namespace

Subcommand prove_drift() {
    return make_subcommand<ProveDriftRequest>(
        "drift", "the drift of a function of the state is at most -delta outside a finite set",
        "schedproof prove drift experiments/instances/m2-half.toml -p wang-jsq-maxweight "
        "--lyapunov regret --certificate drift.json",
        options);
}

}  // namespace schedproof::cli
