#include "model/base/json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {

namespace {

bool is_member(const Json& value) {
    return value.kind() == Json::Kind::array && value.items().size() == 2 &&
           value.items().front().kind() == Json::Kind::text;
}

std::string real_text(double value) {
    if (!std::isfinite(value)) return "null";
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

class Writer {
  public:
    Writer(std::string& out, int indent) : out_(out), indent_(indent) {}

    void write(const Json& value, int depth) {
        switch (value.kind()) {
            case Json::Kind::null:
                out_ += "null";
                return;
            case Json::Kind::boolean:
                out_ += value.boolean() ? "true" : "false";
                return;
            case Json::Kind::integer:
                out_ += std::to_string(value.integer());
                return;
            case Json::Kind::natural:
                out_ += std::to_string(value.natural());
                return;
            case Json::Kind::real:
                out_ += real_text(value.real());
                return;
            case Json::Kind::text:
                out_ += json_string(value.text(), true);
                return;
            case Json::Kind::exact:
                write({{"exact", value.text()}, {"approx", value.real()}}, depth);
                return;
            case Json::Kind::array:
            case Json::Kind::object:
                list(value, depth);
        }
    }

  private:
    void list(const Json& value, int depth) {
        const bool object = value.kind() == Json::Kind::object;
        out_ += object ? '{' : '[';
        for (std::size_t i = 0; i < value.items().size(); ++i) {
            if (i > 0) out_ += ',';
            line(depth + 1);
            if (object) out_ += json_string(value.names()[i], true) + (indent_ < 0 ? ":" : ": ");
            write(value.items()[i], depth + 1);
        }
        if (!value.items().empty()) line(depth);
        out_ += object ? '}' : ']';
    }
    void line(int depth) {
        if (indent_ >= 0)
            out_.append(1, '\n').append(static_cast<std::size_t>(depth) * static_cast<std::size_t>(indent_), ' ');
    }

    std::string& out_;
    int indent_;
};

}  // namespace

Json::Json(const Rational& value) : kind_(Kind::exact), real_(value.approximate()), text_(value.to_string()) {}

Json Json::of(Kind kind) {
    Json value;
    value.kind_ = kind;
    return value;
}

Json::Json(std::initializer_list<Json> list) : kind_(Kind::array) {
    if (!std::all_of(list.begin(), list.end(), is_member)) {
        items_ = list;
        return;
    }
    kind_ = Kind::object;
    for (const Json& member : list) (*this)[member.items_.front().text_] = member.items_.back();
}

Json Json::array(std::initializer_list<Json> items) {
    Json array = of(Kind::array);
    array.items_ = items;
    return array;
}

void Json::push_back(Json item) {
    if (kind_ == Kind::null) kind_ = Kind::array;
    if (kind_ != Kind::array) throw ContractViolation("an item was added to a JSON value that is no array");
    items_.push_back(std::move(item));
}

Json& Json::operator[](std::string_view name) {
    if (kind_ == Kind::null) kind_ = Kind::object;
    if (kind_ != Kind::object) throw ContractViolation("a member was asked of a JSON value that is no object");
    const auto known = std::find(names_.begin(), names_.end(), name);
    if (known != names_.end()) return items_[static_cast<std::size_t>(known - names_.begin())];
    names_.emplace_back(name);
    return items_.emplace_back();
}

void Json::append(std::string_view name, Json value) {
    if (kind_ == Kind::null) kind_ = Kind::object;
    if (kind_ != Kind::object) throw ContractViolation("a member was added to a JSON value that is no object");
    names_.emplace_back(name);
    items_.push_back(std::move(value));
}

void Json::update(const Json& object) {
    for (std::size_t i = 0; i < object.names_.size(); ++i) (*this)[object.names_[i]] = object.items_[i];
}

const Json* Json::find(std::string_view name) const {
    const auto known = std::find(names_.begin(), names_.end(), name);
    return known == names_.end() ? nullptr : &items_[static_cast<std::size_t>(known - names_.begin())];
}

std::string to_text(const Json& value, int indent) {
    std::string out;
    Writer(out, indent).write(value, 0);
    return out;
}

}  // namespace schedproof::base
