#include "proofs/certifier/strict_cursor.hpp"

#include <fmt/core.h>

#include <charconv>

#include "model/base/cursor.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::certify {

using base::Node;

void StrictCursor::fail(const std::string& expected) const {
    throw InputError::at_line(*file_, node_->line, path(), expected + ", not " + base::describe(*node_));
}

std::string StrictCursor::path() const {
    if (above_ == nullptr) return "";
    const std::string before = above_->path();
    if (key_.empty()) return fmt::format("{}[{}]", before, index_);
    return before.empty() ? std::string(key_) : before + "." + std::string(key_);
}

const std::string& StrictCursor::text() const {
    if (const auto* text = std::get_if<std::string>(&node_->value)) return *text;
    fail("expected a string");
}

const std::string& StrictCursor::name(std::size_t most) const {
    const std::string& name = text();
    if (!base::is_plain_name(name) || name.size() > most)
        fail(fmt::format("expected {}, at most {} of them", base::name_form, most));
    return name;
}

bool StrictCursor::flag() const {
    if (const auto* flag = std::get_if<bool>(&node_->value)) return *flag;
    fail("expected true or false");
}

std::uint32_t StrictCursor::index(std::uint32_t most) const {
    if (const auto* value = std::get_if<std::int64_t>(&node_->value); value != nullptr && *value >= 0 && *value <= most)
        return static_cast<std::uint32_t>(*value);
    fail(fmt::format("expected an integer from 0 to {}", most));
}

Rational StrictCursor::number() const {
    const auto* text = std::get_if<std::string>(&node_->value);
    if (text == nullptr) fail("expected a number as a string, such as \"3/4\"");
    // Nearly all numbers are small integers.
    std::int64_t small = 0;
    const char* end = text->data() + text->size();
    if (const auto read = std::from_chars(text->data(), end, small); read.ec == std::errc() && read.ptr == end) {
        const char first = text->front() == '-' ? (*text)[1] : text->front();
        if (first != '0' || *text == "0") return small;
    }
    const auto parsed = Rational::parse(*text, Rational::max_result_digits);
    if (!parsed || parsed->to_string() != *text) fail("expected a number in lowest terms, such as \"-3/4\" or \"12\"");
    return *parsed;
}

std::size_t StrictCursor::size() const {
    if (const auto* array = std::get_if<Node::Array>(&node_->value)) return array->size();
    fail("expected a list");
}

StrictCursor StrictCursor::item(std::size_t i) const {
    if (i >= size()) fail(fmt::format("expected a list of more than {} entries", i));
    return {std::get<Node::Array>(node_->value)[i], *this, {}, i};
}

bool StrictCursor::has(std::string_view key) const {
    const auto* table = std::get_if<Node::Table>(&node_->value);
    return table != nullptr && base::find(*table, key) != nullptr;
}

StrictCursor StrictCursor::member(std::string_view key) const {
    const auto* table = std::get_if<Node::Table>(&node_->value);
    const Node* found = table == nullptr ? nullptr : base::find(*table, key);
    if (found == nullptr) fail(fmt::format("expected an object with the member '{}'", key));
    return {*found, *this, key, 0};
}

}  // namespace schedproof::certify
