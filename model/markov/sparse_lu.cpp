#include "model/markov/sparse_lu.hpp"

#include <algorithm>

namespace schedproof::markov {

std::optional<SparseLu> SparseLu::factor(const PrimeField& field, const EliminationPlan& plan, std::size_t rows,
                                         const SparsePattern& pattern, std::span<const std::uint64_t> residue) {
    SparseLu lu(field, plan, rows);
    std::vector<Word2> row(plan.order.size(), 0);
    lu.lower_.reserve(plan.lower.index.size());
    lu.upper_.reserve(plan.upper.index.size());
    lu.upper_pattern_.index.reserve(plan.upper.index.size());
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t t = pattern.start[i]; t < pattern.start[i + 1]; ++t) row[pattern.index[t]] = residue[t];
        const auto whole = plan.upper.row(i);
        const auto upper =
            whole.first(static_cast<std::size_t>(std::lower_bound(whole.begin(), whole.end(), rows) - whole.begin()));
        lu.fill_row(i, row, upper);
        const std::uint64_t pivot = field.reduce(row[i]);
        if (pivot == 0) return std::nullopt;
        lu.inverse_pivot_[i] = field.inverse(pivot);
        const std::uint64_t scale = field.negate(lu.inverse_pivot_[i]);
        for (const std::uint32_t j : upper) lu.upper_.push_back(field.multiply(field.reduce(row[j]), scale));
        lu.upper_pattern_.append_row(upper);
        for (const std::uint32_t j : whole) row[j] = 0;
        row[i] = 0;
    }
    return lu;
}

/// Subtracts from `row`, which holds row i, its multiples of the earlier rows. Sums stay unreduced in double words and
/// are folded before they can overflow: between two folds each receives one product per earlier row.
void SparseLu::fill_row(std::size_t i, std::vector<Word2>& row, std::span<const std::uint32_t> upper) {
    const auto lower = lower_pattern_->row(i);
    std::size_t since_fold = 0;
    for (std::size_t t = 0; t < lower.size(); ++t) {
        const std::uint32_t k = lower[t];
        const std::uint64_t multiple = field_.reduce(row[k]);
        row[k] = 0;
        lower_.push_back(field_.negate(multiple));
        if (multiple == 0) continue;
        const auto earlier = upper_pattern_.row(k);
        const std::uint64_t* value = upper_.data() + upper_pattern_.start[k];
        for (std::size_t s = 0; s < earlier.size(); ++s) row[earlier[s]] += Word2{multiple} * value[s];
        if (++since_fold < PrimeField::products_per_fold) continue;
        since_fold = 0;
        for (const std::uint32_t j : lower.subspan(t + 1)) row[j] = field_.fold(row[j]);
        for (const std::uint32_t j : upper) row[j] = field_.fold(row[j]);
        row[i] = field_.fold(row[i]);
    }
}

void SparseLu::solve(std::span<std::uint64_t> x) const {
    for (std::size_t i = 0; i < rows_; ++i) {
        const auto columns = lower_pattern_->row(i);
        const std::uint64_t* value = lower_.data() + lower_pattern_->start[i];
        const std::uint64_t rest = field_.dot(x[i], {value, columns.size()}, columns.data(), x.data());
        x[i] = field_.multiply(rest, inverse_pivot_[i]);
    }
    for (std::size_t i = rows_; i-- > 0;) {
        const auto columns = upper_pattern_.row(i);
        const std::uint64_t* value = upper_.data() + upper_pattern_.start[i];
        x[i] = field_.dot(x[i], {value, columns.size()}, columns.data(), x.data());
    }
}

}  // namespace schedproof::markov
