/// From p-adic digits to integers over one denominator: lattice reduction that is continued as digits arrive.
///
/// Sampled entries x_1, ..., x_s of the solution are known modulo m = p^k. A lattice vector (d, r_1, ..., r_s) with r_j
/// = d x_j (mod m) that is much shorter than m^(s/(s+1)) can hardly exist by coincidence, so the shortest vector of a
/// reduced basis is (d, y_1, ..., y_s) as soon as m is long enough.
///
/// Going from m to m q: the vectors of the old basis satisfy the congruences modulo m; their defects (d x_j - r_j) / m
/// modulo q decide which combinations satisfy them modulo m q. `kernel_basis` finds these combinations by elimination
/// modulo q, `refine` applies them, and LLL reduces the result. LLL runs in machine precision first, which is fast and
/// may lose a basis in which one vector stands out; that vector is then usually the answer, and otherwise the reduction
/// is repeated with adaptive precision.
///
/// With d known, entry i is the small symmetric residue of d x_i. It is computed from as many digits as its length
/// needs; an entry that is not short enough may need one more small factor in the denominator, found by rational
/// reconstruction, with which all entries before it are multiplied.
///
/// Nothing here is proved: the caller verifies the solution in the original equations. Cost: per look, LLL in dimension
/// s + 1 <= 6 on numbers as long as the new digits; at the end one long multiplication per entry.
#include "model/markov/reconstruction.hpp"

#include <flint/fmpq.h>
#include <flint/fmpz_lll.h>

#include <algorithm>
#include <utility>

#include "model/markov/flint_matrix.hpp"
#include "model/markov/modular.hpp"

namespace schedproof::markov {

namespace {

constexpr std::size_t most_samples = 5;
constexpr std::size_t slack_bits = 32;  // a vector this much shorter than expected by chance counts as the answer

std::size_t bits(const Integer& value) { return mpz_sizeinbase(value.backend().data(), 2); }

/// Bits of the largest component.
std::size_t length(const std::vector<Integer>& vector) {
    std::size_t most = 0;
    for (const Integer& component : vector) most = std::max(most, bits(component));
    return most;
}

bool divisible(const Integer& value, std::uint64_t prime) {
    return mpz_divisible_ui_p(value.backend().data(), prime) != 0;
}

Integer modulo(const Integer& a, const Integer& m) {
    Integer result;
    mpz_fdiv_r(result.backend().data(), a.backend().data(), m.backend().data());
    return result;
}

Integer symmetric_modulo(const Integer& a, const Integer& m) {
    Integer result = modulo(a, m);
    if (result * 2 > m) result -= m;
    return result;
}

/// The solutions c of c E = 0 modulo q, a power of `prime`, as the rows of a basis: one row (.., 1, ..) made by
/// elimination and q times a unit vector for each pivot. Empty when some column offers no pivot prime to p.
/// Requires: E has one row more than columns.
std::vector<std::vector<Integer>> kernel_basis(std::vector<std::vector<Integer>> e, const Integer& q,
                                               std::uint64_t prime) {
    const std::size_t rows = e.size(), columns = rows - 1;
    std::vector<bool> is_pivot(rows, false);
    std::vector<std::size_t> pivot_row(columns);
    for (std::size_t j = 0; j < columns; ++j) {
        std::size_t pivot = 0;
        while (pivot < rows && (is_pivot[pivot] || divisible(e[pivot][j], prime))) ++pivot;
        if (pivot == rows) return {};
        is_pivot[pivot] = true;
        pivot_row[j] = pivot;
        // Column operations make the pivot's row a unit vector and leave the solutions as they are.
        Integer inverse;
        mpz_invert(inverse.backend().data(), e[pivot][j].backend().data(), q.backend().data());
        for (auto& row : e) row[j] = modulo(row[j] * inverse, q);
        const std::vector<Integer> at_pivot = e[pivot];
        for (std::size_t other = 0; other < columns; ++other)
            if (other != j && at_pivot[other] != 0)
                for (auto& row : e) row[other] = modulo(row[other] - row[j] * at_pivot[other], q);
    }
    const auto free = static_cast<std::size_t>(std::find(is_pivot.begin(), is_pivot.end(), false) - is_pivot.begin());
    std::vector<std::vector<Integer>> kernel(rows, std::vector<Integer>(rows));
    kernel[free][free] = 1;
    for (std::size_t j = 0; j < columns; ++j) {
        kernel[pivot_row[j]][pivot_row[j]] = q;
        kernel[free][pivot_row[j]] = symmetric_modulo(-e[free][j], q);
    }
    return kernel;
}

/// The denominator of the fraction n / f = x modulo m with f of at most `slack_bits` bits and n shorter than m by the
/// double of that, if there is one; 1 when x itself is that short.
std::optional<Integer> small_denominator(const Integer& x, const Integer& m) {
    if (bits(x) + 2 * slack_bits < bits(m)) return Integer(1);
    const Integer denominators = Integer(1) << slack_bits, numerators = m >> (2 * slack_bits);
    if (numerators < 1) return std::nullopt;
    FlintMatrix in(1, 4), out(1, 2);
    in.set(0, 0, modulo(x, m));
    in.set(0, 1, m);
    in.set(0, 2, numerators);
    in.set(0, 3, denominators);
    if (_fmpq_reconstruct_fmpz_2(out.at(0, 0), out.at(0, 1), in.at(0, 0), in.at(0, 1), in.at(0, 2), in.at(0, 3)) == 0)
        return std::nullopt;
    return out.entry(0, 1);
}

}  // namespace

Reconstruction::Reconstruction(Expansion& expansion) : expansion_(&expansion) {
    const std::size_t samples = std::min(most_samples, expansion.entries());
    for (std::size_t s = 0; s < samples; ++s) sample_.push_back((2 * s + 1) * expansion.entries() / (2 * samples));
    restart();
}

std::optional<std::vector<Integer>> Reconstruction::attempt() {
    if (!refine()) {
        restart();
        refine();  // from the unit basis some pivot is always -1
    }
    auto denominator = sampled_denominator();
    if (!denominator) return std::nullopt;
    return all_entries(std::move(*denominator));
}

void Reconstruction::restart() {
    digits_ = 0;
    basis_.assign(sample_.size() + 1, std::vector<Integer>(sample_.size() + 1));
    for (std::size_t i = 0; i < basis_.size(); ++i) basis_[i][i] = 1;
}

/// Takes in the digits that have come since the last time. Returns false when the prime divides too many defects.
bool Reconstruction::refine() {
    const Integer before = expansion_->modulus(digits_), q = expansion_->modulus(expansion_->digits() - digits_);
    const std::size_t size = basis_.size();
    std::vector<std::vector<Integer>> defect(size, std::vector<Integer>(size - 1));
    for (std::size_t j = 0; j + 1 < size; ++j) {
        const Integer x = expansion_->residue(sample_[j], expansion_->digits());
        for (std::size_t i = 0; i < size; ++i) defect[i][j] = modulo((basis_[i][0] * x - basis_[i][j + 1]) / before, q);
    }
    const auto kernel = kernel_basis(std::move(defect), q, expansion_->base());
    if (kernel.empty()) return false;
    Basis refined(size, std::vector<Integer>(size));
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t k = 0; k < size; ++k)
            if (kernel[i][k] != 0)
                for (std::size_t j = 0; j < size; ++j) refined[i][j] += kernel[i][k] * basis_[k][j];
    basis_ = std::move(refined);
    digits_ = expansion_->digits();
    // Double precision is the fast way and may lose its grip on a basis in which one vector stands out, which is then
    // usually the one looked for.
    if (!reduce(Precision::machine, bits(q)) && !sampled_denominator()) reduce(Precision::adaptive, bits(q));
    return true;
}

