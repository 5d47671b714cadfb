/// What a shared object of a policy's code calls or keeps, that would tell it more than it is shown.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/command/policy_header/compiler.hpp"

namespace schedproof::cli::policy_header {

/// The first function, by name, that the object calls from outside of itself and that reads a clock, the environment, a
/// file, random numbers, or what else differs between two runs; none where there is no such call. Runs `nm`, which
/// belongs to the compiler. Throws InputError, which calls the policy `name`, when it cannot be run.
[[nodiscard]] std::optional<std::string> outside_call(const Compiler& compiler, const std::filesystem::path& object,
                                                      const std::string& name);

/// Whether a name stands in a file that is not the library's.
using IsTheirs = std::function<bool(std::string_view)>;

/// The first variable of the user's that the object keeps from one call to the next; none where there is no such
/// variable. Runs `objdump`, which belongs to the compiler. Throws as outside_call.
[[nodiscard]] std::optional<std::string> kept_variable(const Compiler& compiler, const std::filesystem::path& object,
                                                       const std::string& name, const IsTheirs& is_theirs);

}  // namespace schedproof::cli::policy_header
