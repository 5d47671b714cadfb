/// Answers and files described once: from one description come their JSON, their text, their CSV and their JSON schema.
///
///     const Record<Row>& row() {
///         static const Record<Row> fields{
///             field("tasks", &Row::tasks, "Sum of the mean lengths.").unit("tasks"),
///             field("delay", [](const Row& r) { return r.delay(); }, "tasks / throughput; null without any.")};
///         return fields;
///     }
///
/// A field is a name, a way to the value and what the value means; its kind is that of the value's type. Where a
/// value is absent the field is null, or left out if it is `optional()` or `only_when(...)`. The text has a line for
/// each field, with its label (the name in words), its value and its unit, unless the field says otherwise.
///
/// Only the way to the value is compiled per type. Descriptions and values are trees of one type each (`Shape`,
/// `Json`), and the writers, compiled once, walk over both. Of a field made by `stored` (stored.hpp) the way back is
/// compiled as well: a description of such fields reads the files that it writes.
///
/// Long: all that a field can say of itself, with a line or more of what it means.
#pragma once

#include <array>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/base/form.hpp"
#include "model/core/ids.hpp"

namespace schedproof::base {

template <class T>
class Record;
template <class T>
class FieldOf;

namespace detail {

template <class>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;
template <class>
inline constexpr bool is_id = false;
template <class Tag>
inline constexpr bool is_id<Id<Tag>> = true;
template <class>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class>
inline constexpr bool is_map = false;
template <class T>
inline constexpr bool is_map<std::vector<std::pair<std::string, T>>> = true;
template <class T>
inline constexpr bool is_map<std::map<std::string, T>> = true;

[[nodiscard]] Shape shape_of_kind(Shape::Kind kind);
[[nodiscard]] Shape or_null(Shape shape);
[[nodiscard]] Shape list_of(Shape::Kind kind, Shape item);

template <class V>
[[nodiscard]] Shape shape_of() {
    if constexpr (is_optional<V>)
        return or_null(shape_of<typename V::value_type>());
    else if constexpr (is_map<V>)
        return list_of(Shape::Kind::map, shape_of<std::decay_t<decltype(std::declval<V>().begin()->second)>>());
    else if constexpr (is_vector<V>)
        return list_of(Shape::Kind::list, shape_of<typename V::value_type>());
    else if constexpr (is_array<V>) {
        Shape list = list_of(Shape::Kind::list, shape_of<typename V::value_type>());
        list.least_items = list.most_items = std::tuple_size_v<V>;
        return list;
    } else if constexpr (std::is_same_v<V, bool>)
        return shape_of_kind(Shape::Kind::boolean);
    else if constexpr (is_id<V>)
        return shape_of<std::uint32_t>();
    else if constexpr (std::is_floating_point_v<V>)
        return shape_of_kind(Shape::Kind::real);
    else if constexpr (std::is_integral_v<V>) {
        Shape integer = shape_of_kind(Shape::Kind::integer);
        if (std::is_unsigned_v<V>) integer.least = 0;
        return integer;
    } else if constexpr (std::is_same_v<V, Rational>)
        return shape_of_kind(Shape::Kind::exact);
    else {
        static_assert(std::is_convertible_v<V, std::string_view>, "a value of this type needs a Record");
        return shape_of_kind(Shape::Kind::text);
    }
}

template <class V>
[[nodiscard]] Json value_of(const V& value) {
    if constexpr (is_optional<V>)
        return value ? value_of(*value) : Json();
    else if constexpr (is_map<V>) {
        Json object = Json::object();
        for (const auto& [name, item] : value) object.append(name, value_of(item));
        return object;
    } else if constexpr (is_vector<V> || is_array<V>) {
        Json list = Json::array();
        for (const auto& item : value) list.push_back(value_of(item));
        return list;
    } else if constexpr (is_id<V>)
        return Json(value.index());
    else
        return Json(value);
}

/// The record that a way to a value starts from: `T` of a pointer to a member of T, or of a function of a T.
template <class R, class T>
T owner(R T::*);
template <class C, class R, class T>
T owner(R (C::*)(const T&) const);
template <class R, class T>
T owner(R (*)(const T&));
template <class Get>
auto owner_of() {
    if constexpr (std::is_member_pointer_v<Get> || std::is_pointer_v<Get>)
        return std::type_identity<decltype(owner(std::declval<Get>()))>();
    else
        return std::type_identity<decltype(owner(&Get::operator()))>();
}
template <class Get>
using Owner = typename decltype(owner_of<Get>())::type;

}  // namespace detail

/// The ways to the value of a field in a record of any type, and back into it.
struct Ways {
    std::function<Json(const void* record, bool for_text)> get;
    std::function<void(void* record, const Cursor& at)> put = {};  ///< of a field that is read back (stored.hpp)
};

/// A record without its type, compiled once.
struct RecordFields {
    Shape shape;
    std::vector<Ways> ways;  ///< by member of the shape

