/// Plots as gnuplot scripts: data inline, axes and legends chosen so that every figure is readable without tuning.
///
/// A script holds its data as named blocks, so that a picture needs no file beside it and the same plot gives the same
/// script. Texts are quoted literally. Colours are those of Okabe and Ito, which people who see few colours tell apart.
/// Curves differ in marker and dashes as well as in colour, boxes in their filling. Legends stand to the right of the
/// curves; long names make the picture wider, not the curves narrower. Points that are not finite break a line.
///
/// For print the size is that on paper: points of type and millimetres are the same in every format, and PNG has 300
/// dots an inch. The legend of all panels stands above the first. TikZ leaves the type to the document, in the size
/// asked for; its first line says which package it needs. Dates that gnuplot or its libraries write into a picture are
/// blanked.
#include "experiments/figures/plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "experiments/figures/gnuplot.hpp"
#include "model/base/tex.hpp"
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

/// The same for a picture of this kind: TikZ would read the characters of TeX as commands.
std::string label(std::string_view text, Picture kind) {
    return literal(kind == Picture::tikz ? base::tex(text) : std::string(text));
}

/// Told apart by people who see few colours as well (Okabe and Ito).
constexpr std::string_view colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                        "#56b4e9", "#e69f00", "#000000", "#888888"};

bool has_bars(const Curve& curve) {
    return curve.style == Style::error_bars || curve.style == Style::error_points || curve.style == Style::bars;
}

bool is_line(const Curve& curve) { return curve.style == Style::lines || curve.style == Style::steps; }

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

/// Of a span: from, to, row, text.
void add_span(std::string& script, const Point& point, std::string text) {
    std::replace(text.begin(), text.end(), '"', '\'');
    script += fmt::format("{} {} {} \"{}\"\n", point.x, point.x + point.error, point.y, text);
}

void add_data(std::string& script, const Plot& plot) {
    for (std::size_t p = 0; p < plot.panels.size(); ++p)
        for (std::size_t c = 0; c < plot.panels[p].curves.size(); ++c) {
            const Curve& curve = plot.panels[p].curves[c];
            script += data_name(p, c) + " << EOD\n";
            for (std::size_t i = 0; curve.style == Style::spans && i < curve.points.size(); ++i)
                add_span(script, curve.points[i], i < curve.texts.size() ? curve.texts[i] : "");
            for (const Point& point : curve.points)
                if (curve.style != Style::spans)
                    script += !finite(point)    ? "\n"
                              : has_bars(curve) ? fmt::format("{} {} {}\n", point.x, point.y, point.error)
                                                : fmt::format("{} {}\n", point.x, point.y);
            script += "EOD\n";
        }
}

/// Markers and dashes by which curves are told apart without colour.
constexpr int markers[] = {7, 5, 9, 13, 6, 4, 8, 11};
constexpr std::string_view fillings[] = {"solid 0.3", "pattern 4", "solid 0.6", "pattern 2",
                                         "pattern 5", "pattern 6", "pattern 7", "solid 0.15"};
constexpr std::string_view dashes[] = {"1", "'-'", "'.'", "'-.'", "'-..'", "'--.'", "'_'", "'_.'"};

/// Curves that share a colour, beyond the eighth, have another marker and other dashes.
std::size_t look_of(std::size_t index) { return index + index / std::size(colours) * 3; }

std::string style_of(const Curve& curve, std::size_t index) {
    index = curve.colour.value_or(index);
    const std::string colour = fmt::format("lc rgb '{}'", colours[index % std::size(colours)]);
    const std::string dash = fmt::format("lw 1.5 dt {} {}", dashes[look_of(index) % std::size(dashes)], colour);
    const std::string marker = fmt::format("pt {} ps 0.6", markers[look_of(index) % std::size(markers)]);
    switch (curve.style) {
        case Style::lines:
            return "with lines " + dash;
        case Style::steps:
            return "with steps " + dash;
        case Style::points:
        case Style::error_points:
            return fmt::format("with points {} {}", marker, colour);
        case Style::impulses:
            return "with impulses lw 1.5 " + colour;
        case Style::error_bars:
            return fmt::format("with linespoints {} {}", marker, dash);
        case Style::spans:
            return fmt::format("with boxxyerror fs {} border {} lw 1", fillings[index % std::size(fillings)], colour) +
                   " " + colour;
        case Style::bars:
            return fmt::format("with boxerrorbars fs {} lw 1.5 {}", fillings[index % std::size(fillings)], colour);
    }
    return "";
}

std::string range(char axis, const std::optional<Range>& range) {
    return range ? fmt::format("set {}range [{}:{}]\n", axis, range->from, range->to)
                 : fmt::format("set {}range [*:*]\n", axis);
}

