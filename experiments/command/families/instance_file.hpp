/// Instance files of any family: the file says which it is.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "model/assignment/codec/codec.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/redundancy/codec/codec.hpp"

namespace schedproof::input {

using AnyInstance = std::variant<queueing::Instance, assignment::Instance, redundancy::Instance>;

/// Reads an instance from a file, or from the standard input for `-`.
/// Throws InputError with file, line, key path and what was expected.
[[nodiscard]] AnyInstance read_any_instance(const std::string& path);

/// Reads an instance from text; `file` names it in errors.
[[nodiscard]] AnyInstance parse_any_instance(std::string_view text, base::Format format, const std::string& file);

}  // namespace schedproof::input
