/// Integers of 128 bits that never overflow silently, and tables of them as files.
///
/// Fixed point: the numbers of a table are multiples of 1 / scale, and its inequalities are decided in integers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/errors.hpp"
#include "model/core/rational.hpp"

namespace schedproof::queueing {

__extension__ typedef __int128 Fixed;

[[nodiscard]] Rational rational(Fixed value);
/// Throws InputError at the key `scale` unless the value is an integer, LimitExceeded past 125 bits; `what` names it.
[[nodiscard]] Fixed fixed(const Rational& value, const char* what);

namespace detail {
[[noreturn]] void throw_too_wide();
inline constexpr Fixed least_fixed = static_cast<Fixed>(static_cast<Fixed>(1) << 126) * -2;
}  // namespace detail

/// Throw LimitExceeded past 127 bits, so that every result has an opposite.
[[nodiscard]] inline Fixed sum_of(Fixed a, Fixed b) {
    Fixed sum = 0;
    if (__builtin_add_overflow(a, b, &sum) || sum == detail::least_fixed) detail::throw_too_wide();
    return sum;
}
[[nodiscard]] inline Fixed product_of(Fixed a, Fixed b) {
    Fixed product = 0;
    if (__builtin_mul_overflow(a, b, &product) || product == detail::least_fixed) detail::throw_too_wide();
    return product;
}
/// a / b rounded down. Requires b > 0.
[[nodiscard]] inline Fixed floor_of(Fixed a, Fixed b) { return a / b - (a % b < 0 ? 1 : 0); }

/// The bytes of a table's file: a line of text, the number of rows, then column by column the differences of
/// consecutive entries, each in as few bytes as it takes. One spelling for each table.
/// Requires columns of one length, at least one.
[[nodiscard]] std::string to_bytes(const std::vector<const std::vector<Fixed>*>& columns);
/// Throws InputError naming the file unless the bytes are what `to_bytes` gives for so many columns.
[[nodiscard]] std::vector<std::vector<Fixed>> read_columns(std::string_view bytes, const std::string& file,
                                                           std::size_t columns);

}  // namespace schedproof::queueing
