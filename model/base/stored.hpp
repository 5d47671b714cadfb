/// Fields of files that are read back, so that one description (record.hpp) writes and reads a file.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "model/base/cursor.hpp"
#include "model/base/record.hpp"

namespace schedproof::base {

namespace detail {

/// A value that a document holds, of the shape of V.
template <class V>
void read_value(V& into, const Cursor& at) {
    if constexpr (is_optional<V>) {
        into.reset();
        if (!at.is_null()) read_value(into.emplace(), at);
    } else if constexpr (std::is_same_v<V, std::vector<double>>)
        into = at.reals("numbers");
    else if constexpr (std::is_same_v<V, std::vector<std::uint64_t>>)
        into = at.counts("counts");
    else if constexpr (is_vector<V>) {
        into.clear();
        for (const Cursor& item : at.items("a list")) read_value(into.emplace_back(), item);
    } else if constexpr (is_array<V>) {
        for (std::size_t i = 0; i < into.size(); ++i) read_value(into[i], at.item(i));
    } else if constexpr (std::is_same_v<V, bool>)
        into = at.flag("true or false");
    else if constexpr (is_id<V>)
        into = V(at.count(0, std::numeric_limits<std::uint32_t>::max(), "a number"));
    else if constexpr (std::is_floating_point_v<V>)
        into = at.real("a number");
    else if constexpr (std::is_unsigned_v<V>)
        into = static_cast<V>(at.count(0, std::numeric_limits<V>::max(), "a count"));
    else if constexpr (std::is_integral_v<V>)
        into = static_cast<V>(at.integer(std::numeric_limits<V>::min(), std::numeric_limits<V>::max(), "an integer"));
    else
        into = at.text("a text");
}

template <class V, class Item>
void read_with(const Record<Item>& record, V& into, const Cursor& at) {
    if constexpr (is_optional<V>) {
        into.reset();
        if (!at.is_null()) read_with(record, into.emplace(), at);
    } else if constexpr (is_vector<V>) {
        into.clear();
        for (const Cursor& item : at.items("a list")) read_with(record, into.emplace_back(), item);
    } else
        record.read(into, at);
}

}  // namespace detail

/// A field as `field` makes it, with a way back.
template <class T, class V>
[[nodiscard]] FieldOf<T> stored(std::string name, V T::*member, std::string meaning) {
    FieldOf<T> made = field(std::move(name), member, std::move(meaning));
    made.ways.put = [member](void* of, const Cursor& at) { detail::read_value(static_cast<T*>(of)->*member, at); };
    return made;
}

/// The same of a record, an optional one or a list of them.
template <class T, class V, class Item>
[[nodiscard]] FieldOf<T> stored(std::string name, V T::*member, std::string meaning, const Record<Item>& record) {
    FieldOf<T> made = field(std::move(name), member, std::move(meaning), record);
    made.ways.put = [member, record](void* of, const Cursor& at) {
        detail::read_with(record, static_cast<T*>(of)->*member, at);
    };
    return made;
}

/// A field whose value is made of the record by `get` and set in it by `put`.
template <class Get, class Put>
[[nodiscard]] FieldOf<detail::Owner<Get>> stored(std::string name, Get get, Put put, std::string meaning) {
    using T = detail::Owner<Get>;
    FieldOf<T> made = field(std::move(name), get, std::move(meaning));
    made.ways.put = [put](void* of, const Cursor& at) {
        detail::Value<Get> value{};
        detail::read_value(value, at);
        put(*static_cast<T*>(of), std::move(value));
    };
    return made;
}

/// A field that holds an enumerator, or a list of them, by its word.
template <class T, class V, std::size_t n>
[[nodiscard]] FieldOf<T> stored_word(std::string name, V T::*member, const std::array<const char*, n>& words,
                                     std::string meaning) {
    const auto of = [words](const std::string& word) {
        return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
    };
    if constexpr (detail::is_vector<V>)
        return stored(
                   std::move(name),
                   [member, words](const T& record) {
                       std::vector<std::string> all;
                       for (const auto value : record.*member) all.push_back(words[static_cast<std::size_t>(value)]);
                       return all;
                   },
                   [member, of](T& record, const std::vector<std::string>& all) {
                       for (const std::string& word : all)
                           (record.*member).push_back(static_cast<typename V::value_type>(of(word)));
                   },
                   std::move(meaning))
            .words({words.begin(), words.end()});
    else
        return stored(
                   std::move(name),
                   [member, words](const T& record) {
                       return std::string(words[static_cast<std::size_t>(record.*member)]);
                   },
                   [member, of](T& record, const std::string& word) { record.*member = static_cast<V>(of(word)); },
                   std::move(meaning))
            .words({words.begin(), words.end()});
}

/// Fields of the record that stand in an object of their own.
template <class T>
// NOLINTNEXTLINE(performance-unnecessary-value-param): moved into an aggregate, which the check does not see
[[nodiscard]] FieldOf<T> group(std::string name, std::string meaning, const Record<T>& fields) {
    return {{.name = std::move(name), .meaning = std::move(meaning), .shape = fields.shape()},
            {[fields](const void* of, bool for_text) { return fields.value(*static_cast<const T*>(of), for_text); },
             [fields](void* of, const Cursor& at) { fields.read(*static_cast<T*>(of), at); }}};
}

/// A field of a part of the record, among the record's own.
template <class T, class Part>
[[nodiscard]] FieldOf<T> of_part(Part T::*part, FieldOf<Part> of) {
    return {std::move(of.member),
            {[part, get = std::move(of.ways.get)](const void* record, bool for_text) {
                 return get(&(static_cast<const T*>(record)->*part), for_text);
             },
             [part, put = std::move(of.ways.put)](void* record, const Cursor& at) {
                 put(&(static_cast<T*>(record)->*part), at);
             }}};
}

}  // namespace schedproof::base
