/// From words to the targets of an option table: the one place that knows the command-line library.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

/// Reads the arguments of the program and runs the subcommand that they name. Returns its exit code; 2 for a command
/// line that is wrong, after a line on standard error that says why.
[[nodiscard]] int parse_and_run(std::vector<Subcommand> commands, int argc, char** argv);

/// Reads words, such as {"file.toml", "--seed=1"}, into the table's targets. Throws InputError with the complaint.
void parse_words(OptionTable& table, const std::vector<std::string>& words);

}  // namespace schedproof::cli
