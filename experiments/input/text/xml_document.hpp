/// XML as a tree of elements that know their lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedproof::input {

struct XmlElement {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes;  ///< in the order of the file; names are unique
    std::string text;  ///< what stands between its own tags, without the blanks at both ends
    std::vector<XmlElement> children;
    std::size_t line = 0;

    /// Null without one.
    [[nodiscard]] const std::string* attribute(std::string_view key) const;
};

/// The root of the text. Entities of the document are not read, and none is fetched: a document type is refused. A text
/// that says so is Latin-1, any other one UTF-8.
/// Throws InputError with file and line when the text is ill-formed or no such text, an attribute stands twice, and
/// beyond the limits of a document (model/base/document.hpp) or 500,000 elements.
[[nodiscard]] XmlElement parse_xml(std::string_view text, const std::string& file);

}  // namespace schedproof::input
