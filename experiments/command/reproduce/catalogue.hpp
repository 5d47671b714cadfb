/// The figures that the program brings along, and instances that they name.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/reproduce/declaration.hpp"

namespace schedproof::cli {

/// Every figure, by paper and in the order of the papers.
[[nodiscard]] std::vector<FigureDeclaration> catalogue();
/// Their ids, to be offered.
[[nodiscard]] std::vector<std::string> figure_ids();

/// The figures of these names: an id, a key of the bibliography for all of a paper, or a file that ends in .toml. Each
/// once. Throws InputError for another name, with the nearest.
[[nodiscard]] std::vector<FigureDeclaration> figures_named(const std::vector<std::string>& names);

/// The text of a file that the program brings along, by its path in the source tree; null when it has no such file.
[[nodiscard]] const char* embedded_file(const std::string& path);

}  // namespace schedproof::cli
