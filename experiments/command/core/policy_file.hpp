/// Policies of the user, brought in a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/core/errors.hpp"
#include "model/queueing/codec/policy_text.hpp"

namespace schedproof::command {

/// The policy of a file: a C++ header by its ending (.hpp, .h, .hh, .hxx), any other file as a text.
/// Throws InputError when the file is not one queueing policy.
[[nodiscard]] queueing::codec::PolicyText read_policy_file(const std::string& path);

/// Adds the policy of a file to those that the command knows; returns its name.
/// Throws InputError as read_policy_file does, and when a policy has its name.
std::string add_policy_file(const std::string& path);

/// The file and line that brought the policy of this id; null when no file did.
[[nodiscard]] const InputPlace* policy_place(std::string_view id);
/// The words by which another command is given this policy: `-p ID`, and `--policy-file FILE` where a file brought it.
[[nodiscard]] std::vector<std::string> policy_words(std::string_view id);

}  // namespace schedproof::command
