/// JSON as plain values, and its only writer.
///
/// A list in braces reads as JSON: when every item is a list of a name and a value it is an object, whose members keep
/// their order; otherwise it is an array.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::base {

class Json {
  public:
    /// An exact number is written as `{"exact": "p/q", "approx": d}`.
    enum class Kind { null, boolean, integer, natural, real, exact, text, array, object };

    // Implicit, so that lists in braces read as JSON.
    // NOLINTBEGIN(google-explicit-constructor)
    Json() = default;
    Json(std::nullptr_t) {}
    Json(bool value) : kind_(Kind::boolean), integer_(value ? 1 : 0) {}
    template <std::signed_integral T>
    Json(T value) : kind_(Kind::integer), integer_(value) {}
    template <std::unsigned_integral T>
    Json(T value) : kind_(Kind::natural), natural_(value) {}
    Json(double value) : kind_(Kind::real), real_(value) {}
    Json(const Rational& value);
    Json(const char* text) : kind_(Kind::text), text_(text) {}
    Json(std::string_view text) : kind_(Kind::text), text_(text) {}
    Json(std::string text) : kind_(Kind::text), text_(std::move(text)) {}
    template <class T>
    Json(const std::vector<T>& items) : kind_(Kind::array), items_(items.begin(), items.end()) {}
    template <class T, std::size_t n>
    Json(const std::array<T, n>& items) : kind_(Kind::array), items_(items.begin(), items.end()) {}
    /// Null when there is none.
    template <class T>
    Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}
    Json(std::initializer_list<Json> list);
    // NOLINTEND(google-explicit-constructor)

    /// An array also where the list in braces would read as an object.
    [[nodiscard]] static Json array(std::initializer_list<Json> items = {});
    [[nodiscard]] static Json object() { return of(Kind::object); }

    /// Requires an array, or null, which becomes one.
    void push_back(Json item);
    /// The member of this name, made when there is none. Requires an object, or null, which becomes one.
    /// Cost: a look at every member.
    Json& operator[](std::string_view name);
    /// Adds a member of a name that the object, or null, which becomes one, does not have.
    void append(std::string_view name, Json value);
    /// Sets the members of another object. Requires objects.
    void update(const Json& object);

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool boolean() const { return integer_ != 0; }
    [[nodiscard]] std::int64_t integer() const { return integer_; }
    [[nodiscard]] std::uint64_t natural() const { return natural_; }
    /// Of an exact number the nearest double.
    [[nodiscard]] double real() const { return real_; }
    /// Of an exact number the fraction.
    [[nodiscard]] const std::string& text() const { return text_; }
    /// Of an array its items, of an object the values of its members.
    [[nodiscard]] const std::vector<Json>& items() const { return items_; }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    /// The member of this name, or null.
    [[nodiscard]] const Json* find(std::string_view name) const;

  private:
    [[nodiscard]] static Json of(Kind kind);

    Kind kind_ = Kind::null;
    std::int64_t integer_ = 0;
    std::uint64_t natural_ = 0;
    double real_ = 0;
    std::string text_;
    std::vector<Json> items_;
    std::vector<std::string> names_;
};

/// The value in one line, and with `indent` spaces per level in several. A double is its shortest decimal, and null
/// where it is not finite.
[[nodiscard]] std::string to_text(const Json& value, int indent = -1);

}  // namespace schedproof::base
