/// Tables for the bound of all policies, by policy iteration with an outside that costs H.
///
/// For a fixed policy of the central scheduler, the taboo solutions u, v, p of box_chain.hpp on the box f <= R give
/// c = (u^ + H p^) / v^ and h = u + H p - c v, which satisfy Ph = h - f + c on the box with h = H outside; the better
/// of the choices by h is the next policy. A choice that is as good as the present one is not taken, so that the
/// iteration ends. At its end no choice violates the inequality in the box.
///
/// In the layer beyond it, R < f <= R + M in slots and f = R + 1 in continuous time, the inequality says that H must
/// not exceed, by more than f - c, what a slot from there leads to. For a fixed policy both sides are affine in H but
/// for the least over choices, so that the H that satisfy it form an interval: it is bisected. A larger H gives a
/// larger bound, so nine tenths of its end or so are taken. Whenever H changes, the policy is improved again: with a
/// stale one some choice leaves through a boundary that has become cheap, and the exact pass finds a useless bound. If
/// the layer fails for the policy at which the iteration ends, H is lowered.
///
/// In continuous time the systems are those of the chain of events, and sums over events are turned into ones over
/// time.
///
/// Doubles only propose: the bound is read off the rounded table by exact arithmetic (any_policy.hpp).
#include "proofs/queueing/bounds/any_policy_proof.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/base/parallel.hpp"
#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "model/core/randomness.hpp"
#include "proofs/queueing/bounds/box_chain.hpp"
#include "proofs/queueing/bounds/central_policy.hpp"

namespace schedproof::queueing {

namespace {

class AnyPolicySearch {
  public:
    AnyPolicySearch(const Instance& instance, const AnyPolicyGoal& goal) : model_(instance, goal.mode), goal_(goal) {
        require(goal.width.sign() > 0, "a wanted width above 0");
        std::size_t outcomes = 1;
        for (const CentralModel::Factor& factor : model_.arrivals())
            if ((outcomes *= factor.weights.size()) > max_outcomes)
                throw LimitExceeded("outcomes",
                                    fmt::format("the arrivals of a slot have more than {} outcomes", max_outcomes));
    }

    AnyPolicyProof run() {
        if (goal_.radius) return on_box(*goal_.radius);
        const auto wanted = static_cast<long double>(goal_.width.approximate());
        const std::uint32_t largest = radius_for(goal_.max_states);
        std::uint32_t radius = std::min(radius_for(1000), largest);
        std::optional<std::pair<std::uint32_t, double>> before;
        for (;;) {
            AnyPolicyProof proof = on_box(radius);
            if (goal_.say)
                goal_.say(
                    fmt::format("at most {} tasks: {} states, at least {:.12g}, leaving the box contributes {:.1e}",
                                radius, proof.states, proof.theorem.at_least().approximate(), proof.leaving));
            if (proof.leaving <= static_cast<double>(wanted) || radius == largest) return proof;
            // At first the share falls more slowly than farther out: no step takes more than four times the states.
            const std::uint32_t most = radius_for(4 * proof.states);
            std::uint32_t next = most;
            if (before && before->second > proof.leaving) {
                const double slope = std::log(before->second / proof.leaving) / (radius - before->first);
                const double more = std::log(proof.leaving / static_cast<double>(wanted)) / slope * 1.03 + 1;
                next = radius + static_cast<std::uint32_t>(std::min<double>(more, most - radius));
            }
            before = {radius, proof.leaving};
            radius = std::min(std::max(next, radius + 1), largest);
        }
    }

  private:
    /// Of one policy on one box.
    struct Solved {
        BoxChain chain;
        TabooSolution solution;
    };

    void report(std::string_view what, double done, double all) const {
        if (goal_.progress) goal_.progress(what, done, all);
    }
    /// The radius of the largest box of at most so many states.
    [[nodiscard]] std::uint32_t radius_for(std::uint64_t states) const {
        std::uint32_t low = 0, high = 1U << 16U;
        while (low + 1 < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            bool fits = true;
            try {
                (void)model_.box(middle, states);
            } catch (const LimitExceeded&) {
                fits = false;
            }
            (fits ? low : high) = middle;
        }
        return low;
    }

