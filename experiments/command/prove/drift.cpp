/// `prove drift`: whether E[V(X(t+1)) - V(X(t)) | X(t) = x] <= -delta at every state x whose queues sum to a threshold.
///
/// The policy is executed symbolically from an arbitrary state; on each cell of states the drift is affine, and Farkas
/// multipliers show the bound (proofs/queueing/drift/). A refutation is a state whose drift, by exact enumeration,
/// exceeds the bound, with the command that shows it. Where the statement is proved but does not give stability by
/// Foster's criterion, the gap is named and the exit code is 3. Where no function is named, the usual one of the
/// policy's queues is tried, and then one is looked for.
/// Long: what is asked, how it is decided and how it is answered share one run.
#include <fmt/core.h>

#include "checks/pictures/term_picture.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/picture_file.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "experiments/runs/unit.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/drift/summand_search.hpp"
#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"

namespace schedproof::cli {

struct ProveDriftRequest {
    SystemRequest system;
    std::string lyapunov;  ///< empty: the policy's own, or one that is looked for
    bool find_lyapunov = false;
    bool above = false;
    std::string delta;
    std::string threshold;
    std::string method = "automatic";
    std::string picture;  ///< .dot, .svg or .png to draw the summands in, or empty
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
    /// Whether no function was named.
    [[nodiscard]] bool looks_for_function() const { return v.form.products.empty() && v.form.pieces.empty(); }
    /// The command that shows the drift at a state.
    [[nodiscard]] std::string replay(const ExactState& state) const {
        const StateRequest words = to_words(exact, state).request();
        std::vector<std::string> command = policy_words(std::string(exact.info().id), "-p");
        command.insert(command.begin(), {"schedproof", "kernel", request.system.instance});
        command.insert(command.end(), {"--queues", words.queues, "--serving", words.serving});
        if (!words.counters.empty()) command.insert(command.end(), {"--counters", words.counters});
        command.insert(command.end(), {"--lyapunov", v.id});
        return base::command_line(command);
    }
};

DriftRun start(const ProveDriftRequest& request) {
    LoadedSystem loaded = load(request.system);
    if (loaded.system.truncation().rule != Truncation::Rule::none)
        throw InputError::at_key("--cap-total, --cap-queue", "expected no truncation: the statement is for all states");
    SymbolicSystem symbolic = symbolic_system(*loaded.instance, loaded.system.info().id);
    if (request.find_lyapunov && !request.lyapunov.empty())
        throw InputError::at_key("--find-lyapunov", "cannot be used with --lyapunov");
    std::string chosen = request.lyapunov.empty() ? lyapunov_of(loaded.system.info().id) : request.lyapunov;
    if (request.find_lyapunov) chosen.clear();
    // A multiple of a function that is found has any delta.
    if (chosen.empty() && (request.above || !request.threshold.empty() || !request.delta.empty()))
        throw InputError::at_key("--lyapunov", "expected a function with --above, --threshold or --delta");
    NamedLyapunov v = chosen.empty() ? NamedLyapunov{"found", "looked for; see the theorem", {}}
                                     : find_lyapunov(chosen, *loaded.instance, loaded.system.layout());
    DriftGoal goal{v.form, request.above ? Sense::above : Sense::below, Rational(1), std::nullopt, std::nullopt};
    if (!request.delta.empty()) goal.delta = option_number(request.delta, "--delta");
    if (goal.delta.sign() <= 0) throw InputError::at_key("--delta", "expected a number above 0, not " + request.delta);
    if (!request.threshold.empty()) goal.threshold = option_number(request.threshold, "--threshold");
    return {request,        std::move(loaded.instance), std::move(loaded.system), std::move(symbolic), std::move(v),
            std::move(goal)};
}

/// A state where the statement fails, replayed by exact enumeration.
struct FailsAt {
    const DriftRun& run;
    const ExactState& state;

