/// Reading certificates strictly: a place in a JSON document that can say where it is.
///
/// What a certificate holds has one spelling: numbers are strings in lowest terms, and objects have exactly the members
/// of their shape, which is checked before (shapes.hpp). A place costs nothing until it complains, for certificates
/// have millions of them; so it links to the place above and must not outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/base/document.hpp"
#include "model/core/rational.hpp"

namespace schedproof::certify {

class StrictCursor {
  public:
    /// The root of a document. Requires both to outlive the cursor.
    StrictCursor(const base::Node& root, const std::string& file) : node_(&root), file_(&file) {}

    /// Throws InputError with file, line and path. Every function below throws so when the value is of another form.
    [[noreturn]] void fail(const std::string& expected) const;

    [[nodiscard]] const base::Node& node() const { return *node_; }
    [[nodiscard]] const std::string& file() const { return *file_; }
    /// `proofs[3].nodes[0].bound`.
    [[nodiscard]] std::string path() const;

    [[nodiscard]] bool is_text() const { return std::holds_alternative<std::string>(node_->value); }
    [[nodiscard]] const std::string& text() const;
    /// A name that may stand in a sentence (base::is_plain_name), of at most `most` bytes.
    [[nodiscard]] const std::string& name(std::size_t most = base::max_name_bytes) const;
    [[nodiscard]] bool flag() const;
    /// Range: 0 to `most`.
    [[nodiscard]] std::uint32_t index(std::uint32_t most) const;
    /// A string that is exactly what Rational::to_string gives.
    [[nodiscard]] Rational number() const;

    [[nodiscard]] std::size_t size() const;  ///< of a list
    [[nodiscard]] StrictCursor item(std::size_t i) const;

    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] StrictCursor member(std::string_view key) const;
    /// Calls `visit(key, cursor)` for every member of an object, in the order of the file.
    template <class Visit>
    void each_member(Visit&& visit) const {
        const auto* table = std::get_if<base::Node::Table>(&node_->value);
        if (table == nullptr) fail("expected an object");
        for (const base::Field& field : *table)
            visit(std::string_view(field.key), StrictCursor(field.value, *this, field.key, 0));
    }

  private:
    StrictCursor(const base::Node& node, const StrictCursor& above, std::string_view key, std::size_t index)
        : node_(&node), file_(above.file_), above_(&above), key_(key), index_(index) {}

    const base::Node* node_;
    const std::string* file_;
    const StrictCursor* above_ = nullptr;
    std::string_view key_;  // empty: an item of a list
    std::size_t index_ = 0;
};

/// Longest list of things that an index of a certificate may number.
inline constexpr std::uint32_t max_index = 100'000'000;
/// Largest degree of a product in a polynomial identity.
inline constexpr std::size_t max_degree = 16;

}  // namespace schedproof::certify