    AnyPolicyProof on_box(std::uint32_t radius) {
        radius_ = radius;
        report(fmt::format("steps on the box of radius {}", radius), 0, 0);
        // The layer around the box makes it larger, so the limit is on the box itself.
        states_ = model_.box(radius, goal_.max_states).size();
        const CentralBox box(model_, radius + model_.layer(), StateBox::max_states, goal_.threads);
        inside_.clear();
        place_.assign(box.size(), CentralBox::none);
        for (CentralBox::Index i = 0; i < box.size(); ++i)
            if (box.tasks()[i] <= radius) {
                place_[i] = static_cast<CentralBox::Index>(inside_.size());
                inside_.push_back(i);
            }
        CentralPolicy policy(box);
        // The services of most completions; ties go to the start named first.
        std::vector<long double> tasks(box.tasks().begin(), box.tasks().end());
        policy.improve(tasks, radius + 1);
        Solved solved = evaluate(box, policy);
        long double outside = short_number(0.95L * largest_outside(box, solved));
        iterate(box, policy, solved, outside);
        for (int attempt = 0; attempt < most_attempts && layer_slack(box, solved, outside) < 0; ++attempt) {
            outside = short_number(std::min(0.8L * outside, 0.95L * largest_outside(box, solved)));
            iterate(box, policy, solved, outside);
        }
        AnyPolicyProof proof = tabulate(box, solved, outside);
        proof.rounds = rounds_;
        proof.iterations = iterations_;
        return proof;
    }

    /// A number near a value of at least 0, not above, that a sentence can hold.
    static long double short_number(long double value) {
        return value < 64 ? std::floor(value * 64) / 64 : std::floor(value);
    }

    /// Improves the policy until no choice is better with this outside.
    void iterate(const CentralBox& box, CentralPolicy& policy, Solved& solved, long double outside) {
        for (int round = 0; round < most_rounds; ++round) {
            if (policy.improve(values(box, solved, outside), outside) == 0) return;
            solved = evaluate(box, policy);
        }
    }

    Solved evaluate(const CentralBox& box, const CentralPolicy& policy) {
        ++rounds_;
        Solved solved;
        solved.chain = chain_of(box, policy);
        const CentralBox::Index likely = most_likely(solved.chain);
        const std::vector<std::uint32_t> taboo = taboo_states(solved.chain, likely);
        solved.solution = solve_taboo(solved.chain, taboo, [&](unsigned done) {
            report(fmt::format("round {}: linear systems of {} states", rounds_, states_), done, 4);
        });
        iterations_ += solved.solution.iterations;
        in_time(solved.solution);
        return solved;
    }

    /// Steps that there are in a unit of time.
    [[nodiscard]] long double pace() const {
        return static_cast<long double>(model_.common_of_step()) / static_cast<long double>(model_.common_of_time());
    }
    /// Makes sums over steps ones over time.
    void in_time(TabooSolution& solution) const {
        if (!model_.continuous()) return;
        for (std::vector<long double>* sums : {&solution.u, &solution.v})
            for (long double& sum : *sums) sum /= pace();
        for (TabooSolution::From& from : solution.from) {
            from.u /= pace();
            from.v /= pace();
        }
    }

    using Row = std::vector<std::pair<CentralBox::Index, double>>;

