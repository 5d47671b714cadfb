/// Whether a Lyapunov function is bounded below on all states: what Foster's theorem asks of it.
///
/// A sufficient test, exact and without a solver. Lengths are at least 0, so an entry of the quadratic part off the
/// diagonal may be lowered to at most 0. The quadratic part falls into blocks that share no queue; on each it is found
/// by elimination (L D L^T) to be
///   positive definite: it outgrows every linear function of its queues, whatever those are, or
///   positive semidefinite: at least 0, and the linear terms of its queues must not be negative.
/// Linear terms are those of products and of pieces: of c max l with c > 0 any one l may be taken for the maximum, with
/// c < 0 the least coefficient of each queue. Pieces that depend on a status count when they are negative.
/// A function without constants whose linear terms are not negative at any queue is nowhere negative.
#include "proofs/queueing/theorems/boundedness.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace schedproof::queueing {

namespace {

using Linear = LyapunovForm::Linear;
using Matrix = std::vector<std::vector<Rational>>;

/// The symmetric matrix of the products' quadratic part.
Matrix quadratic_part(const LyapunovForm& v, std::size_t queues) {
    Matrix a(queues, std::vector<Rational>(queues));
    const Rational half(Integer(1), Integer(2));
    for (const auto& product : v.products)
        for (const auto& [i, x] : product.first.terms())
            for (const auto& [j, y] : product.second.terms()) {
                const Rational entry = half * product.coefficient * x * y;
                a[i][j] += entry;
                a[j][i] += entry;
            }
    return a;
}

Linear linear_part(const LyapunovForm& v) {
    Linear sum;
    for (const auto& product : v.products) {
        sum.add(product.coefficient * product.first.constant(), product.second);
        sum.add(product.coefficient * product.second.constant(), product.first);
    }
    return sum;
}

enum class Definiteness { positive, semidefinite, neither };

/// Of the block of a symmetric matrix, by elimination without square roots.
Definiteness definiteness(const Matrix& matrix, const std::vector<std::size_t>& block) {
    const std::size_t n = block.size();
    Matrix a(n, std::vector<Rational>(n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) a[i][j] = matrix[block[i]][block[j]];
    auto found = Definiteness::positive;
    for (std::size_t k = 0; k < n; ++k) {
        if (a[k][k].sign() < 0) return Definiteness::neither;
        if (a[k][k].sign() == 0) {
            // A semidefinite matrix with a zero on the diagonal has a zero row there.
            for (std::size_t j = k + 1; j < n; ++j)
                if (a[k][j].sign() != 0) return Definiteness::neither;
            found = Definiteness::semidefinite;
            continue;
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            if (a[i][k].sign() == 0) continue;
            const Rational factor = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
        }
    }
    return found;
}

/// The sets of queues that entries off the diagonal connect.
std::vector<std::vector<std::size_t>> blocks(const Matrix& a) {
    std::vector<std::vector<std::size_t>> all;
    std::vector<bool> met(a.size());
    for (std::size_t start = 0; start < a.size(); ++start) {
        if (met[start]) continue;
        met[start] = true;
        std::vector<std::size_t> block{start};
        for (std::size_t next = 0; next < block.size(); ++next)
            for (std::size_t j = 0; j < a.size(); ++j)
                if (!met[j] && a[block[next]][j].sign() != 0) {
                    met[j] = true;
                    block.push_back(j);
                }
        all.push_back(std::move(block));
    }
    return all;
}

/// Queues whose linear terms the quadratic part does not outgrow; nothing when that part may itself be negative.
std::optional<std::vector<proof::Variable>> exposed_queues(const Matrix& a) {
    std::vector<proof::Variable> exposed;
    for (const auto& block : blocks(a)) {
        const Definiteness found = definiteness(a, block);
        if (found == Definiteness::neither) return std::nullopt;
        if (found == Definiteness::semidefinite)
            for (const std::size_t q : block) exposed.push_back(static_cast<proof::Variable>(q));
    }
    return exposed;
}

/// Below c max l with c < 0, lengths being at least 0: of each queue the least coefficient among the forms c l.
Linear below_negative(const LyapunovForm::Piece& piece) {
    Linear sum;
    for (const Linear& form : piece.largest_of)
        for (const auto& term : form.terms()) {
            const proof::Variable x = term.first;
            if (sum.coefficient(x).sign() != 0) continue;
            Rational least = piece.coefficient * form.coefficient(x);
            for (const Linear& other : piece.largest_of)
                least = std::min(least, piece.coefficient * other.coefficient(x));
            sum.add(least, Linear::variable(x));
        }
    return sum;
}

/// How far a form's coefficients at some queues are below 0, in all.
Rational shortfall(const Linear& form, const std::vector<proof::Variable>& queues) {
    Rational sum;
    for (const proof::Variable q : queues)
        if (const Rational c = form.coefficient(q); c.sign() < 0) sum -= c;
    return sum;
}

using Pieces = std::vector<const LyapunovForm::Piece*>;

/// A linear form below base + the pieces, whose shortfall is as small as a search among the choices for the maxima
/// finds.
Linear below(const Linear& base, const Pieces& pieces, const std::vector<proof::Variable>& queues) {
    constexpr std::size_t tries = 4'096;
    Linear fixed = base;
    Pieces open;
    for (const LyapunovForm::Piece* piece : pieces)
        if (piece->coefficient.sign() < 0)
            fixed += below_negative(*piece);
        else
            open.push_back(piece);
    std::vector<std::size_t> choice(open.size(), 0);
    std::optional<Linear> best;
    for (std::size_t tried = 0; tried < tries; ++tried) {
        Linear sum = fixed;
        for (std::size_t i = 0; i < open.size(); ++i) sum.add(open[i]->coefficient, open[i]->largest_of[choice[i]]);
        if (!best || shortfall(sum, queues) < shortfall(*best, queues)) best = std::move(sum);
        if (shortfall(*best, queues).sign() == 0) break;
        std::size_t i = 0;
        while (i < open.size() && ++choice[i] == open[i]->largest_of.size()) choice[i++] = 0;
        if (i == open.size()) break;
    }
    return *best;
}

/// Whether linear part and pieces are bounded below as far as `queues` go.
bool linear_holds(const LyapunovForm& v, const std::vector<proof::Variable>& queues) {
    if (queues.empty()) return true;
    Pieces always;
    std::vector<std::pair<LyapunovForm::Condition, Pieces>> conditional;
    for (const auto& piece : v.pieces) {
        if (!piece.when) {
            always.push_back(&piece);
            continue;
        }
        auto group = std::find_if(conditional.begin(), conditional.end(),
                                  [&](const auto& known) { return known.first == *piece.when; });
        if (group == conditional.end()) group = conditional.insert(group, {*piece.when, {}});
        group->second.push_back(&piece);
    }
    Linear sum = below(linear_part(v), always, queues);
    for (const auto& [when, pieces] : conditional) {
        const Linear own = below(Linear(), pieces, queues);
        for (const proof::Variable q : queues)  // where the condition fails the group adds nothing
            if (const Rational c = own.coefficient(q); c.sign() < 0) sum.add(c, Linear::variable(q));
    }
    return shortfall(sum, queues).sign() == 0;
}

}  // namespace

namespace {

/// The quadratic part, and the same with entries off the diagonal lowered to at most 0.
std::array<Matrix, 2> quadratic_parts(const LyapunovForm& v, std::size_t queues) {
    std::array<Matrix, 2> both{quadratic_part(v, queues), {}};
    both[1] = both[0];
    for (std::size_t i = 0; i < queues; ++i)
        for (std::size_t j = 0; j < queues; ++j)
            if (i != j) both[1][i][j] = std::min(both[1][i][j], Rational(0));
    return both;
}

constexpr const char* negative_quadratic = "its quadratic part is not shown to be at least 0";

}  // namespace

std::string boundedness_gap(const LyapunovForm& v, const Instance& instance, const Layout& layout) {
    require_fits(v, instance, layout);
    bool quadratic = false;
    for (const Matrix& a : quadratic_parts(v, layout.queues()))
        if (const auto exposed = exposed_queues(a)) {
            quadratic = true;
            if (linear_holds(v, *exposed)) return "";
        }
    return quadratic ? "a linear term is negative where no square outgrows it" : negative_quadratic;
}

std::string negativity_gap(const LyapunovForm& v, const Instance& instance, const Layout& layout) {
    require_fits(v, instance, layout);
    const auto has_constant = [](const Linear& form) { return form.constant().sign() != 0; };
    for (const auto& product : v.products)
        if (has_constant(product.first) || has_constant(product.second)) return "a factor has a constant";
    for (const auto& piece : v.pieces)
        if (std::any_of(piece.largest_of.begin(), piece.largest_of.end(), has_constant))
            return "a form of a maximum has a constant";
    std::vector<proof::Variable> all;
    for (std::size_t q = 0; q < layout.queues(); ++q) all.push_back(static_cast<proof::Variable>(q));
    if (!linear_holds(v, all)) return "a linear term is negative";
    for (const Matrix& a : quadratic_parts(v, layout.queues()))
        if (exposed_queues(a)) return "";
    return negative_quadratic;
}

}  // namespace schedproof::queueing
