#include "experiments/command/families/bundle_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::command {

using nlohmann::ordered_json;

BundleText::BundleText(std::string directory) : directory_(std::move(directory)) {
    object_ = std::make_shared<const ordered_json>(ordered_json::parse(base::read_file(file()), nullptr, false));
    if (!object_->is_object()) throw InputError::in_file(file(), "expected a bundle's counterexample as a JSON object");
}

BundleText::BundleText(std::string directory, std::shared_ptr<const ordered_json> object)
    : directory_(std::move(directory)), object_(std::move(object)) {}

bool BundleText::has(const char* key) const { return object_->contains(key); }

std::string BundleText::text(const char* key) const {
    if (!object_->contains(key) || !(*object_)[key].is_string())
        throw InputError::in_file(file(), key, "expected a bundle's counterexample with this text");
    return (*object_)[key].get<std::string>();
}

BundleText BundleText::member(const char* key) const {
    if (!object_->contains(key) || !(*object_)[key].is_object())
        throw InputError::in_file(file(), key, "expected a bundle's counterexample with this object");
    return {directory_, std::make_shared<const ordered_json>((*object_)[key])};
}

std::string file_name(std::string id) {
    for (char& c : id)
        if (c == ':' || c == '/' || c == ' ' || c == ';' || c == ',') c = '-';
    return id;
}

std::string test_name(std::string id) {
    id = file_name(std::move(id));
    std::transform(id.begin(), id.end(), id.begin(), [](char c) { return c == '.' || c == '-' ? '_' : c; });
    return id;
}

}  // namespace schedproof::command
