#include "model/markov/reconstruction.hpp"

#include <flint/fmpq.h>
#include <flint/fmpz.h>

#include <algorithm>
#include <utility>

namespace schedproof::markov {

namespace {

constexpr std::size_t leaf = 16;      // digits below which Horner's rule beats splitting
constexpr std::size_t slack_bits = 64;
constexpr std::size_t samples = 8;

std::size_t bits(const Integer& value) { return mpz_sizeinbase(value.backend().data(), 2); }

struct Fraction {
    Integer numerator, denominator;
};

/// The fraction congruent to `residue` with numerator and denominator below sqrt(modulus) by half the slack each.
std::optional<Fraction> short_fraction(const Integer& residue, const Integer& modulus) {
    const Integer bound = sqrt(modulus) >> (slack_bits / 2 + 1);
    if (bound < 1) return std::nullopt;
    fmpz_t n, d, a, m, b;
    fmpz_init(n), fmpz_init(d), fmpz_init(a), fmpz_init(m), fmpz_init(b);
    fmpz_set_mpz(a, residue.backend().data());
    fmpz_set_mpz(m, modulus.backend().data());
    fmpz_set_mpz(b, bound.backend().data());
    std::optional<Fraction> result;
    if (_fmpq_reconstruct_fmpz_2(n, d, a, m, b, b) != 0) {
        result.emplace();
        fmpz_get_mpz(result->numerator.backend().data(), n);
        fmpz_get_mpz(result->denominator.backend().data(), d);
    }
    fmpz_clear(n), fmpz_clear(d), fmpz_clear(a), fmpz_clear(m), fmpz_clear(b);
    return result;
}

/// d x modulo m, between -m/2 and m/2.
Integer symmetric_product(const Integer& d, const Integer& x, const Integer& m) {
    Integer result = (d * x) % m;
    if (result * 2 > m) result -= m;
    return result;
}

/// Multiplies `common` by what the residue x still needs to become short over it. Returns whether there is any.
bool clear_denominator(Integer& common, const Integer& x, const Integer& modulus) {
    const Integer rest = symmetric_product(common, x, modulus);
    const std::size_t half = (bits(modulus) - slack_bits) / 2;
    if (bits(rest) < half) return true;
    const auto fraction = short_fraction(rest < 0 ? Integer(rest + modulus) : rest, modulus);
    if (!fraction) return false;
    common *= fraction->denominator;
    return bits(common) < half;
}

}  // namespace

Integer Expansion::modulus(std::size_t digits) const {
    return pow(Integer(base_), static_cast<unsigned>(digits));
}

Integer Expansion::residue(std::size_t i, std::size_t digits) {
    std::size_t level = 0;
    for (; (leaf << level) < digits; ++level)
        if (level == power_.size())
            power_.push_back(level == 0 ? pow(Integer(base_), leaf) : Integer(power_.back() * power_.back()));
    Integer result;
    evaluate(result, i, 0, digits, level);
    return result;
}

/// The digits [first, first + count) of entry i; count <= leaf 2^level.
void Expansion::evaluate(Integer& result, std::size_t i, std::size_t first, std::size_t count, std::size_t level) {
    mpz_ptr value = result.backend().data();
    if (level == 0) {
        mpz_set_ui(value, 0);
        for (std::size_t k = first + count; k-- > first;) {
            mpz_mul_ui(value, value, base_);
            mpz_add_ui(value, value, digit_[k * entries_ + i]);
        }
        return;
    }
    const std::size_t low = std::min(count, leaf << (level - 1));
    evaluate(result, i, first, low, level - 1);
    if (low == count) return;
    Integer high;
    evaluate(high, i, first + low, count - low, level - 1);
    mpz_addmul(value, high.backend().data(), power_[level - 1].backend().data());
}

std::optional<std::vector<Integer>> reconstruct_over_common_denominator(Expansion& expansion) {
    const std::size_t n = expansion.entries();
    const Integer modulus = expansion.modulus(expansion.digits());
    if (bits(modulus) <= 2 * slack_bits) return std::nullopt;
    const std::size_t half = (bits(modulus) - slack_bits) / 2;

    Integer common = 1;
    for (std::size_t s = 0; s < std::min(samples, n); ++s)
        if (!clear_denominator(common, expansion.residue(s * n / std::min(samples, n), expansion.digits()), modulus))
            return std::nullopt;

    // The y_i are as short as the denominator, more or less, and half the digits are enough for the products.
    const std::size_t enough = std::min(expansion.digits(), (bits(common) + bits(common) / 16 + 4 * slack_bits) / 60);
    const Integer short_modulus = expansion.modulus(enough);
    const std::size_t short_limit = bits(short_modulus) - slack_bits;
    std::vector<Integer> y(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = symmetric_product(common, expansion.residue(i, enough), short_modulus);
        if (bits(y[i]) < short_limit) continue;
        const Integer whole = expansion.residue(i, expansion.digits());
        const Integer before = common;
        if (!clear_denominator(common, whole, modulus)) return std::nullopt;
        const Integer factor = common / before;
        for (std::size_t j = 0; j < i; ++j) y[j] *= factor;
        y[i] = symmetric_product(common, whole, modulus);
        if (bits(y[i]) >= half) return std::nullopt;
    }
    y[n] = std::move(common);
    return y;
}

}  // namespace schedproof::markov
