/// The loads of the cores as bars over time, one panel per assignment: see assignment_picture.hpp.
///
/// Graphviz has no charts, and a second renderer would be a second way to write SVG and PNG. So every piece (a bar, a
/// label, the end of a line) is a node at a fixed place, in points, y upwards; `layout=nop` keeps the places, and
/// Graphviz only draws.
///
/// All panels share one scale: the horizon is a tenth beyond the latest makespan, and a unit of time is as many points
/// as make the horizon 300 points wide, within limits that keep labels readable. A core whose initial load exceeds the
/// horizon is idle in every assignment drawn (otherwise its load would bound the horizon), so its bar is cut off and
/// its number stands beside it. Positions are rounded to 1/100 point; labels are exact.
#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "checks/pictures/assignment_labels.hpp"
#include "checks/pictures/dot.hpp"

namespace schedproof::graph {

namespace {

using assignment::Evaluation;
using assignment::Problem;
using assignment::Shape;
namespace colour = assignment_colour;

constexpr double row_height = 24, bar_height = 18, server_gap = 8;
constexpr double name_width = 44, load_width = 62, panel_gap = 26;

/// Collects pieces as DOT statements.
class Page {
  public:
    enum class Align { left, centre, right };

    /// A filled box whose lower left corner is (x, y).
    void box(double x, double y, double w, double h, std::string_view fill, std::string_view label,
             const std::string& tooltip) {
        node(x + w / 2, y + h / 2, w, h,
             fmt::format("shape=box, style=filled, fillcolor=\"{}\", penwidth=0.7, label=\"{}\", tooltip=\"{}\"", fill,
                         escape_label(label), escape_label(tooltip)));
    }
    void text(double x, double y, double w, std::string_view label, Align align = Align::left, int size = 10,
              std::string_view ink = "#000000", bool bold = false) {
        const char* justified = align == Align::left ? "\\l" : align == Align::right ? "\\r" : "";
        node(x + w / 2, y, w, row_height,
             fmt::format("shape=plaintext, margin=0, fontsize={}, fontcolor=\"{}\", label=\"{}{}\"{}", size, ink,
                         escape_label(label), justified, bold ? ", fontname=\"Helvetica-Bold\"" : ""));
    }
    void line(double x0, double y0, double x1, double y1, std::string_view style) {
        for (const auto& [x, y] : {std::pair{x0, y0}, std::pair{x1, y1}})
            node(x, y, 0.1, 0.1, "shape=point, style=invis, label=\"\"");
        edges_ += fmt::format("  n{} -> n{} [arrowhead=none, {}];\n", count_ - 2, count_ - 1, style);
    }
    [[nodiscard]] std::string dot() const {
        return "digraph loads {\n  layout=nop; splines=line; outputorder=nodesfirst; bgcolor=white;\n"
               "  node [fontname=\"Helvetica\", fontsize=10, fixedsize=true];\n" +
               nodes_ + edges_ + "}\n";
    }

  private:
    void node(double x, double y, double w, double h, const std::string& attributes) {
        nodes_ += fmt::format("  n{} [pos=\"{:.2f},{:.2f}\", width={:.4f}, height={:.4f}, {}];\n", count_++, x, y,
                              w / 72, h / 72, attributes);
    }
    std::string nodes_, edges_;
    std::size_t count_ = 0;
};

/// The scale that all panels share.
struct Scale {
    Rational horizon;  ///< the time at a panel's right end
    double unit;       ///< points per unit of time

    [[nodiscard]] double width(const Rational& duration) const { return unit * duration.approximate(); }
    [[nodiscard]] double panel() const { return width(horizon); }
};

Scale scale_of(const Problem<Rational>& problem, const std::vector<Evaluation<Rational>>& evaluations) {
    Rational latest = problem.local;
    for (const Evaluation<Rational>& e : evaluations)
        if (e.makespan) latest = std::max(latest, *e.makespan);
    const Rational horizon = latest + latest / Rational(10);
    return {horizon, std::clamp(300 / horizon.approximate(), 0.02, 80.0)};
}

/// What fits into a box of that width, at some six points a character; else nothing.
std::string fitting(const std::string& label, double width) {
    return static_cast<double>(label.size()) * 6.2 + 2 <= width ? label : "";
}

class Bars {
  public:
    Bars(const Problem<Rational>& problem, const AssignmentNames& names, const std::vector<LoadPanel>& panels)
        : problem_(problem), shape_(*problem.shape), name_(shape_, names), panels_(panels) {
        for (const LoadPanel& panel : panels) evaluations_.push_back(evaluate(problem, panel.assignment));
        scale_ = scale_of(problem, evaluations_);
        for (const CoreId p : shape_.cores()) widest_name_ = std::max(widest_name_, name_(p).size());
        for (const ServerId s : shape_.servers()) widest_name_ = std::max(widest_name_, name_(s).size());
        names_width_ = std::max(name_width, 6.0 * static_cast<double>(widest_name_) + 8);
        rows_top_ = -static_cast<double>(shape_.cores().size()) * row_height -
                    static_cast<double>(shape_.servers().size()) * server_gap;
    }

    std::string draw(const std::vector<std::string>& title) {
        const std::vector<std::string> lines = wrapped_lines(title, static_cast<std::size_t>(page_width() / 8));
        double y = 56 + 18 * static_cast<double>(lines.size());
        for (const std::string& line : lines) page_.text(0, y -= 18, page_width(), line, Page::Align::left, 13);
        row_names();
        for (std::size_t i = 0; i < panels_.size(); ++i)
            panel(i, 2 * names_width_ + static_cast<double>(i) * panel_width());
        legend(rows_top_ - 44);
        return page_.dot();
    }

