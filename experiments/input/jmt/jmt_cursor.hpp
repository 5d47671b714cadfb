/// Walking the elements of a JMT model with the place at hand, so that every complaint says where.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/input/text/xml_document.hpp"
#include "model/core/rational.hpp"

namespace schedproof::input {

/// Places of names in the order of the file.
using JmtNames = std::map<std::string, std::size_t>;

/// The name in the nearest words of those known, for messages: ` (did you mean 'x'?)` or nothing.
[[nodiscard]] std::string nearest_of(std::string_view word, const JmtNames& known);

/// An element together with its file and what messages call it, such as `Queue 1.ServiceStrategy.Class1`.
/// Every function that reads throws InputError with file, line, key and what was expected.
/// Requires the element and the file's name to outlive the cursor.
class JmtCursor {
  public:
    JmtCursor(const XmlElement& element, const std::string& file, std::string path)
        : element_(&element), file_(&file), path_(std::move(path)) {}

    [[nodiscard]] const XmlElement& element() const { return *element_; }
    [[nodiscard]] std::size_t line() const { return element_->line; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const std::string& file() const { return *file_; }
    [[noreturn]] void fail(std::string expected) const;

    /// An attribute that must be there and not be empty.
    [[nodiscard]] const std::string& attribute(std::string_view key) const;
    /// The last part of the attribute: `Exponential` of jmt.engine.random.Exponential.
    [[nodiscard]] std::string class_name(std::string_view key = "classPath") const;
    /// The text of its element `value`.
    [[nodiscard]] const std::string& value() const;
    /// Whether its `value` is the word null, by which JMT says that there is none.
    [[nodiscard]] bool is_null() const;
    /// Its `value`, an exact number.
    [[nodiscard]] Rational number() const;

    [[nodiscard]] JmtCursor below(const XmlElement& child, std::string_view name) const;
    /// Its elements `parameter` or `subParameter`, named as they are.
    [[nodiscard]] std::vector<JmtCursor> parts(std::string_view tag = "subParameter") const;
    /// The part of this name, which must be there.
    [[nodiscard]] JmtCursor part(std::string_view name) const;
    /// Its parts in the order of the classes, each behind a `refClass` and there once.
    [[nodiscard]] std::vector<JmtCursor> by_class(const JmtNames& classes) const;

  private:
    const XmlElement* element_;
    const std::string* file_;
    std::string path_;
};

}  // namespace schedproof::input
