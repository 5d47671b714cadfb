/// YAML as the tree of model/base/document.hpp, so that one strict reader decodes it.
#pragma once

#include <string>
#include <string_view>

#include "model/base/document.hpp"

namespace schedproof::input {

/// Each document of the text, in order. Integers and `true` and `false` are such; every other plain value is a text, a
/// number such as 1.5 included, which Cursor::number reads exactly. Lines are those of the file.
/// Throws InputError with file and line when the text is ill-formed, a key is no text or stands twice, and beyond the
/// limits of a document: an alias counts as what it stands for.
[[nodiscard]] std::vector<base::Node> parse_yaml(std::string_view text, const std::string& file);

}  // namespace schedproof::input
