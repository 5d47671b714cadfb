#include "model/core/errors.hpp"

#include <utility>

namespace schedproof {

std::string to_string(const KeyPath& path) {
    std::string text;
    for (const auto& part : path) {
        if (const auto* position = std::get_if<std::size_t>(&part))
            text += "[" + std::to_string(*position) + "]";
        else
            text += (text.empty() ? "" : ".") + std::get<std::string>(part);
    }
    return text;
}

std::string InputPlace::to_string() const {
    std::string text = file;
    if (line != 0) text += (text.empty() ? "line " : ":") + std::to_string(line);
    if (column != 0) text += ":" + std::to_string(column);
    if (!key.empty()) text += (text.empty() ? "" : ": ") + key;
    return text;
}

namespace {
std::string message(const InputPlace& place, const std::string& expected) {
    const std::string where = place.to_string();
    return where.empty() ? expected : where + ": " + expected;
}
}  // namespace

InputError::InputError(InputPlace place, std::string expected)
    : Error(message(place, expected)), place_(std::move(place)), expected_(std::move(expected)) {}

InputError InputError::at_key(std::string key, std::string expected) {
    return {{"", 0, std::move(key)}, std::move(expected)};
}

InputError InputError::at_path(KeyPath path, std::string expected) {
    std::string key = schedproof::to_string(path);
    return {{"", 0, std::move(key), std::move(path)}, std::move(expected)};
}

InputError InputError::in_file(std::string file, std::string expected) {
    return {{std::move(file), 0, ""}, std::move(expected)};
}

InputError InputError::in_file(std::string file, std::string key, std::string expected) {
    return {{std::move(file), 0, std::move(key)}, std::move(expected)};
}

InputError InputError::at_line(std::string file, std::size_t line, std::string expected) {
    return {{std::move(file), line, ""}, std::move(expected)};
}

InputError InputError::at_line(std::string file, std::size_t line, std::string key, std::string expected) {
    return {{std::move(file), line, std::move(key)}, std::move(expected)};
}

InputError InputError::at_column(std::string file, std::size_t line, std::size_t column, std::string expected) {
    return {{std::move(file), line, "", {}, column}, std::move(expected)};
}

InputError InputError::within(const InputPlace& outer) const {
    InputPlace merged = place_;
    if (merged.file.empty()) merged.file = outer.file;
    if (merged.line == 0) merged.line = outer.line;
    if (merged.key.empty()) merged.key = outer.key;
    return {std::move(merged), expected_};
}

LimitExceeded::LimitExceeded(std::string_view limit, std::string_view detail)
    : Error("limit reached: " + std::string(limit) + ": " + std::string(detail)), limit_(limit) {}

}  // namespace schedproof
