/// Which claims the argument for a claim uses.
#pragma once

#include <vector>

#include "experiments/command/families/family_files.hpp"

namespace schedproof::cli::site {

using cli::Argument;

/// Those of every family: without a cycle; each claim once, and claims that rest on no other are left out.
[[nodiscard]] const std::vector<Argument>& arguments();

}  // namespace schedproof::cli::site
