/// Which policies a figure shows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/command/report/figures.hpp"

namespace schedproof::cli::site {

/// Family and id of every policy that runs for the figure, by its declaration, each once and in its order; none where
/// the program does not bring that declaration along.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> policies_of(const Figure& figure);

}  // namespace schedproof::cli::site
