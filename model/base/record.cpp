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

// ------------------------------------------------------------------------------------------------------- schemas

/// Makes the schemas of values, and collects the definitions that they refer to.
class SchemaWriter {
  public:
    [[nodiscard]] Json value(const Shape& shape) {
        if (!shape.or_null) return not_null(shape);
        Json schema = not_null(shape);
        if (const Json* type = schema.find("type"); type != nullptr && type->text() != "object") {
            schema["type"] = Json::array({*type, "null"});
            if (const Json* words = schema.find("enum")) {
                Json with_null = *words;
                with_null.push_back(nullptr);
                schema["enum"] = std::move(with_null);
            }
            return schema;
        }
        return {{"oneOf", Json::array({std::move(schema), {{"type", "null"}}})}};
    }

    /// The members of a record into its schema.
    void members(Json& schema, const Shape& record) {
        schema["type"] = "object";
        Json required = schema.find("required") != nullptr ? *schema.find("required") : Json::array();
        Json properties = schema.find("properties") != nullptr ? *schema.find("properties") : Json::object();
        for (const Member& member : record.members) {
            if (!member.in_json()) continue;
            if (!member.left_out && (member.decided_by.empty() || member.null_otherwise))
                required.push_back(member.name);
            if (Json* other = properties.find(member.name) ? &properties[member.name] : nullptr) {
                if (other->find("anyOf") == nullptr) *other = {{"anyOf", Json::array({*other})}};
                (*other)["anyOf"].push_back(described(member));
            } else
                properties.append(member.name, described(member));
        }
        schema["required"] = std::move(required);
        schema["additionalProperties"] = false;
        schema["properties"] = std::move(properties);
        if (Json rules = conditions(record); !rules.items().empty()) schema["allOf"] = std::move(rules);
    }

    [[nodiscard]] const Json& definitions() const { return definitions_; }

  private:
    [[nodiscard]] static Json reference(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }

    [[nodiscard]] Json described(const Member& member) {
        Json schema = value(member.shape);
        const std::string meaning = member.meaning + (member.unit.empty() ? "" : " Unit: " + member.unit + ".");
        if (meaning.empty()) return schema;
        // Beside a reference every other word is ignored.
        if (schema.find("$ref") != nullptr) schema = {{"allOf", Json::array({std::move(schema)})}};
        schema["description"] = meaning;
        return schema;
    }

    [[nodiscard]] Json not_null(const Shape& shape) {
        if (shape.name.empty()) return unnamed(shape);
        if (definitions_.find(shape.name) == nullptr) {
            definitions_[shape.name] = nullptr;  // so that it may refer to itself
            Json schema = unnamed(shape);
            definitions_[shape.name] = std::move(schema);
        }
        return reference(shape.name);
    }

    [[nodiscard]] Json unnamed(const Shape& shape) {
        Json schema = Json::object();
        if (!shape.meaning.empty()) schema["description"] = shape.meaning;
        switch (shape.kind) {
            case Shape::Kind::exact:
                return exact(shape);
            case Shape::Kind::real:
            case Shape::Kind::integer:
                schema["type"] = shape.kind == Shape::Kind::real ? "number" : "integer";
                number(schema, shape);
                return schema;
            case Shape::Kind::boolean:
                schema["type"] = "boolean";
                return schema;
            case Shape::Kind::text:
                schema["type"] = "string";
                if (!shape.words.empty())
                    schema["enum"] = shape.words;
                else if (!shape.pattern.empty())
                    schema["pattern"] = shape.pattern;
                else if (!shape.or_empty)
                    schema["minLength"] = 1;
                return schema;
            case Shape::Kind::list:
                schema["type"] = "array";
                if (shape.least_items > 0) schema["minItems"] = shape.least_items;
                if (shape.most_items != std::numeric_limits<std::size_t>::max()) schema["maxItems"] = shape.most_items;
                if (shape.distinct) schema["uniqueItems"] = true;
                schema["items"] = value(shape.items.front());
                return schema;
            case Shape::Kind::tuple:
                schema.update({{"type", "array"}, {"minItems", shape.items.size() - (shape.repeats ? 1 : 0)}});
                for (const Shape& item : shape.items) schema["items"].push_back(value(item));
                schema["additionalItems"] = shape.repeats ? value(shape.items.back()) : Json(false);
                return schema;
            case Shape::Kind::object:
                schema["type"] = "object";
                return schema;
            case Shape::Kind::map:
                schema["type"] = "object";
                if (shape.least_items > 0) schema["minProperties"] = shape.least_items;
                schema["additionalProperties"] = value(shape.items.front());
                return schema;
            case Shape::Kind::record:
                members(schema, shape);
                return schema;
            case Shape::Kind::choice:
                for (const Shape& item : shape.items) schema["oneOf"].push_back(value(item));
                return schema;
        }
        throw ContractViolation("unknown kind of value");
    }

    static void number(Json& schema, const Shape& shape) {
        const auto bound = [&](double value) {
            return shape.kind == Shape::Kind::integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
        };
        if (shape.least) schema[shape.open ? "exclusiveMinimum" : "minimum"] = bound(*shape.least);
        if (shape.most) schema[shape.open ? "exclusiveMaximum" : "maximum"] = bound(*shape.most);
        if (shape.words.empty()) return;
        Json allowed = Json::array();
        for (const std::string& word : shape.words) allowed.push_back(std::stoll(word));
        schema["enum"] = std::move(allowed);
    }

