/// By pugixml, which no other file includes.
///
/// pugixml takes some texts that are no XML, such as one with two roots, and knows places by their offset, from which
/// lines are counted here.
#include "experiments/input/text/xml_document.hpp"

#include <algorithm>
#include <pugixml.hpp>

#include "model/base/document.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

/// Far above any model that people draw.
constexpr std::size_t most_elements = 500'000;
constexpr std::string_view xml_blanks = " \t\r\n";

class ElementTree {
  public:
    ElementTree(std::string_view text, const std::string& file) : file_(file) {
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n') ends_.push_back(i);
    }

    [[nodiscard]] std::size_t line(std::ptrdiff_t offset) const {
        const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
        return static_cast<std::size_t>(std::lower_bound(ends_.begin(), ends_.end(), at) - ends_.begin()) + 1;
    }

    [[noreturn]] void fail(std::size_t line, std::string expected) const {
        throw InputError::at_line(file_, line, std::move(expected));
    }

    [[nodiscard]] XmlElement element(const pugi::xml_node& from, std::size_t depth = 1) {
        XmlElement made{from.name(), {}, {}, {}, line(from.offset_debug())};
        if (++elements_ > most_elements) fail(made.line, "expected fewer elements");
        if (depth > base::max_document_depth) fail(made.line, "expected fewer levels of nesting");
        for (const pugi::xml_attribute& attribute : from.attributes()) {
            if (made.attribute(attribute.name()) != nullptr)
                fail(made.line, "expected the attribute " + base::shown(attribute.name()) + " once");
            made.attributes.emplace_back(attribute.name(), attribute.value());
        }
        for (const pugi::xml_node& child : from.children()) {
            if (child.type() == pugi::node_element)
                made.children.push_back(element(child, depth + 1));
            else
                made.text += child.value();
        }
        made.text = base::trimmed(made.text, xml_blanks);
        return made;
    }

  private:
    const std::string& file_;
    std::vector<std::size_t> ends_;  // of lines
    std::size_t elements_ = 0;
};

/// The text in UTF-8, whichever of the two its first line says it is in.
std::string in_utf8(std::string_view text, const std::string& file) {
    std::string first(text.substr(0, text.find("?>")));
    std::transform(first.begin(), first.end(), first.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    if (!first.starts_with("<?XML") || first.find("ISO-8859-1") == std::string::npos) {
        base::require_text(text, file);
        return std::string(text);
    }
    std::string converted;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80) converted += static_cast<char>(0xC0 | (byte >> 6));
        converted += byte < 0x80 ? c : static_cast<char>(0x80 | (byte & 0x3F));
    }
    base::require_text(converted, file);
    return converted;
}

}  // namespace

const std::string* XmlElement::attribute(std::string_view key) const {
    const auto found =
        std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.first == key; });
    return found == attributes.end() ? nullptr : &found->second;
}

XmlElement parse_xml(std::string_view text, const std::string& file) {
    if (text.size() > base::max_toml_bytes) throw InputError::in_file(file, "expected a shorter text");
    const std::string whole = in_utf8(text, file);
    ElementTree tree(whole, file);
    pugi::xml_document document;
    const pugi::xml_parse_result result = document.load_buffer(
        whole.data(), whole.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
    if (!result) tree.fail(tree.line(result.offset), std::string("expected well-formed XML: ") + result.description());
    const pugi::xml_node root = document.document_element();
    for (const pugi::xml_node& child : document.children()) {
        if (child.type() == pugi::node_doctype)
            tree.fail(tree.line(child.offset_debug()), "expected no document type: its entities are not read");
        if (child.type() == pugi::node_element && child != root)
            tree.fail(tree.line(child.offset_debug()), "expected one root element");
    }
    return tree.element(root);
}

}  // namespace schedproof::input
