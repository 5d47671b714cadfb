/// Escaping in one place: text becomes markup here only.
///
/// Bytes that are no UTF-8, and control characters, become U+FFFD; line breaks and tabs stay. JSON within a script
/// needs another escape: only `<` could end the script or begin a comment, and JSON has it in strings alone.
#include "experiments/command/report/html.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/text.hpp"

namespace schedproof::cli::site {

namespace {

/// What stands for a character in HTML; empty where that is the character itself.
std::string_view entity(char c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        case '\n':
        case '\t':
            return "";
        default:
            return static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? "\uFFFD" : "";
    }
}

std::string start_tag(std::string_view name, const Attributes& attributes) {
    std::string tag = fmt::format("<{}", name);
    for (const auto& [key, value] : attributes) tag += fmt::format(" {}=\"{}\"", key, escaped(value));
    return tag + ">";
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t good = std::min(base::first_invalid_utf8(text), text.size());
        for (const char c : text.substr(0, good)) {
            const std::string_view instead = entity(c);
            if (instead.empty())
                out += c;
            else
                out += instead;
        }
        if (good < text.size()) out += "\uFFFD";
        text.remove_prefix(std::min(good + 1, text.size()));
    }
    return out;
}

Html::Html(std::string_view text) : markup_(escaped(text)) {}

Html Html::raw(std::string markup) {
    Html html;
    html.markup_ = std::move(markup);
    return html;
}

Html& Html::operator+=(const Html& other) {
    markup_ += other.markup_;
    return *this;
}

Html element(std::string_view name, const Attributes& attributes, const Html& content) {
    return Html::raw(start_tag(name, attributes) + content.markup() + fmt::format("</{}>", name));
}

Html element(std::string_view name, const Html& content) { return element(name, {}, content); }

Html void_element(std::string_view name, const Attributes& attributes) {
    return Html::raw(start_tag(name, attributes));
}

Html link(const std::string& target, const Html& content) { return element("a", {{"href", target}}, content); }

Html code(std::string_view text) { return element("code", text); }

Html paragraph(const Html& content) { return element("p", content); }

Html data_script(const std::string& id, std::string_view json) {
    std::string safe;
    // Within a script only `<` can end it or begin a comment; JSON has it in strings alone.
    for (const char c : json) {
        if (c == '<')
            safe += "\\u003c";
        else
            safe += c;
    }
    return element("script", {{"type", "application/json"}, {"id", id}}, Html::raw(safe));
}

}  // namespace schedproof::cli::site
