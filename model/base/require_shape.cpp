/// Checking a document against a shape.
///
/// The walk makes no cursor: a document may have millions of values, and one of them at most is wrong. On the way back
/// from that one each level adds its step, and the cursor that follows them from the root complains.
#include <fmt/format.h>

#include <algorithm>

#include "model/base/cursor.hpp"
#include "model/base/form.hpp"
#include "model/base/nearest.hpp"

namespace schedproof::base {

namespace {

/// What is wrong with a value, and where: the steps from the root, the last one first.
struct Wrong {
    std::string expected;
    KeyPath steps = {};
};
using Verdict = std::optional<Wrong>;

Verdict within(Verdict wrong, KeyPath::value_type step) {
    if (wrong) wrong->steps.push_back(std::move(step));
    return wrong;
}

bool is_null(const Node& node) {
    const auto* literal = std::get_if<Literal>(&node.value);
    return literal != nullptr && literal->kind == "null";
}

std::string range_of(const Shape& shape) {
    const char* least = shape.open ? "above" : "of at least";
    const char* most = shape.open ? "below" : "of at most";
    return (shape.least ? fmt::format(" {} {}", least, *shape.least) : "") +
           (shape.most ? fmt::format("{} {} {}", shape.least ? " and" : "", most, *shape.most) : "");
}

std::string form_of(const Shape& shape) {
    if (!shape.words.empty())
        return fmt::format("{}{}", shape.words.size() == 1 ? "" : "one of ", fmt::join(shape.words, ", "));
    const std::string null = shape.or_null ? ", or null" : "";
    switch (shape.kind) {
        case Shape::Kind::real:
            return "a number" + range_of(shape) + null;
        case Shape::Kind::integer:
            return "an integer" + range_of(shape) + null;
        case Shape::Kind::boolean:
            return "true or false" + null;
        case Shape::Kind::text:
            return (shape.or_empty ? "a text" : "a text that is not empty") + null;
        case Shape::Kind::list:
        case Shape::Kind::tuple:
            return "a list" + null;
        default:
            return "a table" + null;
    }
}

Verdict check(const Node& node, const Shape& shape);

/// The values with which other members are there, as the writer has them.
bool is_there(const Member& member, const Node::Table& table) {
    if (member.decided_by.empty()) return true;
    const Node* by = find(table, member.decided_by);
    if (by == nullptr) return false;
    const auto* flag = std::get_if<bool>(&by->value);
    const auto* text = std::get_if<std::string>(&by->value);
    const std::string value = flag != nullptr ? (*flag ? "true" : "false") : text != nullptr ? *text : "";
    return member.is_decided_by(value);
}

Verdict check_record(const Node::Table& table, const Shape& shape) {
    for (const Field& field : table) {
        const bool known = std::any_of(shape.members.begin(), shape.members.end(), [&](const Member& member) {
            return member.name == field.key && (is_there(member, table) || member.null_otherwise);
        });
        if (known) continue;
        std::vector<std::string_view> names;
        for (const Member& member : shape.members)
            if (member.in_json() && is_there(member, table)) names.push_back(member.name);
        return Wrong{
            fmt::format("a known key{}; known here: {}", did_you_mean(field.key, names), fmt::join(names, ", ")),
            {field.key}};
    }
    for (const Member& member : shape.members) {
        if (!member.in_json()) continue;
        const Node* value = find(table, member.name);
        if (!is_there(member, table)) {
            if (member.null_otherwise && (value == nullptr || !is_null(*value)))
                return Wrong{fmt::format("the key '{}' with null", member.name)};
            continue;
        }
        if (value == nullptr) {
            if (member.left_out) continue;
            return Wrong{fmt::format("the key '{}': {}", member.name, form_of(member.shape))};
        }
        if (auto wrong = check(*value, member.shape)) return within(std::move(wrong), member.name);
    }
    return {};
}

Verdict check_list(const Node::Array& list, const Shape& shape) {
    const bool tuple = shape.kind == Shape::Kind::tuple;
    const std::size_t least = tuple ? shape.items.size() - (shape.repeats ? 1 : 0) : shape.least_items;
    const std::size_t most = tuple && !shape.repeats ? shape.items.size() : shape.most_items;
    if (list.size() < least || list.size() > most)
        return Wrong{fmt::format("a list of {}{}",
                                 least == most         ? ""
                                 : list.size() < least ? "at least "
                                                       : "at most ",
                                 list.size() < least ? least : most)};
    for (std::size_t i = 0; i < list.size(); ++i)
        if (auto wrong = check(list[i], shape.items[std::min(i, shape.items.size() - 1)]))
            return within(std::move(wrong), i);
    return {};
}

bool is_among(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool in_range(double value, const Shape& shape) {
    return (!shape.least || (shape.open ? value > *shape.least : value >= *shape.least)) &&
           (!shape.most || (shape.open ? value < *shape.most : value <= *shape.most));
}

/// The alternatives exclude one another, most of them by kind; the complaint is that of the last of the value's kind.
Verdict check_choice(const Node& node, const Shape& shape) {
    Verdict nearest = Wrong{"another kind of value"};
    for (const Shape& item : shape.items) {
        Verdict wrong = check(node, item);
        if (!wrong) return {};
        const bool table = item.kind == Shape::Kind::record || item.kind == Shape::Kind::object;
        const bool list = item.kind == Shape::Kind::list || item.kind == Shape::Kind::tuple;
        if (std::holds_alternative<Node::Table>(node.value) == table &&
            std::holds_alternative<Node::Array>(node.value) == list)
            nearest = std::move(wrong);
    }
    return nearest;
}

Verdict check(const Node& node, const Shape& shape) {
    if (shape.or_null && is_null(node)) return {};
    const auto unless = [&](bool right) { return right ? Verdict() : Wrong{form_of(shape)}; };
    const auto* integer = std::get_if<std::int64_t>(&node.value);
    const auto* literal = std::get_if<Literal>(&node.value);
    switch (shape.kind) {
        case Shape::Kind::boolean:
            return unless(std::holds_alternative<bool>(node.value));
        case Shape::Kind::real:
            if (integer != nullptr) return unless(in_range(static_cast<double>(*integer), shape));
            return unless(literal != nullptr && literal->kind == "float" &&
                          in_range(std::strtod(literal->text.c_str(), nullptr), shape));
        case Shape::Kind::integer:
            if (integer == nullptr) return unless(literal != nullptr && literal->kind == large_integer && !shape.most);
            return unless(in_range(static_cast<double>(*integer), shape) &&
                          (shape.words.empty() || is_among(shape.words, std::to_string(*integer))));
        case Shape::Kind::text: {
            const auto* text = std::get_if<std::string>(&node.value);
            if (text == nullptr) return unless(false);
            return unless(shape.words.empty() ? shape.or_empty || !text->empty() : is_among(shape.words, *text));
        }
        case Shape::Kind::list:
        case Shape::Kind::tuple: {
            const auto* list = std::get_if<Node::Array>(&node.value);
            return list == nullptr ? unless(false) : check_list(*list, shape);
        }
        case Shape::Kind::map: {
            const auto* table = std::get_if<Node::Table>(&node.value);
            if (table == nullptr) return unless(false);
            for (const Field& field : *table)
                if (auto wrong = check(field.value, shape.items.front())) return within(std::move(wrong), field.key);
            return {};
        }
        case Shape::Kind::record: {
            const auto* table = std::get_if<Node::Table>(&node.value);
            return table == nullptr ? unless(false) : check_record(*table, shape);
        }
        case Shape::Kind::choice:
            return check_choice(node, shape);
        case Shape::Kind::object:
            return unless(std::holds_alternative<Node::Table>(node.value));
        case Shape::Kind::exact:
            break;
    }
    throw ContractViolation("files that are read hold exact numbers as texts");
}

}  // namespace

void require_shape(const Cursor& at, const Shape& shape) {
    Verdict wrong = check(at.node(), shape);
    if (!wrong) return;
    std::reverse(wrong->steps.begin(), wrong->steps.end());
    const Cursor place = at.follow(wrong->steps);
    const bool of_value = !wrong->expected.starts_with("the key ") && !wrong->expected.starts_with("a known key");
    const auto* list = std::get_if<Node::Array>(&place.node().value);
    const bool of_length = list != nullptr && wrong->expected.starts_with("a list of ");
    const std::string found = of_length ? fmt::format("one of {}", list->size()) : describe(place.node());
    place.fail("expected " + wrong->expected + (of_value ? ", not " + found : ""));
}

void require_form(const Cursor& root, const Form& form) {
    Shape whole{.kind = Shape::Kind::record};
    if (form.headed) {
        whole.members.push_back({.name = "schema", .shape = {.words = {form.schema}}});
        whole.members.push_back({.name = "version"});
    }
    whole.members.insert(whole.members.end(), form.shape.members.begin(), form.shape.members.end());
    require_shape(root, whole);
}

}  // namespace schedproof::base
