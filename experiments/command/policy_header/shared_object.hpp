/// Policies that are code, in shared objects.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/command/policy_header/policy_header.hpp"

namespace schedproof::cli::policy_header {

/// The name of a symbol of an object as C++ has it.
[[nodiscard]] std::string demangled(const std::string& symbol);

/// Loads the one policy of the object, for the rest of the run; errors call its file `name`.
/// Throws InputError when the system cannot load it, or it does not hand over one policy that introduces itself well.
[[nodiscard]] PolicyCode loaded(const std::filesystem::path& object, const CodeFamily& family, const std::string& name);

/// The same, once a process of its own has loaded the policy and run it in all the ways that the family compares.
/// Throws InputError when that process does anything that a policy may not, OracleConflict when the ways disagree.
[[nodiscard]] PolicyCode tried(const std::filesystem::path& object, const CodeFamily& family, const std::string& name);

}  // namespace schedproof::cli::policy_header
