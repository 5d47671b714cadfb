#include "model/core/errors.hpp"

#include <utility>

namespace schedproof {

std::string InputPlace::to_string() const {
    std::string text = file;
    if (line != 0) text += (text.empty() ? "line " : ":") + std::to_string(line);
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
