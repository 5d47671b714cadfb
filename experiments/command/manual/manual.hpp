/// Pages of the manual, made from the option tables.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

/// A page in roff, with the macros of man, and the file that it goes to, such as `schedproof-kernel.1`.
struct ManualPage {
    std::string name;  ///< `schedproof-prove-drift`
    std::string roff;
    [[nodiscard]] std::string file() const { return name + ".1"; }
};

/// The page of the whole command first, then one for each subcommand and each part of one.
[[nodiscard]] std::vector<ManualPage> manual_pages(const std::vector<Subcommand>& commands);

}  // namespace schedproof::cli
