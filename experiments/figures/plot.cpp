/// Plots as gnuplot scripts: data inline, axes and legends chosen so that every figure is readable without tuning.
///
/// A script holds its data as named blocks, so that a picture needs no file beside it and the same plot gives the same
/// script. Texts are quoted literally. Colours are those of Okabe and Ito, which people who see few colours tell apart.
/// Legends stand to the right of the curves; long names make the picture wider, not the curves narrower. Points that
/// are not finite break a line.
#include "experiments/figures/plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "experiments/figures/gnuplot.hpp"
#include "model/core/errors.hpp"

namespace schedproof::figures {

namespace {

/// A string of gnuplot's that is taken literally; it has no way to hold a line break.
std::string literal(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'') result += '\'';
        result += c == '\n' ? ' ' : c;
    }
    return result + "'";
}

/// Told apart by people who see few colours as well (Okabe and Ito).
constexpr std::string_view colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"};

bool finite(const Point& p) { return std::isfinite(p.x) && std::isfinite(p.y); }

bool is_empty(const Panel& panel) {
    return std::none_of(panel.curves.begin(), panel.curves.end(), [](const Curve& curve) {
        return std::any_of(curve.points.begin(), curve.points.end(), finite);
    });
}

/// Of the legend, in bytes, which is about as many characters.
std::size_t longest_name(const Plot& plot) {
    std::size_t longest = 0;
    for (const Panel& panel : plot.panels)
        for (const Curve& curve : panel.curves) longest = std::max(longest, curve.name.size());
    return longest;
}

std::string data_name(std::size_t panel, std::size_t curve) { return fmt::format("$d{}_{}", panel, curve); }

void add_data(std::string& script, const Plot& plot) {
    for (std::size_t p = 0; p < plot.panels.size(); ++p)
        for (std::size_t c = 0; c < plot.panels[p].curves.size(); ++c) {
            script += data_name(p, c) + " << EOD\n";
            for (const Point& point : plot.panels[p].curves[c].points)
                script += !finite(point) ? "\n"
                          : plot.panels[p].curves[c].style == Style::error_bars
                              ? fmt::format("{} {} {}\n", point.x, point.y, point.error)
                              : fmt::format("{} {}\n", point.x, point.y);
            script += "EOD\n";
        }
}

std::string style_of(const Curve& curve, std::size_t index) {
    const std::string colour = fmt::format("lc rgb '{}'", colours[index % std::size(colours)]);
    switch (curve.style) {
        case Style::lines:
            return "with lines lw 1.5 " + colour;
        case Style::steps:
            return "with steps lw 1.5 " + colour;
        case Style::points:
            return "with points pt 7 ps 0.5 " + colour;
        case Style::impulses:
            return "with impulses lw 1.5 " + colour;
        case Style::error_bars:
            return "with yerrorlines pt 7 ps 0.5 lw 1.5 " + colour;
    }
    return "";
}

std::string range(char axis, const std::optional<Range>& range) {
    return range ? fmt::format("set {}range [{}:{}]\n", axis, range->from, range->to)
                 : fmt::format("set {}range [*:*]\n", axis);
}

void add_panel(std::string& script, const Panel& panel, std::size_t index) {
    script += panel.title.empty() ? "unset title\n" : "set title " + literal(panel.title) + "\n";
    script += "set xlabel " + literal(panel.x_label) + "\nset ylabel " + literal(panel.y_label) + "\n";
    script += "unset logscale\n";
    if (panel.logarithmic_x) script += "set logscale x\n";
    if (panel.logarithmic_y) script += "set logscale y\n";
    // Bars end beyond their points, so the axes have to as well.
    script += std::any_of(panel.curves.begin(), panel.curves.end(),
                          [](const Curve& curve) { return curve.style == Style::error_bars; })
                  ? "set offsets graph 0.03, graph 0.03, graph 0.03, graph 0\n"
                  : "unset offsets\n";
    script += "unset arrow\n";
    for (const double x : panel.marks)
        script +=
            fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dt 2 lc rgb '#555555'\n", x);
    const bool empty = is_empty(panel);
    const auto known = [empty](const std::optional<Range>& r) { return r || !empty ? r : Range{1, 2}; };
    script += range('x', known(panel.x)) + range('y', known(panel.y)) + "plot ";
    if (empty) script += "NaN notitle";
    bool first = true;
    // gnuplot draws later curves over earlier ones.
    for (std::size_t c = panel.curves.size(); !empty && c-- > 0;) {
        const Curve& curve = panel.curves[c];
        if (std::none_of(curve.points.begin(), curve.points.end(), finite)) continue;
        script += fmt::format("{}{} using {} {} notitle", first ? "" : ", ", data_name(index, c),
                              curve.style == Style::error_bars ? "1:2:3" : "1:2", style_of(curve, c));
        first = false;
    }
    for (std::size_t c = 0; c < panel.curves.size(); ++c)
        if (!panel.curves[c].name.empty())
            script += fmt::format(
                ", NaN {} title {}",
                style_of({"", {}, panel.curves[c].style == Style::points ? Style::points : Style::lines}, c),
                literal(panel.curves[c].name));
    script += "\n";
}

}  // namespace

std::string gnuplot_script(const Plot& plot, Picture kind) {
    require(!plot.panels.empty(), "a plot needs a panel");
    const bool one = plot.panels.size() == 1;
    const std::size_t height = plot.panel_height != 0 ? plot.panel_height : one ? 480 : 260;
    // Names of usual length get room beside the curves; longer ones make the picture wider, not the curves narrower.
    constexpr std::size_t usual = 18, widest = 60, pixels = 8;
    const std::size_t longest = longest_name(plot), more = std::min(widest, std::max(usual, longest)) - usual;
    std::string script = fmt::format(
        "set encoding utf8\n"
        "set terminal {} noenhanced size {},{} {}\n"
        "set border 3\nset tics nomirror out\nset grid back lc rgb '#dddddd' lt 1\nset key outside right top Left "
        "reverse samplen 2\n"
        "set samples 2\nset lmargin 11\nset rmargin {}\n",
        kind == Picture::svg ? "svg dynamic" : "pngcairo", plot.width + pixels * more, height * plot.panels.size(),
        kind == Picture::svg ? "font 'sans-serif,13' background rgb 'white'" : "font 'sans,10'",
        longest == 0 ? 3 : 22 + more);
    add_data(script, plot);
    script += fmt::format("set multiplot layout {},1{}\n", plot.panels.size(),
                          plot.title.empty() ? "" : " title " + literal(plot.title));
    for (std::size_t p = 0; p < plot.panels.size(); ++p) add_panel(script, plot.panels[p], p);
    return script + "unset multiplot\n";
}

Picture picture_kind(const std::string& path) {
    if (path.ends_with(".svg")) return Picture::svg;
    if (path.ends_with(".png")) return Picture::png;
    throw InputError::in_file(path, "expected a picture's name that ends with .svg or .png");
}

std::string draw(const Plot& plot, Picture kind) { return run_gnuplot(gnuplot_script(plot, kind)); }

}  // namespace schedproof::figures
