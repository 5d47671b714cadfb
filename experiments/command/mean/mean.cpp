/// `mean`: a stationary mean of the infinite chain as a theorem, lower <= mean <= upper with exact numbers.
///
/// A table on a box of states and the drift of a Lyapunov function outside it (proofs/queueing/bounds/). Nothing is
/// printed before the certificate that holds both was accepted by the checker.
#include <fmt/core.h>

#include <mutex>

#include "experiments/command/core/budget.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/core/table.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/base/numeral.hpp"
#include "model/base/parallel.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
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
    std::optional<std::uint64_t> time_limit;
    bool measured = false;
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
        throw InputError::at_key("--uniform",
                                 "expected a quantity that grows no faster than the queues, not tasks^2 or cost");
    goal.max_states = request.max_states;
    if (request.time_limit) goal.seconds = static_cast<double>(*request.time_limit);
    goal.measure = request.measured;
    goal.threads = base::default_threads();
    return {request, std::move(loaded.instance), std::move(loaded.system), std::move(symbolic), std::move(goal)};
}

/// What became of a run: a theorem with its certificate, or a reason.
struct MeanAnswer {
    const MeanRun& run;
    double seconds = 0;
    explore::Statistics statistics;
    std::optional<Certificate> certificate;
    bool reached = false;  ///< the width that was asked for
    std::size_t classes = 0, states = 0, iterations = 0, smtlib_files = 0;
    std::string reason = {};
    std::optional<MeasuredMean> measured = {};

    [[nodiscard]] std::string verdict() const { return certificate ? "proved" : measured ? "measured" : "unknown"; }
    [[nodiscard]] const MeanTheorem& theorem() const { return std::get<MeanTheorem>(certificate->theorem); }
    [[nodiscard]] Rational width() const { return theorem().upper - theorem().at_least(); }
    [[nodiscard]] std::string words() const { return sentence(*certificate); }
    [[nodiscard]] std::string text() const;
};

std::string MeanAnswer::text() const {
    if (!certificate) {
        std::string text = fmt::format("verdict       {}\n", measured ? "Measured" : "Unknown");
        if (measured) {
            text += fmt::format(
                "{:<13} {:.8g}: it bounds nothing\n"
                "how           along the paths in the box of radius {} ({} states), started again where they leave it; "
                "{}\n",
                run.request.of, measured->value, measured->radius, measured->states,
                measured->change ? fmt::format("that of the box before differs by {:.1e}", *measured->change)
                                 : "there was no box before");
        }
        return text + (measured ? "no interval   " : "reason        ") + reason + "\n";
    }
    std::string text = fmt::format("verdict       Proved\n{:<13} [{}, {}]\nwidth         {:.1e}\ntheorem       {}\n",
                                   run.request.of, exact_decimal(theorem().at_least()), exact_decimal(theorem().upper),
                                   width().approximate(), words());
    if (classes > 1)
        text += fmt::format("classes       {} closed classes of states, each with a mean of its own in the interval\n",
                            classes);
    if (!reached && !run.goal.radius)
        text += fmt::format("not reached   a width of 1e-{}: it takes more than {} states ({})\n", run.request.digits,
                            run.request.time_limit ? states : run.request.max_states,
                            run.request.time_limit ? "--time-limit" : "--max-states");
    text += fmt::format("effort        {} states, {} iterations, {} cells, {:.2f} s\n", states, iterations,
                        statistics.cells, seconds);
    text += fmt::format("checked       {} states and {} questions, without any solver\n", states,
                        certificate->proofs.size());
    text += evidence_lines(run.request.evidence, smtlib_files);
    if (!run.request.evidence.certificate.empty())
        text += fmt::format("table         {}.table beside it, which `certify` reads too\n", theorem().digest);
    return text;
}

