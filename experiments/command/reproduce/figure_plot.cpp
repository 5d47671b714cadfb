/// The picture of a figure: what was measured with the values taken, with intervals, and numbers of the paper beside.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "experiments/command/reproduce/reproduce.hpp"
#include "experiments/statistics/sample.hpp"

namespace schedproof::cli {

namespace {

using figures::Curve;
using figures::Panel;
using figures::Style;

std::optional<figures::Range> range_of(const FigurePanel& panel) {
    if (!panel.from || !panel.to) return std::nullopt;
    return figures::Range{*panel.from, *panel.to};
}

/// A value with the half width of its interval.
figures::Point point_at(double x, const reproduction::Sample& sample, double confidence) {
    std::vector<double> seen = sample.values;
    std::erase_if(seen, [](double v) { return !(v < std::numeric_limits<double>::infinity()); });
    if (seen.empty()) return {x, std::numeric_limits<double>::quiet_NaN(), 0};
    const statistics::Estimate estimate = statistics::estimate(seen, confidence);
    return {x, estimate.mean, sample.exact ? 0 : estimate.half_width.value_or(0)};
}

Curve measured_curve(const FigureDeclaration& figure, const MeasuredSetting& setting, const std::string& measure,
                     const std::string& curve, Style style) {
    Curve drawn{figure.shown(curve), {}, style};
    for (const double x : setting.measurements.places(measure, curve))
        drawn.points.push_back(point_at(x, *setting.measurements.find({measure, curve, x}), figure.confidence));
    return drawn;
}

void add_curves(const FigureDeclaration& figure, const MeasuredSetting& setting, const FigurePanel& panel,
                Panel& into) {
    for (const std::string& curve : setting.curves)
        into.curves.push_back(measured_curve(figure, setting, panel.measure, curve, Style::error_bars));
    for (const ReferenceCurve& reference : figure.references)
        if (reference.measure == panel.measure)
            into.curves.push_back(measured_curve(figure, setting, panel.measure, reference.name, Style::points));
}

void add_bars(const FigureDeclaration& figure, const MeasuredSetting& setting, const FigurePanel& panel, Panel& into) {
    double place = 1;
    for (const std::string& curve : setting.curves) {
        Curve bar = measured_curve(figure, setting, panel.measure, curve, Style::bars);
        into.categories.push_back(std::move(bar.name));
        bar.name.clear();
        for (figures::Point& point : bar.points) point.x = place;
        into.curves.push_back(std::move(bar));
        place += 1;
    }
    into.x = figures::Range{0.4, place - 0.4};
    // A column says its value by its length.
    double highest = 0;
    for (const Curve& bar : into.curves)
        for (const figures::Point& point : bar.points) highest = std::max(highest, point.y + point.error);
    if (!into.y && !into.logarithmic_y) into.y = figures::Range{0, 1.05 * highest};
}

/// The quantity of a panel in a report; none where it was not measured.
std::optional<std::size_t> quantity_of(const runs::PolicyReport& policy, const std::string& name) {
    for (std::size_t q = 0; q < policy.quantities.size(); ++q)
        if (policy.quantities[q].name == name) return q;
    return std::nullopt;
}

/// Distribution functions, or means by batch.
void add_whole(const FigureDeclaration& figure, const MeasuredSetting& setting, const FigurePanel& panel, Panel& into) {
    const bool series = figure.drawing == Drawing::series;
    std::size_t next = 0;
    for (const runs::PointReport& report : setting.reports)
        for (const runs::PolicyReport& policy : report.policies) {
            const auto q = quantity_of(policy, panel.measure);
            Curve curve{figure.shown(setting.curves[next++]), {}, series ? Style::lines : Style::steps};
            if (!q) continue;
            const double length = policy.summary.batch_length;
            for (std::size_t b = 0; series && b < policy.series[*q].size(); ++b)
                curve.points.push_back({length * (static_cast<double>(b) + 0.5), policy.series[*q][b]});
            if (!series)
                for (const auto& [x, part] : policy.distributions[*q]) curve.points.push_back({x, part});
            into.curves.push_back(std::move(curve));
        }
}

}  // namespace

figures::Plot plot_of(const FigureDeclaration& figure, const MeasuredSetting& setting) {
    figures::Plot plot;
    for (const FigurePanel& panel : figure.panels) {
        Panel drawn{"", figure.x_label, panel.label, {}, {}, range_of(panel)};
        drawn.logarithmic_x = figure.logarithmic_x;
        drawn.logarithmic_y = panel.logarithmic;
        if (figure.drawing == Drawing::curves) add_curves(figure, setting, panel, drawn);
        if (figure.drawing == Drawing::bars) add_bars(figure, setting, panel, drawn);
        if (figure.drawing == Drawing::series || figure.drawing == Drawing::distribution)
            add_whole(figure, setting, panel, drawn);
        if (figure.drawing == Drawing::distribution) {
            drawn.x_label = panel.label;
            drawn.y_label = "part of all";
            drawn.x = range_of(panel);
            drawn.y = figures::Range{0, 1};
        }
        // Panels below each other share their axis.
        if (!plot.panels.empty() && figure.drawing != Drawing::distribution) plot.panels.back().x_label.clear();
        plot.panels.push_back(std::move(drawn));
    }
    return plot;
}

}  // namespace schedproof::cli
