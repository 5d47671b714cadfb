#include <fmt/core.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "checks/pictures/pattern_picture.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/picture_file.hpp"
#include "experiments/command/core/requests.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"
#include "proofs/queueing/transience/pattern_graph.hpp"
#include "proofs/queueing/transience/transience_search.hpp"

namespace schedproof::command {

namespace {

using namespace queueing;
using nlohmann::ordered_json;

struct Run {
    const ProveTransienceRequest& request;
    std::shared_ptr<const Instance> instance;
    std::string policy;
    SymbolicSystem symbolic;
    double seconds = 0;
};

Run start(const ProveTransienceRequest& request) {
    LoadedSystem loaded = load(request.system);
    std::string policy(loaded.system.info().id);
    SymbolicSystem symbolic = symbolic_system(*loaded.instance, policy);
    return {request, std::move(loaded.instance), std::move(policy), std::move(symbolic)};
}

std::string effort(const Run& run, const explore::Statistics& statistics) {
    return fmt::format("effort        {} cells, {} empty sides, {} questions to the solver, {:.2f} s\n",
                       statistics.cells, statistics.closed, statistics.questions, run.seconds);
}

int give(const Run& run, const ordered_json& json, const std::string& text, int code) {
    if (run.request.to.json())
        write_json(run.request.to.path, "prove-transience", json);
    else
        write_text(run.request.to.path, text);
    return code;
}

ordered_json opening(const Run& run, const explore::Statistics& statistics, const char* verdict) {
    return {{"instance", run.instance->name()},
            {"policy", run.policy},
            {"verdict", verdict},
            {"seconds", run.seconds},
            {"statistics", to_json(statistics)}};
}

void draw(const Run& run, const TransienceTheorem& theorem, const explore::Budget& budget) {
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

int answer(const Run& run, TransienceProof proof, const explore::Budget& budget) {
    const Certificate certificate = certified(run.instance, run.policy, std::move(proof.theorem), proof.proofs);
    const auto& theorem = std::get<TransienceTheorem>(certificate.theorem);
    draw(run, theorem, budget);
    const std::size_t files = write_evidence(run.request.evidence, certificate);
    const std::string words = sentence(run.symbolic, theorem),
                      w = formula(theorem.w, *run.instance, run.symbolic.layout());
    const capacity::CapacityCertificate& load = theorem.capacity;
    const auto optional = [](const std::string& path) {
        return path.empty() ? ordered_json(nullptr) : ordered_json(path);
    };

    ordered_json json = opening(run, proof.statistics, "proved");
    json["theorem"] = {{"sentence", words},
                       {"w", w},
                       {"delta", number(theorem.delta)},
                       {"threshold", number(theorem.threshold)},
                       {"jump", number(theorem.jump)},
                       {"load", {{"lower", number(load.lower)}, {"upper", number(load.upper)}}},
                       {"questions", certificate.proofs.size()}};
    json["certificate"] = optional(run.request.evidence.certificate);
    json["smtlib_files"] = files;
    json["picture"] = optional(run.request.picture);
    std::string text = fmt::format(
        "verdict       Proved\ntheorem       {}\nW             {}\ndelta         {}\nthreshold     W >= {}\n"
        "largest jump  {}\nload          rho* {} {}\n",
        words, w, display(theorem.delta), display(theorem.threshold), display(theorem.jump),
        load.exact() ? "=" : "<=", display(load.upper));
    text += effort(run, proof.statistics) +
            fmt::format("checked       {} questions, without any solver\n", certificate.proofs.size());
    if (!run.request.evidence.certificate.empty()) text += "certificate   " + run.request.evidence.certificate + "\n";
    if (files > 0) text += fmt::format("smtlib        {} files in {}\n", files, run.request.evidence.smtlib);
    if (!run.request.picture.empty()) text += "picture       " + run.request.picture + "\n";
    return give(run, json, text, 0);
}

int answer(const Run& run, const TransienceUnknown& unknown, const explore::Budget&) {
    ordered_json json = opening(run, unknown.statistics, "unknown");
    json["reason"] = unknown.reason;
    return give(run, json,
                "verdict       Unknown\nreason        " + unknown.reason + "\n" + effort(run, unknown.statistics), 3);
}

}  // namespace

int run(const ProveTransienceRequest& request) {
    if (!request.picture.empty()) check_picture_path(request.picture);
    require_writable({request.to.path, request.evidence.certificate, request.picture});
    require_writable_evidence(request.evidence, request.to.path);
    Run run = start(request);
    const auto begin = std::chrono::steady_clock::now();
    Progress progress("prove transience");
    const explore::Budget budget = budget_of(request.budget, progress);
    TransienceOutcome outcome = [&]() -> TransienceOutcome {
        try {
            return search_transience(run.symbolic, budget);
        } catch (const LimitExceeded& limit) { return TransienceUnknown{limit.what(), {}, {}}; }
    }();
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::visit([&](auto& kind) { return answer(run, std::move(kind), budget); }, outcome);
}

}  // namespace schedproof::command
