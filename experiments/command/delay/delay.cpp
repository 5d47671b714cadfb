/// `delay`: how many offers D a job of N tasks should let pass for local data, on M nodes with R replicas of each
/// block.
///
/// Printed side by side: the paper's rule; the least D whose mean locality reaches the goal; the least D under the
/// algorithm as printed; and how long D offers take. All of it is rational, and the logarithm in the rule is enclosed
/// by rationals, so that rounding up is decided exactly (model/sharing/delay_analysis.hpp).
///
/// Long: the fields of the answer stand in one list, a line or two for each, beside what they are made of.
#include <fmt/core.h>

#include <algorithm>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/plot_file.hpp"
#include "experiments/figures/plot.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "model/sharing/delay_analysis.hpp"

namespace schedproof::cli {

/// Numbers that need not be whole are words here, read and checked by the command.
struct DelayRequest {
    std::uint64_t nodes = 100;
    std::uint64_t replicas = 3;
    std::vector<std::uint64_t> tasks;  ///< of jobs, each a row; none: 20
    std::string goal = "0.95";         ///< locality
    std::optional<std::uint64_t> slots;
    std::string task_time = "1";
    std::string local;                 ///< p, part of the offers that come from nodes with a job's data; or empty
    std::vector<std::uint64_t> skips;  ///< of the table; none: up to twice the largest rule, in ten steps
    PlotRequest picture;
    Destination to;
};

namespace {

using namespace sharing;

struct GivenSetting {
    Rational goal, task_time;
    std::optional<std::uint64_t> slots;  // of the cluster
    std::optional<Rational> local;       // p
};

/// What is known of jobs of one size.
struct JobRow {
    DelaySetting setting;
    Enclosure rule;           // before it is rounded up
    std::uint64_t skips = 0;  // the rule
    std::uint64_t least = 0;
    std::optional<std::uint64_t> least_as_printed;
    Rational locality;  // at `skips`
    Enclosure as_printed;
    Rational launch;  // 1 - (1-p)^(D+1) of the last task

    [[nodiscard]] bool reached(const Rational& goal) const { return as_printed.least >= goal; }
};

struct DelayAnswer;
struct TableRow {
    std::uint64_t skips;
    double locality, as_printed;
};
/// A job's row, and what it is computed with.
struct JobAnswer {
    const DelayAnswer& of;
    const JobRow& row;

