/// Answers on their way out: text or JSON with exact numbers, in files that are complete or absent.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "model/base/json.hpp"

namespace schedproof::base {

/// Writes text to a file (a temporary beside it, then renamed) or to standard output for `-`.
/// Throws InputError when the file cannot be written.
void write_text(const std::string& path, std::string_view text);

/// Throws InputError unless every file of an answer can be written, before the first of them is; empty paths and `-`
/// are passed over, and no file may stand twice.
void require_writable(std::initializer_list<std::string> paths);

/// Writes a JSON file with the name of its schema and the version of this program as first members.
void write_json(const std::string& path, std::string_view schema, const Json& body);

}  // namespace schedproof::base
