/// Linear forms in the rows of the lanes' state, with whole coefficients, as keys of a policy become before any state
/// is known (lane_rules.hpp). Whatever leaves 63 bits is thrown as LimitExceeded.
#pragma once

#include <cstdint>
#include <map>
#include <numeric>

#include "model/core/number.hpp"

namespace schedproof::simulation::linear_keys {

struct Linear {
    std::map<std::uint32_t, std::int64_t> terms;  // by row; none is zero
    std::int64_t constant = 0;
};
/// value / over
struct LinearKey {
    Linear value;
    std::int64_t over = 1;
};

inline std::int64_t product(std::int64_t a, std::int64_t b) { return (CheckedInt(a) * CheckedInt(b)).value(); }
inline std::int64_t sum(std::int64_t a, std::int64_t b) { return (CheckedInt(a) + CheckedInt(b)).value(); }

inline Linear times(std::int64_t factor, Linear of) {
    if (factor == 0) return {};
    for (auto& term : of.terms) term.second = product(factor, term.second);
    of.constant = product(factor, of.constant);
    return of;
}
inline Linear plus(Linear a, const Linear& b) {
    for (const auto& [row, coefficient] : b.terms) {
        const std::int64_t together = sum(a.terms[row], coefficient);
        a.terms[row] = together;
        if (together == 0) a.terms.erase(row);
    }
    a.constant = sum(a.constant, b.constant);
    return a;
}
/// The quantity's value over this denominator, which its own divides.
inline Linear over(const LinearKey& of, std::int64_t denominator) { return times(denominator / of.over, of.value); }
inline std::int64_t common(std::int64_t a, std::int64_t b) { return product(a / std::gcd(a, b), b); }
inline std::int64_t shared_factor(std::int64_t so_far, const Linear& of) {
    for (const auto& term : of.terms) so_far = std::gcd(so_far, term.second);
    return std::gcd(so_far, of.constant);
}
inline Linear divided(Linear of, std::int64_t by) {
    for (auto& term : of.terms) term.second /= by;
    of.constant /= by;
    return of;
}

}  // namespace schedproof::simulation::linear_keys
