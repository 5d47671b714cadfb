/// Results of a study as text: what was simulated, a table of estimates, differences, and how far to trust them.
///
/// One policy fills a row per quantity, with quantiles; several policies stand side by side, and differences from the
/// first are taken replication by replication, on the same random numbers. The half width of an interval is printed
/// with two significant digits, and the mean to the same place. The text also says how the warm-up was found, which
/// quantities some runs never saw, whether a required precision was missed, and when batches are too correlated for
/// their interval.
#include "model/base/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "experiments/command/core/table.hpp"
#include "experiments/command/simulate/answer/study_answer.hpp"
#include "model/base/split.hpp"

namespace schedproof::cli {

namespace {

using runs::PointReport;
using runs::PolicyReport;
using statistics::Estimate;

/// A mean with as many digits as its error bar supports, and two more figures when there is none; beyond nine decimals
/// with a power of ten, as tails have it.
std::string estimate_text(const Estimate& estimate) {
    if (!estimate.half_width) return fmt::format("{:.4g}", estimate.mean);
    // Equal values whose mean is rounded leave an error bar of the last bit.
    if (*estimate.half_width <= 1e-12 * std::abs(estimate.mean)) return fmt::format("{:.6g} +- 0", estimate.mean);
    const auto order = [](double value) { return static_cast<int>(std::floor(std::log10(value))); };
    const int digits = std::max(1 - order(*estimate.half_width), 0);
    if (digits > 9) {
        const int power = order(std::max(std::abs(estimate.mean), *estimate.half_width));
        const double unit = std::pow(10, power);
        return fmt::format("({:.{}f} +- {:.{}f})e{}", estimate.mean / unit, digits + power, *estimate.half_width / unit,
                           digits + power, power);
    }
    return fmt::format("{:.{}f} +- {:.{}f}", estimate.mean, digits, *estimate.half_width, digits);
}

std::string per(const std::string& unit) { return unit == "1" ? "" : unit; }

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// One for all policies: they are cut at the same time.
std::string warm_up_text(const PointReport& report) {
    const PolicyReport& first = report.policies.front();
    const runs::Cut& cut = first.summary.cut;
    const bool several = report.policies.size() > 1;
    const std::string time = fmt::format("{:g} {}", static_cast<double>(cut.batches) * first.summary.batch_length,
                                         in_plural(first.time_unit));
    if (!cut.automatic) return cut.batches == 0 ? "none" : time + ", as given";
    std::vector<std::string> without_level, unsettled;
    for (const PolicyReport& policy : report.policies) {
        if (!policy.summary.cut.found) without_level.push_back(policy.label);
        for (const std::string& name : policy.summary.cut.unsettled)
            unsettled.push_back(several ? name + " under " + policy.label : name);
    }
    std::string words =
        fmt::format("{} by {}{}", time, method_of(cut), several ? ", the longest that a policy needs" : "");
    if (!without_level.empty())
        words = fmt::format("no level found{}: half of each run, {}, was left out; make runs longer",
                            several ? " under " + listed(without_level) : "", time);
    return unsettled.empty()
               ? words
               : words +
                     "; these quantities did not settle, even after the warm-up of the others: " + listed(unsettled);
}

bool has_controlled(const PointReport& report) {
    return std::any_of(report.policies.begin(), report.policies.end(), [](const PolicyReport& policy) {
        return std::any_of(policy.summary.quantities.begin(), policy.summary.quantities.end(),
                           [](const runs::QuantitySummary& q) { return q.controlled.has_value(); });
    });
}

std::string percent(double part) { return fmt::format("{:g}%", 100 * part); }

void add_rows(Table& table, const PolicyReport& policy, bool controlled) {
    for (std::size_t q = 0; q < policy.quantities.size(); ++q) {
        const simulation::Quantity& quantity = policy.quantities[q];
        const runs::QuantitySummary& summary = policy.summary.quantities[q];
        std::vector<std::string> row{q == 0 ? policy.label : "", quantity.name};
        row.push_back(summary.estimate ? estimate_text(*summary.estimate) : "never seen");
        if (controlled) row.push_back(summary.controlled ? estimate_text(summary.controlled->estimate) : "");
        for (std::size_t p = 0; p < std::size(runs::quantile_parts); ++p)
            row.push_back(p >= summary.quantiles.size() ? "" : fmt::format("{:.4g}", summary.quantiles[p].mean));
        row.push_back(per(quantity.unit));
        table.rows.push_back(std::move(row));
    }
}

Table table_of_one(const PointReport& report) {
    const bool controlled = has_controlled(report);
    Table table{"", {{"policy"}, {"quantity"}, {"mean", true}}, {}};
    if (controlled) table.columns.push_back({"with controls", true});
    for (const double part : runs::quantile_parts) table.columns.push_back({percent(part), true});
    table.columns.push_back({"unit", true});
    add_rows(table, report.policies.front(), controlled);
    return table;
}

/// Whether the quantity was zero, or never seen, in every run of every policy, such as work killed where nobody kills.
bool always_zero(const PointReport& report, std::size_t q) {
    return std::all_of(report.policies.begin(), report.policies.end(), [&](const PolicyReport& policy) {
        const auto& estimate = policy.summary.quantities[q].estimate;
        return !estimate || (estimate->mean == 0 && estimate->half_width.value_or(0) == 0);
    });
}

/// A table with a column per policy.
Table headed(const PointReport& report, std::size_t first = 0) {
    Table table{"", {{"quantity"}, {"unit"}}, {}};
    for (std::size_t p = first; p < report.policies.size(); ++p)
        table.columns.push_back({report.policies[p].label, true});
    return table;
}

/// Policies side by side: a row per quantity, its 95 % quantile below it where it has a distribution.
Table comparison(const PointReport& report) {
    Table table = headed(report);
    const std::vector<simulation::Quantity>& quantities = report.policies.front().quantities;
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        if (always_zero(report, q)) continue;
        const std::string unit = per(quantities[q].unit);
        std::vector<std::string> row{quantities[q].name, unit}, tail{"  95%", unit};
        for (const PolicyReport& policy : report.policies) {
            const runs::QuantitySummary& summary = policy.summary.quantities[q];
            row.push_back(summary.estimate ? estimate_text(*summary.estimate) : "never seen");
            tail.push_back(summary.quantiles.size() <= 2 ? "" : estimate_text(summary.quantiles[2]));
        }
        table.rows.push_back(std::move(row));
        if (quantities[q].distributed) table.rows.push_back(std::move(tail));
    }
    return table;
}

Table differences(const PointReport& report) {
    Table table = headed(report, 1);
    table.caption =
        fmt::format("minus {}, replication by replication, on the same random numbers", report.policies.front().label);
    const std::vector<simulation::Quantity>& quantities = report.policies.front().quantities;
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        if (always_zero(report, q)) continue;
        std::vector<std::string> row{quantities[q].name, per(quantities[q].unit)};
        row.resize(1 + report.policies.size());
        for (const runs::DifferenceReport& d : report.differences)
            if (d.quantity == q) row[1 + d.policy] = estimate_text(d.difference.difference);
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string difference_lines(const PointReport& report) {
    if (report.differences.empty()) return "";
    const Table table = differences(report);
    return fmt::format("\n{}\n{}", table.caption, as_text(table));
}

/// What the runs say of the mean that is certified.
std::string tested_known(const PointReport& report) {
    const runs::KnownMean& known = *report.point.options.known;
    const PolicyReport& policy = report.policies[known.policy];
    for (std::size_t q = 0; q < policy.quantities.size(); ++q) {
        const auto& estimate = policy.summary.quantities[q].estimate;
        if (policy.quantities[q].name != known.quantity || !estimate || !estimate->half_width) continue;
        const bool holds = estimate->mean - *estimate->half_width <= known.upper &&
                           estimate->mean + *estimate->half_width >= known.lower;
        return fmt::format("\n{}: simulated {}, which {} the certified mean\n", name_of_known(report.point),
                           estimate_text(*estimate), holds ? "holds" : "misses");
    }
    return "";
}

bool records_controls(const PointReport& report) {
    return std::any_of(report.policies.begin(), report.policies.end(),
                       [](const PolicyReport& policy) { return runs::are_controlled(policy.quantities); });
}

/// Controls that were asked for and not used, and why.
std::string left_out_lines(const PointReport& report) {
    std::string text;
    const auto without = [](const PolicyReport& policy) {
        const auto& of = policy.summary.quantities;
        return policy.summary.replications < 10 && policy.summary.left_out.empty() &&
               std::none_of(of.begin(), of.end(), [](const auto& quantity) { return quantity.controlled.has_value(); });
    };
    if (std::all_of(report.policies.begin(), report.policies.end(), without))
        text += "\ntoo few replications for controls: one control needs eight, and each further one two more\n";
    for (const PolicyReport& policy : report.policies)
        for (const runs::LeftOut& left_out : policy.summary.left_out)
            text += fmt::format(
                "\n{} under {}: no control, because in these runs {} is {} {} (99.9 %), not {}. The runs are not "
                "stationary; a longer warm-up may make them so, if the policy is stable.\n",
                policy.quantities[left_out.control].name, policy.label, policy.quantities[left_out.shown].name,
                estimate_text(left_out.seen), policy.quantities[left_out.shown].unit,
                left_out.lower == left_out.upper ? fmt::format("{:g}", left_out.lower)
                                                 : fmt::format("in [{:g}, {:g}]", left_out.lower, left_out.upper));
    return text;
}

/// Means of policies that are compared, corrected by a mean that is certified, or by controls that were asked for.
std::string controlled_lines(const PointReport& report) {
    const bool known = report.point.options.known.has_value();
    if (!known && !records_controls(report)) return "";
    std::string tested = (known ? tested_known(report) : "") + left_out_lines(report);
    if (report.policies.size() == 1) return tested;
    Table table = headed(report);
    const std::vector<simulation::Quantity>& quantities = report.policies.front().quantities;
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        if (always_zero(report, q)) continue;
        std::vector<std::string> row{quantities[q].name, per(quantities[q].unit)}, left{"  squared error left", ""};
        bool any = false;
        for (const PolicyReport& policy : report.policies) {
            const auto& controlled = policy.summary.quantities[q].controlled;
            any = any || controlled;
            row.push_back(controlled ? estimate_text(controlled->estimate) : "");
            left.push_back(controlled ? percent(std::round(1000 * controlled->variance_ratio) / 1000) : "");
        }
        if (!any) continue;
        table.rows.push_back(std::move(row));
        table.rows.push_back(std::move(left));
    }
    if (table.rows.empty()) return tested;
    if (!known) return tested + "\nwith controls\n" + as_text(table);
    return tested + "with it and the arrivals as controls, on the same random numbers\n" + as_text(table);
}

Table results(const PointReport& report) {
    return report.policies.size() == 1 ? table_of_one(report) : comparison(report);
}

std::string head(const PointReport& report) {
    const PolicyReport& policy = report.policies.front();
    std::vector<std::pair<std::string, std::string>> lines = report.point.lines;
    for (const runs::InputFile& input : report.point.inputs)
        lines.emplace_back("input", fmt::format("{}, SHA-256 {}", input.path, input.sha256));
    const runs::Summary& s = policy.summary;
    const double batches = static_cast<double>(s.batches);
    std::string length = fmt::format("of {:g} {} each", s.batch_length * batches, in_plural(policy.time_unit));
    // A run that ends by itself ends when its jobs are done, not after a given time.
    if (report.point.options.terminating)
        length = s.batches == 1 ? "to the last job"
                                : fmt::format("of the trace, in {} batches of {:g} {}", s.batches, s.batch_length,
                                              in_plural(policy.time_unit));
    lines.emplace_back("runs", fmt::format("{} {}, seed {}", s.replications, length, report.point.seed));
    lines.emplace_back("warm-up", warm_up_text(report));
    std::string text;
    std::size_t width = 8;
    for (const auto& [name, value] : lines) width = std::max(width, name.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        text += fmt::format("{:<{}}  {}\n", i > 0 && lines[i].first == lines[i - 1].first ? "" : lines[i].first, width,
                            lines[i].second);
    return text;
}

/// Quantities whose mean is that of some of the runs.
std::vector<std::string> seldom(const PointReport& report) {
    std::vector<std::string> names;
    for (const PolicyReport& policy : report.policies)
        for (std::size_t q = 0; q < policy.quantities.size(); ++q) {
            const auto& means = policy.summary.quantities[q].means;
            const bool some =
                std::any_of(means.begin(), means.end(), [](const auto& mean) { return mean.has_value(); });
            const bool all = std::all_of(means.begin(), means.end(), [](const auto& mean) { return mean.has_value(); });
            const std::string& name = policy.quantities[q].name;
            if (some && !all && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    return names;
}

std::string footer(const PointReport& report) {
    const PolicyReport& policy = report.policies.front();
    const bool one = policy.summary.replications == 1;
    if (one && report.point.options.terminating)
        return "\nA single run that ends by itself has no spread and gives no intervals; --replications gives them "
               "where "
               "something is random.\n";
    std::string text = fmt::format("\n+- is the half width of the {:g} % confidence interval, by {}\n",
                                   100 * report.point.options.confidence,
                                   one ? "batch means of the one run" : "the means of the replications");
    if (const auto names = seldom(report); !names.empty())
        text +=
            fmt::format("Means of quantities that were not seen in every run are over the runs that saw them: {}.\n",
                        listed(names));
    if (!report.precise)
        text += fmt::format("The precision of {:g} % was not reached within {} replications.\n",
                            100 * report.point.precision->relative, report.point.precision->most);
    // Of twenty independent values the correlation passes 0.4 about once in forty times.
    if (std::any_of(report.policies.begin(), report.policies.end(),
                    [](const PolicyReport& p) { return p.summary.quantities.front().batch_correlation > 0.4; }))
        text +=
            one ? "Neighbouring batches are correlated: the run is too short for this interval to be trusted.\n"
                : "Neighbouring twentieths of the runs are correlated: the runs are short, and their start may still "
                  "tell. Longer runs make these intervals safe.\n";
    return text;
}

std::string variables(const PointReport& report) {
    std::string text;
    for (const auto& [name, value] : report.point.variables) text += (text.empty() ? "" : ", ") + name + " " + value;
    return text;
}

}  // namespace

std::string in_plural(const std::string& unit) {
    return unit == "slot" || unit == "second" || unit == "unit" ? unit + "s" : unit;
}

std::string simulation_text(const runs::Study&, const std::vector<PointReport>& reports) {
    std::string text;
    for (const PointReport& report : reports) {
        if (!text.empty()) text += "\n";
        if (const std::string words = variables(report); !words.empty()) text += "== " + words + "\n";
        text += head(report) + "\n" + as_text(results(report)) + difference_lines(report) + controlled_lines(report) +
                footer(report);
    }
    return text;
}

namespace {

/// A table of one quantity over the points of a sweep: a row for each point, a column for each policy.
Table over_points(const std::vector<PointReport>& reports, const simulation::Quantity& quantity) {
    Table table{quantity.unit == "1" ? quantity.name : fmt::format("{} ({})", quantity.name, quantity.unit), {}, {}};
    for (const auto& [name, value] : reports.front().point.variables) table.columns.push_back({name, true});
    std::vector<std::string> labels;  // without the values of what varies, which stand in front
    for (const PointReport& report : reports) {
        std::vector<std::string> row;
        for (const auto& [name, value] : report.point.variables) row.push_back(shown_value(value));
        const std::size_t first = row.size();
        for (const PolicyReport& policy : report.policies) {
            const std::string label = label_without(policy.label, report.point.variables);
            auto at = std::find(labels.begin(), labels.end(), label);
            if (at == labels.end()) {
                at = labels.insert(at, label);
                table.columns.push_back({label, true});
            }
            const std::size_t column = first + static_cast<std::size_t>(at - labels.begin());
            row.resize(std::max(row.size(), column + 1));
            for (std::size_t q = 0; q < policy.quantities.size(); ++q)
                if (policy.quantities[q].name == quantity.name && policy.summary.quantities[q].estimate)
                    row[column] = estimate_text(*policy.summary.quantities[q].estimate);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::string shown_value(const std::string& value) {
    const std::filesystem::path path(value);
    if (!path.has_parent_path() || !path.has_extension()) return value;
    // Values for the parameters of a policy's file stand behind its name.
    const std::string ending = path.extension().string();
    return path.stem().string() + ending.substr(std::min(ending.find(':'), ending.size()));
}

std::string label_without(const std::string& label, const std::vector<std::pair<std::string, std::string>>& variables) {
    const std::size_t colon = label.find(':');
    if (colon == std::string::npos) return label;
    std::string values;
    for (const std::string_view value : base::split(std::string_view(label).substr(colon + 1), ','))
        if (std::none_of(variables.begin(), variables.end(),
                         [&](const auto& variable) { return value.starts_with(variable.first + "="); }))
            values += (values.empty() ? ":" : ",") + std::string(value);
    return label.substr(0, colon) + values;
}

std::string simulation_tables(const std::string& format, const std::string& quantity, const runs::Study& study,
                              const std::vector<PointReport>& reports) {
    std::vector<Table> tables;
    if (reports.size() > 1) {
        const PointReport& first = reports.front();
        for (std::size_t q = 0; q < first.policies.front().quantities.size(); ++q) {
            const simulation::Quantity& of = first.policies.front().quantities[q];
            const bool wanted = quantity.empty()
                                    ? std::none_of(reports.begin(), reports.end(),
                                                   [q](const auto& report) { return always_zero(report, q); })
                                    : of.name == quantity;
            if (wanted) tables.push_back(over_points(reports, of));
        }
    } else {
        tables.push_back(results(reports.front()));
        if (!reports.front().differences.empty()) tables.push_back(differences(reports.front()));
    }
    return as_tables(format, "schedproof " + base::command_line(study.command), tables);
}

}  // namespace schedproof::cli
