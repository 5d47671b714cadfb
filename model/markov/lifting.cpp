#include "model/markov/lifting.hpp"

#include <algorithm>

namespace schedproof::markov {

namespace {

std::uint64_t residue(const Integer& value, const PrimeField& field) {
    return mpz_fdiv_ui(value.backend().data(), field.prime());
}

bool fits_narrow(const BalanceSystem& system) {
    const Integer limit = Integer(1) << 62;
    for (std::size_t j = 0; j < system.unknowns(); ++j) {
        Integer sum = abs(system.right_side[j]);
        for (std::size_t t = system.pattern.start[j]; t < system.pattern.start[j + 1]; ++t)
            sum += abs(system.coefficient[t]);
        if (sum >= limit) return false;
    }
    return true;
}

}  // namespace

std::vector<std::uint64_t> residues(const BalanceSystem& system, const PrimeField& field) {
    std::vector<std::uint64_t> result;
    result.reserve(system.coefficient.size());
    for (const Integer& value : system.coefficient) result.push_back(residue(value, field));
    return result;
}

Lifting::Lifting(const BalanceSystem& system, const SparseLu& lu)
    : system_(&system), lu_(&lu), digit_(system.unknowns()) {
    // Newton's iteration doubles the correct bits of an inverse modulo a power of two; p is its own modulo 8.
    const std::uint64_t p = lu.field().prime();
    inverse_prime_ = p;
    for (int correct = 3; correct < 64; correct *= 2) inverse_prime_ *= 2 - p * inverse_prime_;
    if (!fits_narrow(system)) {
        wide_residual_ = system.right_side;
        return;
    }
    for (const Integer& value : system.coefficient) narrow_.push_back(static_cast<std::int64_t>(value));
    for (const Integer& value : system.right_side) narrow_residual_.push_back(static_cast<std::int64_t>(value));
}

std::span<const std::uint64_t> Lifting::next() {
    const PrimeField& field = lu_->field();
    const bool narrow = wide_residual_.empty();
    for (std::size_t j = 0; j < digit_.size(); ++j)
        digit_[j] = narrow ? field.residue(narrow_residual_[j]) : residue(wide_residual_[j], field);
    lu_->solve(digit_);
    narrow ? update_narrow() : update_wide();
    return digit_;
}

void Lifting::update_narrow() {
    const SparsePattern& pattern = system_->pattern;
    for (std::size_t j = 0; j < digit_.size(); ++j) {
        SignedWord2 sum = narrow_residual_[j];
        for (std::size_t t = pattern.start[j]; t < pattern.start[j + 1]; ++t)
            sum -= SignedWord2{narrow_[t]} * static_cast<std::int64_t>(digit_[pattern.index[t]]);
        // The division is exact and the quotient a machine word, so it is the quotient modulo 2^64.
        narrow_residual_[j] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) * inverse_prime_);
    }
}

void Lifting::update_wide() {
    const SparsePattern& pattern = system_->pattern;
    for (std::size_t j = 0; j < digit_.size(); ++j) {
        mpz_ptr sum = wide_residual_[j].backend().data();
        for (std::size_t t = pattern.start[j]; t < pattern.start[j + 1]; ++t)
            mpz_submul_ui(sum, system_->coefficient[t].backend().data(), digit_[pattern.index[t]]);
        mpz_divexact_ui(sum, sum, lu_->field().prime());
    }
}

}  // namespace schedproof::markov
