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
    TabooSystem(const BoxChain& chain, const std::vector<std::uint32_t>& taboo)
        : chain_(chain), taboo_(chain.states(), false) {
        for (const std::uint32_t z : taboo) taboo_[z] = true;
        const auto n = static_cast<Eigen::Index>(chain.states());
        matrix_.resize(n, n);
        matrix_.reserve(static_cast<Eigen::Index>(chain.column.size() + chain.states()));
        for (std::int32_t i = 0; i < n; ++i) {
            matrix_.startVec(i);
            const auto row = static_cast<std::size_t>(i);
            bool diagonal = false;
            const auto add_diagonal = [&](double weight) {
                matrix_.insertBack(i, i) = taboo_[row] ? chain_.common[row] : chain_.common[row] - weight;
                diagonal = true;
            };
            chain.each_entry(row, [&](std::size_t column, double weight) {
                if (column >= row && !diagonal) add_diagonal(column == row ? weight : 0);
                if (column != row && !taboo_[row] && !taboo_[column])
                    matrix_.insertBack(i, static_cast<std::int32_t>(column)) = -weight;
            });
            if (!diagonal) add_diagonal(0);
        }
        matrix_.finalize();
        krylov_.preconditioner().setDroptol(drop);
        krylov_.preconditioner().setFillfactor(fill);
        krylov_.setTolerance(tolerance);
        krylov_.setMaxIterations(most_iterations);
        krylov_.compute(matrix_);
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
        for (std::size_t i = 0; i < x.size(); ++i)
            residual[i] =
                taboo_[i] ? 0 : b[i] - (static_cast<long double>(chain_.common[i]) * x[i] - chain_.row_times(i, x));
    }

    const BoxChain& chain_;
    std::vector<bool> taboo_;
    Matrix matrix_;
    Eigen::BiCGSTAB<Matrix, Eigen::IncompleteLUT<double, std::int32_t>> krylov_;
    std::uint32_t iterations_ = 0;
};

}  // namespace

TabooSolution solve_taboo(const BoxChain& chain, const std::vector<std::uint32_t>& taboo,
                          const std::function<void(unsigned)>& progress) {
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
    for (const std::uint32_t z : taboo) {
        const auto common = static_cast<long double>(chain.common[z]);
        const auto from = [&](const std::vector<long double>& source, const std::vector<long double>& x) {
            return (source[z] + chain.row_times(z, x)) / common;
        };
        solution.from.push_back({from(sum_of_f, solution.u), from(slots, solution.v), from(chain.far, solution.w),
                                 from(leaving, solution.p)});
    }
    solution.iterations = system.iterations();
    return solution;
}

}  // namespace schedproof::queueing
