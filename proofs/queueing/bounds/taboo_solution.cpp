/// On the box without the taboo states, with value 0 at them, the four systems share the matrix A = D (1 - P), whose
/// rows are multiplied by their common denominators D so that its entries are exact. The number of slots until the box
/// is left or a taboo state reached bounds the norm of the inverse, so that the systems are well-conditioned wherever
/// the chain is stable and a taboo state likely: a Krylov method needs some dozens of iterations. Rounds of refinement
/// add a correction from the residual in long double; about eight digits each, until nothing is gained. The factors
/// are made in the order of a search from the taboo state outwards: the cluster drifts back along it, so that little is
/// dropped; against an order of least fill they are a quarter sparser, and a quarter of the iterations is saved.
/// The four are solved side by side, since going over the matrix and its factors takes most of the time.
///
/// Source: [saad2003], chapters 7 and 10 (BiCGSTAB, ILUT).
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cmath>

#include "model/core/errors.hpp"
#include "proofs/queueing/bounds/box_chain.hpp"

namespace schedproof::queueing {

namespace {

constexpr std::size_t systems = 4;
/// One number per system.
using Lanes = std::array<double, systems>;
using WideLanes = std::array<long double, systems>;
using Vectors = std::vector<Lanes>;

/// sum += factor * x, per system.
inline void add(Lanes& sum, double factor, const Lanes& x) {
    for (std::size_t k = 0; k < systems; ++k) sum[k] += factor * x[k];
}

Lanes dot(const Vectors& a, const Vectors& b) {
    Lanes sum{};
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < systems; ++k) sum[k] += a[i][k] * b[i][k];
    return sum;
}

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

/// An incomplete factorisation, applied to several vectors at once.
class Factors : private Eigen::IncompleteLUT<double, std::int32_t> {
  public:
    /// In the order in which a search along the moves from state `first` meets the states.
    void factorise(const Eigen::Map<const Matrix>& matrix, std::uint32_t first) {
        setDroptol(drop);
        setFillfactor(fill);
        m_Pinv.resize(matrix.rows());
        m_Pinv.indices().setConstant(-1);
        std::vector<std::int32_t> met;
        const auto meet = [&](std::int32_t state) {
            if (m_Pinv.indices()[state] >= 0) return;
            m_Pinv.indices()[state] = static_cast<std::int32_t>(met.size());
            met.push_back(state);
        };
        meet(static_cast<std::int32_t>(first));
        std::int32_t rest = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(matrix.rows()); ++k) {
            while (k == met.size()) meet(rest++);
            for (auto e = matrix.outerIndexPtr()[met[k]]; e < matrix.outerIndexPtr()[met[k] + 1]; ++e)
                meet(matrix.innerIndexPtr()[e]);
        }
        m_P = m_Pinv.inverse();
        m_analysisIsOk = m_isInitialized = true;
        factorize(matrix);
    }
    /// y, nearly the solution of A y = b. Rows of the lower factor stand before the diagonal, those of the upper after.
    void apply(const Vectors& b, Vectors& y) {
        const auto n = static_cast<std::ptrdiff_t>(b.size());
        const std::int32_t *start = m_lu.outerIndexPtr(), *column = m_lu.innerIndexPtr();
        const double* entry = m_lu.valuePtr();
        const std::int32_t* place = m_Pinv.indices().data();
        work_.resize(b.size());
        for (std::ptrdiff_t i = 0; i < n; ++i)
            work_[static_cast<std::size_t>(place[i])] = b[static_cast<std::size_t>(i)];
        Lanes* const work = work_.data();
        for (std::ptrdiff_t i = 0; i < n; ++i) {
            Lanes sum = work[i];
            for (std::int32_t e = start[i]; e < start[i + 1] && column[e] < i; ++e)
                add(sum, -entry[e], work[column[e]]);
            work[i] = sum;
        }
        for (std::ptrdiff_t i = n; i-- > 0;) {
            Lanes sum = work[i];
            std::int32_t e = start[i + 1];
            while (column[--e] > i) add(sum, -entry[e], work[column[e]]);
            for (double& value : sum) value /= entry[e];
            work[i] = sum;
        }
        for (std::ptrdiff_t i = 0; i < n; ++i) y[static_cast<std::size_t>(i)] = work[place[i]];
    }

  private:
    static constexpr double drop = 1e-2;
    static constexpr int fill = 3;
    Vectors work_;
};

