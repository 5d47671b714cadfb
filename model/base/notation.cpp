#include "model/base/notation.hpp"

#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {

std::string in_quotes(std::string_view text) {
    require(first_invalid_utf8(text) == std::string_view::npos && text.find('\0') == std::string_view::npos,
            "only UTF-8 text without NUL bytes can be written to an instance file");
    return json_string(text);
}

std::string exact_literal(const Rational& value) {
    const bool small = value.is_integer() && abs(value.numerator()) < 1'000'000'000;
    return small ? value.to_string() : in_quotes(value.to_string());
}

}  // namespace schedproof::base
