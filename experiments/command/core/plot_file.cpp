#include "experiments/command/core/plot_file.hpp"

#include <fmt/core.h>

#include <utility>

#include "experiments/figures/gnuplot.hpp"

namespace schedproof::cli {

OptionTable plot_options(PlotRequest& request, const std::string& meaning) {
    return {
        {.names = "--picture",
         .value = "FILE",
         .target = &request.path,
         .meaning = fmt::format("draw {} to this file (.svg, .png, .pdf or .tikz)", meaning)},
        {.names = "--title",
         .value = "TEXT",
         .target = &request.title,
         .meaning = "title of the picture (default: what it is of)",
         .needs = {"--picture"}},
        {.names = "--no-title",
         .target = &request.untitled,
         .meaning = "no title in the picture, for a paper with a caption",
         .needs = {"--picture"},
         .excludes = {"--title"}},
        {.names = "--log-x",
         .target = &request.log_x,
         .meaning = "logarithmic horizontal axis",
         .needs = {"--picture"}},
        {.names = "--log-y", .target = &request.log_y, .meaning = "logarithmic vertical axis", .needs = {"--picture"}}};
}

void check_plot(const PlotRequest& request) {
    if (request.path.empty()) return;
    static_cast<void>(figures::picture_kind(request.path));
    figures::require_gnuplot();
}

std::string draw(figures::Plot plot, const PlotRequest& request) {
    if (!request.title.empty()) plot.title = request.title;
    if (request.untitled) plot.title.clear();
    for (figures::Panel& panel : plot.panels) {
        panel.logarithmic_x = panel.logarithmic_x || request.log_x;
        panel.logarithmic_y = panel.logarithmic_y || request.log_y;
        // An axis that begins at none has no logarithm there.
        if (panel.logarithmic_x && panel.x && panel.x->from <= 0) panel.x.reset();
        if (panel.logarithmic_y && panel.y && panel.y->from <= 0) panel.y.reset();
    }
    return figures::draw(plot, figures::picture_kind(request.path));
}

}  // namespace schedproof::cli
