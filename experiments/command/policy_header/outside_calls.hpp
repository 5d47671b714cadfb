/// What a shared object of a policy's code calls or keeps, that would tell it more than it is shown.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "experiments/command/policy_header/compiler.hpp"

namespace schedproof::cli::policy_header {

/// The first function, by name, that the object calls from outside of itself and that reads a clock, the environment, a
/// file, random numbers, or what else differs between two runs; none where there is no such call. Runs `nm`, which
/// belongs to the compiler. Throws InputError, which calls the policy `name`, when it cannot be run.
[[nodiscard]] std::optional<std::string> outside_call(const Compiler& compiler, const std::filesystem::path& object,
                                                      const std::string& name);

/// The first variable that the object keeps from one call to the next, a table of pointers among them; none where there
/// is no such variable. Runs `objdump`, which belongs to the compiler. Throws as outside_call, and when the object has
/// lost its names.
[[nodiscard]] std::optional<std::string> kept_variable(const Compiler& compiler, const std::filesystem::path& object,
                                                       const std::string& name);

}  // namespace schedproof::cli::policy_header
