#include "policies/redundancy/beta.hpp"

#include "model/core/errors.hpp"

namespace schedproof::redundancy {

Beta::Beta(const Rational& beta) {
    constexpr std::uint64_t limit = std::uint64_t{1} << 31;
    if (beta.sign() <= 0 || beta > Rational(1) || beta.denominator() >= limit)
        throw InputError::at_key("beta", "expected 0 < beta <= 1, of a denominator below 2^31");
    numerator_ = beta.numerator().convert_to<std::uint64_t>();
    denominator_ = beta.denominator().convert_to<std::uint64_t>();
}

}  // namespace schedproof::redundancy
