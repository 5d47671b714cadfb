/// The base of the exponentials of a collapse.
///
/// The cells are split by the values of the forms once, whatever the base: on each part every form is exactly known, or
/// beyond its window, and changes by constants. A base q then has m_j = E q^(change) for each form and part; rho is the
/// least 1 - m_j over the parts where form j is far out, and b the largest of the sums that heavy_collapse.hpp bounds.
/// A smaller rho than the largest may give a smaller b.
#include "proofs/queueing/heavy_traffic/base_search.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using explore::Affine;

namespace {

/// On a cell that is split by the values of the forms: how each form changes, and what is known of its value.
struct Split {
    struct Of {
        std::vector<std::pair<std::int64_t, Rational>> changes;  ///< change and probability
        bool tail = false, below = false;
        std::int64_t value = 0;  ///< `high` of a tail, `low` below
    };
    std::vector<Of> forms;
};
Split::Of part_of(const CollapseForm& form, const SymbolicState& state, const std::vector<LinearOutcome>& outcomes) {
    Split::Of of;
    for (const LinearOutcome& outcome : outcomes)
        of.changes.emplace_back(static_cast<std::int64_t>(change_of(form.form, state.serving, outcome).numerator()),
                                outcome.probability);
    const Affine value = value_of(form.form, state);
    if (value >= Affine(form.high)) {
        of.tail = true;
        of.value = form.high;
    } else if (value <= Affine(form.low)) {
        of.below = true;
        of.value = form.low;
    } else {
        of.value = form.low + 1;
        while (of.value + 1 < form.high && value >= Affine(of.value + 1)) ++of.value;
    }
    return of;
}

std::optional<std::vector<Split>> split_cells(const CollapseTheorem& theorem, const SymbolicSystem& system,
                                              const SlackEnds& ends, const explore::Budget& budget) {
    std::vector<Split> all;
    for (std::size_t end = 0; end < 2; ++end)
        for (const Shape& shape : shapes_of(theorem.closed.statuses)) {
            auto found = explore::explore(
                space_without(system, shape, theorem.closed.empty),
                [&](const std::vector<Affine>& symbols) {
                    const SymbolicState state = ends.system[end]->state(shape, symbols);
                    const std::vector<LinearOutcome> outcomes = linear_outcomes(*ends.system[end], state);
                    Split split;
                    for (const CollapseForm& form : theorem.forms)
                        split.forms.push_back(part_of(form, state, outcomes));
                    return split;
                },
                budget);
            if (found.ended) return std::nullopt;
            for (Split& split : found.leaves) all.push_back(std::move(split));
        }
    return all;
}
/// rho and b of a base, in doubles or exactly.
template <class N, class Power>
std::optional<N> slowest(const std::vector<Split>& splits, Power&& power) {
    std::optional<N> most;
    for (const Split& split : splits)
        for (const Split::Of& of : split.forms) {
            if (!of.tail) continue;
            N mean(0);
            for (const auto& [change, p] : of.changes) mean = mean + power(change, p);
            if (!most || mean > *most) most = mean;
        }
    return most;
}
template <class N, class Power>
N largest_growth(const std::vector<Split>& splits, const N& rate, Power&& power) {
    N most(0);
    for (const Split& split : splits) {
        N sum(0);
        bool grows = false;
        for (const Split::Of& of : split.forms) {
            N a = rate - N(1);
            for (const auto& [change, p] : of.changes) a = a + power(change, p);
            if (a > N(0)) grows = true;
            if (!of.below || a > N(0)) sum = sum + a * power(of.value, Rational(1));
        }
        if (grows && sum > most) most = sum;
    }
    return most;
}

}  // namespace

std::optional<std::string> choose_base(CollapseTheorem& theorem, const SymbolicSystem& system, const SlackEnds& ends,
                                       double factor, const explore::Budget& budget) {
    const auto splits = split_cells(theorem, system, ends, budget);
    if (!splits) return "too many cells when split by the values of the forms";
    std::optional<double> least;
    double base = 0, share = 0;
    for (int step = 1; step <= 120; ++step) {
        const double theta = 0.02 * step;
        const auto power = [&](std::int64_t n, const Rational& p) {
            return p.approximate() * std::exp(theta * static_cast<double>(n));
        };
        const auto most = slowest<double>(*splits, power);
        if (most && *most >= 1) continue;
        for (const double part : {1.0, 0.8, 0.6, 0.4}) {
            const double rate = part * (most ? 1 - *most : 1);
            if (rate < 1e-7) continue;
            const double b = largest_growth<double>(*splits, rate, power);
            const double value = std::log(factor * b / rate) / theta;
            if (!least || value < *least) {
                least = value;
                base = std::exp(theta);
                share = part;
            }
        }
    }
    if (!least) return "no base makes the exponentials of the forms fall far out";
    const std::int64_t parts = base > 3 ? 8 : base > 1.5 ? 32 : 256;
    theorem.base = Rational(Integer(std::llround(base * static_cast<double>(parts))), Integer(parts));
    const auto exact = [&](std::int64_t n, const Rational& p) { return p * to_the_power(theorem.base, n); };
    const auto most = slowest<Rational>(*splits, exact);
    const Rational fall = most ? Rational(1) - *most : Rational(1);
    if (fall.sign() <= 0) return "no base makes the exponentials of the forms fall far out";
    theorem.rate = rounded_down(fall * Rational(Integer(std::llround(share * 10)), Integer(10)), 6);
    if (theorem.rate.sign() <= 0) return "the exponentials of the forms fall too slowly far out";
    theorem.bound = std::max(rounded_up(largest_growth<Rational>(*splits, theorem.rate, exact), 4),
                             Rational(Integer(1), Integer(10'000)));
    return std::nullopt;
}

}  // namespace schedproof::heavy_traffic
