/// Results of a study for programs: everything that the text says, unrounded, with the means of single replications.
///
/// What has no value is null, so that every object of a kind has the same members; the form is that of
/// experiments/command/schema/simulate.schema.json.
#include "experiments/command/core/json.hpp"

#include <cmath>

#include "experiments/command/core/output.hpp"
#include "experiments/command/simulate/answer/study_answer.hpp"

namespace schedproof::cli {

namespace {

using runs::PointReport;
using runs::PolicyReport;
using statistics::Estimate;

Json optional(const std::optional<double>& value) { return value; }

Json means(const std::vector<std::optional<double>>& values) {
    Json list = Json::array();
    for (const auto& value : values) list.push_back(optional(value));
    return list;
}

Json controlled(const runs::QuantitySummary& summary, const std::vector<simulation::Quantity>& quantities,
                const runs::StudyPoint& point) {
    if (!summary.controlled) return nullptr;
    Json used = Json::array();
    for (const std::size_t q : summary.controlled->used)
        used.push_back(q < quantities.size() ? quantities[q].name : name_of_known(point));
    return {{"mean", summary.controlled->estimate.mean},
            {"half_width", optional(summary.controlled->estimate.half_width)},
            {"controls", std::move(used)},
            {"variance_ratio", summary.controlled->variance_ratio}};
}

Json quantiles(const runs::QuantitySummary& summary) {
    Json list = Json::array();
    for (std::size_t p = 0; p < summary.quantiles.size(); ++p)
        list.push_back({{"part", runs::quantile_parts[p]},
                        {"value", summary.quantiles[p].mean},
                        {"half_width", optional(summary.quantiles[p].half_width)}});
    return list;
}

Json quantities(const PolicyReport& policy, const runs::StudyPoint& point) {
    Json list = Json::array();
    for (std::size_t q = 0; q < policy.quantities.size(); ++q) {
        const simulation::Quantity& quantity = policy.quantities[q];
        const runs::QuantitySummary& s = policy.summary.quantities[q];
        const std::optional<Estimate>& e = s.estimate;
        list.push_back({{"name", quantity.name},
                        {"unit", quantity.unit},
                        {"expectation", optional(quantity.expectation)},
                        {"mean", e ? Json(e->mean) : Json(nullptr)},
                        {"half_width", optional(e ? e->half_width : std::nullopt)},
                        {"weight", s.weight},
                        {"means", means(s.means)},
                        {"controlled", controlled(s, policy.quantities, point)},
                        {"quantiles", quantiles(s)},
                        {"largest", s.quantiles.empty() ? Json(nullptr) : Json(s.largest)}});
    }
    return list;
}

/// Controls that were not used, as the runs are not stationary.
Json left_out(const PolicyReport& policy) {
    Json list = Json::array();
    for (const runs::LeftOut& control : policy.summary.left_out)
        list.push_back({{"control", policy.quantities[control.control].name},
                        {"quantity", policy.quantities[control.shown].name},
                        {"mean", control.seen.mean},
                        {"half_width", optional(control.seen.half_width)},
                        {"confidence", runs::stationarity_confidence},
                        {"lower", control.lower},
                        {"upper", control.upper}});
    return list;
}

Json policies(const PointReport& report) {
    Json list = Json::array();
    for (std::size_t c = 0; c < report.policies.size(); ++c) {
        const PolicyReport& policy = report.policies[c];
        const runs::Summary& s = policy.summary;
        list.push_back({{"policy", policy.label},
                        {"definition", report.point.policies[c].definition},
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
                        {"left_out", left_out(policy)},
                        {"quantities", quantities(policy, report.point)}});
    }
    return list;
}

Json differences(const PointReport& report) {
    Json list = Json::array();
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

Json to_json(const std::vector<runs::InputFile>& inputs) {
    Json list = Json::array();
    for (const runs::InputFile& input : inputs) list.push_back({{"file", input.path}, {"sha256", input.sha256}});
    return list;
}

Json to_json(const PointReport& report) {
    Json variables = Json::object(), lines = Json::object();
    for (const auto& [name, value] : report.point.variables) variables[name] = value;
    for (const auto& [name, value] : report.point.lines) lines[name] = value;
    Json precision = nullptr;
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

std::string name_of_known(const runs::StudyPoint& point) {
    const runs::KnownMean& known = *point.options.known;
    return known.quantity + " under " + point.policies[known.policy].label;
}

std::string method_of(const runs::Cut& cut) {
    if (cut.automatic) return cut.in_fives ? "MSER-5" : "MSER";
    return cut.batches == 0 ? "none" : "given";
}

void write_simulation(const Destination& to, const runs::Study& study, const std::vector<PointReport>& reports) {
    if (to.format == "csv") return write_text(to.path, simulation_csv(study, reports));
    if (!to.json()) return write_text(to.path, simulation_text(study, reports));
    Json points = Json::array();
    for (const PointReport& report : reports) points.push_back(to_json(report));
    write_json_answer(to.path, "simulate",
                      {{"version", study.version},
                       {"command", "schedproof " + runs::command_line(study.command)},
                       {"inputs", to_json(study.inputs)},
                       {"points", std::move(points)}});
}

}  // namespace schedproof::cli
