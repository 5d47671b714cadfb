/// `optimum`: the least makespan of an assignment instance, or the fewest remote tasks within a deadline.
///
/// Three ways that share nothing but the model: every map of tasks to cores; every division of tasks among servers,
/// with the best map of each; and the solver's refutation of anything better than a map it has found. `--method all`
/// asks all three and ends with exit code 4 when they disagree. The first two grow exponentially with the tasks.
#include <fmt/core.h>

#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/task_json.hpp"
#include "experiments/command/worst/instance.hpp"
#include "model/assignment/codec/codec.hpp"
#include "policies/assignment/dyndloff.hpp"
#include "proofs/assignment/least_makespan.hpp"

namespace schedproof::cli {

struct OptimumRequest {
    std::string instance;
    std::string method = "solver";  ///< `maps`, `servers`, `solver`, or `all`, which must agree
    bool local = false;             ///< among local assignments
    std::string deadline;           ///< fewest remote tasks within it instead, or empty
    std::string smtlib;             ///< file for the question whether anything is better, or empty
    std::optional<std::uint64_t> rlimit;
    Destination to;
};

namespace {

using namespace assignment;

/// One way's answer: the least makespan, or the fewest remote tasks.
struct Way {
    std::string name;
    std::optional<Rational> value;
    Assignment witness;
    Established established = Established::nothing;
    std::uint64_t cases = 0;
    std::string ended;
    double seconds = 0;
};

template <class V>
Way way(std::string name, Best<V> best) {
    return {std::move(name),
            best.value ? std::optional(Rational(*best.value)) : std::nullopt,
            std::move(best.witness),
            best.established,
            best.cases,
            std::move(best.ended)};
}

SolverBudget budget_of(const OptimumRequest& request) {
    SolverBudget budget;
    if (request.rlimit) {
        if (*request.rlimit > UINT32_MAX) throw InputError::at_key("--rlimit", "expected at most 4294967295");
        budget.resources = static_cast<std::uint32_t>(*request.rlimit);
    }
    return budget;
}

Way ask(const OptimumRequest& request, const Instance& instance, const std::string& name,
        const std::optional<Rational>& deadline) {
    const Problem<Rational>& problem = instance.problem();
    const Among among = request.local ? Among::local : Among::all;
    if (deadline) {
        if (name == "maps") return way(name, fewest_remote_by_maps(problem, *deadline));
        if (name == "servers") return way(name, fewest_remote_by_servers(problem, *deadline));
        return way(name, fewest_remote_by_solver(problem, *deadline, budget_of(request)));
    }
    if (name == "maps") return way(name, optimum_by_maps(problem, among));
    if (name == "servers") return way(name, optimum_by_servers(problem, among));
    // The solver descends from a schedule; among local assignments from nothing.
    std::optional<Assignment> start;
    if (!request.local && problem.shape->tasks().size() > 0) start = DynDlOff{}.schedule(problem).assignment;
    return way(name, optimum_by_solver(problem, among, budget_of(request), start));
}

std::vector<Way> ask_all(const OptimumRequest& request, const Instance& instance,
                         const std::optional<Rational>& deadline) {
    std::vector<Way> ways;
    for (const char* name : {"maps", "servers", "solver"}) {
        if (request.method != "all" && request.method != name) continue;
        const base::Stopwatch watch;
        ways.push_back(with_progress("optimum", name, [&] { return ask(request, instance, name, deadline); }));
        ways.back().seconds = watch.seconds();
    }
    for (const Way& a : ways)
        for (const Way& b : ways)
            if (a.established != Established::nothing && b.established != Established::nothing && a.value != b.value)
                throw OracleConflict("the ways " + a.name + " and " + b.name + " disagree about the optimum");
    return ways;
}

/// The way that says most: one that is established, if there is one.
const Way& best_of(const std::vector<Way>& ways) {
    for (const Way& way : ways)
        if (way.established != Established::nothing) return way;
    return ways.front();
}

std::string question(const OptimumRequest& request) {
    if (!request.deadline.empty()) return "fewest remote tasks with a makespan of at most " + request.deadline;
    return request.local ? "least makespan of local assignments" : "least makespan";
}

std::string core_of(const Instance& instance, CoreId p) {
    const Shape& shape = instance.shape();
    const ServerId s = shape.server_of(p);
    return fmt::format("{}.{}", instance.server_name(s), p.index() - shape.core(s, 0).index());
}

struct OptimumAnswer {
    const OptimumRequest& request;
    const Instance& instance;
    const std::vector<Way>& ways;

