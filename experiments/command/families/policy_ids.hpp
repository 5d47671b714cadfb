/// The policies of several families, for options that take one of any of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace schedproof::cli {

/// The ids of the policies of some families, or of all, sorted, to be offered.
[[nodiscard]] std::function<std::vector<std::string>()> policy_ids(std::vector<std::string> families = {});

}  // namespace schedproof::cli
