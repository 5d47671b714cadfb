/// What the JSON files of a study, its units and itself, have in common.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "experiments/runs/unit.hpp"
#include "model/base/cursor.hpp"

namespace schedproof::runs {

/// The inputs, each with its fingerprint.
[[nodiscard]] nlohmann::ordered_json inputs_json(const std::vector<InputFile>& inputs);
/// Throws InputError when it is no such list.
[[nodiscard]] std::vector<InputFile> inputs_of(const base::Cursor& at);

/// The member of this name: an integer from 0 to 2^64 - 1.
[[nodiscard]] std::uint64_t number_of(const base::Cursor& at, std::string_view key);

}  // namespace schedproof::runs