/// Every how much an axis has a number where many of five digits and more would meet; 0: as gnuplot chooses.
double step_of_long_numbers(const Panel& panel) {
    double largest = 0;
    for (const Curve& curve : panel.curves)
        for (const Point& point : curve.points)
            if (std::isfinite(point.x)) largest = std::max(largest, point.x);
    if (panel.logarithmic_x || largest < 2e4) return 0;
    const double power = std::pow(10, std::floor(std::log10(largest)));
    return std::ceil(largest / power) * power / 5;
}

/// Names under the columns of a panel, or the numbers of its places.
std::string categories(const Panel& panel, Picture kind) {
    std::string list;
    for (const double place : panel.places) list += fmt::format("{}{}", list.empty() ? "" : ", ", place);
    if (!list.empty()) return fmt::format("set xtics ({})\n", list);
    const double step = step_of_long_numbers(panel);
    if (panel.categories.empty()) return step > 0 ? fmt::format("set xtics {}\n", step) : "set xtics autofreq\n";
    // Names that would meet stand on two lines in turn: so many letters of the usual type have room in a column.
    constexpr std::size_t room = 41;
    std::size_t longest = 0;
    for (const std::string& name : panel.categories) longest = std::max(longest, name.size());
    const bool in_turn = kind != Picture::tikz && (longest + 1) * panel.categories.size() > room;
    for (std::size_t i = 0; i < panel.categories.size(); ++i)
        list += fmt::format("{}{}{} {}", i == 0 ? "" : ", ", in_turn && i % 2 == 1 ? "\"\\n\"." : "",
                            label(panel.categories[i], kind), i + 1);
    return fmt::format("{}set boxwidth 0.6\nset xtics ({})\n", in_turn ? "set bmargin 4\n" : "", list);
}

/// Names of the rows of a panel.
std::string rows(const Panel& panel, Picture kind) {
    if (panel.rows.empty()) return "set ytics autofreq\n";
    std::string list;
    for (std::size_t i = 0; i < panel.rows.size(); ++i)
        list += fmt::format("{}{} {}", i == 0 ? "" : ", ", label(panel.rows[i], kind), i + 1);
    return fmt::format("set ytics ({})\n", list);
}

/// How the legend shows a curve.
std::string key_style(const Curve& curve, std::size_t index) {
    const std::string drawn = style_of(curve, index);
    if (curve.style == Style::spans) return "with boxes" + drawn.substr(drawn.find(" fs "));
    if (is_line(curve)) return style_of({"", {}, Style::error_bars, curve.colour}, index);
    return curve.style == Style::impulses ? style_of({"", {}, Style::lines, curve.colour}, index) : drawn;
}

/// What gnuplot draws of the legend: a key without points of its own.
std::string key_of(const Panel& panel, Picture kind) {
    std::string script;
    for (std::size_t c = 0; c < panel.curves.size(); ++c)
        if (!panel.curves[c].name.empty()) {
            script +=
                fmt::format(", NaN {} title {}", key_style(panel.curves[c], c), label(panel.curves[c].name, kind));
        }
    return script;
}

/// The elements of a plot command that draw a curve from its data.
std::string drawn_curve(const Curve& curve, const std::string& data, std::size_t index) {
    if (curve.style == Style::spans)
        return fmt::format(
            "{0} using (($1+$2)/2):3:1:2:($3-0.38):($3+0.38) {1} notitle, "
            "{0} using (($1+$2)/2):3:4 with labels boxed notitle",
            data, style_of(curve, index));
    const std::size_t look = curve.colour.value_or(index);
    // The line may be dashed; bars and markers are solid.
    std::string bars = fmt::format("{} using 1:2:3 with yerrorbars pt {} ps 0.6 lw 1 lc rgb '{}' notitle", data,
                                   markers[look_of(look) % std::size(markers)], colours[look % std::size(colours)]);
    if (curve.style == Style::error_points) return bars;
    if (curve.style == Style::error_bars)
        return fmt::format("{} using 1:2 with lines lw 1.5 dt {} lc rgb '{}' notitle, {}", data,
                           dashes[look_of(look) % std::size(dashes)], colours[look % std::size(colours)], bars);
    std::string drawn =
        fmt::format("{} using {} {} notitle", data, has_bars(curve) ? "1:2:3" : "1:2", style_of(curve, index));
    // A line that the legend names has some markers, not at the same points as the next one's.
    constexpr std::size_t marked = 8;
    const std::size_t apart = (curve.points.size() + marked - 1) / marked;
    if (is_line(curve) && apart > 0 && !curve.name.empty())
        drawn += fmt::format(", {} every {}::{} using 1:2 {} notitle", data, apart, look % apart,
                             style_of({"", {}, Style::points, curve.colour}, index));
    return drawn;
}