/// Long: a line or two for each field of the answer.
const Answer<MeanAnswer>& mean_answer() {
    using A = MeanAnswer;
    const Record<A> theorem{
        field("sentence", &A::words, "The theorem in words."),
        field(
            "lyapunov", [](const A& a) { return a.theorem().setting.w.v.name; },
            "The function whose drift carries the states outside the box."),
        field(
            "kappa", [](const A& a) { return a.theorem().setting.kappa; }, "What it is multiplied by. Range: above 0.")
            .least(0)
            .open(),
        field(
            "weights", [](const A& a) { return a.theorem().weights; }, "Of the queues in the measure of the box.")
            .items(1)
            .least(1),
        field(
            "radius", [](const A& a) { return a.theorem().radius; },
            "The states of the box have at most this measure."),
        field("states", &A::states, "Of the box.").least(1),
        field(
            "questions", [](const A& a) { return a.certificate->proofs.size(); },
            "Questions about the code outside the box.")
            .least(1)};
    const Record<MeasuredMean> measured{
        field("value", &MeasuredMean::value, "The mean.")
            .unit("tasks, slots or units of time for a delay, servers for busy, none for a cost"),
        field("change", &MeasuredMean::change, "From that of the box before.").least(0),
        field("radius", &MeasuredMean::radius, "The states of the box have at most this measure."),
        field("states", &MeasuredMean::states, "Of the box.").least(1)};
    const std::vector<std::string> proved{"proved"};
    static const Answer<A> answer{
        "mean",
        "An exact interval that holds a stationary mean of the untruncated chain. Answer of `schedproof mean --format "
        "json`.",
        Record<A>{
            instance_field([](const A& a) { return a.run.instance->name(); }),
            policy_field([](const A& a) { return a.run.exact.info().id; }),
            definition_field([](const A& a) { return definition(a.run.exact.info().id); }),
            queue_names_field([](const A& a) { return queue_names(*a.run.instance, a.run.exact.layout()); }),
            field(
                "of", [](const A& a) { return a.run.request.of; },
                "The quantity: tasks, waiting, delay, busy, queue:NAME, P(tasks>K), tasks^2 or cost."),
            field(
                "digits",
                [](const A& a) { return a.run.request.box ? std::nullopt : std::optional(a.run.request.digits); },
                "An interval at most 10^-digits wide was asked for; null where the box was given instead.")
                .least(1),
            field("verdict", &A::verdict, "Of the interval; measured: none was proved, and a number was asked for.")
                .words({"proved", "measured", "unknown"}),
            seconds_field(&A::seconds), statistics_field(&A::statistics),
            field(
                "lower", [](const A& a) { return a.theorem().at_least(); }, "The mean is at least this.")
                .unit("tasks, slots or units of time for a delay, servers for busy, none for a cost")
                .only_when("verdict", proved),
            field(
                "upper", [](const A& a) { return a.theorem().upper; }, "The mean is at most this.")
                .only_when("verdict", proved),
            field("width", &A::width, "upper - lower.").only_when("verdict", proved),
            field("reached", &A::reached,
                  "Whether the interval is as narrow as was asked for, but for what several classes differ by.")
                .only_when("verdict", proved),
            field("classes", &A::classes,
                  "Closed classes of states found in the box: each has a mean of its own, which the interval holds.")
                .least(1)
                .only_when("verdict", proved),
            field(
                "theorem", [](const A& a) -> const A& { return a; }, "What was proved.", theorem)
                .only_when("verdict", proved),
            certificate_field([](const A& a) { return if_any(a.run.request.evidence.certificate); })
                .only_when("verdict", proved)
                .or_null(),
            field("smtlib_files", &A::smtlib_files, "Number of SMT-LIB files written.").only_when("verdict", proved),
            field(
                "measured", [](const A& a) { return *a.measured; },
                "The mean along paths that start again where they leave a box. It bounds nothing.", measured)
                .only_when("verdict", {"measured"}),
            field("reason", &A::reason, "Why there is no interval, and what may help.")
                .only_when("verdict", {"measured", "unknown"})}
            .told_by(&A::text)};
    return answer;
}

/// `delay` is one of slots or the unit of time, `busy` one of servers.
std::string unit_of(const std::string& of, const Instance& instance) {
    return of == "delay"          ? units_of_time(instance)
           : of == "busy"         ? "servers"
           : of.starts_with("P(") ? ""
           : of == "tasks^2"      ? "tasks^2"
           : of == "cost"         ? "cost"
                                  : "tasks";
}

