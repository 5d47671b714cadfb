/// Decoding a document, one value after another.
///
/// A cursor is a pointer to a node with the key path that led there, so that whatever a reader finds wrong is reported
/// by file, line and key without the reader's help. Cursors are copied and returned by value: the path is a string
/// that grows by one part per step, which costs nothing beside exact arithmetic. Long lists of plain numbers would
/// notice it; `reals` and `counts` walk the nodes and make a cursor only for a value that is wrong.
///
/// Numbers of models are exact: integers, or text in quotes. Only measured quantities are read as floating point.
#include "model/base/cursor.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/nearest.hpp"
#include "model/base/numeral.hpp"
#include "model/base/text.hpp"

namespace schedproof::base {

namespace {

struct Describe {
    std::string operator()(const std::string& text) const { return shown(text, 40); }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const Literal& literal) const {
        return literal.text.empty() ? "a " + literal.kind
                                    : fmt::format("the {} {}", literal.kind, literal.text.substr(0, 40));
    }
    std::string operator()(const Node::Array&) const { return "a list"; }
    std::string operator()(const Node::Table&) const { return "a table"; }
};

/// Keys that are not plain words stand in quotes, so that a path reads one way only.
std::string path_part(std::string_view key) {
    const bool plain = !key.empty() && key.size() <= 60 && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
    return plain ? std::string(key) : shown(key);
}

std::optional<std::uint64_t> unsigned_value(const Node& node) {
    if (const auto* integer = std::get_if<std::int64_t>(&node.value))
        return *integer >= 0 ? std::optional(static_cast<std::uint64_t>(*integer)) : std::nullopt;
    const auto* literal = std::get_if<Literal>(&node.value);
    return literal != nullptr && literal->kind == large_integer ? parse_numeral<std::uint64_t>(literal->text)
                                                                : std::nullopt;
}

std::optional<double> real_value(const Node& node) {
    if (const auto* integer = std::get_if<std::int64_t>(&node.value)) return static_cast<double>(*integer);
    const auto* literal = std::get_if<Literal>(&node.value);
    return literal != nullptr && literal->kind == "float" ? parse_numeral<double>(literal->text) : std::nullopt;
}

}  // namespace

std::string describe(const Node& node) { return std::visit(Describe{}, node.value); }

void Cursor::fail(std::string expected) const {
    throw InputError::at_line(*file_, node_->line, path_, std::move(expected));
}

bool Cursor::is_null() const {
    const auto* literal = std::get_if<Literal>(&node_->value);
    return literal != nullptr && literal->kind == "null";
}

const Node::Array& Cursor::array(std::string_view form) const {
    if (const auto* array = std::get_if<Node::Array>(&node_->value)) return *array;
    fail(fmt::format("expected {}, not {}", form, describe(*node_)));
}

const Node::Table& Cursor::table(std::string_view form) const {
    if (const auto* table = std::get_if<Node::Table>(&node_->value)) return *table;
    fail(fmt::format("expected {}, not {}", form, describe(*node_)));
}

const std::string& Cursor::text(std::string_view form) const {
    if (const auto* text = std::get_if<std::string>(&node_->value)) return *text;
    fail(fmt::format("expected {}, not {}", form, describe(*node_)));
}

std::uint64_t Cursor::count(std::uint64_t least, std::uint64_t most, std::string_view form) const {
    if (const auto number = unsigned_value(*node_); number && *number >= least && *number <= most) return *number;
    fail(fmt::format("expected {}, an integer from {} to {}, not {}", form, least, most, describe(*node_)));
}

std::int64_t Cursor::integer(std::int64_t least, std::int64_t most, std::string_view form) const {
    if (const auto* value = std::get_if<std::int64_t>(&node_->value); value && *value >= least && *value <= most)
        return *value;
    fail(fmt::format("expected {}, an integer from {} to {}, not {}", form, least, most, describe(*node_)));
}

Rational Cursor::number() const {
    if (const auto* integer = std::get_if<std::int64_t>(&node_->value)) return Rational(*integer);
    if (const auto* text = std::get_if<std::string>(&node_->value)) {
        const auto parsed = Rational::parse(*text);
        if (!parsed) fail(parsed.error());
        return *parsed;
    }
    if (const auto* literal = std::get_if<Literal>(&node_->value); literal != nullptr && literal->kind == "float")
        fail(fmt::format(
            "expected an exact number: {} is a float, which is not exact; put it in quotes, \"{}\" or \"3/4\"",
            literal->text.substr(0, 40), literal->text.substr(0, 40)));
    fail("expected an exact number, an integer or text such as \"3/4\" or \"0.75\", not " + describe(*node_));
}