void add_panel(std::string& script, const Panel& panel, std::size_t index, Picture kind, bool print) {
    script += panel.title.empty() ? "unset title\n" : "set title " + label(panel.title, kind) + "\n";
    script += "set xlabel " + label(panel.x_label, kind) + "\nset ylabel " + label(panel.y_label, kind) + "\n";
    script += "unset logscale\n" + categories(panel, kind) + rows(panel, kind);
    if (panel.logarithmic_x) script += "set logscale x\n";
    if (panel.logarithmic_y) script += "set logscale y\n";
    // Bars end beyond their points, so the axes have to as well.
    const bool bars = std::any_of(panel.curves.begin(), panel.curves.end(), has_bars);
    script += bars && !panel.logarithmic_x && !panel.logarithmic_y
                  ? "set offsets graph 0.03, graph 0.03, graph 0.03, graph 0\n"
                  : "unset offsets\n";
    script += "unset arrow\n";
    for (const double x : panel.marks)
        script +=
            fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dt 2 lc rgb '#555555'\n", x);
    const bool empty = is_empty(panel);
    const auto known = [empty](const std::optional<Range>& r) { return r || !empty ? r : Range{1, 2}; };
    const std::optional<Range> y =
        panel.rows.empty() ? panel.y : Range{static_cast<double>(panel.rows.size()) + 0.6, 0.4};
    script += range('x', known(panel.x)) + range('y', known(y)) + "plot ";
    if (empty) script += "NaN notitle";
    bool first = true;
    // gnuplot draws later curves over earlier ones.
    for (std::size_t c = panel.curves.size(); !empty && c-- > 0;) {
        const Curve& curve = panel.curves[c];
        if (std::none_of(curve.points.begin(), curve.points.end(), finite)) continue;
        script += first ? "" : ", ";
        script += drawn_curve(curve, data_name(index, c), c);
        first = false;
    }
    // For print one legend is that of all panels.
    if (!print || index == 0) script += key_of(panel, kind);
    script += "\n";
}

/// Terminal, margins and legend of a picture for a screen.
std::string screen_head(const Plot& plot, Picture kind) {
    const bool one = plot.panels.size() == 1;
    const std::size_t height = plot.panel_height != 0 ? plot.panel_height : one ? 480 : 260;
    // Names of usual length get room beside the curves; longer ones make the picture wider, not the curves narrower.
    // Beside a name the legend has a line, a marker and gaps, which together are as wide as five letters.
    constexpr std::size_t usual = 18, widest = 100, pixels = 8, beside = 5;
    const std::size_t longest = longest_name(plot), more = std::clamp(longest + beside, usual, widest) - usual;
    const std::size_t wide = plot.width + pixels * more, high = height * plot.panels.size();
    std::string size = fmt::format("size {},{}", wide, high);
    std::string terminal = "svg dynamic", font = "font 'sans-serif,13' background rgb 'white'";
    if (kind == Picture::png) terminal = "pngcairo", font = "font 'sans,10'";
    if (kind == Picture::pdf || kind == Picture::tikz) {
        // 96 pixels make an inch.
        size = fmt::format("size {:.2f}in,{:.2f}in", static_cast<double>(wide) / 96, static_cast<double>(high) / 96);
        terminal = kind == Picture::pdf ? "pdfcairo" : "tikz";
        font = kind == Picture::pdf ? "font 'sans,10'" : "";
    }
    if (kind != Picture::tikz) terminal += " noenhanced";
    return fmt::format(
        "set terminal {} {} {}\n"
        "set border 3\nset tics nomirror out\nset grid back lc rgb '#dddddd' lt 1\nset key outside right top Left "
        "reverse samplen 2\n"
        "set pointintervalbox 0\nset samples 2\nset lmargin 11\nset rmargin {}\n",
        terminal, size, font, longest == 0 ? 3 : 22 + more);
}

/// Room for the tick labels of logarithmic axes, which are whole powers of ten. Unit: character
std::size_t left_margin(const Plot& plot) {
    double highest = 1;
    for (const Panel& panel : plot.panels)
        for (const Curve& curve : panel.curves)
            for (const Point& point : curve.points)
                if (panel.logarithmic_y && finite(point)) highest = std::max(highest, point.y);
    constexpr std::size_t usual = 11, letters = 5;
    const auto digits = static_cast<std::size_t>(std::ceil(std::log10(highest))) + 1;
    return usual + std::max(letters, digits) - letters;
}

