#include <fmt/core.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "experiments/command/core/output.hpp"
#include "experiments/command/core/requests.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/user_lyapunov.hpp"

namespace schedproof::command {

namespace {

using namespace queueing;
using nlohmann::ordered_json;

/// One run of `prove drift`: what was asked, and the two readings of the policy.
struct Run {
    const ProveDriftRequest& request;
    std::shared_ptr<const Instance> instance;
    ExactSystem exact;
    SymbolicSystem symbolic;
    NamedLyapunov v;
    DriftGoal goal;

    [[nodiscard]] bool below() const { return goal.sense == Sense::below; }
    [[nodiscard]] std::string claim() const {
        return fmt::format("On {} under {}, the drift of V = {} is at {} {} at every state with sum of Q >= {}.",
                           instance->name(), exact.info().id, v.id, below() ? "most" : "least",
                           display(below() ? -goal.delta : goal.delta),
                           goal.threshold ? display(*goal.threshold) : "some threshold");
    }
    /// The command that shows the drift at a state.
    [[nodiscard]] std::string replay(const ExactState& state) const {
        const StateWords words = to_words(exact, state);
        return fmt::format("schedproof kernel {} -p {} --queues {} --serving {}{} --lyapunov {}",
                           shell_word(request.system.instance), shell_word(std::string(exact.info().id)),
                           shell_word(words.queues), shell_word(words.serving),
                           words.counters.empty() ? "" : " --counters " + shell_word(words.counters), shell_word(v.id));
    }
};

Rational exact_number(const std::string& text, const char* option) {
    const auto value = Rational::parse(text);
    if (!value) throw InputError({"", 0, option}, value.error());
    return *value;
}

Run start(const ProveDriftRequest& request) {
    LoadedSystem loaded = load(request.system);
    if (loaded.system.truncation().rule != Truncation::Rule::none)
        throw InputError({"", 0, "--cap-total, --cap-queue"},
                         "expected no truncation: the statement is for all states");
    SymbolicSystem symbolic = symbolic_system(*loaded.instance, loaded.system.info().id);
    if (request.find_lyapunov && (!request.lyapunov.empty() || request.above || !request.threshold.empty()))
        throw InputError({"", 0, "--find-lyapunov"}, "expected none of --lyapunov, --above and --threshold beside it");
    if (!request.find_lyapunov && request.lyapunov.empty())
        throw InputError({"", 0, "--lyapunov"}, "expected a function, or --find-lyapunov");
    NamedLyapunov v = request.find_lyapunov ? NamedLyapunov{"found", "found by synthesis; see the theorem", {}}
                                            : find_lyapunov(request.lyapunov, *loaded.instance, loaded.system.layout());
    DriftGoal goal{v.form, request.above ? Sense::above : Sense::below, Rational(1), std::nullopt, std::nullopt};
    if (!request.delta.empty()) goal.delta = exact_number(request.delta, "--delta");
    if (goal.delta.sign() <= 0) throw InputError({"", 0, "--delta"}, "expected a number above 0, not " + request.delta);
    if (!request.threshold.empty()) goal.threshold = exact_number(request.threshold, "--threshold");
    return {request,        std::move(loaded.instance), std::move(loaded.system), std::move(symbolic), std::move(v),
            std::move(goal)};
}

/// What every verdict comes with.
struct Common {
    explore::Statistics statistics;
    double seconds = 0;
};

ordered_json opening(const Run& run, const Common& common, const char* verdict) {
    return {{"instance", run.instance->name()},
            {"policy", run.exact.info().id},
            {"lyapunov", {{"id", run.v.id}, {"formula", run.v.formula}}},
            {"sense", run.below() ? "below" : "above"},
            {"delta", number(run.goal.delta)},
            {"claim", run.claim()},
            {"verdict", verdict},
            {"seconds", common.seconds},
            {"statistics", to_json(common.statistics)}};
}

std::string effort(const Common& common) {
    return fmt::format("effort        {} cells, {} empty sides, {} questions to the solver, {:.2f} s\n",
                       common.statistics.cells, common.statistics.closed, common.statistics.questions, common.seconds);
}

int give(const Run& run, const ordered_json& json, const std::string& text, int code) {
    if (run.request.to.json())
        write_json(run.request.to.path, "prove-drift", json);
    else
        write_text(run.request.to.path, text);
    return code;
}

int answer(const Run& run, Common common, DriftProof proof) {
    common.statistics = proof.statistics;
    const Certificate certificate =
        certified(run.instance, std::string(run.exact.info().id), std::move(proof.theorem), proof.proofs);
    const std::size_t files = write_evidence(run.request.evidence, certificate);
    const auto& theorem = std::get<DriftTheorem>(certificate.theorem);
    const std::string words = sentence(run.symbolic, theorem), gap = stability_gap(run.symbolic, theorem);
    const bool open = run.below() && !gap.empty();

    ordered_json json = opening(run, common, "proved");
    json["theorem"] = {{"sentence", words},
                       {"threshold", number(theorem.threshold)},
                       {"questions", certificate.proofs.size()},
                       {"stability", !run.below() ? ordered_json(nullptr)
                                                  : ordered_json{{"verdict", open ? "unknown" : "proved"},
                                                                 {"reason", open ? ordered_json(gap) : nullptr}}}};
    std::string text =
        fmt::format("verdict       Proved\ntheorem       {}\nthreshold     {}\n", words, display(theorem.threshold));
    if (run.below())
        text += open ? "stability     Unknown: " + gap + "\n" : "stability     Proved, by Foster's criterion\n";
    text += effort(common) + fmt::format("checked       {} questions, without any solver\n", certificate.proofs.size());
    json["certificate"] = run.request.evidence.certificate.empty() ? ordered_json(nullptr)
                                                                   : ordered_json(run.request.evidence.certificate);
    json["smtlib_files"] = files;
    if (!run.request.evidence.certificate.empty()) text += "certificate   " + run.request.evidence.certificate + "\n";
    if (files > 0) text += fmt::format("smtlib        {} files in {}\n", files, run.request.evidence.smtlib);
    return give(run, json, text, open ? 3 : 0);
}

ordered_json to_json(const Run& run, const ExactState& state) {
    const StateWords words = to_words(run.exact, state);
    ordered_json json{{"queues", words.queues}, {"serving", words.serving}};
    if (!words.counters.empty()) json["counters"] = words.counters;
    return {{"state", json}, {"drift", number(drift(run.exact, state, run.v.form))}, {"replay", run.replay(state)}};
}

std::string to_text(const Run& run, const char* heading, const ExactState& state) {
    return fmt::format("{:<14}{}\n  drift       {}\n  replay      {}\n", heading, to_words(run.exact, state).line(),
                       display(drift(run.exact, state, run.v.form)), run.replay(state));
}

int answer(const Run& run, Common common, const DriftRefutation& refutation) {
    common.statistics = refutation.statistics;
    ordered_json json = opening(run, common, "refuted");
    json["counterexample"] = to_json(run, refutation.state);
    json["far"] = refutation.far ? to_json(run, *refutation.far) : ordered_json(nullptr);
    std::string text =
        "verdict       Refuted\nclaim         " + run.claim() + "\n" + to_text(run, "state", refutation.state);
    if (refutation.far) text += to_text(run, "far state", *refutation.far);
    json["ray"] = nullptr;
    if (refutation.ray) {
        const proof::Space space = run.symbolic.space(refutation.state);
        ordered_json ray = ordered_json::object();
        std::string words;
        for (std::size_t x = 0; x < refutation.ray->size(); ++x) {
            const Rational& step = (*refutation.ray)[x];
            if (step.sign() == 0) continue;
            ray[space.symbols[x].name] = step.to_string();
            words += (words.empty() ? "" : ", ") + space.symbols[x].name + " by " + step.to_string();
        }
        json["ray"] = ray;
        text += "ray           it fails on and on along " + words + "\n";
    }
    return give(run, json, text + effort(common), 1);
}

int answer(const Run& run, Common common, const DriftUnknown& unknown) {
    common.statistics = unknown.statistics;
    ordered_json json = opening(run, common, "unknown");
    json["reason"] = unknown.reason;
    return give(run, json,
                "verdict       Unknown\nclaim         " + run.claim() + "\nreason        " + unknown.reason + "\n" +
                    effort(common),
                3);
}

/// A function of the pair template with drift at most -1, when there is one.
DriftOutcome synthesised(const Run& run, const explore::Budget& budget) {
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
    const Run run = start(request);
    const auto begin = std::chrono::steady_clock::now();
    const DriftOutcome outcome = [&]() -> DriftOutcome {
        Progress progress("prove drift");
        try {
            const explore::Budget budget = budget_of(request.budget, progress);
            return request.find_lyapunov ? synthesised(run, budget)
                                         : prove_drift(run.symbolic, run.exact, run.goal, budget);
        } catch (const LimitExceeded& limit) { return DriftUnknown{limit.what(), {}}; }
    }();
    const Common common{{}, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
    return std::visit([&](const auto& kind) { return answer(run, common, kind); }, outcome);
}

}  // namespace schedproof::command
