/// TOML to `Node`, by toml++.
///
/// toml++ bounds the nesting of arrays and inline tables but not the length of a dotted key, so `a.a.a.a...` builds a
/// tree whose destruction overflows the stack, and a long array of small numbers costs it some hundred bytes a number.
/// A scan that knows strings and comments, and nothing else of the language, refuses both before it starts.
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/core.h>
#include <toml++/toml.h>

#include <utility>

#include "experiments/input/document.hpp"
#include "experiments/input/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

/// Position just after the string that begins at `start`, or the end of the text when it is not closed.
std::size_t skip_string(std::string_view text, std::size_t start) {
    const char quote = text[start];
    const std::string triple(3, quote);
    const bool multiline = text.substr(start, 3) == triple;
    std::size_t i = start + (multiline ? 3 : 1);
    while (i < text.size()) {
        if (text[i] == '\\' && quote == '"') i += 2;
        else if (multiline ? text.substr(i, 3) == triple : text[i] == quote) return i + (multiline ? 3 : 1);
        else if (!multiline && text[i] == '\n') return i;
        else ++i;
    }
    return text.size();
}

/// Throws InputError when a key is too deep or the values are too many.
void require_modest(std::string_view text, const std::string& file) {
    std::size_t line = 1, dots = 0, values = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            const std::size_t end = skip_string(text, i);
            for (std::size_t j = i; j + 1 < end; ++j) line += text[j] == '\n' ? 1 : 0;
            i = end - 1;
        } else if (c == '#') {
            i = std::min(text.find('\n', i), text.size()) - 1;
        } else if (c == '.') {
            if (++dots > max_document_depth)
                throw InputError({file, line, ""}, fmt::format("expected keys of at most {} parts", max_document_depth));
        } else if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') {
            dots = 0;
            line += c == '\n' ? 1 : 0;
            if (c != '\n' && ++values > max_document_values)
                throw InputError({file, line, ""}, fmt::format("expected at most {} values in a file", max_document_values));
        }
    }
}

class Converter {
  public:
    explicit Converter(const std::string& file) : file_(file) {}

    /// `line` is that of the parent, for nodes that toml++ gives no position.
    Node convert(const toml::node& from, std::size_t line, std::size_t depth) const {
        if (from.source().begin.line != 0) line = from.source().begin.line;
        if (depth > max_document_depth)
            throw InputError({file_, line, ""}, fmt::format("expected at most {} levels of nesting", max_document_depth));
        Node to;
        to.line = line;
        if (const auto* table = from.as_table()) to.value = fields(*table, line, depth);
        else if (const auto* array = from.as_array()) to.value = items(*array, line, depth);
        else if (const auto* text = from.as_string()) to.value = text->get();
        else if (const auto* integer = from.as_integer()) to.value = std::int64_t{integer->get()};
        else if (const auto* flag = from.as_boolean()) to.value = flag->get();
        else if (const auto* real = from.as_floating_point()) to.value = Literal{"float", fmt::format("{}", real->get())};
        else to.value = Literal{"date or time", ""};
        return to;
    }

  private:
    Node::Table fields(const toml::table& from, std::size_t line, std::size_t depth) const {
        Node::Table to;
        to.reserve(from.size());
        for (const auto& [key, value] : from) to.push_back({std::string(key.str()), convert(value, line, depth + 1)});
        return to;
    }
    Node::Array items(const toml::array& from, std::size_t line, std::size_t depth) const {
        Node::Array to;
        to.reserve(from.size());
        for (const toml::node& value : from) to.push_back(convert(value, line, depth + 1));
        return to;
    }

    const std::string& file_;
};

}  // namespace

Node parse_toml(std::string_view text, const std::string& file) {
    require_modest(text, file);
    try {
        const toml::table root = toml::parse(text);
        return Converter(file).convert(root, 1, 0);
    } catch (const toml::parse_error& error) {
        throw InputError({file, error.source().begin.line, ""},
                         "expected well-formed TOML: " + std::string(error.description().substr(0, 200)));
    }
}

}  // namespace schedproof::input
