/// Results of a study as CSV: a row per point and policy, or per batch.
///
/// Columns are the quantities of all policies in the order of their first appearance, with units in their names, so
/// that all points share one table; a policy without a quantity leaves the field empty. Lines that begin with # give
/// version, command and the SHA-256 of every input, so that a file says how it was made. Numbers are the shortest
/// decimals that read back as the same doubles; a value that is not finite is an empty field.
#include "experiments/command/core/csv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/command/core/output.hpp"
#include "experiments/command/simulate/answer/study_answer.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli {

namespace {

using runs::PointReport;
using runs::PolicyReport;

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string row(const std::vector<std::string>& fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) line += (i == 0 ? "" : ",") + csv_field(fields[i]);
    return line + "\n";
}

std::string provenance(const runs::Study& study) {
    std::string text =
        fmt::format("# schedproof {}\n# command: schedproof {}\n", study.version, base::command_line(study.command));
    std::set<std::string> said;
    const auto say = [&](const std::vector<runs::InputFile>& inputs) {
        for (const runs::InputFile& input : inputs)
            if (said.insert(input.path).second)
                text += fmt::format("# input: {} sha256 {}\n", base::command_line({input.path}), input.sha256);
    };
    say(study.inputs);
    for (const runs::StudyPoint& point : study.points) say(point.inputs);
    return text;
}

/// Quantities of all policies, in the order of their first appearance.
std::vector<simulation::Quantity> all_quantities(const std::vector<PointReport>& reports) {
    std::vector<simulation::Quantity> all;
    std::set<std::pair<std::string, std::string>> seen;
    for (const PointReport& report : reports)
        for (const PolicyReport& policy : report.policies)
            for (const simulation::Quantity& quantity : policy.quantities)
                if (seen.emplace(quantity.name, quantity.unit).second) all.push_back(quantity);
    return all;
}

const runs::QuantitySummary* find(const PolicyReport& policy, const simulation::Quantity& quantity) {
    for (std::size_t q = 0; q < policy.quantities.size(); ++q)
        if (policy.quantities[q].name == quantity.name && policy.quantities[q].unit == quantity.unit)
            return &policy.summary.quantities[q];
    return nullptr;
}

/// Of all policies, where it is the same.
std::string time_unit(const std::vector<PointReport>& reports) {
    std::set<std::string> units;
    for (const PointReport& report : reports)
        for (const PolicyReport& policy : report.policies) units.insert(policy.time_unit);
    return units.size() == 1 ? *units.begin() : "time unit";
}

/// Whether some policy's means are corrected by controls that were asked for.
bool have_controls(const std::vector<PointReport>& reports) {
    return std::any_of(reports.begin(), reports.end(), [](const PointReport& report) {
        return std::any_of(report.policies.begin(), report.policies.end(),
                           [](const PolicyReport& policy) { return runs::are_controlled(policy.quantities); });
    });
}

std::vector<std::string> columns(const std::vector<PointReport>& reports,
                                 const std::vector<simulation::Quantity>& quantities) {
    std::vector<std::string> names;
    for (const auto& [name, value] : reports.front().point.variables) names.push_back(name);
    const std::string unit = time_unit(reports);
    const bool controls = have_controls(reports);
    for (const char* name : {"policy", "parameter", "seed", "replications", "confidence", "time unit"})
        names.emplace_back(name);
    names.push_back(fmt::format("run ({})", unit));
    names.push_back(fmt::format("warm-up ({})", unit));
    for (const simulation::Quantity& quantity : quantities) {
        names.push_back(fmt::format("{} mean ({})", quantity.name, quantity.unit));
        names.push_back(fmt::format("{} half-width ({})", quantity.name, quantity.unit));
        if (controls && !quantity.expectation) {
            names.push_back(fmt::format("{} controlled mean ({})", quantity.name, quantity.unit));
            names.push_back(fmt::format("{} controlled half-width ({})", quantity.name, quantity.unit));
        }
        if (!quantity.distributed) continue;
        for (const double part : runs::quantile_parts) {
            names.push_back(fmt::format("{} {:g}% ({})", quantity.name, 100 * part, quantity.unit));
            names.push_back(fmt::format("{} {:g}% half-width ({})", quantity.name, 100 * part, quantity.unit));
        }
    }
    return names;
}

