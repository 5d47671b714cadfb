/// On the box without the taboo states, with value 0 at them, the four systems share the matrix A = D (1 - P), whose
/// rows are multiplied by their common denominators D so that its entries are exact. The number of slots until the box
/// is left or a taboo state reached bounds the norm of the inverse, so that the systems are well-conditioned wherever
/// the chain is stable and a taboo state likely: a Krylov method needs some dozens of iterations. Rounds of refinement
/// add a correction from the residual in long double; about eight digits each, until nothing is gained.
///
/// Source: [saad2003], chapters 7 and 10 (BiCGSTAB, ILUT).
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "model/core/errors.hpp"
#include "proofs/queueing/bounds/box_chain.hpp"

namespace schedproof::queueing {

namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

class TabooSystem {
  public:
    TabooSystem(BoxChain& chain, const std::vector<std::uint32_t>& taboo)
        : chain_(chain), taboo_(chain.states(), false) {
        for (const std::uint32_t z : taboo) taboo_[z] = true;
        for (std::size_t row = 0; row < chain.states(); ++row)
            for (auto e = static_cast<std::size_t>(chain.start[row]);
                 e < static_cast<std::size_t>(chain.start[row + 1]); ++e) {
                const auto column = static_cast<std::size_t>(chain.column[e]);
                if (taboo_[row] || taboo_[column]) chain.entry[e] = row == column ? chain.common[row] : 0;
            }
        const auto n = static_cast<Eigen::Index>(chain.states());
        const Eigen::Map<const Matrix> matrix(n, n, static_cast<Eigen::Index>(chain.column.size()), chain.start.data(),
                                              chain.column.data(), chain.entry.data());
        krylov_.preconditioner().setDroptol(drop);
        krylov_.preconditioner().setFillfactor(fill);
        krylov_.setTolerance(tolerance);
        krylov_.setMaxIterations(most_iterations);
        krylov_.compute(matrix);
    }

    /// x with A x = b; 0 at taboo states.
    [[nodiscard]] std::vector<long double> solve(const std::vector<long double>& b) {
        const std::size_t n = chain_.states();
        std::vector<long double> x(n, 0), residual = b;
        for (std::size_t i = 0; i < n; ++i)
            if (taboo_[i]) residual[i] = 0;
        Eigen::VectorXd right(static_cast<Eigen::Index>(n));
        long double before = norm(residual);
        for (int round = 0; round < most_rounds && before > 0; ++round) {
            for (std::size_t i = 0; i < n; ++i)
                right[static_cast<Eigen::Index>(i)] = static_cast<double>(residual[i] / before);
            const Eigen::VectorXd step = krylov_.solve(right);
            iterations_ += static_cast<std::uint32_t>(krylov_.iterations());
            std::vector<long double> better = x;
            for (std::size_t i = 0; i < n; ++i)
                better[i] += before * static_cast<long double>(step[static_cast<Eigen::Index>(i)]);
            subtract_product(b, better, residual);
            const long double now = norm(residual);
            if (!(now < before)) break;
            x = std::move(better);
            if (now > before / 2) break;
            before = now;
        }
        return x;
    }
    [[nodiscard]] std::uint32_t iterations() const { return iterations_; }

  private:
    static constexpr double drop = 1e-2, tolerance = 1e-9;
    static constexpr int fill = 3, most_iterations = 2000, most_rounds = 8;

    static long double norm(const std::vector<long double>& x) {
        long double largest = 0;
        for (const long double value : x) largest = std::max(largest, std::abs(value));
        return largest;
    }
    /// residual = b - A x.
    void subtract_product(const std::vector<long double>& b, const std::vector<long double>& x,
                          std::vector<long double>& residual) const {
        for (std::size_t i = 0; i < x.size(); ++i) residual[i] = taboo_[i] ? 0 : b[i] - chain_.row_times(i, x);
    }

    const BoxChain& chain_;
    std::vector<bool> taboo_;
    Eigen::BiCGSTAB<Matrix, Eigen::IncompleteLUT<double, std::int32_t>> krylov_;
    std::uint32_t iterations_ = 0;
};

}  // namespace

TabooSolution solve_taboo(BoxChain& chain, const std::vector<std::uint32_t>& taboo,
                          const std::function<void(unsigned)>& progress) {
    std::vector<std::vector<std::pair<std::size_t, double>>> moves;  // of the taboo states, to others in the box
    for (const std::uint32_t z : taboo) {
        moves.emplace_back();
        chain.each_entry(z, [&](std::size_t column, double entry) {
            if (column != z) moves.back().emplace_back(column, -entry);
        });
    }
    TabooSystem system(chain, taboo);
    const std::size_t n = chain.states();
    std::vector<long double> sum_of_f(n), slots(n), leaving(n);
    for (std::size_t i = 0; i < n; ++i) {
        slots[i] = static_cast<long double>(chain.common[i]);
        sum_of_f[i] = slots[i] * chain.f[i];
        leaving[i] = static_cast<long double>(chain.leaving[i]);
    }
    TabooSolution solution;
    unsigned solved = 0;
    const auto solve = [&](const std::vector<long double>& b) {
        std::vector<long double> x = system.solve(b);
        if (progress) progress(++solved);
        return x;
    };
    solution.u = solve(sum_of_f);
    solution.v = solve(slots);
    solution.w = solve(chain.far);
    solution.p = solve(leaving);
    for (std::size_t i = 0; i < taboo.size(); ++i) {
        const auto from = [&](const std::vector<long double>& source, const std::vector<long double>& x) {
            long double sum = source[taboo[i]];
            for (const auto& [column, weight] : moves[i]) sum += static_cast<long double>(weight) * x[column];
            return sum / static_cast<long double>(chain.common[taboo[i]]);
        };
        solution.from.push_back({from(sum_of_f, solution.u), from(slots, solution.v), from(chain.far, solution.w),
                                 from(leaving, solution.p)});
    }
    solution.iterations = system.iterations();
    return solution;
}

}  // namespace schedproof::queueing
