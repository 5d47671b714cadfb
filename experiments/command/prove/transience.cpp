/// `prove transience`: a function W whose drift is at least delta wherever W >= threshold, with bounded jumps, so that
/// with positive probability the system, started empty, never empties again.
///
/// The search (proofs/queueing/transience/) proposes W from the policy's cells; the theorem's hypotheses are proved as
/// questions with certificates. When nothing is found the verdict is Unknown: that says nothing about stability.
#include <fmt/core.h>

#include "checks/pictures/pattern_picture.hpp"
#include "experiments/command/core/picture_file.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"
#include "proofs/queueing/transience/pattern_graph.hpp"
#include "proofs/queueing/transience/transience_search.hpp"

namespace schedproof::cli {

struct ProveTransienceRequest {
    SystemRequest system;
    BudgetRequest budget;
    EvidenceRequest evidence;
    std::string picture;  ///< .dot, .svg or .png to draw the cells in, or empty
    Destination to;
};

namespace {

using namespace queueing;

struct TransienceRun {
    const ProveTransienceRequest& request;
    std::shared_ptr<const Instance> instance;
    std::string policy;
    SymbolicSystem symbolic;
    double seconds = 0;
};

TransienceRun start(const ProveTransienceRequest& request) {
    LoadedSystem loaded = load(request.system);
    std::string policy(loaded.system.info().id);
    SymbolicSystem symbolic = symbolic_system(*loaded.instance, policy);
    return {request, std::move(loaded.instance), std::move(policy), std::move(symbolic)};
}

int give(const TransienceRun& run, const Json& json, const std::string& text, int code) {
    return write_answer(run.request.to, "prove-transience", json, text, code);
}

Json opening(const TransienceRun& run, const explore::Statistics& statistics, const char* verdict) {
    return {{"instance", run.instance->name()},
            {"policy", run.policy},
            {"definition", definition(run.policy)},
            {"verdict", verdict},
            {"seconds", run.seconds},
            {"statistics", statistics_json(statistics)}};
}

void draw(const TransienceRun& run, const TransienceTheorem& theorem, const explore::Budget& budget) {
    if (run.request.picture.empty()) return;
    const PatternGraph graph = pattern_graph(run.symbolic, theorem, budget);
    const std::string load = theorem.capacity.upper < Rational(1)
                                 ? "transient at rho* = " + theorem.capacity.upper.to_string() + " < 1"
                                 : "transient";
    write_dot_picture(graph::pattern_picture(graph,
                                             {fmt::format("{} under {}: {}", run.instance->name(), run.policy, load),
                                              fmt::format("the drift of W is at least {} wherever W >= {}",
                                                          theorem.delta.to_string(), theorem.threshold.to_string())},
                                             formula(theorem.w, *run.instance, run.symbolic.layout())),
                      run.request.picture);
}

int answer(const TransienceRun& run, TransienceProof proof, const explore::Budget& budget) {
    const Certificate certificate = certified(run.instance, run.policy, std::move(proof.theorem), proof.proofs);
    const auto& theorem = std::get<TransienceTheorem>(certificate.theorem);
    draw(run, theorem, budget);
    const std::size_t files = write_evidence(run.request.evidence, certificate);
    const std::string words = sentence(run.symbolic, theorem),
                      w = formula(theorem.w, *run.instance, run.symbolic.layout());
    const capacity::CapacityCertificate& load = theorem.capacity;

    Json json = opening(run, proof.statistics, "proved");
    json["theorem"] = {{"sentence", words},
                       {"w", w},
                       {"delta", number(theorem.delta)},
                       {"threshold", number(theorem.threshold)},
                       {"jump", number(theorem.jump)},
                       {"load", {{"lower", number(load.lower)}, {"upper", number(load.upper)}}},
                       {"questions", certificate.proofs.size()}};
    json["certificate"] = text_or_null(run.request.evidence.certificate);
    json["smtlib_files"] = files;
    json["picture"] = text_or_null(run.request.picture);
    std::string text = fmt::format(
        "verdict       Proved\ntheorem       {}\nW             {}\ndelta         {}\nthreshold     W >= {}\n"
        "largest jump  {}\nload          rho* {} {}\n",
        words, w, display(theorem.delta), display(theorem.threshold), display(theorem.jump),
        load.exact() ? "=" : "<=", display(load.upper));
    text += effort_line(proof.statistics, run.seconds) +
            fmt::format("checked       {} questions, without any solver\n", certificate.proofs.size());
    text += evidence_lines(run.request.evidence, files);
    if (!run.request.picture.empty()) text += "picture       " + run.request.picture + "\n";
    return give(run, json, text, 0);
}

int answer(const TransienceRun& run, const TransienceUnknown& unknown, const explore::Budget&) {
    Json json = opening(run, unknown.statistics, "unknown");
    json["reason"] = unknown.reason;
    return give(
        run, json,
        "verdict       Unknown\nreason        " + unknown.reason + "\n" + effort_line(unknown.statistics, run.seconds),
        3);
}

}  // namespace

int run(const ProveTransienceRequest& request) {
    if (!request.picture.empty()) check_picture_path(request.picture);
    require_writable({request.to.path, request.evidence.certificate, request.picture});
    require_writable_evidence(request.evidence, request.to.path);
    TransienceRun run = start(request);
    const Stopwatch watch;
    Progress progress("prove transience");
    const explore::Budget budget = budget_of(request.budget, progress);
    TransienceOutcome outcome = [&]() -> TransienceOutcome {
        try {
            return search_transience(run.symbolic, budget);
        } catch (const LimitExceeded& limit) {
            return TransienceUnknown{limit.what(), {}, {}};
        }
    }();
    run.seconds = watch.seconds();
    return std::visit([&](auto& kind) { return answer(run, std::move(kind), budget); }, outcome);
}

namespace {

OptionTable options(ProveTransienceRequest& r) {
    return joined({instance_and_policy(r.system),
                   {{.names = "--picture",
                     .value = "FILE",
                     .target = &r.picture,
                     .meaning = "draw the cells and their drifts (.dot, .svg or .png)"}},
                   budget_options(r.budget),
                   evidence_options(r.evidence),
                   destination_options(r.to)});
}

}  // namespace

Subcommand prove_transience() {
    return make_subcommand<ProveTransienceRequest>(
        "transience", "with positive probability the queues grow without bound",
        "schedproof prove transience experiments/instances/n2-pandas.toml -p pandas --picture cells.svg", options);
}

}  // namespace schedproof::cli