/// Systems with the matrix of a chain, rows and columns of the taboo states taken out.
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
        factors_.factorise(Eigen::Map<const Matrix>(n, n, static_cast<Eigen::Index>(chain.column.size()),
                                                    chain.start.data(), chain.column.data(), chain.entry.data()),
                           taboo.front());
        for (Vectors* room : {&shadow_, &direction_, &image_, &better_, &better_image_}) room->resize(chain.states());
    }

    /// x with A x = b, `right(i)` being the row of b; 0 at taboo states.
    template <class Right>
    [[nodiscard]] std::vector<WideLanes> solve(Right&& right, const std::function<void(unsigned)>& progress) {
        const std::size_t n = chain_.states();
        std::vector<WideLanes> x(n, WideLanes{});
        Vectors residual(n), step(n);
        std::array<bool, systems> improves{};
        std::array<unsigned, systems> failures{};
        const WideLanes first = subtract_product(right, x, residual);
        WideLanes before = first;
        for (std::size_t k = 0; k < systems; ++k) improves[k] = before[k] > 0;
        for (unsigned round = 0; round < most_rounds && std::count(improves.begin(), improves.end(), true) > 0;
             ++round) {
            if (progress) progress(round);
            correct(residual, step, improves, failures);
            drop_infinite(step);
            add_step(x, step, 1);
            const WideLanes now = subtract_product(right, x, residual);
            Lanes undone{};
            for (std::size_t k = 0; k < systems; ++k) {
                if (!improves[k]) continue;
                const bool lower = now[k] < before[k];
                if (!lower) undone[k] = -1;
                improves[k] = now[k] <= before[k] / 2;
                if (lower) before[k] = now[k];
                // The method broke down, as it may where a source is 0 at most states: it begins anew in another way.
                if (!improves[k] && before[k] > broken * first[k]) improves[k] = ++failures[k] <= most_failures;
            }
            if (undone == Lanes{}) continue;
            add_step(x, step, undone);
            (void)subtract_product(right, x, residual);
        }
        return x;
    }
    [[nodiscard]] std::uint32_t iterations() const { return iterations_; }

  private:
    static constexpr double tolerance = 1e-9;
    static constexpr unsigned most_iterations = 2000, most_rounds = 8, most_failures = 3;
    /// Of the first residual: what a round that does not break down leaves is far below.
    static constexpr long double broken = 1e-6L;

    /// Leaves 0 in place of a step that is not finite everywhere.
    static void drop_infinite(Vectors& step) {
        std::array<bool, systems> infinite{};
        for (const Lanes& one : step)
            for (std::size_t k = 0; k < systems; ++k) infinite[k] = infinite[k] || !std::isfinite(one[k]);
        for (Lanes& one : step)
            for (std::size_t k = 0; k < systems; ++k)
                if (infinite[k]) one[k] = 0;
    }

    static void add_step(std::vector<WideLanes>& x, const Vectors& step, const Lanes& factor) {
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t k = 0; k < systems; ++k) x[i][k] += static_cast<long double>(factor[k] * step[i][k]);
    }
    static void add_step(std::vector<WideLanes>& x, const Vectors& step, double factor) {
        Lanes all;
        all.fill(factor);
        add_step(x, step, all);
    }
    /// residual = b - A x; returns the largest entries.
    template <class Right>
    WideLanes subtract_product(Right&& right, const std::vector<WideLanes>& x, Vectors& residual) const {
        WideLanes largest{};
        for (std::size_t i = 0; i < x.size(); ++i) {
            WideLanes rest{};
            if (!taboo_[i]) {
                rest = right(i);
                chain_.each_entry(i, [&](std::size_t at, double entry) {
                    for (std::size_t k = 0; k < systems; ++k) rest[k] -= static_cast<long double>(entry) * x[at][k];
                });
            }
            for (std::size_t k = 0; k < systems; ++k) {
                residual[i][k] = static_cast<double>(rest[k]);
                largest[k] = std::max(largest[k], std::abs(rest[k]));
            }
        }
        return largest;
    }
    void times(const Vectors& x, Vectors& product) const {
        for (std::size_t i = 0; i < x.size(); ++i) {
            Lanes sum{};
            chain_.each_entry(i, [&](std::size_t at, double entry) { add(sum, entry, x[at]); });
            product[i] = sum;
        }
    }

    /// The residual, or after failures a vector that has nothing to do with it.
    void set_shadow(const Vectors& residual, const std::array<unsigned, systems>& failures) {
        shadow_ = residual;
        for (std::size_t k = 0; k < systems; ++k)
            for (std::size_t i = 0; i < shadow_.size() && failures[k] > 0; ++i)
                shadow_[i][k] = static_cast<double>((i + failures[k]) * 2654435761U % 65521U) / 65521 - 0.5;
    }

    /// BiCGSTAB for the systems that are `wanted`, each with numbers of its own and stopped by itself; `residual` is
    /// used up, and `x` is 0 for the others.
    void correct(Vectors& residual, Vectors& x, const std::array<bool, systems>& wanted,
                 const std::array<unsigned, systems>& failures) {
        std::fill(x.begin(), x.end(), Lanes{});
        std::fill(direction_.begin(), direction_.end(), Lanes{});
        std::fill(image_.begin(), image_.end(), Lanes{});
        set_shadow(residual, failures);
        Lanes goal = dot(residual, residual), rho{}, alpha{}, omega{}, beta{};
        std::array<bool, systems> open = wanted;
        rho.fill(1);
        alpha.fill(1);
        omega.fill(1);
        for (double& value : goal) value *= tolerance * tolerance;
        const auto is_open = [&] { return std::count(open.begin(), open.end(), true) > 0; };
        for (unsigned iteration = 0; iteration < most_iterations && is_open(); ++iteration) {
            ++iterations_;
            const Lanes next = dot(shadow_, residual);
            for (std::size_t k = 0; k < systems; ++k) {
                open[k] = open[k] && next[k] != 0 && omega[k] != 0;
                beta[k] = open[k] ? next[k] / rho[k] * alpha[k] / omega[k] : 0;
                rho[k] = next[k];
            }
            for (std::size_t i = 0; i < x.size(); ++i)
                for (std::size_t k = 0; k < systems; ++k)
                    direction_[i][k] = residual[i][k] + beta[k] * (direction_[i][k] - omega[k] * image_[i][k]);
            factors_.apply(direction_, better_);
            times(better_, image_);
            divide(rho, dot(shadow_, image_), open, alpha);
            for (std::size_t i = 0; i < x.size(); ++i)
                for (std::size_t k = 0; k < systems; ++k) {
                    x[i][k] += alpha[k] * better_[i][k];
                    residual[i][k] -= alpha[k] * image_[i][k];
                }
            factors_.apply(residual, better_);
            times(better_, better_image_);
            divide(dot(better_image_, residual), dot(better_image_, better_image_), open, omega);
            for (std::size_t i = 0; i < x.size(); ++i)
                for (std::size_t k = 0; k < systems; ++k) {
                    x[i][k] += omega[k] * better_[i][k];
                    residual[i][k] -= omega[k] * better_image_[i][k];
                }
            const Lanes left = dot(residual, residual);
            for (std::size_t k = 0; k < systems; ++k) open[k] = open[k] && left[k] > goal[k];
        }
    }
    /// a / b for the open systems, 0 for the others and where b is 0.
    static void divide(const Lanes& a, const Lanes& b, const std::array<bool, systems>& open, Lanes& quotient) {
        for (std::size_t k = 0; k < systems; ++k) quotient[k] = open[k] && b[k] != 0 ? a[k] / b[k] : 0;
    }

    const BoxChain& chain_;
    std::vector<bool> taboo_;
    Factors factors_;
    Vectors shadow_, direction_, image_, better_, better_image_;  // room for the method
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
    TabooSolution solution;
    const auto source = [&chain](std::size_t i) {
        const auto slots = static_cast<long double>(chain.common[i]);
        return WideLanes{slots * chain.f[i], slots, chain.far[i], static_cast<long double>(chain.leaving[i])};
    };
    std::vector<WideLanes> all;
    {
        TabooSystem system(chain, taboo);
        all = system.solve(source, progress);
        solution.iterations = system.iterations();
    }
    for (const WideLanes& one : all) {
        solution.u.push_back(one[0]);
        solution.v.push_back(one[1]);
        solution.w.push_back(one[2]);
        solution.p.push_back(one[3]);
    }
    for (std::size_t i = 0; i < taboo.size(); ++i) {
        WideLanes sum = source(taboo[i]);
        for (const auto& [column, weight] : moves[i])
            for (std::size_t k = 0; k < systems; ++k) sum[k] += static_cast<long double>(weight) * all[column][k];
        for (long double& value : sum) value /= static_cast<long double>(chain.common[taboo[i]]);
        solution.from.push_back({sum[0], sum[1], sum[2], sum[3]});
    }
    return solution;
}

std::pair<std::vector<long double>, std::vector<long double>> solve_for(BoxChain& chain,
                                                                        const std::vector<std::uint32_t>& taboo,
                                                                        const std::vector<long double>& upper,
                                                                        const std::vector<long double>& lower) {
    const auto right = [&](std::size_t i) {
        const auto slots = static_cast<long double>(chain.common[i]);
        return WideLanes{slots * upper[i], slots * lower[i]};
    };
    std::pair<std::vector<long double>, std::vector<long double>> both;
    for (const WideLanes& one : TabooSystem(chain, taboo).solve(right, {})) {
        both.first.push_back(one[0]);
        both.second.push_back(one[1]);
    }
    return both;
}

}  // namespace schedproof::queueing
