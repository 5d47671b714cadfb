/// `assign`: every policy of the assignment family on one problem, in exact numbers.
///
/// Loads, costs and the policies' own times are scaled to 64-bit ticks where these suffice, and are rationals
/// otherwise: the results are equal, the ticks are faster. The makespan is that of the map when every remote task of a
/// server costs what their final number says; `as events` is the end of the last task when an online policy's event
/// loop is played through.
#include "experiments/command/assign/assign.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <variant>

#include "experiments/command/assign/input.hpp"
#include "experiments/command/assign/map.hpp"
#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/families/family_files.hpp"
#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"
#include "policies/assignment/registry.hpp"

namespace schedproof::cli {

namespace {

using namespace assignment;

/// Above this many tasks a policy whose work grows with their square runs only when it is named.
constexpr std::size_t slow_tasks = 2'000;
constexpr std::string_view slow_policies[] = {"hta"};

/// The problem in the numbers that suffice: 64-bit ticks, or rationals where those would overflow.
using AnyProblem = std::variant<Problem<CheckedInt>, Problem<Rational>>;

AnyProblem problem_of(const Instance& instance, const std::vector<Rational>& times) {
    try {
        return instance.ticks(times);
    } catch (const LimitExceeded&) {
        return instance.problem();
    }
}

struct Measured {
    std::string_view policy;
    bool online = false;
    std::optional<Rational> makespan, event_makespan;
    std::size_t local_tasks = 0, remote_tasks = 0;
    double seconds = 0;
    std::string limit;  ///< why the policy gave up, or empty
};

/// One policy's run. `rows`, if given, receives its map.
template <Number N>
Measured measured(const PolicyInfo& info, const PolicyOptions& options, const Problem<N>& problem, std::uint64_t seed,
                  std::vector<MapRow>* rows) {
    const AnyPolicy policy = make_policy(info.id, options);
    Sampler randomness({seed, 0, 0});
    const base::Stopwatch watch;
    Measured row{info.id, policy.is_online(), {}, {}, 0, 0, 0, {}};
    ScheduleResult<N> outcome;
    try {
        outcome = assignment::run(policy, problem, randomness);
    } catch (const LimitExceeded& error) {
        row.limit = error.what();
    }
    row.seconds = watch.seconds();
    if (!row.limit.empty()) return row;
    const Evaluation<N> evaluation = evaluate(problem, outcome.assignment);
    row.local_tasks = evaluation.local_tasks;
    row.remote_tasks = evaluation.remote_tasks;
    if (evaluation.makespan) row.makespan = in_local_tasks(*evaluation.makespan, problem.local);
    if (outcome.event_makespan) row.event_makespan = in_local_tasks(*outcome.event_makespan, problem.local);
    if (rows != nullptr) *rows = map_rows(problem, outcome);
    return row;
}

/// The policies of the request, in its order; without any, each registered one as its paper has it.
std::vector<PolicyInfo> chosen(const AssignRequest& request, std::size_t tasks) {
    std::vector<PolicyInfo> result;
    for (const std::string& name : request.policies) {
        const std::string_view id = resolve_policy(name);
        std::vector<std::string_view> known;
        for (const PolicyInfo& info : policies()) {
            known.push_back(info.id);
            if (info.id == id && !id.empty()) result.push_back(info);
        }
        if (!id.empty()) require_agreement("assignment", std::string(id));
        if (id.empty())
            throw InputError::at_key(
                "--policy", "expected a policy of `schedproof list policies --family assignment`, not '" + name + "'" +
                                base::did_you_mean(name, known));
    }
    if (!result.empty()) return result;
    for (const PolicyInfo& info : policies()) {
        if (info.id.find(':') != std::string_view::npos) continue;
        const bool slow =
            std::find(std::begin(slow_policies), std::end(slow_policies), info.id) != std::end(slow_policies);
        if (slow && tasks > slow_tasks)
            fmt::print(stderr, "note: {} is left out above {} tasks; name it (-p {}) to run it\n", info.id, slow_tasks,
                       info.id);
        else
            result.push_back(info);
    }
    for (const PolicyInfo& info : result)
        if (is_added(info.id)) require_agreement("assignment", std::string(info.id));
    return result;
}

PolicyOptions options_of(const AssignRequest& request) {
    PolicyOptions options;
    if (!request.wait.empty()) options.wait = option_number(request.wait, "--wait");
    if (options.wait.sign() < 0)
        throw InputError::at_key("--wait", "expected a time of at least 0, not " + options.wait.to_string());
    if (!request.threshold.empty()) options.threshold = option_number(request.threshold, "--threshold");
    if (options.threshold && options.threshold->sign() < 0)
        throw InputError::at_key("--threshold",
                                 "expected a length of at least 0, not " + options.threshold->to_string());
    if (request.timeout) options.timeout = std::chrono::seconds(std::min<std::uint64_t>(*request.timeout, 1'000'000));
    options.pick = request.random_picks ? Pick::random : Pick::lowest;
    options.jobs = request.job_order == "fair" ? JobOrder::fair : JobOrder::fifo;
    return options;
}

std::string display_text(const std::optional<Rational>& value) {
    if (!value) return "-";
    const std::string text = display(*value);
    return text.size() <= 40 ? text : fmt::format("approx. {:.6g}", value->approximate());
}

std::string table(const Instance& instance, const std::string& ticks, const std::vector<Measured>& rows,
                  const std::string& map) {
    const Shape& shape = instance.shape();
    std::string text =
        fmt::format("instance   {}: {} tasks, {} servers with {} cores\nnumbers    {}\n", instance.name(),
                    shape.tasks().size(), shape.servers().size(), shape.cores().size(),
                    ticks.empty() ? "exact rationals" : fmt::format("exact, in 64-bit ticks of 1/{}", ticks));
    std::vector<std::vector<std::string>> cells{
        {"policy", "makespan", "as events", "local", "remote", "locality", "time"}};
    for (const Measured& row : rows) {
        if (!row.limit.empty()) {
            cells.push_back(
                {std::string(row.policy), "gave up", "-", "-", "-", "-", fmt::format("{:.3g} ms", 1000 * row.seconds)});
            continue;
        }
        const std::size_t all = row.local_tasks + row.remote_tasks;
        const double share = all == 0 ? 1 : static_cast<double>(row.local_tasks) / static_cast<double>(all);
        cells.push_back({std::string(row.policy), display_text(row.makespan), display_text(row.event_makespan),
                         std::to_string(row.local_tasks), std::to_string(row.remote_tasks),
                         fmt::format("{:.1f}%", 100 * share), fmt::format("{:.3g} ms", 1000 * row.seconds)});
    }
    std::vector<std::size_t> width(cells.front().size());
    for (const auto& line : cells)
        for (std::size_t i = 0; i < line.size(); ++i) width[i] = std::max(width[i], line[i].size());
    for (const auto& line : cells) {
        std::string out;
        for (std::size_t i = 0; i < line.size(); ++i)
            out += i < 3 ? fmt::format("{:<{}}  ", line[i], width[i]) : fmt::format("{:>{}}  ", line[i], width[i]);
        text += out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
    }
    for (const Measured& row : rows)
        if (!row.limit.empty()) text += fmt::format("{} gave up: {}\n", row.policy, row.limit);
    if (!map.empty()) text += fmt::format("map        written to {}\n", map);
    return text;
}

struct AssignAnswer {
    const Instance& instance;
    std::string ticks;
    const std::vector<Measured>& rows;
    std::string map;

