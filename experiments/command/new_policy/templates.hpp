/// The files that `new-policy` writes: one per family and form, with what its author fills in explained beside it.
#pragma once

#include <string>
#include <string_view>

#include "model/queueing/codec/policy_text.hpp"

namespace schedproof::cli {

/// `family`: queueing, sharing, assignment or redundancy. `id` is the policy's, `type` that of its struct, `file` the
/// name of the file. What it holds compiles, and is a policy of the literature to be changed.
[[nodiscard]] std::string policy_template(std::string_view family, std::string_view id, std::string_view type,
                                          std::string_view file);

/// The same for a queueing policy as a text.
[[nodiscard]] std::string policy_text_template(std::string_view id, std::string_view file);

/// A queueing policy in C++. Requires: source and summary are UTF-8.
[[nodiscard]] std::string policy_as_header(const queueing::codec::PolicyText& policy, std::string_view type);

}  // namespace schedproof::cli
