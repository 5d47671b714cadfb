/// JMT writes whatever a class of Java takes as elements `parameter` and `subParameter`, with the class as `classPath`.
/// What depends on the class of a task stands in a row, each entry behind a `refClass`.
#include "experiments/input/jmt/jmt_cursor.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

std::string nearest_of(std::string_view word, const JmtNames& known) {
    std::vector<std::string_view> names;
    for (const auto& entry : known) names.emplace_back(entry.first);
    return base::did_you_mean(word, names);
}

void JmtCursor::fail(std::string expected) const {
    throw InputError::at_line(*file_, element_->line, path_.empty() ? path_ : base::in_sentence(path_),
                              std::move(expected));
}

const std::string& JmtCursor::attribute(std::string_view key) const {
    const std::string* found = element_->attribute(key);
    if (found == nullptr || found->empty()) fail(fmt::format("expected {} with the attribute {}", element_->name, key));
    return *found;
}

std::string JmtCursor::class_name(std::string_view key) const {
    const std::string& path = attribute(key);
    return path.substr(path.rfind('.') + 1);
}

const std::string& JmtCursor::value() const {
    const std::vector<XmlElement>& children = element_->children;
    if (children.size() != 1 || children.front().name != "value") fail("expected one element, a value");
    return children.front().text;
}

bool JmtCursor::is_null() const {
    const std::vector<XmlElement>& children = element_->children;
    return children.size() == 1 && children.front().name == "value" && children.front().text == "null";
}

Rational JmtCursor::number() const {
    const auto number = Rational::parse(value());
    if (!number) fail(number.error());
    return *number;
}

JmtCursor JmtCursor::below(const XmlElement& child, std::string_view name) const {
    return {child, *file_, (path_.empty() ? "" : path_ + ".") + std::string(name)};
}

std::vector<JmtCursor> JmtCursor::parts(std::string_view tag) const {
    std::vector<JmtCursor> found;
    for (const XmlElement& child : element_->children) {
        if (child.name != tag) {
            constexpr std::array<std::string_view, 5> others{"refClass", "value", "classSoftDeadlines", "quantumSize",
                                                             "quantumSwitchoverTime"};
            if (std::find(others.begin(), others.end(), child.name) == others.end())
                below(child, child.name).fail(fmt::format("expected {}", tag));
            continue;
        }
        const std::string* name = child.attribute("name");
        found.push_back(below(child, name == nullptr ? child.name : *name));
    }
    return found;
}

JmtCursor JmtCursor::part(std::string_view name) const {
    std::vector<std::string> names;
    for (const JmtCursor& one : parts()) {
        const std::string* own = one.element().attribute("name");
        if (own != nullptr && *own == name) return one;
        if (own != nullptr) names.push_back(*own);
    }
    fail(fmt::format("expected a subParameter {}{}", name, base::did_you_mean(name, names)));
}

std::vector<JmtCursor> JmtCursor::by_class(const JmtNames& classes) const {
    std::vector<std::optional<JmtCursor>> found(classes.size());
    const std::string* named = nullptr;
    for (const XmlElement& child : element_->children) {
        const JmtCursor at = below(child, named == nullptr ? child.name : *named);
        if (child.name == "refClass") {
            if (named != nullptr) at.fail("expected a subParameter behind its refClass");
            named = &child.text;
            continue;
        }
        if (child.name != "subParameter") continue;
        if (named == nullptr) at.fail("expected a refClass before it");
        const auto known = classes.find(*named);
        if (known == classes.end())
            at.fail(fmt::format("expected a class of the model, not {}{}", base::shown(*named),
                                nearest_of(*named, classes)));
        if (found[known->second]) at.fail("expected the class once");
        found[known->second] = at;
        named = nullptr;
    }
    std::vector<JmtCursor> all;
    for (const auto& [name, place] : classes)
        if (!found[place]) fail(fmt::format("expected an entry for the class {}", base::shown(name)));
    for (std::optional<JmtCursor>& one : found) all.push_back(std::move(*one));
    return all;
}

}  // namespace schedproof::input
