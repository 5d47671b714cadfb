/// `import jmt`: see import_jmt.cpp.
#pragma once

#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

[[nodiscard]] Subcommand import_jmt();

}  // namespace schedproof::cli