    [[nodiscard]] const Shape& shape() const { return instance.shape(); }
};

const Answer<AssignAnswer>& assign_answer() {
    using A = AssignAnswer;
    const Record<Measured> row{
        field("id", &Measured::policy, "Id of the policy, as in `schedproof list policies`."),
        field("online", &Measured::online, "Whether it learns a core's load only when the core becomes free."),
        field(
            "makespan", &Measured::makespan,
            "Largest load of a core that got a task, every remote task of a server at the price of their total number; "
            "null without tasks.")
            .unit("a local task's cost"),
        field("event_makespan", &Measured::event_makespan,
              "Online policies: end of the last task in the event loop; null for others and without tasks.")
            .unit("a local task's cost"),
        field("local_tasks", &Measured::local_tasks, "Tasks on a server that holds their block."),
        field("remote_tasks", &Measured::remote_tasks, "The others."),
        field("seconds", &Measured::seconds, "Time that the policy took; the one value that is not the same each time.")
            .least(0),
        field(
            "limit", [](const Measured& r) { return if_any(r.limit); },
            "Which limit the policy reached, with exit code 3; its other values then say nothing. Null otherwise.")};
    static const Answer<A> answer{
        "assign", "What policies make of an assignment problem. Answer of `schedproof assign ... --format json`.",
        Record<A>{
            field(
                "instance", [](const A& a) { return a.instance.name(); }, "Name of the instance."),
            field(
                "servers", [](const A& a) { return a.shape().servers().size(); }, "Number of servers.")
                .least(1),
            field(
                "cores", [](const A& a) { return a.shape().cores().size(); }, "Of all servers.")
                .least(1),
            field(
                "tasks", [](const A& a) { return a.shape().tasks().size(); }, "Number of tasks."),
            field(
                "ticks", [](const A& a) { return if_any(a.ticks); },
                "64-bit ticks that a local task takes; null when rationals were needed. Answers are exact either way.")
                .pattern("^[0-9]+$"),
            field(
                "policies", [](const A& a) { return a.rows; }, "In the order asked for, or of registration.", row)
                .items(1),
            field(
                "map", [](const A& a) { return if_any(a.map); }, "File of --map, or null.")}
            .told_by([](const A& a) { return table(a.instance, a.ticks, a.rows, a.map); })};
    return answer;
}

}  // namespace

int run(const AssignRequest& request) {
    if (!request.map.empty()) {
        require_map_name(request.map);
        if (request.policies.size() != 1)
            throw InputError::at_key("--map", "expected one policy (-p) whose map to write");
    }
    require_writable({request.to.path, request.map});
    const PolicyOptions options = options_of(request);
    Progress progress("assign");
    const input::PlacedTasks placed = read_assign_input(request, progress);
    const std::vector<PolicyInfo> infos = chosen(request, placed.instance.shape().tasks().size());
    const AnyProblem any = problem_of(placed.instance, {options.wait, options.threshold.value_or(Rational(0))});
    std::vector<Measured> rows;
    std::vector<MapRow> map;
    for (const PolicyInfo& info : infos) {
        progress.report(info.id, static_cast<double>(rows.size()), static_cast<double>(infos.size()));
        rows.push_back(std::visit(
            [&](const auto& problem) {
                return measured(info, options, problem, request.seed, request.map.empty() ? nullptr : &map);
            },
            any));
    }
    const bool limited = std::any_of(rows.begin(), rows.end(), [](const Measured& row) { return !row.limit.empty(); });
    const std::string written = limited ? "" : request.map;
    if (!written.empty()) write_map(written, placed, infos.front().id, map);
    const auto* in_ticks = std::get_if<Problem<CheckedInt>>(&any);
    const std::string ticks = in_ticks == nullptr ? "" : std::to_string(in_ticks->local.value());
    return write_answer(request.to, assign_answer(), {placed.instance, ticks, rows, written}, limited ? 3 : 0);
}

Forms assign_forms() { return forms(assign_answer, map_form); }

}  // namespace schedproof::cli
