#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/cli/simulation_answer.hpp"

namespace schedproof::cli {

namespace {

using runs::PointReport;
using runs::PolicyReport;
using statistics::Estimate;

/// A mean with as many digits as its error bar supports, and two more figures when there is none.
std::string in_words(const Estimate& estimate) {
    if (!estimate.half_width) return fmt::format("{:.4g}", estimate.mean);
    if (*estimate.half_width == 0) return fmt::format("{:.6g} +- 0", estimate.mean);
    const int digits = std::clamp(1 - static_cast<int>(std::floor(std::log10(*estimate.half_width))), 0, 12);
    return fmt::format("{:.{}f} +- {:.{}f}", estimate.mean, digits, *estimate.half_width, digits);
}

std::string per(const std::string& unit) { return unit == "1" ? "" : unit; }

std::string warm_up_words(const PolicyReport& policy) {
    const runs::Cut& cut = policy.summary.cut;
    const double time = static_cast<double>(cut.batches) * policy.summary.batch_length;
    if (!cut.automatic) return cut.batches == 0 ? "none" : fmt::format("{:g} {}s, as asked", time, policy.time_unit);
    std::string words = fmt::format("{:g} {}s by MSER-5", time, policy.time_unit);
    if (!cut.found)
        words = fmt::format("no level found: half of each run, {:g} {}s, was left out; make runs longer", time,
                            policy.time_unit);
    for (std::size_t i = 0; i < cut.unsettled.size(); ++i)
        words += (i == 0 ? "; no level of its own: " : ", ") + cut.unsettled[i];
    return words;
}

struct Table {
    std::vector<std::vector<std::string>> rows;

    /// The first two columns to the left, the others to the right.
    [[nodiscard]] std::string text() const {
        std::vector<std::size_t> width;
        for (const auto& row : rows)
            for (std::size_t c = 0; c < row.size(); ++c) {
                if (c >= width.size()) width.push_back(0);
                width[c] = std::max(width[c], row[c].size());
            }
        std::string all;
        for (const auto& row : rows) {
            std::string line;
            for (std::size_t c = 0; c < row.size(); ++c)
                line += c < 2 ? fmt::format("{:<{}}  ", row[c], width[c]) : fmt::format("{:>{}}  ", row[c], width[c]);
            line.erase(line.find_last_not_of(' ') + 1);
            all += line + "\n";
        }
        return all;
    }
};

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
        row.push_back(summary.estimate ? in_words(*summary.estimate) : "never seen");
        if (controlled) row.push_back(summary.controlled ? in_words(summary.controlled->estimate) : "");
        for (std::size_t p = 0; p < std::size(runs::quantile_parts); ++p)
            row.push_back(summary.quantiles.empty() ? "" : fmt::format("{:.4g}", summary.quantiles[p].mean));
        row.push_back(per(quantity.unit));
        table.rows.push_back(std::move(row));
    }
}

std::string results(const PointReport& report) {
    Table table;
    const bool controlled = has_controlled(report);
    std::vector<std::string> head{"policy", "quantity", "mean"};
    if (controlled) head.emplace_back("with controls");
    for (const double part : runs::quantile_parts) head.push_back(percent(part));
    head.emplace_back("unit");
    table.rows.push_back(std::move(head));
    for (const PolicyReport& policy : report.policies) add_rows(table, policy, controlled);
    return table.text();
}

std::string differences(const PointReport& report) {
    if (report.differences.empty()) return "";
    Table table;
    table.rows.push_back({"policy", "quantity", "minus " + report.policies.front().label, "relative", "correlation"});
    for (const runs::DifferenceReport& d : report.differences) {
        const PolicyReport& policy = report.policies[d.policy];
        const bool first = table.rows.back()[0] != policy.label && (d.quantity == 0);
        table.rows.push_back({first ? policy.label : "", policy.quantities[d.quantity].name,
                              in_words(d.difference.difference),
                              d.difference.relative ? fmt::format("{:+.3g}%", 100 * *d.difference.relative) : "",
                              fmt::format("{:.2f}", d.difference.correlation)});
    }
    return "\nreplication by replication, on the same random numbers\n" + table.text();
}

std::string head(const PointReport& report) {
    const PolicyReport& policy = report.policies.front();
    std::vector<std::pair<std::string, std::string>> lines = report.point.lines;
    for (const runs::InputFile& input : report.point.inputs)
        lines.emplace_back("input", fmt::format("{}, SHA-256 {}", input.path, input.sha256));
    const runs::Summary& s = policy.summary;
    lines.emplace_back(
        "runs", fmt::format("{} of {:g} {}s each, seed {}", s.replications,
                            s.batch_length * static_cast<double>(s.batches), policy.time_unit, report.point.seed));
    for (const PolicyReport& p : report.policies)
        lines.emplace_back("warm-up", (report.policies.size() == 1 ? "" : p.label + ": ") + warm_up_words(p));
    std::string text;
    std::size_t width = 8;
    for (const auto& [name, value] : lines) width = std::max(width, name.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        text += fmt::format("{:<{}}  {}\n", i > 0 && lines[i].first == lines[i - 1].first ? "" : lines[i].first, width,
                            lines[i].second);
    return text;
}

std::string footer(const PointReport& report) {
    const PolicyReport& policy = report.policies.front();
    std::string text = fmt::format(
        "\n+- is the half width of the {:g} % confidence interval, by {}\n", 100 * report.point.options.confidence,
        policy.summary.replications > 1 ? "the means of the replications" : "batch means of the one run");
    if (!report.precise)
        text += fmt::format("The precision of {:g} % was not reached within {} replications.\n",
                            100 * report.point.precision->relative, report.point.precision->most);
    const runs::Summary& s = policy.summary;
    if (s.replications == 1 && s.quantities.front().batch_correlation > 0.4)
        text += "Neighbouring batches are correlated: the run is too short for this interval to be trusted.\n";
    return text;
}

std::string variables(const PointReport& report) {
    std::string text;
    for (const auto& [name, value] : report.point.variables) text += (text.empty() ? "" : ", ") + name + " " + value;
    return text;
}

}  // namespace

std::string simulation_text(const runs::Study&, const std::vector<PointReport>& reports) {
    std::string text;
    for (const PointReport& report : reports) {
        if (!text.empty()) text += "\n";
        if (const std::string words = variables(report); !words.empty()) text += "== " + words + "\n";
        text += head(report) + "\n" + results(report) + differences(report);
        if (&report == &reports.back()) text += footer(report);
    }
    return text;
}

}  // namespace schedproof::cli
