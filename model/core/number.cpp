#include "model/core/number.hpp"

namespace schedproof {

void CheckedInt::throw_overflow() {
    throw LimitExceeded(NumberTraits<CheckedInt>::limit, "a quantity compared by the policy does not fit");
}

CheckedInt NumberTraits<CheckedInt>::coefficient(const Rational& value) {
    const Integer numerator = value.numerator();
    if (!value.is_integer() || mpz_fits_slong_p(numerator.backend().data()) == 0)
        throw LimitExceeded(limit, "the weight " + value.to_string() + " is no 64-bit integer");
    return CheckedInt(mpz_get_si(numerator.backend().data()));
}

}  // namespace schedproof