    [[nodiscard]] std::vector<TableRow> table() const;
    [[nodiscard]] std::optional<Rational> mean_wait() const;
    [[nodiscard]] std::optional<Rational> sure_wait() const;
};

GivenSetting setting_of(const DelayRequest& request) {
    GivenSetting setting;
    setting.goal = option_number(request.goal, "--goal", "0 <= GOAL < 1",
                                 [](const Rational& g) { return g.sign() >= 0 && g < Rational(1); });
    setting.task_time = option_number(request.task_time, "--task-time", "a time above 0",
                                      [](const Rational& t) { return t.sign() > 0; });
    if (request.slots) setting.slots = *request.slots * request.nodes;
    if (!request.local.empty())
        setting.local = option_number(request.local, "--local", "0 <= P <= 1",
                                      [](const Rational& p) { return p.sign() >= 0 && p <= Rational(1); });
    return setting;
}

std::vector<JobRow> rows_of(const DelayRequest& request, const GivenSetting& setting) {
    std::vector<JobRow> rows;
    std::vector<std::uint64_t> sizes = request.tasks.empty() ? std::vector<std::uint64_t>{20} : request.tasks;
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    for (const std::uint64_t tasks : sizes) {
        JobRow row;
        row.setting = {request.nodes, request.replicas, tasks};
        row.rule = rule_value(row.setting, setting.goal);
        row.skips = rule_for_skips(row.setting, setting.goal);
        row.least = least_skips(row.setting, setting.goal);
        row.least_as_printed = least_skips_as_printed(row.setting, setting.goal);
        row.locality = mean_locality(row.setting, row.skips);
        row.as_printed = mean_locality_as_printed(row.setting, row.skips);
        row.launch = launch_is_local(local_offer(row.setting, 1), row.skips);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<std::uint64_t> table_skips(const DelayRequest& request, const std::vector<JobRow>& rows,
                                       std::uint64_t steps) {
    std::vector<std::uint64_t> skips = request.skips;
    std::uint64_t most = 0;
    for (const JobRow& row : rows) most = std::max(most, 2 * row.skips);
    if (skips.empty())
        for (std::uint64_t i = 0; i <= steps; ++i) skips.push_back(most * i / steps);
    std::sort(skips.begin(), skips.end());
    skips.erase(std::unique(skips.begin(), skips.end()), skips.end());
    return skips;
}

std::string table_of(const DelayRequest& request, const std::vector<JobRow>& rows) {
    std::string text = fmt::format("\n{:>7}", "D");
    for (const JobRow& row : rows) text += fmt::format("  {:>20}", fmt::format("N = {}", row.setting.tasks));
    text += fmt::format("\n{:>7}", "");
    for (std::size_t i = 0; i < rows.size(); ++i) text += fmt::format("  {:>10}{:>10}", "locality", "printed");
    text += "\n";
    for (const std::uint64_t skips : table_skips(request, rows, 10)) {
        text += fmt::format("{:>7}", skips);
        for (const JobRow& row : rows)
            text += fmt::format("  {:>10.6f}{:>10.6f}", mean_locality(row.setting, skips).approximate(),
                                mean_locality_as_printed(row.setting, skips).least.approximate());
        text += "\n";
    }
    return text;
}

/// By D: P(a local task within D offers), and P(launched on local data), in which the offer after them counts too.
struct OfferRow {
    std::uint64_t skips;
    Rational within, launch;
};
std::vector<OfferRow> offer_rows(const DelayRequest& request, const GivenSetting& setting,
                                 const std::vector<JobRow>& rows) {
    constexpr std::uint64_t most_bits = 100'000;
    std::vector<OfferRow> all;
    if (!setting.local) return all;
    for (const std::uint64_t skips : table_skips(request, rows, 10)) {
        if ((skips + 1) * msb(setting.local->denominator()) > most_bits)
            throw LimitExceeded("delay analysis",
                                fmt::format("the probability at D = {} is too long a fraction", skips));
        all.push_back({skips, local_within(*setting.local, skips), launch_is_local(*setting.local, skips)});
    }
    return all;
}

/// Exact where that is short.
std::string short_display(const Rational& value) {
    constexpr std::size_t longest = 48;
    std::string text = display(value);
    return text.size() <= longest ? text : fmt::format("{:.9g}", value.approximate());
}

/// Why the columns mean what they mean.
std::string legend(const std::optional<std::uint64_t>& slots) {
    std::string text =
        "\nrule      (M/R) ln((1 + (1-goal) N) / ((1-goal) N)), and D rounded up from it\n"
        "least     D at which the mean over K = N..1 tasks left of 1 - (1-K/M)^(RD) reaches the goal\n"
        "locality  that mean at the rule's D\n"
        "printed   locality of the algorithm as printed, whose skip count stays at D after a launch without data\n"
        "needed    D at which that reaches the goal\n";
    if (slots)
        text += fmt::format(
            "mean wait until a job may launch anywhere: (D/S) T with S = {} slots; a single wait may be longer\n"
            "worst wait until then: ceil(D/S) T, if no task takes longer than T and slots are offered as they fall "
            "free\n",
            *slots);
    return text;
}

struct DelayAnswer {
    const DelayRequest& request;
    GivenSetting setting;
    std::vector<JobRow> rows;
    std::vector<OfferRow> offers;

    [[nodiscard]] std::vector<JobAnswer> jobs() const {
        std::vector<JobAnswer> list;
        for (const JobRow& row : rows) list.push_back({*this, row});
        return list;
    }
};

std::vector<TableRow> JobAnswer::table() const {
    std::vector<TableRow> table;
    for (const std::uint64_t skips : table_skips(of.request, of.rows, 10))
        table.push_back({skips, mean_locality(row.setting, skips).approximate(),
                         mean_locality_as_printed(row.setting, skips).least.approximate()});
    return table;
}
std::optional<Rational> JobAnswer::mean_wait() const {
    if (!of.setting.slots) return {};
    return sharing::mean_wait(row.skips, *of.setting.slots, of.setting.task_time);
}
std::optional<Rational> JobAnswer::sure_wait() const {
    if (!of.setting.slots) return {};
    return sharing::sure_wait(row.skips, *of.setting.slots, of.setting.task_time);
}

const Record<JobAnswer>& job_record() {
    using J = JobAnswer;
    const Record<JobRow> rule{
        field(
            "least", [](const JobRow& r) { return r.rule.least; }, "A lower bound, at most 1/1000 below."),
        field(
            "most", [](const JobRow& r) { return r.rule.most; }, "An upper bound, at most 1/1000 above."),
        field("skips", &JobRow::skips, "Rounded up, exactly: D.")};
    const Record<TableRow> table{field("skips", &TableRow::skips, "D."),
                                 field("locality", &TableRow::locality, "As of the job.").least(0).most(1),
                                 field("as_printed", &TableRow::as_printed, "As of the job.").least(0).most(1)};
    static const Record<J> record{
        field(
            "tasks", [](const J& j) { return j.row.setting.tasks; }, "N.")
            .least(1),
        field(
            "rule", [](const J& j) { return j.row; }, "(M/R) ln((1+(1-goal)N)/((1-goal)N)).", rule),
        field(
            "least_skips", [](const J& j) { return j.row.least; },
            "The least D at which the mean over K = 1..N of 1 - (1-K/M)^(RD) reaches the goal."),
        field(
            "slack", [](const J& j) { return j.row.skips - j.row.least; }, "The rule's D minus the least one."),
        field(
            "locality", [](const J& j) { return j.row.locality.approximate(); }, "That mean at the rule's D.")
            .least(0)
            .most(1),
        field(
            "as_printed", [](const J& j) { return j.row.as_printed.least.approximate(); },
            "Mean part of local launches of the algorithm as printed at the rule's D: a launch without data leaves "
            "the skip count.")
            .least(0)
            .most(1),
        field(
            "reached_as_printed", [](const J& j) { return j.row.reached(j.of.setting.goal); },
            "Whether the latter reaches the goal."),
        field(
            "least_skips_as_printed", [](const J& j) { return j.row.least_as_printed; },
            "The least D at which it does; null when the enclosures do not tell."),
        field(
            "last_task", [](const J& j) { return j.row.launch.approximate(); },
            "Probability that a single task is launched on local data at the rule's D.")
            .least(0)
            .most(1),
        field("mean_wait", &J::mean_wait, "(D/S) T at the rule's D; null without slots.").least(0),
        field("sure_wait", &J::sure_wait,
              "ceil(D/S) T at the rule's D, which no wait exceeds while no task takes longer than T and slots are "
              "offered as they fall free; null without slots.")
            .least(0),
        field("table", &J::table, "Localities by D.", table).items(1)};
    return record;
}

const Answer<DelayAnswer>& delay_answer() {
    using A = DelayAnswer;
    const Record<OfferRow> offers{
        field("skips", &OfferRow::skips, "D."),
        field("within", &OfferRow::within, "Probability that one of D offers is local: 1 - (1-p)^D.").least(0),
        field("launch", &OfferRow::launch, "Probability that the launch is local: 1 - (1-p)^(D+1).").least(0),
        aside("within_short", [](const OfferRow& r) { return short_display(r.within); }),
        aside("launch_short", [](const OfferRow& r) { return short_display(r.launch); })};
    static const Answer<A> answer{
        "delay",
        "How many offers a job should let pass for local data, by the exact analysis of delay scheduling. Whole "
        "numbers "
        "of offers and comparisons with the goal are exact; localities are the nearest doubles of exact values. Answer "
        "of `schedproof delay --format json`.",
        Record<A>{
            field(
                "nodes", [](const A& a) { return a.request.nodes; },
                "M: each offer comes from one of them, equally likely.")
                .least(1)
                .label("cluster")
                .form("{} nodes, {replicas} replicas of each task's data; each offer from any node alike"),
            field(
                "replicas", [](const A& a) { return a.request.replicas; }, "R, of each task's data.")
                .least(1)
                .hidden(),
            field(
                "goal", [](const A& a) { return a.setting.goal; },
                "Part of a job's tasks to be launched on local data."),
            field(
                "slots", [](const A& a) { return a.setting.slots; },
                "S, of the whole cluster; null when none were given.")
                .least(1)
                .hidden(),
            field(
                "task_time", [](const A& a) { return a.setting.task_time; },
                "Run time T of a task: its mean for the mean wait, its longest for the sure one; the unit of both.")
                .hidden(),
            field(
                "local", [](const A& a) { return a.setting.local; },
                "p, part of the offers from nodes with a job's data; null when none was given.")
                .least(0)
                .hidden(),
            aside("waits", [](const A& a) { return a.setting.slots ? "  worst wait  mean wait" : ""; }),
            field("jobs", &A::jobs, "By size, ascending.", job_record())
                .items(1)
                .table("\n   tasks       rule       D   least   slack  locality   printed       needed{waits}",
                       "{tasks:>8} {rule.most:>10.3f} {rule.skips:>7} {least_skips:>7} {slack:>7}  {locality:<10.6f} "
                       "{as_printed:<10.6f} {least_skips_as_printed:>9||-}  {sure_wait:>10}  {mean_wait}"),
            lines("legend", [](const A& a) { return legend(a.setting.slots) + table_of(a.request, a.rows); }),
            field("offers", &A::offers, "By D; empty without p.", offers)
                .table(
                    "\np = {local} of the offers are local\n      D  one of D offers: 1 - (1-p)^D                     "
                    "launched local: 1 - (1-p)^(D+1)",
                    "{skips:>7}  {within_short:<48}  {launch_short}")}
            .column(9)};
    return answer;
}

std::string picture_of(const DelayRequest& request, const GivenSetting& setting, const std::vector<JobRow>& rows) {
    constexpr std::uint64_t steps = 60;
    figures::Panel panel;
    panel.x_label = "D (offers let pass)";
    panel.y_label = "fraction of tasks on local data";
    panel.y = figures::Range{0, 1};
    const std::vector<std::uint64_t> all = table_skips(request, rows, steps);
    for (const JobRow& row : rows) {
        figures::Curve formula{fmt::format("{} tasks, mean of 1 - (1-K/M)^(RD)", row.setting.tasks), {}, {}};
        figures::Curve printed{fmt::format("{} tasks, algorithm as printed", row.setting.tasks), {}, {}};
        for (const std::uint64_t skips : all) {
            const auto x = static_cast<double>(skips);
            formula.points.push_back({x, mean_locality(row.setting, skips).approximate()});
            printed.points.push_back({x, mean_locality_as_printed(row.setting, skips).least.approximate()});
        }
        panel.curves.push_back(std::move(formula));
        panel.curves.push_back(std::move(printed));
        panel.curves.push_back({fmt::format("{} tasks, the rule's D", row.setting.tasks),
                                {{static_cast<double>(row.skips), row.locality.approximate()}},
                                figures::Style::impulses});
    }
    const double goal = setting.goal.approximate(), last = static_cast<double>(all.back());
    panel.curves.push_back({"goal", {{0, goal}, {last, goal}}, figures::Style::lines});
    return draw({fmt::format("Locality against D: {} nodes, {} replicas", request.nodes, request.replicas), {panel}},
                request.picture);
}

}  // namespace

int run(const DelayRequest& request) {
    check_plot(request.picture);
    require_writable({request.picture.path, request.to.path});
    const GivenSetting setting = setting_of(request);
    const std::vector<JobRow> rows =
        with_progress("delay", "run the scheduler", [&] { return rows_of(request, setting); });
    if (!request.picture.path.empty()) base::write_file(request.picture.path, picture_of(request, setting, rows));
    const std::vector<OfferRow> offers =
        with_progress("delay", "offers", [&] { return offer_rows(request, setting, rows); });
    return write_answer(request.to, delay_answer(), {request, setting, rows, offers});
}

namespace {

OptionTable options(DelayRequest& r) {
    constexpr std::uint64_t most = 1'000'000;
    return joined(
        {{{.names = "--nodes",
           .target = &r.nodes,
           .meaning = "M, the nodes of the cluster; each offer of a slot comes from one of them, equally likely",
           .show_default = true,
           .range = Interval{1, most}},
          {.names = "--replicas",
           .target = &r.replicas,
           .meaning = "R, the replicas of each task's data",
           .show_default = true,
           .range = Interval{1, 1000}},
          {.names = "--tasks",
           .target = &r.tasks,
           .meaning = "N, the sizes of jobs, as 10,50,400 (default: 20)",
           .range = Interval{1, most},
           .repeated = true,
           .separator = ','},
          {.names = "--goal",
           .value = "NUMBER",
           .target = &r.goal,
           .meaning = "fraction of a job's tasks to launch on local data, below 1",
           .show_default = true},
          {.names = "--local",
           .value = "NUMBER",
           .target = &r.local,
           .meaning = "p, the fraction of offers from nodes with a job's data; gives the exact probability of such an "
                      "offer among D"},
          {.names = "--slots",
           .target = &r.slots,
           .meaning = "task slots of each node; gives the mean and the worst-case wait until a job may launch anywhere",
           .range = Interval{1, most}},
          {.names = "--task-time",
           .value = "NUMBER",
           .target = &r.task_time,
           .meaning = "run time of a task, in the unit of the waits: its mean for the mean wait, its maximum for the "
                      "worst case",
           .show_default = true},
          {.names = "--skips",
           .target = &r.skips,
           .meaning = "values of D in the table of localities, as 0,10,20 (default: ten steps to twice the rule)",
           .range = Interval{0, most},
           .repeated = true,
           .separator = ','}},
         plot_options(r.picture, "locality against D"),
         destination_options(r.to)});
}

}  // namespace

Subcommand delay() {
    return make_subcommand<DelayRequest>(
        "delay",
        "how many offers a job should let pass for local data: the paper's rule, what is needed, what it costs",
        "schedproof delay --nodes 100 --replicas 3 --tasks 20 --goal 0.95 --slots 4 --task-time 50", options,
        forms(delay_answer));
}

}  // namespace schedproof::cli
