/// `delay`: how many offers D a job of N tasks should let pass for local data, on M nodes with R replicas of each
/// block.
///
/// Printed side by side: the paper's rule; the least D whose mean locality reaches the goal; the least D under the
/// algorithm as printed; and how long D offers take. All of it is rational, and the logarithm in the rule is enclosed
/// by rationals, so that rounding up is decided exactly (model/sharing/delay_analysis.hpp).
#include <fmt/core.h>

#include <algorithm>

#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
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
    std::string picture;               ///< .svg, .png, .pdf or .tikz, or empty
    Destination to;
};

namespace {

using namespace sharing;

struct Setting {
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

Setting setting_of(const DelayRequest& request) {
    Setting setting;
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

std::vector<JobRow> rows_of(const DelayRequest& request, const Setting& setting) {
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

std::string whole_or_dash(const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : "-"; }

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
std::vector<OfferRow> offer_rows(const DelayRequest& request, const Setting& setting, const std::vector<JobRow>& rows) {
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

std::string offers_of(const DelayRequest& request, const Setting& setting, const std::vector<JobRow>& rows) {
    if (!setting.local) return "";
    std::string text = fmt::format("\np = {} of the offers are local\n{:>7}  {:<48}  {}\n", display(*setting.local),
                                   "D", "one of D offers: 1 - (1-p)^D", "launched local: 1 - (1-p)^(D+1)");
    for (const OfferRow& row : offer_rows(request, setting, rows))
        text += fmt::format("{:>7}  {:<48}  {}\n", row.skips, short_display(row.within), short_display(row.launch));
    return text;
}

std::string text_of(const DelayRequest& request, const Setting& setting, const std::vector<JobRow>& rows) {
    std::string text =
        fmt::format("cluster  {} nodes, {} replicas of each task's data; each offer from any node alike\ngoal     {}\n",
                    request.nodes, request.replicas, display(setting.goal));
    text += fmt::format("\n{:>8} {:>10} {:>7} {:>7} {:>7}  {:<10} {:<10} {:>9}", "tasks", "rule", "D", "least", "slack",
                        "locality", "printed", "needed");
    if (setting.slots) text += fmt::format("  {:>10}  {}", "worst wait", "mean wait");
    for (const JobRow& row : rows) {
        text += fmt::format("\n{:>8} {:>10.3f} {:>7} {:>7} {:>7}  {:<10.6f} {:<10.6f} {:>9}", row.setting.tasks,
                            row.rule.most.approximate(), row.skips, row.least, row.skips - row.least,
                            row.locality.approximate(), row.as_printed.least.approximate(),
                            whole_or_dash(row.least_as_printed));
        if (setting.slots)
            text += fmt::format("  {:>10}  {}", display(sure_wait(row.skips, *setting.slots, setting.task_time)),
                                display(mean_wait(row.skips, *setting.slots, setting.task_time)));
    }
    text +=
        "\n\nrule      (M/R) ln((1 + (1-goal) N) / ((1-goal) N)), and D rounded up from it\n"
        "least     D at which the mean over K = N..1 tasks left of 1 - (1-K/M)^(RD) reaches the goal\n"
        "locality  that mean at the rule's D\n"
        "printed   locality of the algorithm as printed, whose skip count stays at D after a launch without data\n"
        "needed    D at which that reaches the goal\n";
    if (setting.slots)
        text += fmt::format(
            "mean wait until a job may launch anywhere: (D/S) T with S = {} slots; a single wait may be longer\n"
            "worst wait until then: ceil(D/S) T, if no task takes longer than T and slots are offered as they fall "
            "free\n",
            *setting.slots);
    return text + table_of(request, rows) + offers_of(request, setting, rows);
}

Json row_json(const DelayRequest& request, const Setting& setting, const std::vector<JobRow>& rows, const JobRow& row) {
    Json table = Json::array();
    for (const std::uint64_t skips : table_skips(request, rows, 10))
        table.push_back({{"skips", skips},
                         {"locality", mean_locality(row.setting, skips).approximate()},
                         {"as_printed", mean_locality_as_printed(row.setting, skips).least.approximate()}});
    const auto wait = [&](std::uint64_t skips) {
        return setting.slots ? number(mean_wait(skips, *setting.slots, setting.task_time)) : Json(nullptr);
    };
    const auto sure = [&](std::uint64_t skips) {
        return setting.slots ? number(sure_wait(skips, *setting.slots, setting.task_time)) : Json(nullptr);
    };
    return {{"tasks", row.setting.tasks},
            {"rule", {{"least", number(row.rule.least)}, {"most", number(row.rule.most)}, {"skips", row.skips}}},
            {"least_skips", row.least},
            {"slack", row.skips - row.least},
            {"locality", row.locality.approximate()},
            {"as_printed", row.as_printed.least.approximate()},
            {"reached_as_printed", row.reached(setting.goal)},
            {"least_skips_as_printed", row.least_as_printed},
            {"last_task", row.launch.approximate()},
            {"mean_wait", wait(row.skips)},
            {"sure_wait", sure(row.skips)},
            {"table", table}};
}

Json answer_of(const DelayRequest& request, const Setting& setting, const std::vector<JobRow>& rows) {
    Json list = Json::array();
    for (const JobRow& row : rows) list.push_back(row_json(request, setting, rows, row));
    Json offers = Json::array();
    for (const OfferRow& row : offer_rows(request, setting, rows))
        offers.push_back({{"skips", row.skips}, {"within", number(row.within)}, {"launch", number(row.launch)}});
    return {{"nodes", request.nodes},
            {"replicas", request.replicas},
            {"goal", number(setting.goal)},
            {"slots", setting.slots},
            {"task_time", number(setting.task_time)},
            {"local", number(setting.local)},
            {"offers", offers},
            {"jobs", list}};
}

std::string picture_of(const DelayRequest& request, const Setting& setting, const std::vector<JobRow>& rows,
                       const std::string& path) {
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
    return figures::draw(
        {fmt::format("Locality against D: {} nodes, {} replicas", request.nodes, request.replicas), {panel}},
        figures::picture_kind(path));
}

}  // namespace

int run(const DelayRequest& request) {
    if (!request.picture.empty()) static_cast<void>(figures::picture_kind(request.picture));
    require_writable({request.picture, request.to.path});
    const Setting setting = setting_of(request);
    const std::vector<JobRow> rows = rows_of(request, setting);
    if (!request.picture.empty())
        base::write_file(request.picture, picture_of(request, setting, rows, request.picture));
    if (request.to.json())
        write_json_answer(request.to.path, "delay", answer_of(request, setting, rows));
    else
        write_text(request.to.path, text_of(request, setting, rows));
    return 0;
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
           .separator = ','},
          {.names = "--picture",
           .value = "FILE",
           .target = &r.picture,
           .meaning = "draw locality against D (.svg, .png, .pdf or .tikz)"}},
         destination_options(r.to)});
}

}  // namespace

Subcommand delay() {
    return make_subcommand<DelayRequest>(
        "delay",
        "how many offers a job should let pass for local data: the paper's rule, what is needed, what it costs",
        "schedproof delay --nodes 100 --replicas 3 --tasks 20 --goal 0.95 --slots 4 --task-time 50", options);
}

}  // namespace schedproof::cli
