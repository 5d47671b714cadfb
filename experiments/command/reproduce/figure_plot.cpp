/// The picture of a figure: what was measured with the values taken, with intervals, and numbers of the paper beside.
///
/// A curve that was fitted is drawn as points, and its fit as a line of the same colour. Panels below each other share
/// the x axis; where it is not logarithmic they are given one range, since each would otherwise take what its own
/// points need. In a schedule a core is a row; an initial load that outlasts all tasks is cut off, or it would set the
/// scale.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

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

bool fitted(const FigureDeclaration& figure, const std::string& measure, const std::string& curve) {
    return std::any_of(figure.fits.begin(), figure.fits.end(), [&](const reproduction::Fit& fit) {
        return fit.measure == measure && std::find(fit.curves.begin(), fit.curves.end(), curve) != fit.curves.end();
    });
}

/// The fitted line where a fit has places.
Curve fitted_line(const FigureDeclaration& figure, const MeasuredSetting& setting, const reproduction::Fit& fit,
                  const std::string& curve) {
    const std::vector<double> all = fit.at.empty() ? setting.measurements.places(fit.measure, curve) : fit.at;
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    Curve line{"", {}, Style::lines};
    constexpr int steps = 60;
    for (int i = 0; i <= steps; ++i) {
        const double part = static_cast<double>(i) / steps;
        const double x =
            figure.logarithmic_x ? *least * std::pow(*most / *least, part) : *least + part * (*most - *least);
        line.points.push_back({x, reproduction::value_at(fit, setting.measurements, curve, x)});
    }
    return line;
}

/// Each line in the colour of the points that it was fitted to. One stands for all of a fit in the legend.
void add_fits(const FigureDeclaration& figure, const MeasuredSetting& setting, const FigurePanel& panel, Panel& into) {
    const std::size_t measured = into.curves.size();
    for (const reproduction::Fit& fit : figure.fits) {
        if (fit.measure != panel.measure) continue;
        std::string legend = fit.name;
        for (const std::string& name : fit.curves)
            for (std::size_t own = 0; own < measured; ++own) {
                if (into.curves[own].name != figure.shown(name)) continue;
                into.curves.push_back(fitted_line(figure, setting, fit, name));
                into.curves.back().colour = own;
                into.curves.back().name = std::exchange(legend, "");
            }
    }
}

void add_curves(const FigureDeclaration& figure, const MeasuredSetting& setting, const FigurePanel& panel,
                Panel& into) {
    for (const std::string& curve : setting.curves)
        if (figure.draws(curve))
            into.curves.push_back(
                measured_curve(figure, setting, panel.measure, curve,
                               fitted(figure, panel.measure, curve) ? Style::error_points : Style::error_bars));
    add_fits(figure, setting, panel, into);
    // In every panel, with points or without: colours are the same in all, and the first has the legend.
    std::set<std::string> named;
    for (const ReferenceCurve& reference : figure.references)
        if (named.insert(reference.name).second)
            into.curves.push_back(measured_curve(figure, setting, panel.measure, reference.name, Style::points));
}

void add_bars(const FigureDeclaration& figure, const MeasuredSetting& setting, const FigurePanel& panel, Panel& into) {
    double place = 1;
    for (const std::string& curve : setting.curves) {
        if (!figure.draws(curve)) continue;
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

/// Distribution functions, or batch means.
void add_whole(const FigureDeclaration& figure, const MeasuredSetting& setting, const FigurePanel& panel, Panel& into) {
    const bool series = figure.drawing == Drawing::series;
    std::size_t next = 0;
    for (const runs::PointReport& report : setting.reports)
        for (const runs::PolicyReport& policy : report.policies) {
            const auto q = runs::position_of(policy.quantities, panel.measure);
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

/// A panel of one schedule: cores below each other, tasks along time. Initial loads that outlast all tasks are cut off.
Panel schedule_panel(const FigureDeclaration& figure, const ShownSchedule& schedule, double end) {
    Panel panel{figure.shown(schedule.curve), figure.x_label, "core", {}, {}, {}};
    panel.rows = schedule.cores;
    panel.x = figures::Range{0, 1.05 * end};
    constexpr std::size_t grey = 7;
    panel.curves = {
        {"local task", {}, Style::spans}, {"remote task", {}, Style::spans}, {"initial load", {}, Style::spans, grey}};
    for (const ShownBar& bar : schedule.bars) {
        Curve& curve = panel.curves[bar.what == ShownBar::What::local ? 0 : bar.what == ShownBar::What::remote ? 1 : 2];
        curve.points.push_back({bar.from, static_cast<double>(bar.core + 1), std::min(bar.to, panel.x->to) - bar.from});
        curve.texts.push_back(bar.task);
    }
    return panel;
}

void add_schedules(const FigureDeclaration& figure, const MeasuredSetting& setting, figures::Plot& plot) {
    double end = 0;
    for (const ShownSchedule& schedule : setting.schedules)
        for (const ShownBar& bar : schedule.bars)
            if (bar.what != ShownBar::What::load) end = std::max(end, bar.to);
    for (const ShownSchedule& schedule : setting.schedules) {
        if (!figure.draws(schedule.curve)) continue;
        if (!plot.panels.empty()) plot.panels.back().x_label.clear();
        plot.panels.push_back(schedule_panel(figure, schedule, end));
    }
}

/// One range for panels below each other, whose axis is labelled once, with room for markers at both ends. A
/// logarithmic axis that holds a power of ten at most has the numbers of its points instead.
void share_places(figures::Plot& plot, bool logarithmic) {
    constexpr double infinity = std::numeric_limits<double>::infinity(), margin = 0.03;
    double least = infinity, most = -infinity;
    std::set<double> places;
    for (const Panel& panel : plot.panels)
        for (const Curve& curve : panel.curves)
            for (const figures::Point& point : curve.points) {
                if (curve.style != Style::lines) places.insert(point.x);
                least = std::min(least, point.x), most = std::max(most, point.x);
            }
    if (!(most > least) || (logarithmic && least <= 0)) return;
    if (logarithmic) least = std::log10(least), most = std::log10(most);
    const double beyond = margin * (most - least);
    const auto at = [&](double place) { return logarithmic ? std::pow(10, place) : place; };
    const bool few = logarithmic && std::floor(most + beyond) - std::ceil(least - beyond) < 1;
    for (Panel& panel : plot.panels) {
        panel.x = figures::Range{at(least - beyond), at(most + beyond)};
        if (few) panel.places.assign(places.begin(), places.end());
    }
}

}  // namespace

figures::Plot plot_of(const FigureDeclaration& figure, const MeasuredSetting& setting) {
    figures::Plot plot;
    add_schedules(figure, setting, plot);
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
            drawn.y_label = "fraction at most this large";
            drawn.x = range_of(panel);
            drawn.y = figures::Range{0, 1};
        }
        // Panels below each other share their axis.
        if (!plot.panels.empty() && figure.drawing != Drawing::distribution) plot.panels.back().x_label.clear();
        plot.panels.push_back(std::move(drawn));
    }
    if (figure.drawing == Drawing::curves) share_places(plot, figure.logarithmic_x);
    return plot;
}

}  // namespace schedproof::cli