/// In the form that was asked for; returns the exit code.
int write(const MeanRun& run, const MeanAnswer& found, int exit_code) {
    if (!is_table_format(run.request.to.format)) return write_answer(run.request.to, mean_answer(), found, exit_code);
    const std::string policy(run.exact.info().id);
    const std::string interval = found.certificate ? fmt::format("[{}, {}]", exact_decimal(found.theorem().at_least()),
                                                                 exact_decimal(found.theorem().upper))
                                 : found.measured  ? fmt::format("{:.6g} (Measured)", found.measured->value)
                                                   : "Unknown";
    write_text(run.request.to.path,
               as_tables(run.request.to.format, run.request.to.command,
                         {{found.measured ? "stationary mean, measured" : "stationary mean, by a certificate",
                           {{"cluster"}, {"policy"}, {run.request.of, true, unit_of(run.request.of, *run.instance)}},
                           {{run.instance->name(), policy, interval}}}}));
    return exit_code;
}

int answer(const MeanRun& run, MeanProof proof, double seconds) {
    MeanAnswer found{run, seconds, proof.statistics, {}, proof.reached, proof.classes, proof.states, proof.iterations};
    found.certificate =
        certified(run.instance, std::string(run.exact.info().id), std::move(proof.theorem), proof.proofs);
    found.smtlib_files = write_evidence(run.request.evidence, *found.certificate);
    return write(run, found, proof.reached || run.goal.radius ? 0 : 3);
}

int answer(const MeanRun& run, const MeanUnknown& unknown, double seconds) {
    const auto capacity = capacity::solve(*run.instance);
    std::string reason = unknown.reason;
    if (capacity.lower >= Rational(1))
        reason =
            fmt::format("the load rho* is {}{}: {}", capacity.exact() ? "" : "at least ", display(capacity.lower),
                        capacity.lower == Rational(1) ? "stability is certain only below 1" : "no policy is stable") +
            "; " + reason;
    else if (unknown.needs)
        reason += ". Next: a larger --max-states, --lyapunov with a function of the instance file, or --measured";
    else if (unknown.no_drift) {
        std::vector<std::string> command = policy_words(std::string(run.exact.info().id), "-p");
        command.insert(command.begin(), {"schedproof", "prove", "transience", run.request.system.instance});
        reason += ". Next: --max-states, --lyapunov with a function of the instance file, or test for transience: " +
                  base::command_line(command);
    }
    MeanAnswer found{run, seconds, unknown.statistics, {}};
    found.reason = std::move(reason);
    found.measured = unknown.measured;
    return write(run, found, found.measured ? 0 : 3);
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
    return joined(
        {instance_and_policy(r.system),
         {{.names = "--of",
           .value = "QUANTITY",
           .target = &r.of,
           .meaning = "tasks, waiting, delay (slots after that of the arrival: `simulate` counts one more; or units of "
                      "time), busy, "
                      "queue:NAME, P(tasks>K), tasks^2 or cost, the holding cost of types with queues of their own "
                      "(default tasks)"},
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
          max_states_option(r.max_states),
          {.names = "--time-limit",
           .value = "SECONDS",
           .target = &r.time_limit,
           .meaning = "search for about this long, then prove what the largest box gives",
           .range = Interval{1, 1'000'000}},
          {.names = "--measured",
           .target = &r.measured,
           .meaning = "number without a bound, called Measured, where no interval is proved"}},
         budget_options(r.budget),
         evidence_options(r.evidence),
         table_destination_options(r.to)});
}

}  // namespace

Subcommand mean() {
    return make_subcommand<MeanRequest>(
        "mean", "an exact interval around a stationary mean of the untruncated chain, with a certificate",
        "schedproof mean experiments/instances/m2-half.toml -p jsq-maxweight --digits 9 --certificate mean.json",
        options, forms(mean_answer));
}

}  // namespace schedproof::cli
