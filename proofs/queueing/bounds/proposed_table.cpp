/// Tables from taboo solutions.
///
/// Let z be a state, and u, v, w, p the solutions on the box without z of box_chain.hpp. With a hat for what they are
/// from z on, for every offset b and sign s = +1 (upper), -1 (lower)
///     c = (u^ + s (kappa w^ + b p^)) / v^   and   h = u + s (kappa w + b p) - c v
/// satisfy Ph = h - f + c on the whole box where h continues as s (kappa W + b) outside, with h(z) = 0: nothing is
/// searched for, and the width 2 (kappa w^ + b p^) / v^ is twice the rate of leaving the box times what waits outside.
/// It falls geometrically with the radius. With several taboo states, one per class that is closed in the box, the
/// largest c serves above and the least below.
///
/// Doubles only propose: the bounds are read off the rounded table by exact arithmetic (mean_table.hpp).
#include "proofs/queueing/bounds/proposed_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/base/sha256.hpp"
#include "proofs/queueing/theorems/table_demand.hpp"

namespace schedproof::queueing {

namespace {

constexpr int most_promised_bits = 49;  ///< after the point, of tables in floating point

void report(const MeanGoal& goal, std::string_view what, double done, double all) {
    if (goal.progress) goal.progress(what, done, all);
}

}  // namespace

Rational power_of_two(int power) {
    const Integer one = 1;
    return power >= 0 ? Rational(Integer(one << static_cast<unsigned>(power)))
                      : Rational(one, Integer(one << static_cast<unsigned>(-power)));
}

/// The offset in three rounds, for it hardly moves c.
Promise promise(const SolvedBox& solved, int power) {
    const BoxChain& chain = solved.chain;
    const TabooSolution& s = solved.solution;
    const long double kappa = std::ldexp(1.0L, power);
    Promise made{power};
    const auto set_bounds = [&] {
        made.upper = -std::numeric_limits<long double>::infinity();
        made.lower = std::numeric_limits<long double>::infinity();
        made.blur = 0;
        for (const TabooSolution::From& from : s.from) {
            const long double outside = kappa * from.w + made.offset * from.p;
            made.upper = std::max(made.upper, (from.u + outside) / from.v);
            made.lower = std::min(made.lower, (from.u - outside) / from.v);
            made.blur = std::max(made.blur, 2 * outside / from.v);
        }
    };
    set_bounds();
    for (int round = 0; round < 3; ++round) {
        long double need = 0;
        for (std::size_t i = 0; i < chain.states(); ++i) {
            const long double outside = kappa * s.w[i] + made.offset * s.p[i], far = kappa * chain.w[i];
            if (kappa * chain.drift[i] + chain.f[i] > made.upper)
                need = std::max(need, s.u[i] + outside - made.upper * s.v[i] - far);
            if (kappa * chain.drift[i] > chain.f[i] - made.lower)
                need = std::max(need, -(s.u[i] - outside - made.lower * s.v[i]) - far);
        }
        if (need + 0.5L < made.offset) break;
        made.offset = std::ceil(need) + 1;
        set_bounds();
    }
    return made;
}

MeanTheorem tabulate(const ExactSystem& exact, const MeanGoal& goal, const FarForm& w, const SolvedBox& solved) {
    const Promise& made = *solved.promise;
    const TabooSolution& s = solved.solution;
    MeanTheorem theorem;
    const Rational kappa = power_of_two(made.power);
    // Bits after the point: rounding costs a thousandth of the width.
    const auto wanted = static_cast<long double>(goal.width.approximate());
    const long double finest = std::min(wanted / 4, std::ldexp(1.0L, -most_promised_bits));
    const int bits = std::max(static_cast<int>(std::ceil(-std::log2(std::max(made.blur, finest)))) + 11, 24);
    const Integer scale = lcm(integral_scale(w, kappa), goal.of.factor(exact.instance()).denominator()) *
                          (Integer(1) << static_cast<unsigned>(bits));
    theorem.setting = {goal.of, w, kappa, Rational(static_cast<std::int64_t>(made.offset)), scale};
    theorem.radius = solved.radius;
    theorem.renamings = solved.renamings;
    const auto unit = static_cast<long double>(Rational(scale).approximate());
    const auto rounded = [&](long double value) { return static_cast<Fixed>(std::floor(value * unit + 0.5L)); };
    const long double k = std::ldexp(1.0L, made.power);
    auto table = std::make_shared<MeanTable>();
    for (std::size_t i = 0; i < solved.chain.states(); ++i) {
        const long double outside = k * s.w[i] + made.offset * s.p[i];
        table->upper.push_back(rounded(s.u[i] + outside - made.upper * s.v[i]));
        table->lower.push_back(rounded(s.u[i] - outside - made.lower * s.v[i]));
    }
    theorem.digest = base::sha256(to_bytes(*table));
    theorem.table = std::move(table);
    return theorem;
}

/// Adds to a table what it lacks, until that is as little as rounding: for h and c near a solution with
/// f + Ph - h = c + r, the correction is s - gamma v with (1 - P) s = r and gamma = s^ / v^. Where the rest r is
/// computed in integers and s in floating point, each round gives as many digits as that has.
void refine(const ExactSystem& exact, const MeanGoal& goal, SolvedBox& solved, MeanTheorem& theorem) {
    constexpr int most_rounds = 6;
    BoxChain& chain = solved.chain;
    const FoldedBox states = theorem.folded_box();
    const std::vector<std::uint32_t>& taboo = solved.taboo;
    const TabooSolution::From& from = solved.solution.from.front();
    WeightedMoves moves;  // of the taboo state
    states.each_entry(taboo.front(), taboo.front() + 1U,
                      [&](std::uint64_t, const ExactState& state) { exact.weigh_moves(state, moves); });
    auto table = std::make_shared<MeanTable>(*theorem.table);
    long double before = std::numeric_limits<long double>::infinity();
    for (int round = 0; round < most_rounds; ++round) {
        report(goal, "refinement of the table, rounds", round, 0);
        const std::vector<std::optional<FixedBounds>> asked =
            asked_by_table(exact, theorem.setting, states, *table, goal.threads);
        const FixedBounds c = asked[taboo.front()].value();
        std::vector<long double> upper, lower;
        long double rest = 0;
        for (const std::optional<FixedBounds>& one : asked) {
            upper.push_back(one ? static_cast<long double>(one->upper - c.upper) : 0);
            lower.push_back(one ? static_cast<long double>(one->lower - c.lower) : 0);
            rest = std::max({rest, std::abs(upper.back()), std::abs(lower.back())});
        }
        if (!(rest < before / 2) || rest <= 2) break;
        before = rest;
        const auto [s_upper, s_lower] = solve_for(chain, taboo, upper, lower);
        const auto after = [&](const std::vector<long double>& s) {
            long double sum = 0;
            for (std::size_t k = 0; k < moves.next.size(); ++k)
                if (const auto next = states.entry(moves.next[k]))
                    sum += static_cast<long double>(moves.weight[k]) * s[*next];
            return sum / static_cast<long double>(moves.common) / from.v;
        };
        const long double fall_upper = after(s_upper), fall_lower = after(s_lower);
        for (std::size_t i = 0; i < chain.states(); ++i) {
            const long double v = solved.solution.v[i];
            table->upper[i] += static_cast<Fixed>(std::floor(s_upper[i] - fall_upper * v + 0.5L));
            table->lower[i] += static_cast<Fixed>(std::floor(s_lower[i] - fall_lower * v + 0.5L));
        }
    }
    theorem.digest = base::sha256(to_bytes(*table));
    theorem.table = std::move(table);
}

void set_bounds(const ExactSystem& exact, const MeanGoal& goal, MeanTheorem& theorem) {
    const FoldedBox states = theorem.folded_box();
    const auto all = static_cast<double>(states.states().size());
    const FixedBounds bounds = bounds_on_box(
        exact, theorem.setting, states, *theorem.table, goal.threads,
        [&](std::uint64_t done) { report(goal, "exact inequalities of the box", static_cast<double>(done), all); });
    const Rational scale(theorem.setting.scale);
    const Rational upper = rational(bounds.upper) / scale, lower = rational(bounds.lower) / scale;
    constexpr unsigned most = 30;
    unsigned decimals = 2;
    for (Rational hundred = Rational(100) * (upper - lower); hundred < Rational(1) && decimals < most; ++decimals)
        hundred *= Rational(10);
    theorem.upper = rounded_up(upper, decimals);
    theorem.lower = rounded_down(lower, decimals);
}

}  // namespace schedproof::queueing
