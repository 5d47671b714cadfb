#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/command/core/output.hpp"
#include "experiments/command/simulate/answer.hpp"

namespace schedproof::command {

namespace {

using nlohmann::ordered_json;
using runs::PointReport;
using runs::PolicyReport;
using statistics::Estimate;

ordered_json optional(const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json means(const std::vector<std::optional<double>>& values) {
    ordered_json list = ordered_json::array();
    for (const auto& value : values) list.push_back(optional(value));
    return list;
}

ordered_json controlled(const runs::QuantitySummary& summary, const std::vector<simulation::Quantity>& quantities) {
    if (!summary.controlled) return nullptr;
    ordered_json used = ordered_json::array();
    for (const std::size_t q : summary.controlled->used) used.push_back(quantities[q].name);
    return {{"mean", summary.controlled->estimate.mean},
            {"half_width", optional(summary.controlled->estimate.half_width)},
            {"controls", std::move(used)},
            {"variance_ratio", summary.controlled->variance_ratio}};
}

ordered_json quantiles(const runs::QuantitySummary& summary) {
    ordered_json list = ordered_json::array();
    for (std::size_t p = 0; p < summary.quantiles.size(); ++p)
        list.push_back({{"part", runs::quantile_parts[p]},
                        {"value", summary.quantiles[p].mean},
                        {"half_width", optional(summary.quantiles[p].half_width)}});
    return list;
}

ordered_json quantities(const PolicyReport& policy) {
    ordered_json list = ordered_json::array();
    for (std::size_t q = 0; q < policy.quantities.size(); ++q) {
        const simulation::Quantity& quantity = policy.quantities[q];
        const runs::QuantitySummary& s = policy.summary.quantities[q];
        const std::optional<Estimate>& e = s.estimate;
        list.push_back({{"name", quantity.name},
                        {"unit", quantity.unit},
                        {"expectation", optional(quantity.expectation)},
                        {"mean", e ? ordered_json(e->mean) : ordered_json(nullptr)},
                        {"half_width", optional(e ? e->half_width : std::nullopt)},
                        {"weight", s.weight},
                        {"means", means(s.means)},
                        {"controlled", controlled(s, policy.quantities)},
                        {"quantiles", quantiles(s)},
                        {"largest", s.quantiles.empty() ? ordered_json(nullptr) : ordered_json(s.largest)}});
    }
    return list;
}

ordered_json policies(const PointReport& report) {
    ordered_json list = ordered_json::array();
    for (std::size_t c = 0; c < report.policies.size(); ++c) {
        const PolicyReport& policy = report.policies[c];
        const runs::Summary& s = policy.summary;
        list.push_back({{"policy", policy.label},
                        {"parameter", optional(policy.parameter)},
                        {"command", runs::command_line(report.point.policies[c].command)},
                        {"time_unit", policy.time_unit},
                        {"run", s.batch_length * static_cast<double>(s.batches)},
                        {"batches", s.batches},
                        {"replications", s.replications},
                        {"work", s.work},
                        {"warm_up",
                         {{"time", static_cast<double>(s.cut.batches) * s.batch_length},
                          {"method", method_of(s.cut)},
                          {"found", s.cut.found},
                          {"unsettled", s.cut.unsettled}}},
                        {"quantities", quantities(policy)}});
    }
    return list;
}

ordered_json differences(const PointReport& report) {
    ordered_json list = ordered_json::array();
    for (const runs::DifferenceReport& d : report.differences) {
        const PolicyReport& policy = report.policies[d.policy];
        list.push_back({{"policy", policy.label},
                        {"minus", report.policies.front().label},
                        {"quantity", policy.quantities[d.quantity].name},
                        {"unit", policy.quantities[d.quantity].unit},
                        {"mean", d.difference.difference.mean},
                        {"half_width", optional(d.difference.difference.half_width)},
                        {"relative", optional(d.difference.relative)},
                        {"correlation", d.difference.correlation}});
    }
    return list;
}

ordered_json to_json(const std::vector<runs::InputFile>& inputs) {
    ordered_json list = ordered_json::array();
    for (const runs::InputFile& input : inputs) list.push_back({{"file", input.path}, {"sha256", input.sha256}});
    return list;
}

ordered_json to_json(const PointReport& report) {
    ordered_json variables = ordered_json::object(), lines = ordered_json::object();
    for (const auto& [name, value] : report.point.variables) variables[name] = value;
    for (const auto& [name, value] : report.point.lines) lines[name] = value;
    ordered_json precision = nullptr;
    if (report.point.precision)
        precision = {{"relative", report.point.precision->relative},
                     {"most", report.point.precision->most},
                     {"reached", report.precise}};
    return {{"variables", std::move(variables)},
            {"description", std::move(lines)},
            {"warnings", report.point.warnings},
            {"inputs", to_json(report.point.inputs)},
            {"seed", report.point.seed},
            {"first", report.point.first},
            {"confidence", report.point.options.confidence},
            {"precision", std::move(precision)},
            {"policies", policies(report)},
            {"differences", differences(report)}};
}

}  // namespace

std::string method_of(const runs::Cut& cut) {
    if (cut.automatic) return cut.in_fives ? "MSER-5" : "MSER";
    return cut.batches == 0 ? "none" : "given";
}

void write_simulation(const Destination& to, const runs::Study& study, const std::vector<PointReport>& reports) {
    if (to.format == "csv") return write_text(to.path, simulation_csv(study, reports));
    if (!to.json()) return write_text(to.path, simulation_text(study, reports));
    ordered_json points = ordered_json::array();
    for (const PointReport& report : reports) points.push_back(to_json(report));
    write_json(to.path, "simulate",
               {{"version", study.version},
                {"command", "schedproof " + runs::command_line(study.command)},
                {"inputs", to_json(study.inputs)},
                {"points", std::move(points)}});
}

}  // namespace schedproof::command
