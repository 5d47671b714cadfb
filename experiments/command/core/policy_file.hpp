/// Policies of the user, brought in a file.
#pragma once

#include <string>

namespace schedproof::command {

/// Adds the policy of a file to those that the command knows; returns its name.
/// Throws InputError when the file is not a policy, or when a policy has its name.
std::string add_policy_file(const std::string& path);

}  // namespace schedproof::command
