/// The basic solution of a basis, exactly.
///
/// A basis matrix of a scheduling program is close to triangular: most columns are slacks or have two entries. So the
/// square system is peeled first. A row with one unknown left gives that unknown; a column with one equation left is
/// set aside and determined last, by back substitution. What remains, the nucleus, goes to FLINT as a dense matrix.
#include <flint/fmpq_mat.h>

#include <algorithm>

#include "model/core/flint_pool.hpp"
#include "proofs/linear_programs/linear_backends.hpp"

namespace schedproof::capacity::backend {

namespace {

using Entries = std::vector<std::pair<std::uint32_t, Rational>>;

// A square sparse system, row by row.
struct System {
    std::vector<Entries> rows;
    std::vector<Rational> rhs;

    [[nodiscard]] System transposed(std::vector<Rational> other_rhs) const {
        System result{std::vector<Entries>(rows.size()), std::move(other_rhs)};
        for (std::uint32_t i = 0; i < rows.size(); ++i)
            for (const auto& [j, a] : rows[i]) result.rows[j].emplace_back(i, a);
        return result;
    }
};

class DenseMatrix {
  public:
    DenseMatrix(std::size_t rows, std::size_t columns) {
        give_back_flint_pool();
        fmpq_mat_init(matrix_, static_cast<slong>(rows), static_cast<slong>(columns));
    }
    ~DenseMatrix() { fmpq_mat_clear(matrix_); }
    DenseMatrix(const DenseMatrix&) = delete;
    DenseMatrix& operator=(const DenseMatrix&) = delete;

    void set(std::size_t i, std::size_t j, const Rational& value) { fmpq_set_mpq(entry(i, j), value.gmp()); }
    [[nodiscard]] Rational at(std::size_t i, std::size_t j) const {
        mpq_t value;
        mpq_init(value);
        fmpq_get_mpq(value, entry(i, j));
        Rational result = Rational::from_gmp(value);
        mpq_clear(value);
        return result;
    }
    [[nodiscard]] fmpq_mat_struct* raw() { return matrix_; }

  private:
    [[nodiscard]] fmpq* entry(std::size_t i, std::size_t j) const {
        return fmpq_mat_entry(matrix_, static_cast<slong>(i), static_cast<slong>(j));
    }
    fmpq_mat_t matrix_;
};

class Peeler {
  public:
    explicit Peeler(const System& system)
        : system_(system),
          n_(static_cast<std::uint32_t>(system.rows.size())),
          columns_(n_),
          row_count_(n_),
          column_count_(n_),
          row_done_(n_),
          known_(n_),
          set_aside_(n_),
          x_(n_) {
        for (std::uint32_t i = 0; i < n_; ++i)
            for (const auto& [j, a] : system.rows[i]) {
                columns_[j].push_back(i);
                ++row_count_[i], ++column_count_[j];
            }
    }

    std::optional<std::vector<Rational>> solve() {
        std::vector<std::uint32_t> rows, columns;  // candidates
        for (std::uint32_t i = 0; i < n_; ++i) rows.push_back(i), columns.push_back(i);
        while (!rows.empty() || !columns.empty()) {
            if (!rows.empty()) {
                const std::uint32_t i = rows.back();
                rows.pop_back();
                if (row_done_[i] || row_count_[i] != 1) continue;
                take_row(i, rows, columns);
            } else {
                const std::uint32_t j = columns.back();
                columns.pop_back();
                if (known_[j] || set_aside_[j] || column_count_[j] != 1) continue;
                set_column_aside(j, columns);
            }
        }
        if (!solve_nucleus()) return std::nullopt;
        for (std::size_t k = aside_.size(); k-- > 0;) determine(aside_[k].first, aside_[k].second);
        return std::move(x_);
    }

  private:
    using Worklist = std::vector<std::uint32_t>;

    [[nodiscard]] bool open(std::uint32_t j) const { return !known_[j] && !set_aside_[j]; }

    // x_j from row i, all of whose other unknowns are known by now.
    void determine(std::uint32_t i, std::uint32_t j) {
        Rational rest = system_.rhs[i], pivot;
        for (const auto& [k, a] : system_.rows[i]) {
            if (k == j)
                pivot = a;
            else if (x_[k].sign() != 0)
                rest -= a * x_[k];
        }
        x_[j] = rest / pivot;
        known_[j] = true;
    }