Rational Cursor::rate(bool probability) const {
    Rational value = number();
    if (value.sign() < 0 || (probability && value > 1))
        fail(fmt::format("expected a {}, not {}", probability ? "probability between 0 and 1" : "rate of at least 0",
                         display(value)));
    return value;
}

bool Cursor::flag(std::string_view form) const {
    if (const auto* flag = std::get_if<bool>(&node_->value)) return *flag;
    fail(fmt::format("expected {}, not {}", form, describe(*node_)));
}

double Cursor::real(std::string_view form) const {
    if (const auto number = real_value(*node_)) return *number;
    fail(fmt::format("expected {}, not {}", form, describe(*node_)));
}

std::string Cursor::name(std::size_t limit) const {
    const std::string& name = text("a name in quotes");
    if (name.empty()) fail("expected a name that is not empty");
    if (name.size() > limit) fail(fmt::format("expected a name of at most {} bytes", limit));
    return name;
}

std::vector<Cursor> Cursor::items(std::string_view form) const {
    std::vector<Cursor> all;
    const std::size_t size = array(form).size();
    all.reserve(size);
    for (std::size_t i = 0; i < size; ++i) all.push_back(item(i));
    return all;
}

std::vector<double> Cursor::reals(std::string_view form) const {
    std::vector<double> values;
    for (const Node& node : array(form)) {
        const auto value = real_value(node);
        values.push_back(value ? *value : item(values.size()).real("a number"));
    }
    return values;
}

std::vector<std::uint64_t> Cursor::counts(std::string_view form) const {
    std::vector<std::uint64_t> values;
    for (const Node& node : array(form)) {
        const auto value = unsigned_value(node);
        values.push_back(value ? *value : item(values.size()).count(0, UINT64_MAX, "a count"));
    }
    return values;
}

std::vector<std::string> Cursor::texts(std::string_view form) const {
    std::vector<std::string> values;
    for (const Cursor& item : items(form)) values.push_back(item.text("text in quotes"));
    return values;
}

namespace {

/// One step of a path down from a value, if the value has it.
std::optional<Cursor> step(const Cursor& at, const KeyPath::value_type& part) {
    if (const auto* position = std::get_if<std::size_t>(&part)) {
        if (!at.is_array() || *position >= at.array("").size()) return std::nullopt;
        return at.item(*position);
    }
    const std::string& name = std::get<std::string>(part);
    if (at.is_table()) return at.find(name);
    if (!at.is_array()) return std::nullopt;
    for (const Cursor& item : at.items("")) {
        if (!item.is_table()) continue;
        const auto own = item.find("name");
        if (own && own->is_text() && own->text("") == name) return item;
    }
    return std::nullopt;
}

}  // namespace

Cursor Cursor::follow(const KeyPath& path) const {
    Cursor at = *this;
    for (const auto& part : path) {
        auto next = step(at, part);
        if (!next) break;
        at = *std::move(next);
    }
    return at;
}

void expect_family(const Cursor& root, std::string_view family) {
    root.expect_table("a table");
    const std::string quoted = fmt::format("\"{}\"", family);
    const Cursor at = root.require("family", quoted);
    if (const std::string& name = at.text(quoted); name != family)
        at.fail(fmt::format("expected the family {}, not {}", quoted, shown(name)));
}

Cursor Cursor::item(std::size_t index) const {
    return {std::get<Node::Array>(node_->value)[index], *file_, fmt::format("{}[{}]", path_, index)};
}

Cursor Cursor::entry(const Field& field) const {
    return {field.value, *file_, path_.empty() ? path_part(field.key) : path_ + "." + path_part(field.key)};
}

std::optional<Cursor> Cursor::find(std::string_view key) const {
    for (const Field& field : std::get<Node::Table>(node_->value))
        if (field.key == key) return entry(field);
    return std::nullopt;
}

Cursor Cursor::require(std::string_view key, std::string_view form) const {
    expect_table("a table");
    if (auto found = find(key)) return *std::move(found);
    fail(fmt::format("expected the key '{}': {}", key, form));
}

void Cursor::allow_only(std::initializer_list<std::string_view> known) const {
    for (const Field& field : std::get<Node::Table>(node_->value)) {
        if (std::find(known.begin(), known.end(), field.key) != known.end()) continue;
        std::string all;
        for (const std::string_view key : known) all += (all.empty() ? "" : ", ") + std::string(key);
        entry(field).fail(fmt::format("expected a known key{}; known here: {}", did_you_mean(field.key, known), all));
    }
}

}  // namespace schedproof::base
