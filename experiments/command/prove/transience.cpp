/// `prove transience`: a function W whose drift is at least delta wherever W >= threshold, with bounded jumps, so that
/// with positive probability the system, started empty, never empties again.
///
/// The search (proofs/queueing/transience/) proposes W from the policy's cells; the theorem's hypotheses are proved as
/// questions with certificates. When nothing is found the verdict is Unknown: that says nothing about stability.
#include <fmt/core.h>

#include "checks/pictures/pattern_picture.hpp"
#include "experiments/command/core/picture_file.hpp"
#include "experiments/command/core/state_json.hpp"
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
    std::string picture;                            ///< .dot, .svg or .png to draw the cells in, or empty
    std::uint64_t table = queueing::default_table;  ///< most increments of a table in W; 0 for a linear W
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

void draw(const TransienceRun& run, const TransienceTheorem& theorem, const explore::Budget& budget) {
    if (run.request.picture.empty()) return;
    if (theorem.modes)
        throw InputError::at_key("--picture", "the proof is by modes of arrivals, which have no cells to draw");
    if (theorem.cone)
        throw InputError::at_key("--picture",
                                 "the proof is by terms of the drift in a cone, which has no cells to draw");
    const PatternGraph graph = pattern_graph(run.symbolic, theorem, budget);
    const std::string load = theorem.capacity.upper < Rational(1)
                                 ? "transient at rho* = " + theorem.capacity.upper.to_string() + " < 1"
                                 : "transient";
    write_dot_picture(graph::pattern_picture(graph,
                                             {fmt::format("{} under {}: {}", run.instance->name(), run.policy, load),
                                              fmt::format("the drift of W is at least {} wherever W >= {}",
                                                          theorem.delta.to_string(), theorem.threshold.to_string())},
                                             function_text(run.symbolic, theorem)),
                      run.request.picture);
}

/// What became of a run: a theorem with its certificate, or a reason.
struct TransienceAnswer {
    const TransienceRun& run;
    explore::Statistics statistics;
    std::optional<Certificate> certificate;
    std::size_t smtlib_files = 0;
    std::string reason = {};

    [[nodiscard]] const TransienceTheorem& theorem() const { return std::get<TransienceTheorem>(certificate->theorem); }
};

/// phi as JSON.
struct TableAnswer {
    std::string queue;
    std::vector<Rational> increments;
};
std::optional<TableAnswer> table_record_of(const TransienceAnswer& a) {
    const std::optional<QueueTable>& table = a.theorem().table;
    if (!table) return std::nullopt;
    return TableAnswer{a.run.symbolic.layout().name(*a.run.instance, table->queue), table->increments};
}
Record<TableAnswer> table_record() {
    return {field("queue", &TableAnswer::queue, "The queue whose length phi is of."),
            field("increments", &TableAnswer::increments,
                  "phi(n + 1) - phi(n) for n = 0, 1, ...; the last is repeated beyond. phi(0) = 0.")};
}

Record<TransienceAnswer> theorem_record() {
    using A = TransienceAnswer;
    using Load = capacity::CapacityCertificate;
    const auto part = [](const char* name, Rational TransienceTheorem::*of, const char* meaning) {
        return field(
            name, [of](const A& a) { return a.theorem().*of; }, meaning);
    };
    const Record<Load> load{field("lower", &Load::lower, "rho* is at least this."),
                            field("upper", &Load::upper, "rho* is at most this."),
                            aside("relation", [](const Load& l) { return l.exact() ? "=" : "<="; })};
    return Record<A>{field(
                         "sentence", [](const A& a) { return sentence(*a.certificate); }, "The theorem in words.")
                         .label("theorem"),
                     field(
                         "w", [](const A& a) { return function_text(a.run.symbolic, a.theorem()); },
                         "The function whose drift is positive.")
                         .label("W"),
                     field("table", table_record_of,
                           "What phi is, where W has a table of one queue's length; null otherwise.", table_record())
                         .hidden(),
                     part("delta", &TransienceTheorem::delta, "Its drift is at least this."),
                     part("threshold", &TransienceTheorem::threshold, "Wherever W is at least this.").form("W >= {}"),
                     part("jump", &TransienceTheorem::jump, "No slot changes W by more.").label("largest jump"),
                     field(
                         "load", [](const A& a) -> const Load& { return a.theorem().capacity; },
                         "The load of the capacity region.", load)
                         .form("rho* {relation} {upper}"),
                     field(
                         "questions", [](const A& a) { return a.certificate->proofs.size(); },
                         "Questions about the code that were proved.")
                         .least(1)
                         .hidden()};
}

