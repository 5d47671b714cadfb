#include "model/base/document.hpp"

#include <fmt/core.h>

#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {

const Node* find(const Node::Table& table, std::string_view key) {
    for (const Field& field : table)
        if (field.key == key) return &field.value;
    return nullptr;
}

Format detect_format(std::string_view path, std::string_view text) {
    if (path.ends_with(".toml")) return Format::toml;
    if (path.ends_with(".json")) return Format::json;
    const std::size_t start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return start != std::string_view::npos && text[start] == '{' ? Format::json : Format::toml;
}

Node parse_document(std::string_view text, Format format, const std::string& file) {
    const std::size_t limit = format == Format::json ? max_json_bytes : max_toml_bytes;
    if (text.size() > limit)
        throw InputError::in_file(file, fmt::format("expected a file of at most {} MiB", limit >> 20));
    require_text(text, file);
    return format == Format::json ? parse_json(text, file) : parse_toml(text, file);
}

}  // namespace schedproof::base
