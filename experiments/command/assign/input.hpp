/// What `assign` works on: an instance, from a file of its own or from what a real cluster says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/command/assign/assign.hpp"
#include "experiments/command/core/option_table.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/input/placement/task_placement.hpp"

namespace schedproof::cli {

/// How a placement is read: `--loads`, `--cores`, `--path`, ...
[[nodiscard]] OptionTable placement_options(AssignRequest& request);

/// Reads what the request names; what was assumed or left out goes to standard error.
/// Throws InputError when the options do not fit together or an input is not what was expected.
[[nodiscard]] input::PlacedTasks read_assign_input(const AssignRequest& request, Progress& progress);

}  // namespace schedproof::cli