    void add(Member member, Ways ways);
    /// The value, with what only the text shows if it is for one.
    [[nodiscard]] Json value(const void* record, bool for_text) const;
    /// Sets what a document of this shape holds.
    void read(void* record, const Cursor& at) const;
};

/// A field of a record of type T. The functions below say more of it and return it.
template <class T>
class FieldOf {
  public:
    Member member;
    Ways ways;

    FieldOf unit(std::string of) && { return member.unit = std::move(of), done(); }
    /// Inclusive; of an exact number 0.
    FieldOf least(double number) && { return leaf().least = number, done(); }
    FieldOf most(double number) && { return leaf().most = number, done(); }
    /// Of real numbers: the bounds themselves are not among the values.
    FieldOf open() && { return leaf().open = true, done(); }
    /// Of a text, or of the texts of a list: it may be empty.
    FieldOf or_empty() && { return leaf().or_empty = true, done(); }
    // NOLINTBEGIN(performance-unnecessary-value-param): moved, which the check does not see behind the comma
    FieldOf words(std::vector<std::string> only) && { return leaf().words = std::move(only), done(); }
    FieldOf pattern(std::string of) && { return leaf().pattern = std::move(of), done(); }
    // NOLINTEND(performance-unnecessary-value-param)
    /// Of a list or map: the least number of its items.
    FieldOf items(std::size_t least, std::size_t most = std::numeric_limits<std::size_t>::max()) && {
        return member.shape.least_items = least, member.shape.most_items = most, done();
    }
    FieldOf distinct() && { return member.shape.distinct = true, done(); }
    /// Left out where there is no value.
    FieldOf optional() && { return member.left_out = true, member.shape.or_null = false, done(); }
    /// There when another field, which stands before it, has one of these values, and left out otherwise.
    FieldOf only_when(std::string name, std::vector<std::string> values) && {
        member.shape.or_null = false;
        return member.decided_by = std::move(name), member.deciding = std::move(values), done();
    }
    /// The same, and null otherwise.
    FieldOf null_unless(std::string name, std::vector<std::string> values) && {
        member.shape.or_null = member.null_otherwise = true;
        return member.decided_by = std::move(name), member.deciding = std::move(values), done();
    }
    /// Null where there is no value, though the field is there.
    FieldOf or_null() && { return member.shape.or_null = true, done(); }
    /// In JSON, not in text.
    FieldOf hidden() && { return member.in = Member::In::json, done(); }
    FieldOf label(std::string of) && { return member.label = std::move(of), done(); }
    /// The line in text. `{}` is the value, `{#}` the number of its items, `{name}` a field of the value, or failing
    /// that one beside it. After a colon stands a format, after a bar what is put between items, and after another what
    /// stands for none: `{probability:<28}`, `{rule.most:.3f}`, `{queues| or |nothing}`. Of an exact number
    /// `{:fraction}` is p/q alone.
    FieldOf form(std::string of) && { return member.form = std::move(of), done(); }
    /// Of a list of records: a line for each, in the same notation.
    FieldOf each(std::string of) && { return laid_out(Member::Layout::each, {}, std::move(of)); }
    /// Of a record or a list of records: a line, and what it holds below.
    FieldOf below(std::string of, std::string each = {}) && {
        return laid_out(Member::Layout::below, std::move(of), std::move(each));
    }
    FieldOf table(std::string head, std::string each) && {
        return laid_out(Member::Layout::table, std::move(head), std::move(each));
    }
    /// Of a record: its fields are shown among those around it.
    FieldOf among() && { return laid_out(Member::Layout::among, {}, {}); }
    /// What the text says where there is no value.
    FieldOf none(std::string of) && { return member.none = std::move(of), done(); }

  private:
    FieldOf laid_out(Member::Layout layout, std::string form, std::string each) {
        return member.layout = layout, member.form = std::move(form), member.each = std::move(each), done();
    }
    FieldOf done() { return std::move(*this); }
    Shape& leaf() {
        Shape* shape = &member.shape;
        while (shape->kind == Shape::Kind::list || shape->kind == Shape::Kind::map) shape = &shape->items.front();
        return *shape;
    }
};

/// Lines as they are, which are not in the JSON.
template <class Get>
[[nodiscard]] FieldOf<detail::Owner<Get>> lines(std::string name, Get get);

/// The fields of a T, in the order in which they are written.
template <class T>
class Record {
  public:
    Record(std::initializer_list<FieldOf<T>> fields) : Record(std::vector<FieldOf<T>>(fields)) {}
    explicit Record(const std::vector<FieldOf<T>>& fields) {
        for (const FieldOf<T>& field : fields) fields_.add(field.member, field.ways);
    }

