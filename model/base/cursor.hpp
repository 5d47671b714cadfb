/// Walking a document with its position at hand, so that every complaint says where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/document.hpp"
#include "model/core/errors.hpp"
#include "model/core/rational.hpp"

namespace schedproof::base {

/// A node together with its file and its key path, such as `types[1].replicas`.
/// Every function that reads throws InputError with file, line, key path and what was expected.
/// Requires the document and the file's name to outlive the cursor.
class Cursor {
  public:
    Cursor(const Node& node, const std::string& file, std::string path = "")
        : node_(&node), file_(&file), path_(std::move(path)) {}

    [[nodiscard]] const Node& node() const { return *node_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const std::string& file() const { return *file_; }
    [[noreturn]] void fail(std::string expected) const;

    [[nodiscard]] bool is_text() const { return std::holds_alternative<std::string>(node_->value); }
    [[nodiscard]] bool is_integer() const { return std::holds_alternative<std::int64_t>(node_->value); }
    [[nodiscard]] bool is_array() const { return std::holds_alternative<Node::Array>(node_->value); }
    [[nodiscard]] bool is_null() const;
    [[nodiscard]] bool is_table() const { return std::holds_alternative<Node::Table>(node_->value); }

    /// `form` is what the message says was expected: "a list of servers", "a table with kind and values".
    [[nodiscard]] const Node::Array& array(std::string_view form) const;
    [[nodiscard]] const Node::Table& table(std::string_view form) const;
    [[nodiscard]] const std::string& text(std::string_view form) const;
    void expect_table(std::string_view form) const { static_cast<void>(table(form)); }
    /// Range: `least` to `most`, which may lie beyond signed 64-bit integers.
    [[nodiscard]] std::uint64_t count(std::uint64_t least, std::uint64_t most, std::string_view form) const;
    /// A signed integer. Range: `least` to `most`.
    [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most, std::string_view form) const;
    /// An exact number: an integer, or text that `Rational::parse` reads.
    [[nodiscard]] Rational number() const;
    /// An exact number of at least 0, and at most 1 when `probability`.
    [[nodiscard]] Rational rate(bool probability) const;

    [[nodiscard]] bool flag(std::string_view form) const;
    /// A floating-point number, for measured quantities: an integer or a float literal.
    [[nodiscard]] double real(std::string_view form) const;
    /// A name: text that is not empty and of at most `limit` bytes.
    [[nodiscard]] std::string name(std::size_t limit = max_name_bytes) const;

    /// Item of an array. Requires `is_array()`.
    [[nodiscard]] Cursor item(std::size_t index) const;
    /// Entry of a table, if it has one. Requires `is_table()`.
    [[nodiscard]] std::optional<Cursor> find(std::string_view key) const;
    [[nodiscard]] Cursor entry(const Field& field) const;
    /// Entry of a table that must have it; `form` says what it should hold.
    [[nodiscard]] Cursor require(std::string_view key, std::string_view form) const;
    /// The items of an array; throws unless it is one.
    [[nodiscard]] std::vector<Cursor> items(std::string_view form) const;
    /// A long list of numbers, without a cursor for each.
    [[nodiscard]] std::vector<double> reals(std::string_view form) const;
    [[nodiscard]] std::vector<std::uint64_t> counts(std::string_view form) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view form) const;
    /// What a path names below here, or as much of the way as there is. The name of a thing stands for the item of a
    /// list whose `name` it is.
    [[nodiscard]] Cursor follow(const KeyPath& path) const;
    /// Throws unless every key of the table is among `known`. Requires `is_table()`.
    void allow_only(std::initializer_list<std::string_view> known) const;

  private:
    const Node* node_;
    const std::string* file_;
    std::string path_;
};

/// Throws unless the document is a table whose `family` is this one.
void expect_family(const Cursor& root, std::string_view family);

/// What kind of value a node holds, for messages: "a string", "the float 0.5".
[[nodiscard]] std::string describe(const Node& node);

}  // namespace schedproof::base
