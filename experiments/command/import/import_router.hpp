/// `import router`: see import_router.cpp.
#pragma once

#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

[[nodiscard]] Subcommand import_router();

}  // namespace schedproof::cli