    /// The name of its definition in schemas, for a record that several places hold, and what it is.
    [[nodiscard]] Record named(std::string name, std::string meaning) && {
        fields_.shape.name = std::move(name), fields_.shape.meaning = std::move(meaning);
        return std::move(*this);
    }
    /// The text is what a function makes of the value; the fields are in the JSON alone.
    template <class Text>
    [[nodiscard]] Record told_by(Text text) && {
        for (Member& member : fields_.shape.members) member.in = Member::In::json;
        FieldOf<T> all = lines("text", text);
        fields_.add(std::move(all.member), std::move(all.ways));
        return std::move(*this);
    }
    /// The width of the labels in text.
    [[nodiscard]] Record column(std::size_t width) && {
        fields_.shape.column = width;
        return std::move(*this);
    }

    [[nodiscard]] const Shape& shape() const { return fields_.shape; }
    /// The value, with what only the text shows if it is for one.
    [[nodiscard]] Json value(const T& of, bool for_text) const { return fields_.value(&of, for_text); }
    /// What a document of its shape holds (require_shape). RecordFields that it leaves out, and those that are not read
    /// back, stay as they are.
    void read(T& into, const Cursor& at) const { fields_.read(&into, at); }
    [[nodiscard]] T read(const Cursor& at) const {
        T value{};
        read(value, at);
        return value;
    }

  private:
    RecordFields fields_ = {.shape = {.kind = Shape::Kind::record}, .ways = {}};
};

namespace detail {

template <class V, class Item>
[[nodiscard]] Shape shape_with(const Record<Item>& record) {
    if constexpr (is_optional<V>)
        return or_null(shape_with<typename V::value_type>(record));
    else if constexpr (std::is_pointer_v<V>)
        return or_null(record.shape());
    else if constexpr (is_vector<V>)
        return list_of(Shape::Kind::list, shape_with<typename V::value_type>(record));
    else {
        static_assert(std::is_same_v<V, Item>, "the record describes another type");
        return record.shape();
    }
}

template <class V, class Item>
[[nodiscard]] Json value_with(const Record<Item>& record, const V& value, bool for_text) {
    if constexpr (is_optional<V> || std::is_pointer_v<V>)
        return value ? value_with(record, *value, for_text) : Json();
    else if constexpr (is_vector<V>) {
        Json list = Json::array();
        for (const auto& item : value) list.push_back(value_with(record, item, for_text));
        return list;
    } else
        return record.value(value, for_text);
}

template <class Get>
using Value = std::decay_t<std::invoke_result_t<const Get&, const Owner<Get>&>>;

}  // namespace detail

// NOLINTBEGIN(performance-unnecessary-value-param): moved into aggregates, which the check does not see in a template

/// A field whose value is a number, a text, a truth value, or an optional one, a list or a map of these.
template <class Get>
[[nodiscard]] FieldOf<detail::Owner<Get>> field(std::string name, Get get, std::string meaning) {
    using T = detail::Owner<Get>;
    return {{.name = std::move(name), .meaning = std::move(meaning), .shape = detail::shape_of<detail::Value<Get>>()},
            {[get](const void* of, bool) { return detail::value_of(std::invoke(get, *static_cast<const T*>(of))); }}};
}

/// A field whose value is a record, or an optional one, a pointer to one, or a list.
template <class Get, class Item>
[[nodiscard]] FieldOf<detail::Owner<Get>> field(std::string name, Get get, std::string meaning, Record<Item> record) {
    using T = detail::Owner<Get>;
    Shape shape = detail::shape_with<detail::Value<Get>>(record);
    return {{.name = std::move(name), .meaning = std::move(meaning), .shape = std::move(shape)},
            {[get, record = std::move(record)](const void* of, bool for_text) {
                return detail::value_with(record, std::invoke(get, *static_cast<const T*>(of)), for_text);
            }}};
}

/// A field whose value is JSON already, of a shape that is given; none where it is null.
template <class Get>
[[nodiscard]] FieldOf<detail::Owner<Get>> field(std::string name, Get get, std::string meaning, Shape shape) {
    using T = detail::Owner<Get>;
    return {{.name = std::move(name), .meaning = std::move(meaning), .shape = std::move(shape)},
            {[get](const void* of, bool) { return Json(std::invoke(get, *static_cast<const T*>(of))); }}};
}

// NOLINTEND(performance-unnecessary-value-param)

/// A text behind a label, which is not in the JSON.
template <class Get>
[[nodiscard]] FieldOf<detail::Owner<Get>> words(std::string label, Get get) {
    FieldOf<detail::Owner<Get>> line = field("text of " + label, get, "");
    line.member.in = Member::In::text;
    return std::move(line).label(std::move(label));
}

template <class Get>
FieldOf<detail::Owner<Get>> lines(std::string name, Get get) {
    FieldOf<detail::Owner<Get>> all = field(std::move(name), get, "");
    all.member.in = Member::In::text;
    all.member.layout = Member::Layout::verbatim;
    return all;
}

/// A value that only the lines around it show.
template <class Get>
[[nodiscard]] FieldOf<detail::Owner<Get>> aside(std::string name, Get get) {
    FieldOf<detail::Owner<Get>> value = field(std::move(name), get, "");
    value.member.in = Member::In::aside;
    return value;
}

}  // namespace schedproof::base
