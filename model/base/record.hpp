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
/// `Json`), and the writers, compiled once, walk over both.
#pragma once

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

#include "model/base/json.hpp"

namespace schedproof::base {

struct Member;

/// What a value may be.
struct Shape {
    enum class Kind { exact, real, integer, boolean, text, list, map, record, choice };

    Kind kind = Kind::text;
    bool or_null = false;
    bool or_empty = false;                ///< a text
    std::vector<std::string> words = {};  ///< the only ones: of a text, an integer, or the fraction of an exact number
    std::string pattern = {};             ///< of a text
    /// Of numbers, inclusive unless `open`; of an exact number `least` is 0.
    std::optional<double> least = {}, most = {};
    bool open = false;
    std::size_t least_items = 0;  ///< of a list or map
    std::size_t most_items = std::numeric_limits<std::size_t>::max();
    bool distinct = false;          ///< no item of the list stands twice
    std::vector<Shape> items = {};  ///< of a list or map one; of a choice the alternatives, which exclude one another
    std::vector<Member> members = {};  ///< of a record
    std::string name = {};             ///< of a record that several places hold: that of its definition in the schema
    std::string meaning = {};          ///< of a record
    std::size_t column = 0;            ///< of a record in text: the width of its labels; 0: that of the longest
};

/// A field of a record: what it holds, when it is there, and how the text shows it.
struct Member {
    /// `aside`: for the lines around it alone.
    enum class In { json, text, both, aside };
    /// `line`: the value, or what the form makes of it, behind the label. `each`: such a line for each item. `below`:
    /// the line, and under it, indented, the fields of the record or the lines of the items. `table`: the line, if any,
    /// without a label, and the lines of the items, if there are any. `among`: the fields of the record among those
    /// around it. `verbatim`: the text alone.
    enum class Layout { line, each, below, table, among, verbatim };

    [[nodiscard]] bool in_json() const { return in == In::json || in == In::both; }
    [[nodiscard]] bool in_text() const { return in == In::text || in == In::both; }
    /// Whether the field that decides, if any, has one of the values with which this one is there.
    [[nodiscard]] bool is_decided(const Json& record) const;

    std::string name = {}, meaning = {}, unit = {};
    Shape shape = {};
    bool left_out = false;                   ///< rather than null where there is no value
    std::string decided_by = {};             ///< the field by whose value it is there or not, or empty
    std::vector<std::string> deciding = {};  ///< the values with which it is there
    bool null_otherwise = false;             ///< rather than left out, by what another field decides
    In in = In::both;
    std::string label = {};
    std::string form = {};  ///< of its line; see `FieldOf::form`
    std::string each = {};  ///< of a line for each item of a list of records
    Layout layout = Layout::line;
    std::string none = {};  ///< what stands for null
};

/// What a file or answer of its own is, beyond its fields.
struct Form {
    std::string schema;   ///< name of its schema
    std::string meaning;  ///< description in the schema
    bool lists_files = false;
    Shape shape;
};

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
    else if constexpr (std::is_same_v<V, bool>)
        return shape_of_kind(Shape::Kind::boolean);
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
    } else if constexpr (is_vector<V>) {
        Json list = Json::array();
        for (const auto& item : value) list.push_back(value_of(item));
        return list;
    } else
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

/// A field of a record of type T. The functions below say more of it and return it.
template <class T>
class FieldOf {
  public:
    Member member;
    std::function<Json(const T&, bool for_text)> get;

    FieldOf unit(std::string of) && {
        return with([&] { member.unit = std::move(of); });
    }
    /// Inclusive; of an exact number 0.
    FieldOf least(double number) && {
        return with([&] { leaf().least = number; });
    }
    FieldOf most(double number) && {
        return with([&] { leaf().most = number; });
    }
    /// Of real numbers: the bounds themselves are not among the values.
    FieldOf open() && {
        return with([&] { leaf().open = true; });
    }
    /// Of a text, or of the texts of a list: it may be empty.
    FieldOf or_empty() && {
        return with([&] { leaf().or_empty = true; });
    }
    FieldOf words(std::vector<std::string> only) && {
        return with([&] { leaf().words = std::move(only); });
    }
    FieldOf pattern(std::string of) && {
        return with([&] { leaf().pattern = std::move(of); });
    }
    /// Of a list or map: the least number of its items.
    FieldOf items(std::size_t least, std::size_t most = std::numeric_limits<std::size_t>::max()) && {
        return with([&] { member.shape.least_items = least, member.shape.most_items = most; });
    }
    FieldOf distinct() && {
        return with([&] { member.shape.distinct = true; });
    }
    /// Left out where there is no value.
    FieldOf optional() && {
        return with([&] { member.left_out = true, member.shape.or_null = false; });
    }
    /// There when another field, which stands before it, has one of these values, and left out otherwise.
    FieldOf only_when(std::string name, std::vector<std::string> values) && {
        return with([&] {
            member.shape.or_null = false;
            member.decided_by = std::move(name), member.deciding = std::move(values);
        });
    }
    /// The same, and null otherwise.
    FieldOf null_unless(std::string name, std::vector<std::string> values) && {
        return with([&] {
            member.shape.or_null = member.null_otherwise = true;
            member.decided_by = std::move(name), member.deciding = std::move(values);
        });
    }
    /// Null where there is no value, though the field is there.
    FieldOf or_null() && {
        return with([&] { member.shape.or_null = true; });
    }
    /// In JSON, not in text.
    FieldOf hidden() && {
        return with([&] { member.in = Member::In::json; });
    }
    FieldOf label(std::string of) && {
        return with([&] { member.label = std::move(of); });
    }
    /// The line in text. `{}` is the value, `{#}` the number of its items, `{name}` a field of the value, or failing
    /// that one beside it. After a colon stands a format, after a bar what is put between items, and after another what
    /// stands for none: `{probability:<28}`, `{rule.most:.3f}`, `{queues| or |nothing}`. Of an exact number
    /// `{:fraction}` is p/q alone.
    FieldOf form(std::string of) && {
        return with([&] { member.form = std::move(of); });
    }
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
    FieldOf none(std::string of) && {
        return with([&] { member.none = std::move(of); });
    }

