/// Pictures of a study: batch means, distribution functions, or a mean against a number that varies.
///
/// An axis is a variable that is a number at every point and takes two values or more; the parameter of a policy, such
/// as D, counts as one. Points that differ in that variable alone form a curve. A policy without the parameter is the
/// same at each of its values and is drawn as a level line across the range. Axes can be checked on outlines of the
/// reports, so a wrong name is found before anything is simulated. Gnuplot draws.
#include "experiments/command/simulate/answer/study_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "experiments/command/simulate/answer/study_answer.hpp"
#include "experiments/input/text/real_text.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/core/rational.hpp"

namespace schedproof::cli {

namespace {

using figures::Curve;
using figures::Panel;
using figures::Style;
using runs::PointReport;
using runs::PolicyReport;

constexpr const char* own_parameter = "parameter";

/// A decimal number or a fraction.
std::optional<double> number_of(const std::string& text) {
    if (const auto decimal = input::real_number(text)) return decimal;
    const auto exact = Rational::parse(text);
    return exact ? std::optional(exact->approximate()) : std::nullopt;
}

std::string axis(const simulation::Quantity& quantity) {
    return quantity.unit == "1" ? quantity.name : fmt::format("{} ({})", quantity.name, quantity.unit);
}

std::optional<std::size_t> find(const PolicyReport& policy, const std::string& quantity) {
    for (std::size_t q = 0; q < policy.quantities.size(); ++q)
        if (policy.quantities[q].name == quantity) return q;
    return std::nullopt;
}

/// The quantity that was asked for, or the first one of this kind.
std::size_t chosen(const FigureRequest& request, const PolicyReport& policy, bool distributed) {
    std::vector<std::string_view> names;
    for (std::size_t q = 0; q < policy.quantities.size(); ++q) {
        const simulation::Quantity& quantity = policy.quantities[q];
        if (distributed && !quantity.distributed) continue;
        if (request.y.empty() || quantity.name == request.y) return q;
        names.emplace_back(quantity.name);
    }
    std::string list;
    for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
    throw InputError::at_key(
        "--y-axis",
        fmt::format("expected a quantity{}: {}, not '{}'{}", distributed ? " with a distribution" : "",
                    list.empty() ? "there is none" : list, request.y, base::did_you_mean(request.y, names)));
}

std::string curve_name(const PointReport& report, const PolicyReport& policy) {
    std::string name = policy.label;
    for (const auto& [variable, value] : report.point.variables)
        name += fmt::format(", {} {}", variable, shown_value(value));
    return name;
}

Panel series(const FigureRequest& request, const std::vector<PointReport>& reports) {
    const PolicyReport& first = reports.front().policies.front();
    const std::size_t quantity = chosen(request, first, false);
    Panel panel{"Batch means. Everything left of the dashed line is warm-up and is not used.",
                fmt::format("time ({})", in_plural(first.time_unit)),
                axis(first.quantities[quantity]),
                {},
                {},
                {}};
    std::set<double> marks;
    for (const PointReport& report : reports)
        for (const PolicyReport& policy : report.policies) {
            const auto q = find(policy, first.quantities[quantity].name);
            if (!q) continue;
            Curve curve{curve_name(report, policy), {}, Style::lines};
            const double length = policy.summary.batch_length;
            for (std::size_t b = 0; b < policy.series[*q].size(); ++b)
                curve.points.push_back({length * (static_cast<double>(b) + 0.5), policy.series[*q][b]});
            panel.curves.push_back(std::move(curve));
            if (policy.summary.cut.batches > 0) marks.insert(length * static_cast<double>(policy.summary.cut.batches));
        }
    panel.marks.assign(marks.begin(), marks.end());
    return panel;
}

/// Whether nothing is 0 and some largest value is a hundred medians: the rest would not be seen on a linear axis.
bool has_long_tail(const Panel& panel) {
    bool long_tail = false;
    for (const Curve& curve : panel.curves) {
        if (curve.points.empty() || curve.points.front().x <= 0) return false;
        const auto median =
            std::find_if(curve.points.begin(), curve.points.end(), [](const auto& point) { return point.y >= 0.5; });
        long_tail = long_tail || (median != curve.points.end() && curve.points.back().x >= 100 * median->x);
    }
    return long_tail;
}

Panel distributions(const FigureRequest& request, const std::vector<PointReport>& reports) {
    const PolicyReport& first = reports.front().policies.front();
    const std::size_t quantity = chosen(request, first, true);
    Panel panel{"", axis(first.quantities[quantity]), "fraction at most this large", {}, {}, figures::Range{0, 1}};
    for (const PointReport& report : reports)
        for (const PolicyReport& policy : report.policies) {
            const auto q = find(policy, first.quantities[quantity].name);
            if (!q) continue;
            Curve curve{curve_name(report, policy), {}, Style::steps};
            for (const auto& [x, part] : policy.distributions[*q]) curve.points.push_back({x, part});
            panel.curves.push_back(std::move(curve));
        }
    panel.logarithmic_x = has_long_tail(panel);
    return panel;
}

/// The variable's value at a policy of a point; none where it is no number.
std::optional<double> value_of(const std::string& variable, const PointReport& report, const PolicyReport& policy) {
    if (variable == own_parameter) return policy.parameter;
    for (const auto& [name, value] : report.point.variables)
        if (name == variable) return number_of(value);
    return std::nullopt;
}

/// Variables that are numbers everywhere and take two values or more.
std::vector<std::string> axes(const std::vector<PointReport>& reports) {
    std::vector<std::string> names;
    for (const auto& [name, value] : reports.front().point.variables) names.push_back(name);
    names.emplace_back(own_parameter);
    std::erase_if(names, [&](const std::string& name) {
        std::set<double> values;
        for (const PointReport& report : reports)
            for (const PolicyReport& policy : report.policies) {
                const auto value = value_of(name, report, policy);
                if (value) values.insert(*value);
                if (!value && name != own_parameter) return true;
            }
        return values.size() < 2;
    });
    return names;
}

/// Curves are what is the same but for the variable: the other variables, and the policy unless it is varied itself.
std::string rest_of(const std::string& variable, const PointReport& report, const PolicyReport& policy) {
    const std::string& parameter = variable == own_parameter ? policy.parameter_name : variable;
    std::string name = label_without(policy.label, {{parameter, ""}});
    // A label such as `delay D=5` belongs to the curve `delay`.
    if (variable == own_parameter && policy.parameter) name = name.substr(0, name.find_first_of(" ="));
    for (const auto& [other, value] : report.point.variables)
        if (other != variable) name += fmt::format(", {} {}", other, shown_value(value));
    return name;
}

/// Name of the axis: a policy's own parameter is called as the policies do that have one.
std::string axis_name(const std::string& variable, const std::vector<PointReport>& reports) {
    if (variable != own_parameter) return variable;
    std::set<std::string> names;
    for (const PointReport& report : reports)
        for (const PolicyReport& policy : report.policies)
            if (!policy.parameter_name.empty()) names.insert(policy.parameter_name);
    return names.size() == 1 ? *names.begin() : "parameter of the policy";
}

/// Least and largest value of the variable.
figures::Range range_of(const std::string& variable, const std::vector<PointReport>& reports) {
    std::optional<figures::Range> range;
    for (const PointReport& report : reports)
        for (const PolicyReport& policy : report.policies)
            if (const auto x = value_of(variable, report, policy))
                range =
                    range ? figures::Range{std::min(range->from, *x), std::max(range->to, *x)} : figures::Range{*x, *x};
    return range.value_or(figures::Range{});
}

/// What one policy of a point adds to the curve of its name. One without the parameter is the same at each value of it.
void add_points(Curve& curve, const statistics::Estimate& estimate, std::optional<double> x,
                const figures::Range& range) {
    const double error = estimate.half_width.value_or(0);
    for (const double at : x ? std::vector<double>{*x} : std::vector<double>{range.from, range.to})
        curve.points.push_back({at, estimate.mean, error});
}

Panel means(const FigureRequest& request, const std::vector<PointReport>& reports, const std::string& variable) {
    const PolicyReport& first = reports.front().policies.front();
    const std::size_t quantity = chosen(request, first, false);
    const figures::Range range = range_of(variable, reports);
    Panel panel{"", axis_name(variable, reports), axis(first.quantities[quantity]), {}, {}, {}};
    // A number of something begins at none, as does what comes near it; of a load near its limit the differences count.
    if (range.from >= 0 && (variable == own_parameter || 4 * range.from <= range.to))
        panel.x = figures::Range{0, 1.03 * range.to};
    for (const PointReport& report : reports)
        for (const PolicyReport& policy : report.policies) {
            const auto q = find(policy, first.quantities[quantity].name);
            if (!q || !policy.summary.quantities[*q].estimate) continue;
            const std::string name = rest_of(variable, report, policy);
            auto curve =
                std::find_if(panel.curves.begin(), panel.curves.end(), [&](const Curve& c) { return c.name == name; });
            if (curve == panel.curves.end()) curve = panel.curves.insert(curve, Curve{name, {}, Style::error_bars});
            add_points(*curve, *policy.summary.quantities[*q].estimate, value_of(variable, report, policy), range);
        }
    for (Curve& curve : panel.curves)
        std::stable_sort(curve.points.begin(), curve.points.end(),
                         [](const figures::Point& a, const figures::Point& b) { return a.x < b.x; });
    return panel;
}

std::string variable_of(const FigureRequest& request, const std::vector<std::string>& known) {
    if (request.x.empty() && !known.empty()) return known.front();
    if (std::find(known.begin(), known.end(), request.x) != known.end()) return request.x;
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    throw InputError::at_key("--x-axis", known.empty()
                                             ? "expected a study in which a number varies: this one has none"
                                             : fmt::format("expected a number that varies: {}, not '{}'{}", list,
                                                           request.x, base::did_you_mean(request.x, known)));
}

/// The command line; where it is too long for a line, what was run and on which files.
std::string title_of(const runs::Study& study) {
    constexpr std::size_t fits = 105;
    std::string title = "schedproof " + base::command_line(study.command);
    if (title.size() <= fits) return title;
    std::set<std::string> files;
    for (const runs::StudyPoint& point : study.points)
        for (const runs::InputFile& file : point.inputs) files.insert(file.path);
    std::string on = fmt::format("schedproof {} {}", study.command.front(), fmt::join(files, " "));
    if (!files.empty() && on.size() <= fits) return on;
    title.erase(title.rfind(' ', fits - 4));
    return title + " ...";
}

}  // namespace

void check_axes(const FigureRequest& request, const std::vector<PointReport>& outlines) {
    if (!request.path.empty())
        static_cast<void>(simulation_plot(request, outlines));
    else if (!request.y.empty())
        static_cast<void>(chosen(request, outlines.front().policies.front(), false));
}

figures::Plot simulation_plot(const FigureRequest& request, const std::vector<PointReport>& reports) {
    const std::vector<std::string> known = axes(reports);
    std::string kind = request.kind;
    if (kind == "auto" && (!known.empty() || !request.x.empty())) kind = "mean";
    if (kind == "mean") return {"", {means(request, reports, variable_of(request, known))}};
    if (kind == "series") return {"", {series(request, reports)}};
    if (kind == "cdf") return {"", {distributions(request, reports)}};
    const PolicyReport& first = reports.front().policies.front();
    const bool distributed = request.y.empty() && std::any_of(first.quantities.begin(), first.quantities.end(),
                                                              [](const auto& q) { return q.distributed; });
    // A run of one batch has no series.
    if (distributed && first.summary.batches == 1) return {"", {distributions(request, reports)}};
    figures::Plot plot{"", {series(request, reports)}, 800, 320};
    if (distributed) plot.panels.push_back(distributions(request, reports));
    return plot;
}

std::string draw_simulation(const FigureRequest& request, const runs::Study& study,
                            const std::vector<PointReport>& reports) {
    figures::Plot plot = simulation_plot(request, reports);
    plot.title = title_of(study);
    return draw(std::move(plot), request);
}

}  // namespace schedproof::cli
