/// JSON schemas of shapes.
///
/// A shape that has a name becomes a definition, to which its places refer. Conditions among the members of a record,
/// by the value of another one, become rules of `if`, `then` and `else`; all else is said where it stands.
#include <algorithm>
#include <cstddef>
#include <iterator>

#include "model/base/form.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {

namespace {

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
            if (alternatives(all[i]) < 2 ||
                std::any_of(all.begin(), std::next(all.begin(), static_cast<std::ptrdiff_t>(i)), same))
                continue;
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

}  // namespace

std::string schema_text(const Form& form) {
    std::string title = form.schema;
    std::replace(title.begin(), title.end(), '-', ' ');
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", "schedproof " + title},
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

}  // namespace schedproof::base
