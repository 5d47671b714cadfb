/// Records as values and as text.
///
/// A record becomes a tree of JSON first, with what only the text shows if it is for one; the text is then made of that
/// tree and of the shape beside it, field by field: label, value, unit, or the form that the field gives.
#include "model/base/record.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/cursor.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {

namespace detail {

Shape shape_of_kind(Shape::Kind kind) {
    Shape shape;
    shape.kind = kind;
    return shape;
}

Shape or_null(Shape shape) {
    shape.or_null = true;
    return shape;
}

Shape list_of(Shape::Kind kind, Shape item) {
    Shape list = shape_of_kind(kind);
    list.items.push_back(std::move(item));
    return list;
}

}  // namespace detail

void RecordFields::add(Member member, Ways of) {
    shape.members.push_back(std::move(member));
    ways.push_back(std::move(of));
}

Json RecordFields::value(const void* record, bool for_text) const {
    Json object = Json::object();
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const Member& member = shape.members[i];
        if (!for_text && !member.in_json()) continue;
        if (!member.is_decided(object)) {
            if (member.null_otherwise) object.append(member.name, Json());
            continue;
        }
        Json value = ways[i].get(record, for_text);
        if (value.kind() != Json::Kind::null || !member.left_out) object.append(member.name, std::move(value));
    }
    return object;
}

void RecordFields::read(void* record, const Cursor& at) const {
    for (std::size_t i = 0; i < ways.size(); ++i)
        if (ways[i].put)
            if (const auto found = at.find(shape.members[i].name)) ways[i].put(record, *found);
}

bool Member::is_decided(const Json& record) const {
    if (decided_by.empty()) return true;
    const Json* by = record.find(decided_by);
    if (by == nullptr) return false;
    const std::string value = by->kind() == Json::Kind::boolean ? (by->boolean() ? "true" : "false") : by->text();
    return is_decided_by(value);
}

bool Member::is_decided_by(std::string_view value) const {
    return std::any_of(deciding.begin(), deciding.end(), [&](std::string_view one) {
        return one.ends_with('*') ? value.starts_with(one.substr(0, one.size() - 1)) : value == one;
    });
}

namespace {

std::string in_words(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    std::replace(name.begin(), name.end(), '-', ' ');
    return name;
}

/// A value and what is known of it; all null where there is none.
struct Place {
    const Shape* shape = nullptr;
    const Json* value = nullptr;
    const Member* member = nullptr;  ///< the field that it is the value of

