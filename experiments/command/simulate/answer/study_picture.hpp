/// Pictures of a study: batch means, distribution functions, means against a number that varies.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/simulate/simulate.hpp"
#include "experiments/figures/plot.hpp"
#include "experiments/runs/study_report.hpp"

namespace schedproof::cli {

/// Throws what `simulation_plot` would of reports with these policies, quantities and variables, when a picture is
/// asked for, and otherwise where there is no such quantity.
void check_axes(const FigureRequest& request, const std::vector<runs::PointReport>& outlines);

/// What to draw. Throws InputError when there is no such variable or quantity, with the nearest name.
[[nodiscard]] figures::Plot simulation_plot(const FigureRequest& request,
                                            const std::vector<runs::PointReport>& reports);

/// The same as bytes, of the kind that the file's name says.
[[nodiscard]] std::string draw_simulation(const FigureRequest& request, const runs::Study& study,
                                          const std::vector<runs::PointReport>& reports);

}  // namespace schedproof::cli
