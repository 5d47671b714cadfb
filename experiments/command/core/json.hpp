/// JSON answers as plain values: what a command says in JSON is put together without the JSON library's header.
///
/// A list in braces reads as in that library: when every item is a list of a name and a value it is an object, whose
/// members keep their order; otherwise it is an array.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/core/requests.hpp"
#include "model/core/rational.hpp"

namespace schedproof::cli {

class Json {
  public:
    enum class Kind { null, boolean, integer, natural, real, text, array, object };

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
    Json& operator[](std::string_view name);
    /// Sets the members of another object. Requires objects.
    void update(const Json& object);

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool boolean() const { return integer_ != 0; }
    [[nodiscard]] std::int64_t integer() const { return integer_; }
    [[nodiscard]] std::uint64_t natural() const { return natural_; }
    [[nodiscard]] double real() const { return real_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    /// Of an array its items, of an object the values of its members.
    [[nodiscard]] const std::vector<Json>& items() const { return items_; }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

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

/// `{"exact": "p/q", "approx": d}`: every exact number of an answer.
[[nodiscard]] Json number(const Rational& value);
[[nodiscard]] Json number(const std::optional<Rational>& value);

/// Null for an empty text: a file that was not asked for.
[[nodiscard]] Json text_or_null(const std::string& text);

/// The value in one line, and with `indent` spaces per level in several.
[[nodiscard]] std::string to_text(const Json& value, int indent = -1);

/// Writes the answer in the form that was asked for and returns the exit code.
/// Throws InputError when the file cannot be written.
int write_answer(const Destination& to, std::string_view schema, const Json& json, const std::string& text,
                 int exit_code = 0);

/// The answer of a command in JSON: that of write_json, with the files that the command has written, its own included,
/// as `files`. So it is written last. Throws InputError when the file cannot be written.
void write_json_answer(const std::string& path, std::string_view schema, Json body);

/// A JSON file beside an answer, with its schema (a file under experiments/command/schema) and the version of this
/// program. Throws InputError when the file cannot be written.
void write_json(const std::string& path, std::string_view schema, const Json& body);

}  // namespace schedproof::cli