  private:
    [[nodiscard]] double panel_width() const { return scale_.panel() + load_width + panel_gap; }
    [[nodiscard]] double page_width() const {
        return 2 * names_width_ + static_cast<double>(panels_.size()) * panel_width();
    }
    /// The middle of a core's row.
    [[nodiscard]] double row(CoreId p) const {
        return -(static_cast<double>(p.index()) + 0.5) * row_height -
               static_cast<double>(shape_.server_of(p).index()) * server_gap;
    }
    void row_names() {
        for (const ServerId s : shape_.servers()) {
            const double first = row(shape_.core(s, 0));
            page_.text(0, first, names_width_, name_(s), Page::Align::left, 10, "#000000", true);
            if (s.index() > 0) {
                const double y = first + row_height / 2 + server_gap / 2;
                page_.line(0, y, page_width() - panel_gap, y, "penwidth=0.5, color=\"#BBBBBB\"");
            }
        }
        for (const CoreId p : shape_.cores()) page_.text(names_width_, row(p), names_width_ - 6, name_(p));
    }
    void panel(std::size_t i, double x) {
        const Evaluation<Rational>& e = evaluations_[i];
        page_.text(x, 34, scale_.panel() + load_width, panels_[i].caption, Page::Align::left, 12, "#000000", true);
        page_.text(x + scale_.panel(), 12, load_width - 4, "load", Page::Align::right, 10, "#555555");
        for (const CoreId p : shape_.cores()) bar(panels_[i].assignment, e, p, x);
        page_.line(x, 4, x, rows_top_ - 4, "penwidth=0.8, color=\"#000000\"");
        axis(x);
        if (!e.makespan) return;
        const double at = x + scale_.width(*e.makespan);
        page_.line(at, 4, at, rows_top_ - 4, fmt::format("penwidth=1.8, style=dashed, color=\"{}\"", colour::accent));
        page_.text(x, 14, at - x + 2, makespan_label(e), Page::Align::right, 10, colour::accent, true);
    }
    /// A mark at whole times, at most some ten of them.
    void axis(double x) {
        Integer step = 1;
        while (scale_.horizon / Rational(step) > Rational(12)) step *= step % 5 == 0 ? 2 : 5;
        for (Integer at = 0; Rational(at) <= scale_.horizon; at += step) {
            const double mark = x + scale_.width(Rational(at));
            page_.line(mark, rows_top_ - 4, mark, rows_top_ - 8, "penwidth=0.8, color=\"#000000\"");
            page_.text(mark - 20, rows_top_ - 17, 40, at.str(), Page::Align::centre, 9);
        }
    }
    void bar(const assignment::Assignment& assignment, const Evaluation<Rational>& e, CoreId p, double x) {
        const double y = row(p) - bar_height / 2;
        const ServerId s = shape_.server_of(p);
        const bool cut = problem_.load(p) > scale_.horizon;
        double at = x;
        const auto piece = [&](const Rational& time, std::string_view fill, const std::string& label,
                               const std::string& what) {
            const double w = std::min(scale_.width(time), x + scale_.panel() - at);
            page_.box(at, y, w, bar_height, fill, fitting(label, w), what + " " + time.to_string());
            at += w;
        };
        if (problem_.load(p).sign() > 0)
            piece(problem_.load(p), colour::initial, cut ? "\u2026" : time_label(problem_.load(p)), "initial load");
        for (const bool local : {true, false})
            for (const TaskId t : shape_.tasks()) {
                if (assignment[t.index()] != p || shape_.is_local(t, s) != local) continue;
                const Rational cost = local ? problem_.local : problem_.cost(s)(e.remote[s.index()]);
                piece(cost, local ? colour::local : colour::remote, name_(t),
                      name_(t) + (local ? ": local" : ": remote"));
            }
        const bool critical = e.tasks[p.index()] > 0 && e.load[p.index()] == *e.makespan;
        page_.text(x + scale_.panel(), row(p), load_width - 4, time_label(e.load[p.index()]), Page::Align::right, 10,
                   critical                 ? colour::accent
                   : e.tasks[p.index()] > 0 ? "#000000"
                                            : colour::faint,
                   critical);
    }
    void legend(double y) {
        double x = 0;
        const auto entry = [&](std::string_view fill, std::string_view meaning) {
            page_.box(x, y - 6, 16, 12, fill, "", std::string(meaning));
            const double w = 5.6 * static_cast<double>(meaning.size()) + 10;
            page_.text(x + 21, y, w, meaning, Page::Align::left, 9);
            x += 21 + w + 10;
        };
        entry(colour::initial, "initial load");
        entry(colour::local, "local task");
        entry(colour::remote, "remote task");
        page_.line(x, y, x + 20, y, fmt::format("penwidth=1.8, style=dashed, color=\"{}\"", colour::accent));
        page_.text(x + 25, y, 200, "makespan, over cores with a task", Page::Align::left, 9);
    }

    const Problem<Rational>& problem_;
    const Shape& shape_;
    AssignmentNaming name_;
    const std::vector<LoadPanel>& panels_;
    std::vector<Evaluation<Rational>> evaluations_;
    Scale scale_{};
    std::size_t widest_name_ = 0;
    double names_width_ = 0;
    double rows_top_ = 0;  // where the rows end, at the bottom
    Page page_;
};

}  // namespace

std::string load_bars(const Problem<Rational>& problem, const std::vector<LoadPanel>& panels,
                      const std::vector<std::string>& title, const AssignmentNames& names) {
    require(!panels.empty(), "a picture of loads has a panel");
    require_drawable(*problem.shape);
    if (panels.size() > max_drawn_panels)
        throw LimitExceeded("panels of a picture",
                            fmt::format("{}, of which at most {} are drawn", panels.size(), max_drawn_panels));
    return Bars(problem, names, panels).draw(title);
}

}  // namespace schedproof::graph
