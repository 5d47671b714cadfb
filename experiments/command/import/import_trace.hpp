/// `import trace`: see import_trace.cpp.
#pragma once

#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

[[nodiscard]] Subcommand import_trace();

}  // namespace schedproof::cli