void add(std::vector<std::string>& fields, const std::optional<statistics::Estimate>& estimate) {
    fields.push_back(estimate ? csv_number(estimate->mean) : "");
    fields.push_back(estimate && estimate->half_width ? csv_number(*estimate->half_width) : "");
}

std::vector<std::string> fields_of(const PointReport& report, const PolicyReport& policy,
                                   const std::vector<simulation::Quantity>& quantities, bool controls) {
    std::vector<std::string> fields;
    for (const auto& [name, value] : report.point.variables) fields.push_back(value);
    const runs::Summary& s = policy.summary;
    fields.push_back(policy.label);
    fields.push_back(policy.parameter ? csv_number(*policy.parameter) : "");
    fields.push_back(std::to_string(report.point.seed));
    fields.push_back(std::to_string(s.replications));
    fields.push_back(csv_number(report.point.options.confidence));
    fields.push_back(policy.time_unit);
    fields.push_back(csv_number(s.batch_length * static_cast<double>(s.batches)));
    fields.push_back(csv_number(s.batch_length * static_cast<double>(s.cut.batches)));
    for (const simulation::Quantity& quantity : quantities) {
        const runs::QuantitySummary* found = find(policy, quantity);
        add(fields, found == nullptr ? std::nullopt : found->estimate);
        if (controls && !quantity.expectation)
            add(fields,
                found == nullptr || !found->controlled ? std::nullopt : std::optional(found->controlled->estimate));
        for (std::size_t p = 0; quantity.distributed && p < std::size(runs::quantile_parts); ++p)
            add(fields,
                found == nullptr || p >= found->quantiles.size() ? std::nullopt : std::optional(found->quantiles[p]));
    }
    return fields;
}

}  // namespace

std::string simulation_csv(const runs::Study& study, const std::vector<PointReport>& reports) {
    const std::vector<simulation::Quantity> quantities = all_quantities(reports);
    const bool controls = have_controls(reports);
    std::string text = provenance(study) + row(columns(reports, quantities));
    for (const PointReport& report : reports)
        for (const PolicyReport& policy : report.policies) text += row(fields_of(report, policy, quantities, controls));
    return text;
}

std::string series_csv(const runs::Study& study, const std::vector<PointReport>& reports) {
    const std::vector<simulation::Quantity> quantities = all_quantities(reports);
    std::vector<std::string> names;
    for (const auto& [name, value] : reports.front().point.variables) names.push_back(name);
    for (const char* name : {"policy", "seed", "time unit"}) names.emplace_back(name);
    names.push_back(fmt::format("until ({})", time_unit(reports)));
    for (const simulation::Quantity& quantity : quantities)
        names.push_back(fmt::format("{} ({})", quantity.name, quantity.unit));
    std::string text = provenance(study) + row(names);
    for (const PointReport& report : reports)
        for (const PolicyReport& policy : report.policies)
            for (std::size_t b = 0; b < policy.summary.batches; ++b) {
                std::vector<std::string> fields;
                for (const auto& [name, value] : report.point.variables) fields.push_back(value);
                fields.push_back(policy.label);
                fields.push_back(std::to_string(report.point.seed));
                fields.push_back(policy.time_unit);
                fields.push_back(csv_number(policy.summary.batch_length * static_cast<double>(b + 1)));
                for (const simulation::Quantity& quantity : quantities) {
                    const runs::QuantitySummary* found = find(policy, quantity);
                    const auto q = found == nullptr ? 0 : found - policy.summary.quantities.data();
                    fields.push_back(found == nullptr ? "" : csv_number(policy.series[static_cast<std::size_t>(q)][b]));
                }
                text += row(fields);
            }
    return text;
}

}  // namespace schedproof::cli