    [[nodiscard]] Json exact(const Shape& shape) {
        definitions_["number"] = {
            {"description", "An exact number and the double nearest to it; compute with the exact one."},
            {"type", "object"},
            {"required", Json::array({"exact", "approx"})},
            {"additionalProperties", false},
            {"properties",
             {{"exact",
               {{"type", "string"}, {"pattern", "^-?[0-9]+(/[0-9]+)?$"}, {"description", "p or p/q in lowest terms."}}},
              {"approx",
               {{"type", Json::array({"number", "null"})},
                {"description", "For display; null beyond the range of a double."}}}}}};
        Json narrowed;
        if (!shape.words.empty()) narrowed = {{"enum", shape.words}};
        if (shape.least) narrowed = {{"pattern", shape.open ? "^0*[1-9]" : "^[0-9]"}};
        if (narrowed.kind() == Json::Kind::null) return reference("number");
        return {{"allOf", Json::array({reference("number"), {{"properties", {{"exact", std::move(narrowed)}}}}})}};
    }

    /// Which fields are there, and which are not, by the value of another; of a name that stands twice, what it is.
    [[nodiscard]] Json conditions(const Shape& record) {
        Json rules = Json::array();
        std::vector<const Member*> left;
        for (const Member& member : record.members)
            if (!member.decided_by.empty() && member.in_json()) left.push_back(&member);
        const std::vector<const Member*> all = left;
        const auto alternatives = [&](const Member* member) {
            return std::count_if(all.begin(), all.end(), [&](const Member* m) { return m->name == member->name; });
        };
        while (!left.empty()) {
            const Member& first = *left.front();
            const auto alike = [&](const Member* m) {
                return m->decided_by == first.decided_by && m->deciding == first.deciding;
            };
            Json there = Json::array(), absent = Json::array(), kinds = Json::object(), nulls = Json::object();
            for (const Member* member : left)
                if (alike(member) && member->null_otherwise) {
                    kinds.append(member->name, not_null(member->shape));
                    nulls.append(member->name, {{"type", "null"}});
                } else if (alike(member)) {
                    if (!member->left_out) there.push_back(member->name);
                    if (alternatives(member) > 1)
                        kinds.append(member->name, value(member->shape));
                    else
                        absent.push_back({{"required", Json::array({member->name})}});
                }
            Json then{{"required", std::move(there)}};
            if (!kinds.items().empty()) then["properties"] = std::move(kinds);
            Json rule{{"if", {{"properties", {{first.decided_by, deciding(record, first)}}}}},
                      {"then", std::move(then)}};
            Json otherwise = Json::object();
            if (!absent.items().empty()) otherwise["not"] = {{"anyOf", std::move(absent)}};
            if (!nulls.items().empty()) otherwise["properties"] = std::move(nulls);
            if (!otherwise.items().empty()) rule["else"] = std::move(otherwise);
            rules.push_back(std::move(rule));
            std::erase_if(left, alike);
        }
        // A name that stands twice is absent where no one of its fields is there.
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto same = [&](const Member* m) { return m->name == all[i]->name; };
            if (alternatives(all[i]) < 2 || std::any_of(all.begin(), all.begin() + i, same)) continue;
            Member any{.decided_by = all[i]->decided_by};
            for (const Member* member : all)
                if (same(member))
                    any.deciding.insert(any.deciding.end(), member->deciding.begin(), member->deciding.end());
            rules.push_back({{"if", {{"properties", {{any.decided_by, deciding(record, any)}}}}},
                             {"else", {{"not", {{"required", Json::array({all[i]->name})}}}}}});
        }
        return rules;
    }

    /// The values that decide.
    [[nodiscard]] static Json deciding(const Shape& record, const Member& member) {
        const auto by = std::find_if(record.members.begin(), record.members.end(),
                                     [&](const Member& m) { return m.name == member.decided_by; });
        if (by == record.members.end()) throw ContractViolation("no field is called " + member.decided_by);
        Json values = Json::array();
        std::string beginnings;
        for (const std::string& value : member.deciding) {
            if (value.ends_with('*')) beginnings += (beginnings.empty() ? "" : "|") + value.substr(0, value.size() - 1);
            values.push_back(by->shape.kind == Shape::Kind::boolean ? Json(value == "true") : Json(value));
        }
        if (beginnings.empty()) return {{"enum", std::move(values)}};
        return {{"pattern", "^(" + beginnings + ")"}};
    }

    Json definitions_ = Json::object();
};

std::string in_words(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    std::replace(name.begin(), name.end(), '-', ' ');
    return name;
}

// ---------------------------------------------------------------------------------------------------------- text

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

std::string schema_text(const Form& form) {
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", "schedproof " + in_words(form.schema)},
                {"description", form.meaning}};
    Json required = Json::array(), properties = Json::object();
    const auto always = [&](const char* name, Json of) {
        required.push_back(name);
        properties.append(name, std::move(of));
    };
    if (form.headed) {
        always("schema", {{"const", form.schema}, {"description", "Name of this schema."}});
        always("version", {{"type", "string"},
                           {"pattern", "^[0-9]+\\.[0-9]+\\.[0-9]+$"},
                           {"description", "Version of the command that wrote it."}});
    }
    if (form.lists_files)
        always("files",
               {{"type", "array"},
                {"uniqueItems", true},
                {"items", {{"type", "string"}, {"minLength", 1}}},
                {"description", "Files that the command has written, ascending; with -o the one of this answer too."}});
    schema["required"] = std::move(required);
    schema["properties"] = std::move(properties);
    SchemaWriter writer;
    writer.members(schema, form.shape);
    if (!writer.definitions().items().empty()) schema["definitions"] = writer.definitions();
    return to_text(schema, 2) + "\n";
}

std::string text_of(const Shape& record, const Json& value, std::size_t indent) {
    TextWriter writer;
    writer.record({&record, &value, nullptr}, indent);
    return std::move(writer).text();
}

}  // namespace schedproof::base