    void take_row(std::uint32_t i, Worklist& rows, Worklist& columns) {
        for (const auto& [j, a] : system_.rows[i]) {
            if (!open(j)) continue;
            determine(i, j);
            close(i, columns);
            for (const std::uint32_t k : columns_[j])
                if (!row_done_[k] && --row_count_[k] == 1) rows.push_back(k);
            return;
        }
    }

    void set_column_aside(std::uint32_t j, Worklist& columns) {
        for (const std::uint32_t i : columns_[j]) {
            if (row_done_[i]) continue;
            set_aside_[j] = true;
            aside_.emplace_back(i, j);
            close(i, columns);
            return;
        }
    }

    void close(std::uint32_t i, Worklist& columns) {
        row_done_[i] = true;
        for (const auto& [j, a] : system_.rows[i])
            if (--column_count_[j] == 1 && open(j)) columns.push_back(j);
    }

    bool solve_nucleus() {
        std::vector<std::uint32_t> rows, place(n_), unknowns;
        for (std::uint32_t i = 0; i < n_; ++i)
            if (!row_done_[i]) rows.push_back(i);
        for (std::uint32_t j = 0; j < n_; ++j)
            if (open(j)) place[j] = static_cast<std::uint32_t>(unknowns.size()), unknowns.push_back(j);
        if (rows.size() != unknowns.size()) return false;
        if (rows.empty()) return true;
        DenseMatrix matrix(rows.size(), rows.size()), rhs(rows.size(), 1), solution(rows.size(), 1);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            Rational rest = system_.rhs[rows[r]];
            for (const auto& [j, a] : system_.rows[rows[r]]) {
                if (known_[j])
                    rest -= a * x_[j];
                else
                    matrix.set(r, place[j], a);
            }
            rhs.set(r, 0, rest);
        }
        if (!fmpq_mat_solve_dixon(solution.raw(), matrix.raw(), rhs.raw())) return false;
        for (std::size_t k = 0; k < unknowns.size(); ++k) {
            x_[unknowns[k]] = solution.at(k, 0);
            known_[unknowns[k]] = true;
        }
        return true;
    }

    const System& system_;
    std::uint32_t n_;
    std::vector<std::vector<std::uint32_t>> columns_;
    std::vector<std::uint32_t> row_count_, column_count_;
    std::vector<bool> row_done_, known_, set_aside_;
    std::vector<Rational> x_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> aside_;  // (row, unknown), in the order of setting aside
};

}  // namespace

std::optional<LinearSolution> exact_basis(const LinearProgram& program, const Basis& basis) {
    const std::size_t rows = program.rows.size(), variables = program.cost.size();
    std::vector<std::uint32_t> place(variables + rows, static_cast<std::uint32_t>(rows));
    for (std::uint32_t k = 0; k < basis.size(); ++k) place[basis[k]] = k;
    System system{std::vector<Entries>(rows), {}};
    for (std::size_t i = 0; i < rows; ++i) {
        for (const auto& [j, a] : program.rows[i].entries)
            if (place[j] < rows && a.sign() != 0) system.rows[i].emplace_back(place[j], a);
        if (place[variables + i] < rows) system.rows[i].emplace_back(place[variables + i], Rational(1));
        system.rhs.push_back(program.rows[i].rhs);
    }
    std::vector<Rational> basic_cost;
    for (const std::uint32_t j : basis) basic_cost.push_back(j < variables ? program.cost[j] : Rational(0));
    const auto x = Peeler(system).solve();
    if (!x) return std::nullopt;
    auto y = Peeler(system.transposed(std::move(basic_cost))).solve();
    if (!y) return std::nullopt;
    LinearSolution solution{Rational(0), std::vector<Rational>(variables), std::move(*y)};
    for (std::size_t k = 0; k < basis.size(); ++k)
        if (basis[k] < variables) {
            solution.x[basis[k]] = (*x)[k];
            solution.value += program.cost[basis[k]] * (*x)[k];
        }
    return solution;
}

}  // namespace schedproof::capacity::backend