  private:
    FieldOf laid_out(Member::Layout layout, std::string form, std::string each) {
        return with([&] { member.layout = layout, member.form = std::move(form), member.each = std::move(each); });
    }
    template <class Change>
    FieldOf with(Change change) {
        change();
        return std::move(*this);
    }
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
        shape_.kind = Shape::Kind::record;
        for (const FieldOf<T>& field : fields) {
            shape_.members.push_back(field.member);
            ways_.push_back(field.get);
        }
    }

    /// The name of its definition in schemas, for a record that several places hold, and what it is.
    [[nodiscard]] Record named(std::string name, std::string meaning) && {
        shape_.name = std::move(name), shape_.meaning = std::move(meaning);
        return std::move(*this);
    }
    /// The text is what a function makes of the value; the fields are in the JSON alone.
    template <class Text>
    [[nodiscard]] Record told_by(Text text) && {
        for (Member& member : shape_.members) member.in = Member::In::json;
        FieldOf<T> all = lines("text", text);
        shape_.members.push_back(std::move(all.member));
        ways_.push_back(std::move(all.get));
        return std::move(*this);
    }
    /// The width of the labels in text.
    [[nodiscard]] Record column(std::size_t width) && {
        shape_.column = width;
        return std::move(*this);
    }

    [[nodiscard]] const Shape& shape() const { return shape_; }
    /// The value, with what only the text shows if it is for one.
    [[nodiscard]] Json value(const T& of, bool for_text) const {
        Json object = Json::object();
        for (std::size_t i = 0; i < shape_.members.size(); ++i) {
            const Member& member = shape_.members[i];
            if (!for_text && !member.in_json()) continue;
            if (!member.is_decided(object)) {
                if (member.null_otherwise) object.append(member.name, Json());
                continue;
            }
            Json value = ways_[i](of, for_text);
            if (value.kind() != Json::Kind::null || !member.left_out) object.append(member.name, std::move(value));
        }
        return object;
    }

  private:
    Shape shape_;
    std::vector<std::function<Json(const T&, bool)>> ways_;
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

/// A field whose value is a number, a text, a truth value, or an optional one, a list or a map of these.
template <class Get>
[[nodiscard]] FieldOf<detail::Owner<Get>> field(std::string name, Get get, std::string meaning) {
    using T = detail::Owner<Get>;
    return {{.name = std::move(name), .meaning = std::move(meaning), .shape = detail::shape_of<detail::Value<Get>>()},
            [get](const T& of, bool) { return detail::value_of(std::invoke(get, of)); }};
}

/// A field whose value is a record, or an optional one, a pointer to one, or a list.
template <class Get, class Item>
[[nodiscard]] FieldOf<detail::Owner<Get>> field(std::string name, Get get, std::string meaning, Record<Item> record) {
    using T = detail::Owner<Get>;
    Shape shape = detail::shape_with<detail::Value<Get>>(record);
    return {{.name = std::move(name), .meaning = std::move(meaning), .shape = std::move(shape)},
            [get, record = std::move(record)](const T& of, bool for_text) {
                return detail::value_with(record, std::invoke(get, of), for_text);
            }};
}

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

/// The JSON schema (draft 7): strict, with a definition for each named record.
[[nodiscard]] std::string schema_text(const Form& form);

/// The lines of a record, each with `indent` blanks before it.
[[nodiscard]] std::string text_of(const Shape& record, const Json& value, std::size_t indent = 0);

}  // namespace schedproof::base