    [[nodiscard]] Rational drift() const { return queueing::drift(run.exact, state, run.v.form); }
};

/// What became of a run: a theorem, a counterexample, or a reason.
struct DriftAnswer {
    const DriftRun& run;
    double seconds = 0;
    explore::Statistics statistics = {};
    std::optional<Certificate> certificate = {};
    std::size_t smtlib_files = 0;
    std::optional<DriftRefutation> refutation = {};
    std::string reason = {};

    [[nodiscard]] const char* verdict() const { return certificate ? "proved" : refutation ? "refuted" : "unknown"; }
    [[nodiscard]] const DriftTheorem& theorem() const { return std::get<DriftTheorem>(certificate->theorem); }
    /// Why stability does not follow by Foster's criterion; nothing where it does, or was not asked.
    [[nodiscard]] std::optional<std::string> gap() const {
        return run.below() ? if_any(stability_gap(run.symbolic, theorem())) : std::nullopt;
    }
    [[nodiscard]] std::optional<FailsAt> far() const {
        return refutation->far ? std::optional(FailsAt{run, *refutation->far}) : std::nullopt;
    }
    /// The direction of the ray: `(1/5, 4/5) of (Q[s0], Q[s1])`.
    [[nodiscard]] std::string direction() const {
        const proof::Space space = run.symbolic.space(refutation->state);
        std::string steps, names;
        for (std::size_t x = 0; x < refutation->ray->size(); ++x) {
            const Rational& step = (*refutation->ray)[x];
            if (step.sign() == 0) continue;
            steps += (steps.empty() ? "" : ", ") + step.to_string();
            names += (names.empty() ? "" : ", ") + space.symbols[x].name;
        }
        return names.find(',') == std::string::npos ? "of " + names : "(" + steps + ") of (" + names + ")";
    }
};

/// The direction as a state has it; queues that list their tasks do not grow along it.
struct DriftRay {
    std::vector<Rational> queues, counters;
};
std::optional<DriftRay> drift_ray(const DriftAnswer& answer) {
    if (!answer.refutation->ray) return {};
    const Layout& layout = answer.run.exact.layout();
    DriftRay ray;
    auto step = answer.refutation->ray->begin();
    for (const QueueId q : IdRange<QueueId>(layout.queues()))
        ray.queues.push_back(layout.tracking(q) == Tracking::listed ? Rational(0) : *step++);
    ray.counters.assign(step, answer.refutation->ray->end());
    return ray;
}

const Record<FailsAt>& fails_record() {
    using F = FailsAt;
    static const Record<F> record =
        Record<F>{
            field(
                "state",
                [](const F& f) {
                    return StateOf{f.run.exact, f.state};
                },
                "", state_record())
                .hidden(),
            field("drift", &F::drift, "E[V(next)] - V at the state. Unit: that of V, per slot."),
            field(
                "replay", [](const F& f) { return f.run.replay(f.state); }, "The command that shows the same drift.")
                .pattern("^schedproof kernel ")}
            .named("replayed", "A state where the statement fails, replayed by exact enumeration.")
            .column(12);
    return record;
}

Record<DriftAnswer> drift_theorem_record() {
    using A = DriftAnswer;
    const Record<A> stability{
        field(
            "verdict", [](const A& a) { return a.gap() ? "unknown" : "proved"; }, "Of stability.")
            .words({"proved", "unknown"}),
        field("reason", &A::gap, "Why it does not follow; null when it does.").null_unless("verdict", {"unknown"})};
    return Record<A>{
        field(
            "sentence", [](const A& a) { return sentence(*a.certificate); }, "The theorem in words.")
            .label("theorem"),
        field(
            "threshold", [](const A& a) { return a.theorem().threshold; },
            "Sum of the queues from which on the bound holds. Unit: tasks."),
        field(
            "questions", [](const A& a) { return a.certificate->proofs.size(); },
            "Questions about the code whose proofs are the theorem.")
            .least(1)
            .hidden(),
        words("stability",
              [](const A& a) {
                  return !a.run.below() ? "" : a.gap() ? "Unknown: " + *a.gap() : "Proved, by Foster's criterion";
              }),
        field(
            "stability", [](const A& a) { return a.run.below() ? &a : nullptr; },
            "Whether stability follows by Foster's criterion; null for the sense above.", stability)
            .hidden()};
}

/// Long: a line or two for each field of the answer.
const Answer<DriftAnswer>& drift_answer() {
    using A = DriftAnswer;
    const std::vector<std::string> proved{"proved"}, refuted{"refuted"};
    const Record<NamedLyapunov> lyapunov{field("id", &NamedLyapunov::id, "Name of the function V."),
                                         field("formula", &NamedLyapunov::formula, "V in words.")};
    const Record<DriftRay> ray{
        field("queues", &DriftRay::queues, "Growth of each queue.").items(1).unit("tasks"),
        field(
            "counters", [](const DriftRay& r) { return r.counters.empty() ? std::nullopt : std::optional(r.counters); },
            "Growth of the counters of a policy that keeps some.")
            .items(1)
            .optional()};
    static const Answer<A> answer{
        "prove-drift",
        "The drift of a function of the state at all states. Answer of `schedproof prove drift --format json`.",
        Record<A>{
            instance_field([](const A& a) { return a.run.instance->name(); }).hidden(),
            policy_field([](const A& a) { return a.run.exact.info().id; }).hidden(),
            definition_field([](const A& a) { return definition(a.run.exact.info().id); }),
            queue_names_field([](const A& a) { return queue_names(*a.run.instance, a.run.exact.layout()); }),
            field(
                "lyapunov", [](const A& a) -> const NamedLyapunov& { return a.run.v; }, "The function.", lyapunov)
                .hidden(),
            field(
                "sense", [](const A& a) { return a.run.below() ? "below" : "above"; },
                "below: drift <= -delta; above: drift >= delta.")
                .words({"below", "above"})
                .hidden(),
            field(
                "delta", [](const A& a) { return a.run.goal.delta; }, "Range: above 0. Unit: that of V, per slot.")
                .least(0)
                .open()
                .hidden(),
            field("verdict", &A::verdict, "Of the claim, for all states.")
                .words({"proved", "refuted", "unknown"})
                .hidden(),
            words("verdict",
                  [](const A& a) { return a.certificate  ? "Proved"
                                          : a.refutation ? "Refuted"
                                                         : "Unknown"; }),
            field(
                "claim", [](const A& a) { return a.run.claim(); }, "The statement that was put, in words.")
                .hidden(),
            words("claim", [](const A& a) { return a.certificate ? "" : a.run.claim(); }),
            field(
                "theorem", [](const A& a) -> const A& { return a; }, "What was proved.", drift_theorem_record())
                .only_when("verdict", proved)
                .among(),
            field(
                "counterexample",
                [](const A& a) {
                    return FailsAt{a.run, a.refutation->state};
                },
                "A state where it fails.", fails_record())
                .only_when("verdict", refuted)
                .label("state")
                .below("{state.line}"),
            field("far", &A::far,
                  "A state about a thousand times as far out, where it fails too; null when failure is not shown to go "
                  "on.",
                  fails_record())
                .only_when("verdict", refuted)
                .or_null()
                .label("far state")
                .below("{state.line}"),
            field("ray", drift_ray,
                  "The direction along which it fails for ever, with the lists of a state; null when none is known.",
                  ray)
                .only_when("verdict", refuted)
                .or_null()
                .hidden(),
            words("ray",
                  [](const A& a) {
                      return a.refutation && a.refutation->ray
                                 ? "the claim also fails arbitrarily far out, in the direction " + a.direction()
                                 : "";
                  }),
            field("reason", &A::reason, "Which budget ended, or what was not found.").only_when("verdict", {"unknown"}),
            seconds_field(&A::seconds),
            statistics_field(&A::statistics),
            lines("effort", [](const A& a) { return effort_line(a.statistics, a.seconds); }),
            field(
                "method", [](const A& a) { return a.certificate && a.theorem().summands ? "summands" : "joint"; },
                "How: by cells of the joint state, or summand by summand.")
                .words({"joint", "summands"})
                .hidden(),
            words("method",
                  [](const A& a) {
                      return a.certificate && a.theorem().summands
                                 ? fmt::format("{} summands of the drift, each bounded by itself",
                                               a.theorem().summands->size())
                                 : "";
                  }),
            lines("evidence",
                  [](const A& a) {
                      return a.certificate ? checked_lines(*a.certificate, a.run.request.evidence, a.smtlib_files) : "";
                  }),
            certificate_field([](const A& a) { return if_any(a.run.request.evidence.certificate); })
                .only_when("verdict", proved)
                .or_null(),
            field("smtlib_files", &A::smtlib_files, "Number of SMT-LIB files written.")
                .only_when("verdict", proved)
                .hidden(),
            picture_field([](const A& a) { return if_any(a.run.request.picture); })
                .only_when("verdict", proved)
                .or_null()}
            .column(14)};
    return answer;
}

int write(const DriftAnswer& found, int exit_code) {
    const DriftRun& run = found.run;
    return write_verdict(run.request.to, drift_answer(), found,
                         asked_of("prove drift", run.claim(), std::string(run.exact.info().id), run.instance->name()),
                         exit_code);
}

/// The terms of a proof by summands.
void draw(const DriftRun& run, const DriftTheorem& theorem) {
    if (run.request.picture.empty()) return;
    if (!theorem.summands)
        throw InputError::at_key("--picture",
                                 "the proof is by cells of the joint state; `--method summands` has terms to draw");
    const std::string bound = fmt::format("the sum is at most -{} from {} tasks on", theorem.delta.to_string(),
                                          theorem.threshold.to_string());
    write_dot_picture(
        graph::term_picture(run.symbolic, theorem,
                            {fmt::format("{} under {}: {}", run.instance->name(), run.exact.info().id, bound)}),
        run.request.picture);
}

int answer(const DriftRun& run, double seconds, const DriftProof& proof) {
    DriftAnswer found{run, seconds, proof.statistics};
    found.certificate = certified(run.instance, std::string(run.exact.info().id), proof.theorem, proof.proofs);
    draw(run, found.theorem());
    found.smtlib_files = write_evidence(run.request.evidence, *found.certificate);
    return write(found, found.gap() ? 3 : 0);
}

int answer(const DriftRun& run, double seconds, const DriftRefutation& refutation) {
    DriftAnswer found{run, seconds, refutation.statistics};
    found.refutation = refutation;
    return write(found, 1);
}

int answer(const DriftRun& run, double seconds, const DriftUnknown& unknown) {
    DriftAnswer found{run, seconds, unknown.statistics};
    found.reason = unknown.reason;
    return write(found, 3);
}

/// The usual function of the policy's queues, if its drift proves stability.
std::optional<DriftOutcome> of_usual_function(const DriftRun& run, const explore::Budget& budget) {
    try {
        DriftGoal goal = run.goal;
        goal.v = find_lyapunov(std::string(argument_function(run.symbolic.layout().arrangement())), *run.instance,
                               run.symbolic.layout())
                     .form;
        DriftOutcome outcome = prove_drift(run.symbolic, run.exact, goal, budget);
        const auto* proof = std::get_if<DriftProof>(&outcome);
        if (proof != nullptr && stability_gap(run.symbolic, proof->theorem).empty()) return outcome;
    } catch (const InputError&) {  // it is no function of these queues
    } catch (const LimitExceeded&) {}
    return std::nullopt;
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

/// The function that was named, or one that is found with its summands.
DriftOutcome by_summands(const DriftRun& run, Progress& progress, SummandBudget budget = {}) {
    budget.tries = [&](const Rational& threshold) {
        progress.stage("summands of the drift from " + threshold.to_string() + " tasks");
    };
    const auto outcome = run.looks_for_function() ? find_by_summands(run.symbolic, run.goal, budget)
                                                  : prove_by_summands(run.symbolic, {run.v.form, {}}, run.goal, budget);
    return std::visit([](const auto& found) -> DriftOutcome { return found; }, outcome);
}

/// A proof by summands that nobody asked for, where they are defined, few enough and prove the goal; or why not.
DriftOutcome unasked(const DriftRun& run, Progress& progress) {
    try {
        DriftOutcome outcome = by_summands(run, progress, {variables_unasked, {}});
        if (const auto* proof = std::get_if<DriftProof>(&outcome)) {
            const std::string gap = stability_gap(run.symbolic, proof->theorem);
            if (!gap.empty()) return DriftUnknown{"a proof by summands falls short: " + gap, {}};
        }
        return outcome;
    } catch (const InputError& error) {  // of an option, or since tasks come in batches or queues list them
        return DriftUnknown{error.what(), {}};
    } catch (const LimitExceeded& limit) {
        return DriftUnknown{fmt::format("{} (--method summands sets no limit)", limit.what()), {}};
    }
}

DriftOutcome of_any_function(const DriftRun& run, Progress& progress, const explore::Budget& budget) {
    if (run.request.find_lyapunov) return synthesised(run, budget);
    const bool may_choose = run.request.method == "automatic";
    const std::size_t statuses = may_choose ? combined_statuses(run.symbolic, too_many_statuses) : 0;
    std::optional<DriftOutcome> terms;
    if (statuses >= many_statuses) {
        terms = unasked(run, progress);
        if (std::holds_alternative<DriftProof>(*terms)) return std::move(*terms);
        if (statuses == too_many_statuses) {
            auto& unknown = std::get<DriftUnknown>(*terms);
            unknown.reason += fmt::format(
                "; cells of the joint state multiply with {} combinations of statuses or more, so that they were not "
                "tried (--method joint tries them)",
                statuses);
            return std::move(*terms);
        }
    }
    if (auto usual = of_usual_function(run, budget)) return std::move(*usual);
    if (may_choose && !terms) terms = unasked(run, progress);
    if (terms && std::holds_alternative<DriftProof>(*terms)) return std::move(*terms);
    return synthesised(run, budget);
}

}  // namespace

int run(const ProveDriftRequest& request) {
    if (!request.picture.empty()) check_picture_path(request.picture);
    require_writable({request.to.path, request.evidence.certificate, request.picture});
    require_writable_evidence(request.evidence, request.to.path);
    const DriftRun run = start(request);
    const Stopwatch watch;
    const DriftOutcome outcome = [&]() -> DriftOutcome {
        Progress progress("prove drift");
        try {
            const explore::Budget budget = budget_of(request.budget, progress);
            if (request.method == "summands") return by_summands(run, progress);
            if (!run.looks_for_function()) return prove_drift(run.symbolic, run.exact, run.goal, budget);
            return of_any_function(run, progress, budget);
        } catch (const LimitExceeded& limit) {
            return DriftUnknown{limit.what(), {}};
        }
    }();
    const double seconds = watch.seconds();
    return std::visit([&](const auto& kind) { return answer(run, seconds, kind); }, outcome);
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
               "total' (default: that of the policy's file, else the usual one of its queues, else one is looked for)",
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
         {{.names = "--method",
           .value = "METHOD",
           .target = &r.method,
           .meaning = "how: `joint`, by cells of the joint state; `summands`, each summand of the drift by itself "
                      "(default: automatic)",
           .words = {"automatic", "joint", "summands"}},
          {.names = "--picture",
           .value = "FILE",
           .target = &r.picture,
           .meaning = "draw the summands of the drift, of a proof by them (.dot, .svg or .png)"}},
         budget_options(r.budget),
         evidence_options(r.evidence),
         ci_destination_options(r.to)});
}

}  // namespace

Subcommand prove_drift() {
    return make_subcommand<ProveDriftRequest>(
        "drift", "the drift of a function of the state is at most -delta outside a finite set",
        "schedproof prove drift experiments/instances/m2-half.toml -p wang-jsq-maxweight "
        "--lyapunov regret --certificate drift.json",
        options, forms(drift_answer));
}

}  // namespace schedproof::cli
