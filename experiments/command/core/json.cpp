/// The one file of the command that includes the JSON library: values are converted when they are written, so the
/// bytes, such as the shortest decimal of a double, are the library's. Members are looked up one after another, which
/// suits objects of some ten members; answers with many members are not made here.
#include "experiments/command/core/json.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "model/base/answer.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

using nlohmann::ordered_json;

ordered_json converted(const Json& value) {
    switch (value.kind()) {
        case Json::Kind::null:
            return nullptr;
        case Json::Kind::boolean:
            return value.boolean();
        case Json::Kind::integer:
            return value.integer();
        case Json::Kind::natural:
            return value.natural();
        case Json::Kind::real:
            return value.real();
        case Json::Kind::text:
            return value.text();
        case Json::Kind::array: {
            ordered_json array = ordered_json::array();
            for (const Json& item : value.items()) array.push_back(converted(item));
            return array;
        }
        case Json::Kind::object: {
            ordered_json object = ordered_json::object();
            for (std::size_t i = 0; i < value.items().size(); ++i)
                object[value.names()[i]] = converted(value.items()[i]);
            return object;
        }
    }
    throw ContractViolation("unknown kind of JSON value");
}

bool is_member(const Json& value) {
    return value.kind() == Json::Kind::array && value.items().size() == 2 &&
           value.items().front().kind() == Json::Kind::text;
}

}  // namespace

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

void Json::update(const Json& object) {
    for (std::size_t i = 0; i < object.names_.size(); ++i) (*this)[object.names_[i]] = object.items_[i];
}

Json number(const Rational& value) {
    const ordered_json exact = base::number(value);
    const ordered_json& approx = exact["approx"];
    return {{"exact", exact["exact"].get<std::string>()}, {"approx", approx.is_null() ? Json() : approx.get<double>()}};
}

Json number(const std::optional<Rational>& value) { return value ? number(*value) : Json(); }

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

std::string to_text(const Json& value, int indent) {
    return converted(value).dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

int write_answer(const Destination& to, std::string_view schema, const Json& json, const std::string& text,
                 int exit_code) {
    if (to.json())
        write_json_answer(to.path, schema, json);
    else
        base::write_text(to.path, text);
    return exit_code;
}

void write_json_answer(const std::string& path, std::string_view schema, Json body) {
    std::vector<std::string> files = base::FileLog::paths();
    std::error_code error;
    const bool device = std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
    const std::string own = base::FileLog::name(path);
    if (path != "-" && !device && std::find(files.begin(), files.end(), own) == files.end())
        files.insert(std::lower_bound(files.begin(), files.end(), own), own);
    body["files"] = files;
    write_json(path, schema, body);
}

void write_json(const std::string& path, std::string_view schema, const Json& body) {
    base::write_json(path, schema, converted(body));
}

}  // namespace schedproof::cli