    [[nodiscard]] Place field(std::string_view name) const {
        if (shape == nullptr || shape->kind != Shape::Kind::record || value->kind() != Json::Kind::object) return {};
        for (const Member& one : shape->members)
            if (const Json* found = one.name == name && one.is_decided(*value) ? value->find(name) : nullptr)
                return {&one.shape, found, &one};
        return {};
    }
};

std::string formatted(std::string_view format, const auto& value) {
    return fmt::format(fmt::runtime(fmt::format("{{:{}}}", format)), value);
}

std::string shown(const Json& value, std::string_view format, std::string_view between, const std::string& none) {
    const bool in_digits = !format.empty() && std::string_view("feg").find(format.back()) != std::string_view::npos;
    std::string text;
    switch (value.kind()) {
        case Json::Kind::null:
            text = none;
            break;
        case Json::Kind::boolean:
            text = value.boolean() ? "yes" : "no";
            break;
        case Json::Kind::integer:
            text = std::to_string(value.integer());
            break;
        case Json::Kind::natural:
            text = std::to_string(value.natural());
            break;
        case Json::Kind::exact:
        case Json::Kind::real:
            if (format == "fraction") return value.text();
            if (in_digits) return formatted(format, value.real());
            text = value.kind() == Json::Kind::exact ? display(*Rational::parse(value.text(), value.text().size()))
                                                     : fmt::format("{:.6g}", value.real());
            break;
        case Json::Kind::text:
            text = value.text();
            break;
        case Json::Kind::array:
        case Json::Kind::object:
            if (value.items().empty()) text = none;
            for (const Json& item : value.items())
                text += (&item == &value.items().front() ? "" : std::string(between)) + shown(item, "", between, none);
    }
    return format.empty() ? text : formatted(format, text);
}

/// The part of the text before the mark, which is taken off together with it.
std::string_view taken(std::string_view& text, char mark) {
    const std::size_t at = std::min(text.find(mark), text.size());
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}

/// What stands in braces: a path, and how its value is shown.
std::string filled(std::string_view hole, Place value, Place around) {
    std::string_view format = taken(hole, '|'), between = taken(hole, '|'), none = hole, path = taken(format, ':');
    if (path == "#") return std::to_string(value.value->items().size());
    Place at = value;
    for (bool first = true; !path.empty(); first = false) {
        const std::string_view name = taken(path, '.');
        Place next = at.field(name);
        if (first && next.value == nullptr) next = around.field(name);
        if (next.value == nullptr) return "";
        at = next;
    }
    const std::string nothing = !none.empty() ? std::string(none) : at.member != nullptr ? at.member->none : "";
    return shown(*at.value, format, between.empty() ? ", " : between, nothing);
}

std::string line_of(std::string_view form, Place value, Place around) {
    std::string line;
    while (!form.empty()) {
        line += form.substr(0, form.find('{'));
        static_cast<void>(taken(form, '{'));
        if (form.empty()) break;
        if (form.find('}') == std::string_view::npos) throw ContractViolation("a brace of a line is not closed");
        line += filled(taken(form, '}'), value, around);
    }
    return line;
}

class TextWriter {
  public:
    /// `column`: the width of the labels, or 0 for that of the record.
    void record(Place place, std::size_t indent, std::size_t column = 0) {
        if (column == 0) column = place.shape->column;
        if (column == 0)
            for (const Member& member : place.shape->members)
                if (member.in_text()) column = std::max(column, label(member).size() + 2);
        for (const Member& member : place.shape->members) {
            if (!member.in_text() || !member.is_decided(*place.value)) continue;
            if (const Json* value = place.value->find(member.name))
                field({&member.shape, value, &member}, place, indent, column);
        }
    }
    [[nodiscard]] std::string text() && { return std::move(text_); }

  private:
    static std::string label(const Member& member) {
        return member.label.empty() ? in_words(member.name) : member.label;
    }

    void field(Place place, Place around, std::size_t indent, std::size_t column) {
        const Member& member = *place.member;
        const bool record_value = place.shape->kind == Shape::Kind::record;
        const auto line = [&](std::string_view label, std::string_view text) {
            text_ += without_margin(std::string(indent, ' ') + std::string(label) + std::string(text)) + "\n";
        };
        const std::string start = fmt::format("{:<{}}", label(member), column);
        const auto each = [&](std::string_view before) {
            for (const Json& item : place.value->items())
                line(before, line_of(member.each, {&place.shape->items.front(), &item, nullptr}, around));
        };
        const bool no_words = member.in == Member::In::text && place.value->text().empty();
        if (no_words || place.value->kind() == Json::Kind::null) {
            if (!member.none.empty()) line(start, member.none);
        } else if (member.layout == Member::Layout::verbatim) {
            text_ += place.value->text();
        } else if (member.layout == Member::Layout::each) {
            each(start);
        } else if (member.layout == Member::Layout::table) {
            if (place.value->items().empty()) return;
            if (!member.form.empty()) line("", line_of(member.form, place, around));
            each("");
        } else if (member.layout == Member::Layout::among) {
            if (record_value) record(place, indent, column);
            for (const Json& item : place.value->items())
                if (!record_value) record({&place.shape->items.front(), &item, nullptr}, indent, column);
        } else if (member.layout == Member::Layout::below || (record_value && member.form.empty())) {
            line(start, line_of(member.form, place, around));
            if (record_value)
                record(place, indent + 2);
            else
                each("  ");
        } else if (!member.form.empty()) {
            line(start, line_of(member.form, place, around));
        } else {
            line(start, shown(*place.value, "", ", ", "none") + (member.unit.empty() ? "" : "   " + member.unit));
        }
    }

    static std::string without_margin(std::string line) {
        line.erase(line.find_last_not_of(' ') + 1);
        return line;
    }

    std::string text_;
};

}  // namespace

std::string text_of(const Shape& record, const Json& value, std::size_t indent) {
    TextWriter writer;
    writer.record({&record, &value, nullptr}, indent);
    return std::move(writer).text();
}

}  // namespace schedproof::base
