/// A policy of the user's own as a C++ header: `--policy-file my_policy.hpp`.
///
/// The file holds one struct with `info` and `rules`, as the files of policies/queueing do. Rules are data, so the file
/// is compiled once, for its rules only, and they are then treated as those of a text.
#pragma once

#include <string>

#include "model/queueing/codec/policy_text.hpp"

namespace schedproof::command::policy_header {

/// Whether the name of the file is that of a C++ header.
[[nodiscard]] bool is_header(const std::string& path);

/// Throws InputError, with the place in the file where there is one, when it is not one queueing policy that follows no
/// plan, or cannot be compiled here.
/// Cost: some seconds the first time. Until the file, what it includes, the compiler or the library change, the answer
/// is that of the user's cache ($XDG_CACHE_HOME/schedproof).
[[nodiscard]] queueing::codec::PolicyText read_policy_header(const std::string& path);

}  // namespace schedproof::command::policy_header
