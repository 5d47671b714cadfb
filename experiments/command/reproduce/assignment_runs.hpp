/// Figures of the assignment family: random instances of its generator, each under every policy.
#pragma once

#include <functional>

#include "experiments/command/reproduce/reproduce.hpp"

namespace schedproof::cli {

/// Whether the figure's runs are of the assignment family: it has a table `assign`.
[[nodiscard]] bool is_assignment_figure(const FigureDeclaration& figure);

/// The figure with the values taken, or one alternative. Runs take milliseconds and are not kept. Replication r is the
/// instance of seed `seed` + r, the same under every policy. Throws InputError with file, line and key.
[[nodiscard]] MeasuredSetting measure_assignment(const FigureDeclaration& figure, const ReproduceRequest& request,
                                                 const Alternative* alternative,
                                                 const std::function<void(double)>& done);

}  // namespace schedproof::cli