    [[nodiscard]] const Way& best() const { return best_of(ways); }
    [[nodiscard]] bool known() const { return best().established != Established::nothing; }
    [[nodiscard]] std::vector<PlacedTask> tasks() const {
        std::vector<PlacedTask> list;
        if (!best().witness.empty())
            for (const TaskId t : instance.shape().tasks()) list.push_back({instance, t, best().witness[t.index()]});
        return list;
    }
    /// The witness: its makespan, and where each task goes.
    [[nodiscard]] std::string witness() const {
        if (!best().value || best().witness.empty()) return "";
        const Evaluation<Rational> e = evaluate(instance.problem(), best().witness);
        std::string text = fmt::format("makespan      {}, {} tasks local, {} remote\n", display(*e.makespan),
                                       e.local_tasks, e.remote_tasks);
        for (const PlacedTask& task : tasks())
            text += fmt::format("  {:<11} {}{}\n", instance.task_name(task.task), core_of(instance, task.core),
                                instance.shape().is_local(task.task, task.server()) ? "" : " (remote)");
        return text;
    }
};

std::string way_text(const Way& way) {
    return fmt::format("{:<13} {}; {} {}, {:.2f} s", "by " + way.name,
                       way.ended.empty() ? std::string(assignment::to_string(way.established)) : way.ended, way.cases,
                       way.name == "solver" ? "questions"
                       : way.name == "maps" ? "maps"
                                            : "divisions",
                       way.seconds);
}

const Answer<OptimumAnswer>& optimum_answer() {
    using A = OptimumAnswer;
    const Record<Way> way{
        field(
            "method", &Way::name,
            "Every map from tasks to cores; every division among servers; the solver's refutation of anything better.")
            .words({"maps", "servers", "solver"}),
        field("value", &Way::value, "The least value found."),
        field(
            "established", [](const Way& w) { return w.established != Established::nothing; },
            "Nothing better exists."),
        field(
            "ended", [](const Way& w) { return if_any(w.ended); }, "Which budget ended it; null when none did."),
        field("cases", &Way::cases, "Maps, divisions, or questions to the solver."),
        field("seconds", &Way::seconds, "Time taken.").least(0),
        aside("text", way_text)};
    static const Answer<A> answer{
        "optimum",
        "The least makespan of an assignment instance, or the fewest remote tasks within a deadline. Answer of "
        "`schedproof optimum --format json`.",
        Record<A>{
            instance_field([](const A& a) { return a.instance.name(); }).hidden(),
            field(
                "question", [](const A& a) { return question(a.request); }, "What was asked, in words.")
                .form("{} of {instance}"),
            field(
                "verdict", [](const A& a) { return a.known() ? "optimal" : "unknown"; },
                "Unknown: a budget ended; the value is attained, and there may be a lesser one.")
                .words({"optimal", "unknown"})
                .hidden(),
            aside("doubt", [](const A& a) { return a.known() ? "" : ", and perhaps less"; }),
            field(
                "value", [](const A& a) { return a.best().value; },
                "The least makespan (unit: a local task) or number of remote tasks; null when no assignment qualifies, "
                "or when there is no task.")
                .label("answer")
                .form("{}{doubt}")
                .none("none"),
            field(
                "ways", [](const A& a) { return a.ways; }, "What each way found; those that are established agree.",
                way)
                .items(1)
                .table("", "{text}"),
            field("tasks", &A::tasks,
                  "An assignment that attains the value; empty without tasks, or when none qualifies.",
                  task_record<PlacedTask>([](const PlacedTask& t) { return t; }, {}, {}))
                .hidden(),
            lines("witness", &A::witness),
            field(
                "smtlib", [](const A& a) { return if_any(a.request.smtlib); },
                "File with the question whether anything is better; null when none was asked for.")
                .hidden()}
            .column(14)};
    return answer;
}

}  // namespace

int run(const OptimumRequest& request) {
    require_writable({request.to.path, request.smtlib});
    std::optional<Rational> deadline;
    if (!request.deadline.empty()) {
        deadline = option_number(request.deadline, "--deadline");
        if (!request.smtlib.empty()) throw InputError::at_key("--smtlib", "cannot be used with --deadline");
    }
    const Instance instance = assignment::read_instance(request.instance);
    const std::vector<Way> ways = ask_all(request, instance, deadline);
    const Way& best = best_of(ways);
    if (!request.smtlib.empty() && best.value)
        write_text(request.smtlib,
                   better_smtlib(instance.problem(), *best.value, request.local ? Among::local : Among::all));
    return write_answer(request.to, optimum_answer(), {request, instance, ways},
                        best.established == Established::nothing ? 3 : 0);
}

namespace {

OptionTable options(OptimumRequest& r) {
    return joined(
        {{{.names = "INSTANCE",
           .target = &r.instance,
           .meaning = "assignment instance (TOML or JSON), - for standard input",
           .required = true},
          {.names = "--method",
           .target = &r.method,
           .meaning = "every map, every division among servers, or the solver's refutation of anything better; all: "
                      "all three, which must agree",
           .show_default = true,
           .words = {"maps", "servers", "solver", "all"}},
          {.names = "--local", .target = &r.local, .meaning = "consider only assignments whose tasks are all local"},
          {.names = "--deadline",
           .value = "NUMBER",
           .target = &r.deadline,
           .meaning = "find the fewest remote tasks with at most this makespan instead",
           .excludes = {"--local"}},
          {.names = "--smtlib",
           .value = "FILE",
           .target = &r.smtlib,
           .meaning = "write the question whether a better assignment exists as SMT-LIB 2, which is unsatisfiable"},
          {.names = "--rlimit",
           .value = "N",
           .target = &r.rlimit,
           .meaning = "resource units of the solver for one question"}},
         destination_options(r.to)});
}

}  // namespace

Subcommand optimum() {
    return make_subcommand<OptimumRequest>(
        "optimum", "the least makespan of an assignment instance, with an assignment that attains it",
        "schedproof optimum experiments/instances/assignment/dyndl-example.toml --method all", options,
        forms(optimum_answer));
}

}  // namespace schedproof::cli