/// The same in millimetres and points, with the legend above.
std::string print_head(const Plot& plot, Picture kind) {
    const Print& print = *plot.print;
    constexpr double inch = 25.4, svg_dots = 96, png_dots = 300, point = 72;
    // As many columns as names of this length leave room for; gnuplot keeps to the rows.
    std::size_t names = 0;
    for (const Curve& curve : plot.panels.front().curves) names += curve.name.empty() ? 0 : 1;
    const double letters = print.width / (0.2 * print.font_size);
    const auto columns =
        std::clamp<std::size_t>(static_cast<std::size_t>(letters / static_cast<double>(longest_name(plot) + 10)), 1, 4);
    const std::size_t rows = (names + columns - 1) / columns;
    const double line = 1.35 * print.font_size * inch / point;
    const double above = line * (static_cast<double>(rows) + (plot.title.empty() ? 0.3 : 1.8));
    const double height = above + 0.56 * print.width * static_cast<double>(plot.panels.size());
    std::string terminal;
    if (kind == Picture::svg)
        terminal =
            fmt::format("svg noenhanced size {:.0f},{:.0f} font 'sans-serif,{:g}' background rgb 'white'",
                        print.width / inch * svg_dots, height / inch * svg_dots, print.font_size / point * svg_dots);
    else if (kind == Picture::png)
        terminal = fmt::format(
            "pngcairo noenhanced size {:.0f},{:.0f} font 'sans,{:g}' fontscale {:.4f} linewidth 3 "
            "pointscale 3",
            print.width / inch * png_dots, height / inch * png_dots, print.font_size, png_dots / svg_dots);
    else
        terminal = fmt::format("{} size {:.2f}cm,{:.2f}cm font '{}'",
                               kind == Picture::pdf ? "pdfcairo noenhanced" : "tikz", print.width / 10, height / 10,
                               kind == Picture::pdf
                                   ? fmt::format("sans,{:g}", print.font_size)
                                   : fmt::format("\\fontsize{{{0:g}}}{{{0:g}}}\\selectfont", print.font_size));
    return fmt::format(
        "set terminal {}\nset border 3\nset tics nomirror out scale 0.5\nset grid back lc rgb '#dddddd' lt 1\n"
        "set key at screen 0.5, screen {:.4f} center top vertical maxrows {} Left reverse samplen 3\n"
        "set style textbox opaque noborder margins 0.3, 0\nset pointintervalbox 0\nset samples 2\nset lmargin "
        "{}\nset rmargin 4\nprint_top = {:.4f}\n",
        terminal, plot.title.empty() ? 0.995 : 1 - 1.5 * line / height, std::max<std::size_t>(1, rows),
        left_margin(plot), 1 - above / height);
}

/// Blanks dates, so that the same plot is the same bytes; names the package that TikZ needs.
std::string finished(std::string picture, Picture kind) {
    if (kind == Picture::tikz) {
        // The second line.
        const std::size_t begin = picture.find("\n%% ", picture.find("generated with GNUPLOT"));
        const std::size_t end = begin == std::string::npos ? begin : picture.find('\n', begin + 1);
        if (end != std::string::npos) picture.erase(begin, end - begin);
        picture.insert(
            0,
            "% In the preamble: \\usepackage{gnuplot-lua-tikz}. Where LaTeX does not find it, this writes it:\n"
            "%   gnuplot -e \"set terminal tikz createstyle\"\n");
    }
    if (kind != Picture::pdf) return picture;
    for (const std::string_view key : {"/CreationDate (D:", "/ModDate (D:"})
        for (std::size_t at = picture.find(key); at != std::string::npos; at = picture.find(key, at + 1))
            for (std::size_t i = at + key.size(); i < picture.size() && picture[i] != ')'; ++i)
                if (picture[i] >= '0' && picture[i] <= '9') picture[i] = '0';
    return picture;
}

}  // namespace

std::string gnuplot_script(const Plot& plot, Picture kind) {
    require(!plot.panels.empty(), "a plot needs a panel");
    const bool print = plot.print.has_value();
    std::string script = "set encoding utf8\n" + (print ? print_head(plot, kind) : screen_head(plot, kind));
    add_data(script, plot);
    const std::size_t panels = plot.panels.size();
    script += fmt::format("set multiplot layout {},1{}\n", panels,
                          plot.title.empty() ? "" : " title " + label(plot.title, kind));
    for (std::size_t p = 0; p < panels; ++p) {
        if (print)
            script += fmt::format("set origin 0, print_top * {:.6f}\nset size 1, print_top * {:.6f}\n",
                                  static_cast<double>(panels - 1 - p) / static_cast<double>(panels),
                                  1 / static_cast<double>(panels));
        add_panel(script, plot.panels[p], p, kind, print);
    }
    return script + "unset multiplot\n";
}

Picture picture_kind(const std::string& path) {
    if (path.ends_with(".svg")) return Picture::svg;
    if (path.ends_with(".png")) return Picture::png;
    if (path.ends_with(".pdf")) return Picture::pdf;
    if (path.ends_with(".tikz")) return Picture::tikz;
    throw InputError::in_file(path, "expected a picture's name that ends with .svg, .png, .pdf or .tikz");
}

std::string draw(const Plot& plot, Picture kind) { return finished(run_gnuplot(gnuplot_script(plot, kind)), kind); }

}  // namespace schedproof::figures
