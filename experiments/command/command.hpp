/// The whole command as a function, for a program of one's own that has policies of its own, of any family:
///
///     #include "experiments/command/command.hpp"
///     #include "my_policy.hpp"
///
///     int main(int argc, char** argv) { return schedproof::command<MyPolicy>(argc, argv); }
///
/// The policies are known to every subcommand by the ids of their `info`, as those of `schedproof list policies` are.
/// In CMake: find_package(schedproof COMPONENTS command), and link schedproof::command.
#pragma once

#include <initializer_list>
#include <string>

#include "proofs/known_policy.hpp"

namespace schedproof {

namespace cli {

/// Makes a policy known; returns its id.
using MakeKnown = const std::string& (*)();

/// As `command`. `header` is the path of this file when the program was compiled: where the library's headers are.
[[nodiscard]] int run_with(std::initializer_list<MakeKnown> policies, const char* header, int argc, char** argv);

}  // namespace cli

/// What the program `schedproof` does with the arguments of `main`, the policies P being known besides. Returns the
/// exit code: 2, after a line on standard error, also when an id of a policy is taken. To be called once.
template <class... P>
[[nodiscard]] int command(int argc, char** argv) {
    return cli::run_with({&known_policy<P>...}, __FILE__, argc, argv);
}

}  // namespace schedproof
