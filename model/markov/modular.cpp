#include "model/markov/modular.hpp"

#include <flint/ulong_extras.h>

#include "model/core/errors.hpp"

namespace schedproof::markov {

PrimeField PrimeField::next_smaller() const {
    // About one odd number in twenty-one is prime here, so 2^16 offsets hold some 1,500 primes. A nonsingular matrix is
    // singular modulo only those that divide its determinant.
    for (std::uint64_t offset = offset_ + 2; offset < (std::uint64_t{1} << 16); offset += 2)
        if (n_is_prime(mask + 1 - offset) != 0) return PrimeField(offset);
    throw LimitExceeded("word-size primes", "the matrix is singular modulo every prime tried");
}

std::uint64_t PrimeField::inverse(std::uint64_t a) const {
    require(a != 0, "zero has no inverse");
    return n_invmod(a, prime_);
}

}  // namespace schedproof::markov
