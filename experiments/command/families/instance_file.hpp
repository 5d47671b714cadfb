/// Instance files of any family: the file says which it is.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "experiments/command/families/family_files.hpp"
#include "model/base/document.hpp"

namespace schedproof::cli {

/// Reads an instance from a file, or from the standard input for `-`.
/// Throws InputError with file, line, key path and what was expected.
[[nodiscard]] std::unique_ptr<InstanceFile> read_any_instance(const std::string& path);

/// Reads an instance from text; `file` names it in errors.
[[nodiscard]] std::unique_ptr<InstanceFile> parse_any_instance(std::string_view text, base::Format format,
                                                               const std::string& file);

}  // namespace schedproof::cli
