/// The policies of several families, for options that take one of any of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace schedproof::cli {

/// The ids of the policies of some families, or of all, sorted, to be offered.
[[nodiscard]] std::function<std::vector<std::string>()> policy_ids(std::vector<std::string> families = {});

/// The id that a name of a policy of any family stands for. Throws InputError at the option, with the nearest name.
[[nodiscard]] std::string any_policy_id(const std::string& name, const char* option = "--policy");

}  // namespace schedproof::cli
