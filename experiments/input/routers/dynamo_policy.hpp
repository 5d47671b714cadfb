/// The policy file of Dynamo's router, YAML behind its flag --router-policy-config.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "experiments/input/routers/router_config.hpp"
#include "model/base/cursor.hpp"

namespace schedproof::input {

/// Whether it is a key of such a file, on its first level.
[[nodiscard]] bool is_dynamo_policy_key(std::string_view key);

/// `name`: of the instance; empty where the stages select one alone. `tokens` as in read_dynamo.
/// Throws InputError with file, line and key. Requires `root` to be a table, and its file's name to outlive the call.
[[nodiscard]] RouterConfig read_dynamo_policy(const base::Cursor& root, const std::string& name, std::uint64_t tokens);

/// A scalar as a flag would have it: null is None. Throws InputError where it is none.
[[nodiscard]] std::string dynamo_text(const base::Cursor& at);

}  // namespace schedproof::input