    /// The chain of a policy on the box.
    BoxChain chain_of(const CentralBox& box, const CentralPolicy& policy) const {
        const std::size_t n = inside_.size();
        const auto common = static_cast<double>(model_.common_of_step());
        BoxChain chain;
        chain.common.assign(n, common);
        chain.leaving.assign(n, 0);
        for (std::vector<long double>* none : {&chain.far, &chain.w, &chain.drift}) none->assign(n, 0);
        chain.f.resize(n);
        constexpr std::size_t piece = 4096;
        std::vector<BoxRows> all((n + piece - 1) / piece);
        base::for_each_index(all.size(), goal_.threads, [&](std::size_t part) {
            Row row, grown;
            for (std::size_t r = part * piece; r < std::min(n, (part + 1) * piece); ++r) {
                chain.f[r] = box.tasks()[inside_[r]];
                fill(row, grown, box, policy, inside_[r]);
                for (auto& [next, weight] : row) next = next == CentralBox::none ? next : place_[next];
                row.emplace_back(static_cast<CentralBox::Index>(r), -common);
                chain.leaving[r] = put(row, all[part]);
            }
        });
        for (const BoxRows& rows : all) append(chain, rows);
        return chain;
    }

    /// Where a step of the policy leads: in a slot by its choices and then by the services, server by server.
    void fill(Row& row, Row& grown, const CentralBox& box, const CentralPolicy& policy, CentralBox::Index i) const {
        row.clear();
        const auto add = [&](CentralBox::Index next, std::int64_t weight) {
            row.emplace_back(next, static_cast<double>(weight));
        };
        if (model_.continuous()) return policy.each_event(i, add);
        policy.each_slot(i, add);
        for (std::size_t m = 0; m < model_.servers(); ++m) {
            const auto all_of_it = static_cast<double>(model_.common(m));
            grown.clear();
            for (const auto& [during, weight] : row) {
                const std::size_t status = during == CentralBox::none ? 0 : box.status(m, during);
                const double ends = status == 0 ? 0 : static_cast<double>(model_.weights(m)[status - 1]);
                if (ends > 0) grown.emplace_back(box.ended(m, during), weight * ends);
                if (ends < all_of_it) grown.emplace_back(during, weight * (all_of_it - ends));
            }
            row.swap(grown);
        }
    }

    /// Adds a row of places and weights, sorted and summed; returns the weight that leaves the box.
    static double put(Row& row, BoxRows& rows) {
        double leaving = 0;
        std::sort(row.begin(), row.end());
        const std::size_t before = rows.column.size();
        for (const auto& [next, weight] : row)
            if (next == CentralBox::none) {
                leaving += weight;
            } else if (rows.column.size() > before && rows.column.back() == static_cast<std::int32_t>(next)) {
                rows.entry.back() -= weight;
            } else {
                rows.column.push_back(static_cast<std::int32_t>(next));
                rows.entry.push_back(-weight);
            }
        rows.length.push_back(static_cast<std::int32_t>(rows.column.size() - before));
        return leaving;
    }

    /// The state that a sampled path visits most; where it leaves the box it begins anew.
    static CentralBox::Index most_likely(const BoxChain& chain) {
        constexpr int slots = 20'000;
        std::vector<std::uint32_t> visits(chain.states(), 0);
        Sampler randomness(StreamKey{});
        std::size_t at = 0;
        constexpr std::size_t parts = 1U << 30U;
        for (int t = 0; t < slots; ++t) {
            double left =
                static_cast<double>(randomness.uniform(parts)) / static_cast<double>(parts) * chain.common[at];
            std::optional<std::size_t> next;
            chain.each_entry(at, [&](std::size_t column, double entry) {
                const double weight = column == at ? chain.common[at] - entry : -entry;
                if (!next && (left -= weight) < 0) next = column;
            });
            at = next.value_or(0);
            ++visits[at];
        }
        return static_cast<CentralBox::Index>(std::max_element(visits.begin(), visits.end()) - visits.begin());
    }

