/// Curves over an axis, drawn by the gnuplot program.
///
/// A plot is data: panels one below another, each with curves that have names, so that a test can look at them and a
/// command decide only what to show. Text stands as it is given (UTF-8, nothing is markup). The same plot gives the
/// same bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace schedproof::figures {

struct Point {
    double x = 0, y = 0;
    double error = 0;  ///< half the length of the bar, with Style::error_bars; the length of a span
    friend bool operator==(const Point&, const Point&) = default;
};

/// How the points of a curve are joined.
enum class Style {
    lines,
    steps,         ///< a value lasts until the next point
    points,        ///< not at all
    impulses,      ///< a vertical line from zero to each
    error_bars,    ///< by lines, each with a bar of y - error to y + error
    error_points,  ///< not at all, each with such a bar
    bars,          ///< not at all: a column from zero to each, with such a bar
    spans          ///< not at all: a box from x to x + error, in the row y
};

struct Curve {
    std::string name;           ///< in the legend; empty: not there
    std::vector<Point> points;  ///< one that is not finite interrupts the curve
    Style style = Style::lines;
    std::optional<std::size_t> colour = {};  ///< that of the curve at this position; default: its own
    std::vector<std::string> texts = {};     ///< of spans: what is written in each
};

struct Range {
    double from = 0, to = 1;
};

struct Panel {
    std::string title, x_label, y_label;
    std::vector<Curve> curves;  ///< the first in front; a colour each, the same in every panel
    std::optional<Range> x, y;  ///< default: what the points need
    bool logarithmic_x = false, logarithmic_y = false;
    std::vector<double> marks = {};  ///< places on the x axis with a dashed line from bottom to top
    /// Places on the x axis that have a number; none: those that gnuplot finds.
    std::vector<double> places = {};
    /// Names along the x axis at 1, 2, 3, ... instead of numbers.
    std::vector<std::string> categories = {};
    /// Names along the y axis at 1, 2, 3, ..., from the top down.
    std::vector<std::string> rows = {};
};

/// How a picture is drawn for print: in the size in which it is printed, with markers and dashes that tell curves apart
/// without colour, and the legend above the first panel.
struct Print {
    double width = 88;     ///< Unit: millimetre; 88 is a column of most journals
    double font_size = 8;  ///< Unit: point
};

struct Plot {
    std::string title;
    std::vector<Panel> panels;        ///< from the top down, their axes aligned; at least one
    unsigned width = 800;             ///< Unit: pixel
    unsigned panel_height = 0;        ///< Unit: pixel; 0: 480 for one panel, 260 each for several
    std::optional<Print> print = {};  ///< none: for a screen, with the widths above
};

enum class Picture { svg, png, pdf, tikz };

/// The picture as bytes. Throws InputError when there is no gnuplot, Error with its complaint when it fails.
[[nodiscard]] std::string draw(const Plot& plot, Picture kind);

/// By the ending of a file's name, .svg, .png, .pdf or .tikz. Throws InputError for another.
[[nodiscard]] Picture picture_kind(const std::string& path);

/// The script for gnuplot, data included.
[[nodiscard]] std::string gnuplot_script(const Plot& plot, Picture kind);

}  // namespace schedproof::figures
