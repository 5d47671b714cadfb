#include "model/markov/expansion.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::markov {

namespace {

constexpr std::size_t leaf = 16;  // digits up to which Horner's rule beats splitting

}  // namespace

void Expansion::append(std::span<const std::uint64_t> digits) {
    require(digits.size() == entries_, "an expansion grows by one digit of each entry");
    digit_.insert(digit_.end(), digits.begin(), digits.end());
    ++digits_;
}

Integer Expansion::modulus(std::size_t digits) const {
    Integer result;
    mpz_ui_pow_ui(result.backend().data(), base_, digits);
    return result;
}

Integer Expansion::residue(std::size_t i, std::size_t digits) {
    std::size_t level = 0;
    for (; (leaf << level) < digits; ++level)
        if (level == power_.size()) power_.push_back(level == 0 ? modulus(leaf) : power_.back() * power_.back());
    Integer result;
    evaluate(result, i, 0, digits, level);
    return result;
}

/// The digits [first, first + count) of entry i. Requires: count <= leaf 2^level.
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

}  // namespace schedproof::markov