const Answer<TransienceAnswer>& transience_answer() {
    using A = TransienceAnswer;
    const std::vector<std::string> proved{"proved"};
    static const Answer<A> answer{
        "prove-transience",
        "Whether the cluster, started empty, may never empty again. Answer of `schedproof prove transience --format "
        "json`.",
        Record<A>{
            instance_field([](const A& a) { return a.run.instance->name(); }).hidden(),
            policy_field([](const A& a) { return a.run.policy; }).hidden(),
            definition_field([](const A& a) { return definition(a.run.policy); }),
            field(
                "verdict", [](const A& a) { return a.certificate ? "proved" : "unknown"; },
                "Unknown says nothing about the policy: no function of the template was found, or a budget ended.")
                .words({"proved", "unknown"})
                .hidden(),
            words("verdict", [](const A& a) { return a.certificate ? "Proved" : "Unknown"; }),
            field("reason", &A::reason, "Why the verdict is unknown.").only_when("verdict", {"unknown"}),
            field(
                "theorem", [](const A& a) -> const A& { return a; }, "What was proved.", theorem_record())
                .among()
                .only_when("verdict", proved),
            seconds_field([](const A& a) { return a.run.seconds; }), statistics_field(&A::statistics),
            lines("effort", [](const A& a) { return effort_line(a.statistics, a.run.seconds); }),
            lines("evidence",
                  [](const A& a) {
                      return a.certificate ? checked_lines(*a.certificate, a.run.request.evidence, a.smtlib_files) : "";
                  }),
            certificate_field([](const A& a) { return if_any(a.run.request.evidence.certificate); })
                .only_when("verdict", proved)
                .or_null(),
            field("smtlib_files", &A::smtlib_files, "SMT-LIB files written.").only_when("verdict", proved).hidden(),
            picture_field([](const A& a) { return if_any(a.run.request.picture); })
                .only_when("verdict", proved)
                .or_null()}
            .column(14)};
    return answer;
}

int write(const TransienceAnswer& found, int exit_code) {
    return write_verdict(found.run.request.to, transience_answer(), found,
                         asked_of("prove transience", "With positive probability the queues grow without bound.",
                                  found.run.policy, found.run.instance->name()),
                         exit_code);
}

int answer(const TransienceRun& run, TransienceProof proof, const explore::Budget& budget) {
    TransienceAnswer found{run, proof.statistics, {}};
    found.certificate = certified(run.instance, run.policy, std::move(proof.theorem), proof.proofs);
    draw(run, found.theorem(), budget);
    found.smtlib_files = write_evidence(run.request.evidence, *found.certificate);
    return write(found, 0);
}

int answer(const TransienceRun& run, const TransienceUnknown& unknown, const explore::Budget&) {
    return write({run, unknown.statistics, {}, 0, unknown.reason}, 3);
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
            return search_transience(run.symbolic, budget, run.request.table);
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
                     .meaning = "draw the cells and their drifts (.dot, .svg or .png)"},
                    {.names = "--table",
                     .value = "N",
                     .target = &r.table,
                     .meaning = "most increments of a table of one queue's length in W, which is tried where no "
                                "linear W will do (0: none)"}},
                   budget_options(r.budget),
                   evidence_options(r.evidence),
                   ci_destination_options(r.to)});
}

}  // namespace

Subcommand prove_transience() {
    return make_subcommand<ProveTransienceRequest>(
        "transience", "with positive probability the queues grow without bound",
        "schedproof prove transience experiments/instances/n2-pandas.toml -p pandas --picture cells.svg", options,
        forms(transience_answer));
}

}  // namespace schedproof::cli
