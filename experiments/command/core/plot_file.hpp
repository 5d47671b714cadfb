/// Plots that commands draw, and what the user may set of them.
#pragma once

#include <string>

#include "experiments/command/core/option_table.hpp"
#include "experiments/figures/plot.hpp"

namespace schedproof::cli {

struct PlotRequest {
    std::string path;       ///< .svg, .png, .pdf or .tikz, or empty: none
    std::string title;      ///< empty: the plot's own
    bool untitled = false;  ///< without any
    bool log_x = false, log_y = false;
};

/// `--picture`, which draws what `meaning` says, `--title`, `--no-title`, `--log-x` and `--log-y`.
[[nodiscard]] OptionTable plot_options(PlotRequest& request, const std::string& meaning);

/// Throws InputError for a file's name without a picture's ending, and when there is no program to draw it.
void check_plot(const PlotRequest& request);
/// The plot as the user wants it, in bytes of the kind that the file's name says. Requires a path.
[[nodiscard]] std::string draw(figures::Plot plot, const PlotRequest& request);

}  // namespace schedproof::cli
