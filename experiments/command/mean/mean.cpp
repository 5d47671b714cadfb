/// `mean`: a stationary mean of the infinite chain as a theorem, lower <= mean <= upper with exact numbers.
///
/// A table on a box of states and the drift of a Lyapunov function outside it (proofs/queueing/bounds/). Nothing is
/// printed before the certificate that holds both was accepted by the checker.
#include <fmt/core.h>

#include <mutex>

#include "experiments/command/core/budget.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/base/numeral.hpp"
#include "model/base/parallel.hpp"
#include "model/base/split.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"

namespace schedproof::cli {

struct MeanRequest {
    SystemRequest system;
    std::string of = "tasks";
    std::uint32_t digits = 6;
    std::optional<std::uint32_t> box;
    std::string weights;
    std::string lyapunov;
    bool uniform = false;
    std::uint64_t max_states = 4'000'000;
    BudgetRequest budget;
    EvidenceRequest evidence;
    Destination to;
};

namespace {

using namespace queueing;

constexpr std::uint32_t most_digits = 22;

/// One run of `mean`.
struct MeanRun {
    const MeanRequest& request;
    std::shared_ptr<const Instance> instance;
    ExactSystem exact;
    SymbolicSystem symbolic;
    MeanGoal goal;
};

std::vector<std::uint32_t> parse_weights(const std::string& text, const Layout& layout) {
    std::vector<std::uint32_t> weights;
    for (const std::string_view part : base::split(text, ',')) {
        const auto weight = base::parse_numeral<std::uint32_t>(part);
        if (!weight || *weight == 0 || *weight > 1000)
            throw InputError::at_key("--weights", fmt::format("expected integers from 1 to 1000, not '{}'", part));
        weights.push_back(*weight);
    }
    if (weights.size() != layout.queues())
        throw InputError::at_key(
            "--weights", fmt::format("expected {} numbers, one per queue, not {}", layout.queues(), weights.size()));
    return weights;
}

MeanRun start(const MeanRequest& request) {
    LoadedSystem loaded = load(request.system);
    SymbolicSystem symbolic = symbolic_system(*loaded.instance, loaded.system.info().id);
    MeanGoal goal;
    goal.of = read_state_function(request.of, *loaded.instance, loaded.system.layout());
    Integer grid = 1;
    for (std::uint32_t i = 0; i < request.digits; ++i) grid *= 10;
    goal.width = Rational(Integer(1), grid);
    if (!request.weights.empty()) goal.weights = parse_weights(request.weights, loaded.system.layout());
    if (!request.lyapunov.empty())
        goal.w = find_lyapunov(request.lyapunov, *loaded.instance, loaded.system.layout()).form;
    goal.radius = request.box;
    goal.uniform = request.uniform;
    if (goal.uniform && goal.of.is_quadratic())
        throw InputError::at_key("--uniform", "expected a quantity that grows no faster than the queues, not tasks^2");
    goal.max_states = request.max_states;
    goal.threads = base::default_threads();
    return {request, std::move(loaded.instance), std::move(loaded.system), std::move(symbolic), std::move(goal)};
}

/// What every answer begins with.
Json opening(const MeanRun& run, const char* verdict, double seconds, const explore::Statistics& statistics) {
    return {{"instance", run.instance->name()},
            {"policy", run.exact.info().id},
            {"definition", definition(run.exact.info().id)},
            {"queue_names", queue_names(*run.instance, run.exact.layout())},
            {"of", run.request.of},
            {"digits", run.request.box ? Json(nullptr) : Json(run.request.digits)},
            {"verdict", verdict},
            {"seconds", seconds},
            {"statistics", statistics_json(statistics)}};
}

int answer(const MeanRun& run, MeanProof proof, double seconds) {
    const Certificate certificate =
        certified(run.instance, std::string(run.exact.info().id), std::move(proof.theorem), proof.proofs);
    const auto& theorem = std::get<MeanTheorem>(certificate.theorem);
    const Rational width = theorem.upper - theorem.at_least();
    const bool reached = proof.reached || run.goal.radius;
    const std::size_t files = write_evidence(run.request.evidence, certificate);

    Json json = opening(run, "proved", seconds, proof.statistics);
    json["lower"] = number(theorem.at_least());
    json["upper"] = number(theorem.upper);
    json["width"] = number(width);
    json["reached"] = proof.reached;
    json["classes"] = proof.classes;
    json["theorem"] = {{"sentence", sentence(run.symbolic, theorem)},
                       {"lyapunov", theorem.setting.w.v.name},
                       {"kappa", number(theorem.setting.kappa)},
                       {"weights", theorem.weights},
                       {"radius", theorem.radius},
                       {"states", proof.states},
                       {"questions", certificate.proofs.size()}};
    json["certificate"] = text_or_null(run.request.evidence.certificate);
    json["smtlib_files"] = files;

    std::string text = fmt::format("verdict       Proved\n{:<13} [{}, {}]\nwidth         {:.1e}\ntheorem       {}\n",
                                   run.request.of, exact_decimal(theorem.at_least()), exact_decimal(theorem.upper),
                                   width.approximate(), sentence(run.symbolic, theorem));
    if (proof.classes > 1)
        text += fmt::format("classes       {} closed classes of states, each with a mean of its own in the interval\n",
                            proof.classes);
    if (!reached)
        text += fmt::format("not reached   a width of 1e-{}: it takes more than {} states (--max-states)\n",
                            run.request.digits, run.request.max_states);
    text += fmt::format("effort        {} states, {} iterations, {} cells, {:.2f} s\n", proof.states, proof.iterations,
                        proof.statistics.cells, seconds);
    text += fmt::format("checked       {} states and {} questions, without any solver\n", proof.states,
                        certificate.proofs.size());
    text += evidence_lines(run.request.evidence, files);
    return write_answer(run.request.to, "mean", json, text, reached ? 0 : 3);
}

int answer(const MeanRun& run, const MeanUnknown& unknown, double seconds) {
    const auto capacity = capacity::solve(*run.instance);
    std::string reason = unknown.reason;
    if (capacity.lower >= Rational(1))
        reason =
            fmt::format("the load rho* is {}{}: {}", capacity.exact() ? "" : "at least ", display(capacity.lower),
                        capacity.lower == Rational(1) ? "stability is certain only below 1" : "no policy is stable") +
            "; " + reason;
    else if (unknown.no_drift)
        reason += fmt::format(
            ". Next: --max-states, --lyapunov with a function of the instance file, or test for transience: schedproof "
            "prove transience {} -p {}",
            run.request.system.instance, run.request.system.policy);
    Json json = opening(run, "unknown", seconds, unknown.statistics);
    json["reason"] = reason;
    return write_answer(run.request.to, "mean", json, "verdict       Unknown\nreason        " + reason + "\n", 3);
}

}  // namespace

int run(const MeanRequest& request) {
    require_writable_evidence(request.evidence, request.to.path);
    MeanRun run = start(request);
    const Stopwatch watch;
    const MeanOutcome outcome = [&]() -> MeanOutcome {
        Progress progress("mean");
        std::mutex one_at_a_time;
        run.goal.progress = [&](std::string_view what, double done, double all) {
            const std::lock_guard lock(one_at_a_time);
            progress.report(what, done, all);
        };
        run.goal.say = [&](const std::string& line) { progress.say(line); };
        try {
            return prove_mean(run.symbolic, run.exact, run.goal, budget_of(request.budget, progress));
        } catch (const LimitExceeded& limit) {
            return MeanUnknown{limit.what(), {}};
        }
    }();
    const double seconds = watch.seconds();
    if (const auto* unknown = std::get_if<MeanUnknown>(&outcome)) return answer(run, *unknown, seconds);
    return answer(run, std::get<MeanProof>(outcome), seconds);
}

namespace {

OptionTable options(MeanRequest& r) {
    return joined({instance_and_policy(r.system),
                   {{.names = "--of",
                     .value = "QUANTITY",
                     .target = &r.of,
                     .meaning = "tasks, waiting, delay, busy, queue:NAME, P(tasks>K) or tasks^2 (default tasks)"},
                    {.names = "--digits",
                     .value = "N",
                     .target = &r.digits,
                     .meaning = "enlarge the box until the interval is at most 10^-N wide (default 6)",
                     .range = Interval{1, most_digits}},
                    {.names = "--box",
                     .value = "R",
                     .target = &r.box,
                     .meaning = "tabulate the states of measure at most R instead",
                     .excludes = {"--digits"}},
                    {.names = "--weights",
                     .value = "W,W,...",
                     .target = &r.weights,
                     .meaning = "weights of the queues in the measure (default: chosen)"},
                    {.names = "--uniform",
                     .target = &r.uniform,
                     .meaning = "cover the states outside the box by one drift of all states, which serves every box"},
                    {.names = "--lyapunov",
                     .value = "FUNCTION",
                     .target = &r.lyapunov,
                     .meaning = "function whose drift covers the states outside the box (default: the one of the "
                                "MaxWeight argument, else one that is found)",
                     .offers = lyapunov_ids},
                    max_states_option(r.max_states)},
                   budget_options(r.budget),
                   evidence_options(r.evidence),
                   destination_options(r.to)});
}

}  // namespace

Subcommand mean() {
    return make_subcommand<MeanRequest>(
        "mean", "an exact interval around a stationary mean of the untruncated chain, with a certificate",
        "schedproof mean experiments/instances/m2-half.toml -p jsq-maxweight --digits 9 --certificate mean.json",
        options);
}

}  // namespace schedproof::cli