/// Reduces the basis by a unimodular transformation found on its leading bits. The basis was reduced before the last
/// factor q came in, so what is to be undone has the length of q; with twice that and some to spare the truncated basis
/// leads to the same short vectors, and the exact one is touched only once, by the product. Returns whether the
/// reduction came to its end.
bool Reconstruction::reduce(Precision precision, std::size_t factor_bits) {
    const std::size_t size = basis_.size();
    std::size_t longest = 0;
    for (const auto& row : basis_) longest = std::max(longest, length(row));
    const std::size_t kept = 2 * factor_bits + 256, shift = longest > kept ? longest - kept : 0;
    FlintMatrix truncated(size, size), transformation(size, size), exact(size, size);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j) {
            truncated.set(i, j, basis_[i][j] >> shift);
            transformation.set(i, j, i == j ? 1 : 0);
            exact.set(i, j, basis_[i][j]);
        }
    fmpz_lll_t options;
    fmpz_lll_context_init_default(options);
    const auto reducer = precision == Precision::machine ? fmpz_lll_d : fmpz_lll_wrapper;
    const bool finished = reducer(truncated.flint(), transformation.flint(), options) >= 0;
    fmpz_mat_mul(exact.flint(), transformation.flint(), exact.flint());
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j) basis_[i][j] = exact.entry(i, j);
    return finished;
}

/// The first component of the shortest basis vector, if that vector is shorter than expected by chance.
std::optional<Integer> Reconstruction::sampled_denominator() const {
    const std::size_t s = sample_.size(), by_chance = bits(expansion_->modulus(digits_)) * s / (s + 1);
    const auto& shortest = *std::min_element(basis_.begin(), basis_.end(),
                                             [](const auto& a, const auto& b) { return length(a) < length(b); });
    if (length(shortest) + slack_bits > by_chance || shortest.front() == 0) return std::nullopt;
    return abs(shortest.front());
}

std::optional<std::vector<Integer>> Reconstruction::all_entries(Integer denominator) {
    const std::size_t n = expansion_->entries(), digits = expansion_->digits();
    const Integer modulus = expansion_->modulus(digits);
    // The y_i are about as long as the denominator, so most follow from fewer digits than there are.
    const std::size_t expected = bits(denominator) + bits(denominator) / 32 + 4 * slack_bits;
    const std::size_t enough = std::min(digits, expected / (PrimeField::bits - 1));
    const Integer enough_modulus = expansion_->modulus(enough);
    std::vector<Integer> y(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = symmetric_modulo(denominator * expansion_->residue(i, enough), enough_modulus);
        if (bits(y[i]) + slack_bits < bits(enough_modulus)) continue;
        const Integer rest = symmetric_modulo(denominator * expansion_->residue(i, digits), modulus);
        // Entries that were not sampled may ask for small factors that the sampled ones had no need of.
        const auto factor = small_denominator(rest, modulus);
        if (!factor) return std::nullopt;
        y[i] = symmetric_modulo(rest * *factor, modulus);
        denominator *= *factor;
        for (std::size_t before = 0; *factor != 1 && before < i; ++before) y[before] *= *factor;
    }
    y[n] = std::move(denominator);
    return y;
}

}  // namespace schedproof::markov
