/// Figures of the assignment family: random instances of its generator, each under every policy.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/command/reproduce/reproduce.hpp"

namespace schedproof::cli {

/// Whether the figure's runs are of the assignment family: it has a table `assign`.
[[nodiscard]] bool is_assignment_figure(const FigureDeclaration& figure);

/// What a policy came to at a point, by its definition, the point, and the quantity: alternatives about others meet it
/// again. Without times, and without instances from files.
using KnownRuns = std::map<std::string, std::vector<std::vector<double>>>;

/// The figure with the values taken, or one alternative. Runs take milliseconds and are kept in `known` alone, which
/// is to be that of one figure. Replication r is the instance of seed `seed` + r, the same under every policy.
/// Throws InputError with file, line and key.
[[nodiscard]] MeasuredSetting measure_assignment(const FigureDeclaration& figure, const ReproduceRequest& request,
                                                 const Alternative* alternative, KnownRuns& known,
                                                 const std::function<void(double)>& done);

}  // namespace schedproof::cli
