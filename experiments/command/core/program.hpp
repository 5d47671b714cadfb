/// Errors as exit codes.
#pragma once

#include <functional>
#include <vector>

#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

/// What the body returns; or, with a line on standard error, the exit code of the error that it throws.
[[nodiscard]] int exit_code_of(const std::function<int()>& body);

/// Gives the subcommand, and its parts, the option `--quiet`.
void take_quiet(Subcommand& command);

/// What the program of these subcommands does with the arguments of `main`. Returns the exit code.
[[nodiscard]] int run_program(const std::function<std::vector<Subcommand>()>& commands, int argc, char** argv);

}  // namespace schedproof::cli
