/// `import assignment`: see import_assignment.cpp.
#pragma once

#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

[[nodiscard]] Subcommand import_assignment();

}  // namespace schedproof::cli
