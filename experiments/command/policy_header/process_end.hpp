/// What a user's code did in a process of its own, in words.
#pragma once

#include <string>

#include "model/base/process.hpp"

namespace schedproof::cli::policy_header {

/// What it did besides coming to its end, after "its code"; empty when it did nothing else.
[[nodiscard]] std::string misbehaviour(const base::ProcessEnd& end, const base::ProcessLimits& limits);

}  // namespace schedproof::cli::policy_header