    /// c of a solution with the value `outside` beyond the box.
    static long double bound(const Solved& solved, long double outside) {
        long double least = std::numeric_limits<long double>::infinity();
        for (const TabooSolution::From& from : solved.solution.from)
            least = std::min(least, (from.u + outside * from.p) / from.v);
        return least;
    }
    /// h on the box and the layer around it.
    std::vector<long double> values(const CentralBox& box, const Solved& solved, long double outside) const {
        const TabooSolution& s = solved.solution;
        const long double c = bound(solved, outside);
        std::vector<long double> h(box.size(), outside);
        for (std::size_t r = 0; r < inside_.size(); ++r) h[inside_[r]] = s.u[r] + outside * s.p[r] - c * s.v[r];
        return h;
    }
    /// The least of P_a h - h + f - c over the layer.
    long double layer_slack(const CentralBox& box, const Solved& solved, long double outside) const {
        const std::vector<long double> mean = box.least_mean(values(box, solved, outside), outside);
        const auto common = static_cast<long double>(model_.common_of_step());
        const long double c = bound(solved, outside);
        long double least = std::numeric_limits<long double>::infinity();
        for (std::size_t i = 0; i < box.size(); ++i)
            if (place_[i] == CentralBox::none)
                least = std::min(least,
                                 (mean[i] / common - outside) * pace() + static_cast<long double>(box.tasks()[i]) - c);
        return least;
    }
    long double largest_outside(const CentralBox& box, const Solved& solved) const {
        const auto fits = [&](long double outside) { return layer_slack(box, solved, outside) >= 0; };
        long double low = 0, high = 1;
        while (fits(high) && high < 0x1p40L) {
            low = high;
            high *= 2;
        }
        for (int step = 0; step < 12; ++step) {
            const long double middle = (low + high) / 2;
            (fits(middle) ? low : high) = middle;
        }
        return low;
    }

    /// The rounded table with the bound that it proves, rounded down to decimals that cost little.
    AnyPolicyProof tabulate(const CentralBox& box, const Solved& solved, long double outside) const {
        AnyPolicyProof proof;
        proof.states = states_;
        long double leaving = 0;
        for (const TabooSolution::From& from : solved.solution.from)
            leaving = std::max(leaving, outside * from.p / from.v);
        proof.leaving = static_cast<double>(leaving);
        AnyPolicyTheorem& theorem = proof.theorem;
        theorem.mode = goal_.mode;
        theorem.radius = radius_;
        const long double share = std::clamp(leaving, 0x1p-49L, 1.0L);
        const int bits = std::max(static_cast<int>(std::ceil(-std::log2(share))) + 11, 24);
        theorem.bits = static_cast<std::uint32_t>(bits);
        const auto unit = std::ldexp(1.0L, bits);
        const auto rounded = [&](long double value) { return static_cast<Fixed>(std::floor(value * unit + 0.5L)); };
        theorem.outside = rational(rounded(outside)) / Rational(theorem.scale());
        auto table = std::make_shared<std::vector<Fixed>>();
        const std::vector<long double> h = values(box, solved, outside);
        for (const CentralBox::Index i : inside_) table->push_back(rounded(h[i]));
        theorem.digest = base::sha256(to_bytes({table.get()}));
        theorem.table = std::move(table);
        const Rational proved = bound_of_table(box, theorem);
        Integer ten = 1'000'000;
        for (long double grid = 1e-6L; grid > share / 100 && ten < Integer("1" + std::string(17, '0')); grid /= 10)
            ten *= 10;
        theorem.lower = Rational(floor(proved * Rational(ten))) / Rational(ten);
        return proof;
    }

    static constexpr int most_attempts = 20, most_rounds = 50;

    CentralModel model_;
    const AnyPolicyGoal& goal_;
    std::uint32_t radius_ = 0;
    std::uint64_t states_ = 0;
    std::vector<CentralBox::Index> inside_;  // the states of the box, in the larger one with the layer
    std::vector<CentralBox::Index> place_;   // of the larger box: number in the box, or none
    std::uint32_t rounds_ = 0, iterations_ = 0;
};

}  // namespace

AnyPolicyProof bound_any_policy(const Instance& instance, const AnyPolicyGoal& goal) {
    return AnyPolicySearch(instance, goal).run();
}

}  // namespace schedproof::queueing
