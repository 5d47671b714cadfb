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
/// The offset is the least at which h stays below kappa W + b, and -h too, where the far inequalities fail: there the
/// glued function must be the table. How far out they fail, over all states, is the largest value of an exact linear
/// program on each cell of the drift of W; a box that does not reach as far proves nothing, however good its table
/// looks. Larger kappa brings the far field in and widens the interval, so of the powers of two that bring it into the
/// box the one with the least width is taken. Two small boxes show how the width falls, hence which radius is needed.
///
/// The file is longer than others because the steps of one search share its boxes, cells and weights.
/// Doubles only propose: the bounds are read off the rounded table by exact arithmetic (mean_table.hpp).
#include "proofs/queueing/bounds/mean_proof.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/queueing/bounds/box_chain.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/theorems/boundedness.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/max_weight.hpp"
#include "proofs/queueing/theorems/user_lyapunov.hpp"

namespace schedproof::queueing {

using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

namespace {

/// What a box promises with one kappa.
struct Promise {
    int power = 0;  ///< kappa = 2^power
    long double offset = 0, upper = 0, lower = 0;
    [[nodiscard]] long double width() const { return upper - lower; }
};

/// A box with its solutions.
struct Solved {
    std::uint32_t radius = 0;
    BoxChain chain;
    TabooSolution solution;
    long double mean = 0;            ///< of f, were leaving the box a return to the taboo state
    std::optional<Promise> promise;  ///< of the best kappa whose far field the box reaches; none: none does
};

Rational power_of_two(int power) {
    const Integer one = 1;
    return power >= 0 ? Rational(Integer(one << static_cast<unsigned>(power)))
                      : Rational(one, Integer(one << static_cast<unsigned>(-power)));
}

/// A number near a proposed one, with 40 bits after the point.
Rational near(long double value) {
    const auto scaled = static_cast<std::int64_t>(std::floor(value * 0x1p40L));
    return Rational(Integer(scaled), Integer(Integer(1) << 40U));
}

class MeanSearch {
  public:
    MeanSearch(const SymbolicSystem& symbolic, const ExactSystem& exact, const MeanGoal& goal, LyapunovForm w,
               const explore::Budget& budget)
        : symbolic_(symbolic), exact_(exact), goal_(goal), w_(std::move(w)), budget_(budget) {
        require(goal.width.sign() > 0, "a wanted width above 0");
        require_fits(w_, symbolic.instance(), symbolic.layout());
        if (symbolic.counters() > 0)
            throw InputError::at_key("policy",
                                     "expected a policy without counters: its states are more than lengths "
                                     "and statuses");
    }

    MeanOutcome run() {
        if (const std::string gap = boundedness_gap(w_, symbolic_.instance(), symbolic_.layout()); !gap.empty())
            return unknown("V is not shown to be bounded below: " + gap);
        statuses_ = find_statuses(symbolic_, budget_);
        shapes_ = shapes_of(statuses_);
        std::uint64_t leaves = 0;
        for (const Shape& shape : shapes_) {
            report("cells of the drift", static_cast<double>(cells_.size()), static_cast<double>(shapes_.size()));
            cells_.push_back(drift_cells(symbolic_, shape, w_, budget_));
            statistics_ += cells_.back().statistics;
            if (cells_.back().ended) return unknown("exploration ended: " + *cells_.back().ended);
            leaves += cells_.back().leaves.size();
            require_programs(leaves);
        }
        find_likely_states();
        if (std::optional<MeanUnknown> failure = choose_weights()) return *failure;
        return goal_.radius ? prove_on(*goal_.radius) : grow();
    }

  private:
    [[nodiscard]] MeanUnknown unknown(std::string reason) const { return {std::move(reason), statistics_, false}; }
    void report(std::string_view what, double done, double all) const {
        if (goal_.progress) goal_.progress(what, done, all);
    }
    void say(const std::string& line) const {
        if (goal_.say) goal_.say(line);
    }

    void require_programs(std::uint64_t needed) const {
        if (needed > goal_.max_programs)
            throw LimitExceeded("programs",
                                fmt::format("the far field needs more than {} linear programs", goal_.max_programs));
    }

    [[nodiscard]] StateBox box(std::uint32_t radius) const { return {statuses_, weights_, radius, goal_.max_states}; }
    /// The radius of the largest box of at most so many states.
    [[nodiscard]] std::uint32_t radius_for(std::uint64_t states) const {
        std::uint32_t low = 0, high = 1 << 20U;
        while (low + 1 < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            bool fits = true;
            try {
                fits = StateBox(statuses_, weights_, middle, states).size() > 0;
            } catch (const LimitExceeded&) {
                fits = false;
            }
            (fits ? low : high) = middle;
        }
        return low;
    }

    /// Visits of states in a sampled path: where the chain mostly is.
    void find_likely_states() {
        constexpr std::uint64_t slots = 20'000;
        std::unordered_map<ExactState, std::uint64_t, StateHash<CheckedInt>> visits;
        Sampler randomness(StreamKey{});
        ExactState state = exact_.initial();
        for (std::uint64_t t = 0; t < slots; ++t) {
            state = exact_.sample(state, randomness);
            ++visits[state];
        }
        for (auto& [visited, count] : visits) likely_.emplace_back(count, visited);
        std::sort(likely_.begin(), likely_.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
    }
    [[nodiscard]] std::uint32_t most_likely(const StateBox& in) const {
        for (const auto& [count, state] : likely_)
            if (const auto index = in.index(state)) return static_cast<std::uint32_t>(*index);
        return static_cast<std::uint32_t>(*in.index(exact_.initial()));
    }

    /// Largest measure of a real point of a cell at which one of the far inequalities fails, given bounds near the
    /// mean; nothing when there is none.
    [[nodiscard]] std::optional<Rational> reach(const Rational& kappa, const Rational& upper, const Rational& lower) {
        MeanTheorem theorem;
        theorem.setting = {goal_.of, w_, kappa, Rational(0), 1};
        theorem.weights = weights_;
        theorem.upper = upper;
        theorem.lower = lower;
        Rational largest(-1);
        bool bounded = true;
        for (std::size_t s = 0; s < shapes_.size() && bounded; ++s) {
            const proof::Space space = symbolic_.space(shapes_[s]);
            const LinearForm measure = on_symbols(theorem.measure(), symbolic_, shapes_[s]);
            proof::for_each_leaf(space, cells_[s].tree, [&](std::uint32_t leaf, std::vector<Constraint> path) {
                for (const explore::Forbidden& one :
                     forbidden(theorem, symbolic_, shapes_[s], cells_[s].leaves[leaf])) {
                    Constraint fails = one.back();
                    // Where a constant satisfies the inequality with equality, its closure would not show it.
                    if (!bounded || (fails.form.is_constant() && fails.form.constant().sign() <= 0)) continue;
                    fails.strict = false;
                    path.push_back(std::move(fails));
                    require_programs(++programs_);
                    const Maximum maximum = explore::maximise(path, measure, space.symbols.size());
                    path.pop_back();
                    bounded = maximum.kind != Maximum::Kind::unbounded;
                    if (maximum.kind == Maximum::Kind::attained) largest = std::max(largest, maximum.value);
                }
            });
        }
        return bounded ? std::optional(largest) : std::nullopt;
    }
    /// The same of kappa = 2^power, near a proposed mean; kept.
    std::optional<Rational> reach_at(int power, long double mean) {
        const auto known = reaches_.find(power);
        if (known != reaches_.end()) return known->second;
        report("far field", 0, 0);
        return reaches_[power] = reach(power_of_two(power), near(mean), near(mean) + power_of_two(-10));
    }
    /// The least power of two whose far field lies within a radius that a box may have, if one up to 2^30 does.
    std::optional<int> least_power(long double mean) {
        constexpr int lowest = -30, highest = 30;
        const Rational widest(radius_for(goal_.max_states));
        const auto within = [&](int power) {
            const auto far = reach_at(power, mean);
            return far && *far <= widest;
        };
        int power = 0;
        while (power < highest && !within(power)) ++power;
        if (!within(power)) return {};
        while (power > lowest && within(power - 1)) --power;
        return power;
    }

    Solved solve(std::uint32_t radius) {
        const StateBox states = box(radius);
        Solved solved;
        solved.radius = radius;
        const auto all = static_cast<double>(states.size());
        solved.chain = box_chain(exact_, goal_.of, w_, states, goal_.threads, [&](std::uint64_t done) {
            report(fmt::format("kernel on the box of radius {}", radius), static_cast<double>(done), all);
        });
        BoxChain& chain = solved.chain;
        const std::vector<std::uint32_t> taboo = taboo_states(chain, most_likely(states));
        solved.solution = solve_taboo(chain, taboo, [&](unsigned done) {
            report(fmt::format("linear systems of {} states", chain.states()), done, 4);
        });
        iterations_ += solved.solution.iterations;
        const TabooSolution::From& first = solved.solution.from.front();
        solved.mean = first.u / first.v;
        return solved;
    }

    /// The interval that a box promises with kappa = 2^power; the offset in three rounds, for it hardly moves c.
    static Promise promise(const Solved& solved, int power) {
        const BoxChain& chain = solved.chain;
        const TabooSolution& s = solved.solution;
        const long double kappa = std::ldexp(1.0L, power);
        Promise made{power};
        const auto set_bounds = [&] {
            made.upper = -std::numeric_limits<long double>::infinity();
            made.lower = std::numeric_limits<long double>::infinity();
            for (const TabooSolution::From& from : s.from) {
                const long double outside = kappa * from.w + made.offset * from.p;
                made.upper = std::max(made.upper, (from.u + outside) / from.v);
                made.lower = std::min(made.lower, (from.u - outside) / from.v);
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
    /// The best promise of the least kappas whose far field lies in the box.
    void promise_best(Solved& solved) {
        constexpr int powers = 40, enough = 3;
        int lying_in = 0;
        for (int power = least_; power < least_ + powers && lying_in < enough; ++power) {
            const auto far = reach_at(power, solved.mean);
            if (!far || *far >= Rational(solved.radius) + Rational(1)) {
                if (power > least_ + 1 && far == reach_at(power - 1, solved.mean)) break;  // as far in as it comes
                continue;
            }
            ++lying_in;
            const Promise made = promise(solved, power);
            if (!solved.promise || made.width() < solved.promise->width()) solved.promise = made;
        }
    }

    /// Of all ones, and of how fast a queue's own server empties it, the weights whose box of some thousand states
    /// promises the narrower interval.
    std::optional<MeanUnknown> choose_weights() {
        std::vector<std::vector<std::uint32_t>> candidates{
            goal_.weights.value_or(std::vector<std::uint32_t>(symbolic_.layout().queues(), 1))};
        if (!goal_.weights)
            if (std::vector<std::uint32_t> by_rate = weights_by_rate(); by_rate != candidates.front())
                candidates.push_back(std::move(by_rate));
        std::optional<long double> narrowest;
        std::vector<std::uint32_t> best;
        for (const std::vector<std::uint32_t>& candidate : candidates) {
            weights_ = candidate;
            reaches_.clear();
            const Solved pilot = solve(radius_for(std::min<std::uint64_t>(pilot_states, goal_.max_states)));
            const std::optional<int> least = least_power(pilot.mean);
            if (!least)
                return MeanUnknown{
                    "the drift of " + w_.name + " does not outweigh the function far out, however it is scaled",
                    statistics_, true};
            const long double width = promise(pilot, *least).width();
            if (narrowest && width >= *narrowest) continue;
            narrowest = width;
            best = candidate;
            least_ = *least;
        }
        if (best != weights_) reaches_.clear();
        weights_ = std::move(best);
        return {};
    }
    /// Per queue of a server and level, how many times slower than the fastest level it is emptied, to the nearest
    /// integer; 1 for queues that do not determine a rate.
    [[nodiscard]] std::vector<std::uint32_t> weights_by_rate() const {
        const Instance& instance = symbolic_.instance();
        const Layout& layout = symbolic_.layout();
        std::vector<std::uint32_t> weights(layout.queues(), 1);
        if (layout.arrangement() != Arrangement::per_server_and_level || layout.rows() > 1) return weights;
        for (const auto& own : statuses_)
            for (const Service& service : own) {
                if (service.status != Service::Status::busy) continue;
                const Integer nearest = nearest_integer(instance.rate(Level(0)) / instance.rate(service.level));
                weights[service.queue.index()] = static_cast<std::uint32_t>(std::clamp<Integer>(nearest, 1, 64));
            }
        return weights;
    }

    /// Boxes of growing radius until one promises the width and reaches the far field; then the theorem.
    MeanOutcome grow() {
        const std::uint32_t largest = radius_for(goal_.max_states);
        const auto wanted = static_cast<long double>(goal_.width.approximate());
        std::uint32_t radius = std::min(radius_for(pilot_states * 4), largest);
        std::optional<std::pair<std::uint32_t, long double>> before;
        for (;;) {
            Solved solved = solve(radius);
            promise_best(solved);
            const long double width = solved.promise ? solved.promise->width() : promise(solved, least_).width();
            say(fmt::format("radius {}: {} states, width {:.1e}{}", radius, solved.chain.states(),
                            static_cast<double>(width), solved.promise ? "" : ", far field not reached"));
            if ((solved.promise && width <= wanted) || radius == largest) return prove(std::move(solved));
            // At first the width falls more slowly than farther out: no step is longer than it takes for three times
            // as many states.
            const std::uint32_t most = radius_for(3 * solved.chain.states());
            std::uint32_t next = most;
            if (before && before->second > width && width > wanted) {
                const long double slope = std::log(before->second / width) / (radius - before->first);
                const long double more = std::log(width / wanted) / slope * 1.08L + 2;
                next = radius + static_cast<std::uint32_t>(std::min<long double>(more, most - radius));
            }
            if (!solved.promise) next = std::max(next, least_radius(solved.mean).value_or(next));
            before = {radius, width};
            radius = std::min(std::max(next, radius + 1), largest);
        }
    }
    /// The least radius that a far field needs, over the kappas that are tried; nothing when none has one near the
    /// mean.
    std::optional<std::uint32_t> least_radius(long double mean) {
        std::optional<Rational> least;
        for (int power = least_; power < least_ + 6; ++power)
            if (const auto far = reach_at(power, mean); far && (!least || *far < *least)) least = far;
        if (!least) return {};
        const Integer radius = std::min<Integer>(floor(*least) + 1, Integer(1) << 20U);
        return static_cast<std::uint32_t>(radius);
    }

    MeanOutcome prove_on(std::uint32_t radius) {
        Solved solved = solve(radius);
        promise_best(solved);
        return prove(std::move(solved));
    }

    MeanOutcome prove(Solved solved) {
        if (!solved.promise) {
            const auto radius = least_radius(solved.mean);
            return unknown(fmt::format(
                "the drift of {} outweighs the function only {}, outside the box of radius {}: a larger box is needed "
                "(--box, --max-states)",
                w_.name, radius ? fmt::format("where the measure passes {}", *radius - 1) : std::string("far out"),
                solved.radius));
        }
        MeanTheorem theorem = tabulate(solved);
        solved = {};
        const StateBox states = theorem.box();
        const auto all = static_cast<double>(states.size());
        const FixedBounds bounds = bounds_on_box(
            exact_, theorem.setting, states, *theorem.table, goal_.threads,
            [&](std::uint64_t done) { report("exact inequalities of the box", static_cast<double>(done), all); });
        set_bounds(theorem, bounds);
        return settle(std::move(theorem));
    }

    /// The table of the promise, rounded.
    MeanTheorem tabulate(const Solved& solved) const {
        const Promise& made = *solved.promise;
        const TabooSolution& s = solved.solution;
        MeanTheorem theorem;
        const Rational kappa = power_of_two(made.power);
        // Bits after the point: rounding costs a thousandth of the width.
        const int bits = std::max(static_cast<int>(std::ceil(-std::log2(std::max(made.width(), 0x1p-49L)))) + 11, 24);
        const Integer scale = lcm(integral_scale(w_, kappa), goal_.of.factor(exact_.instance()).denominator()) *
                              (Integer(1) << static_cast<unsigned>(bits));
        theorem.setting = {goal_.of, w_, kappa, Rational(static_cast<std::int64_t>(made.offset)), scale};
        theorem.weights = weights_;
        theorem.radius = solved.radius;
        theorem.statuses = statuses_;
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

    /// The bounds of the pass, rounded outwards to decimals that widen the interval by at most a fiftieth.
    static void set_bounds(MeanTheorem& theorem, const FixedBounds& bounds) {
        const Rational scale(theorem.setting.scale);
        const Rational upper = rational(bounds.upper) / scale, lower = rational(bounds.lower) / scale;
        constexpr unsigned most = 30;
        unsigned decimals = 2;
        for (Rational hundred = Rational(100) * (upper - lower); hundred < Rational(1) && decimals < most; ++decimals)
            hundred *= Rational(10);
        theorem.upper = rounded_up(upper, decimals);
        theorem.lower = rounded_down(lower, decimals);
        if (theorem.lower.sign() < 0) theorem.lower = Rational(0);
    }

    MeanOutcome settle(MeanTheorem theorem) {
        MeanProof proof;
        const std::vector<explore::Question> all = questions(symbolic_, theorem);
        const std::size_t first = all.size() - shapes_.size();
        for (std::size_t i = 0; i < all.size(); ++i) {
            report("proof of the far field", static_cast<double>(i), static_cast<double>(all.size()));
            explore::Reply reply = i < first ? explore::ask(all[i], budget_) : settle_shape(all[i], i - first, theorem);
            if (i < first) statistics_ += reply.statistics;
            if (auto* found = std::get_if<proof::ExploredProof>(&reply.result))
                proof.proofs.push_back(std::move(*found));
            else if (std::holds_alternative<explore::Ended>(reply.result))
                return unknown(std::get<explore::Ended>(reply.result).reason);
            else
                return unknown(
                    fmt::format("the far inequalities fail outside the box of radius {} with the bounds "
                                "found in it: a larger box is needed (--box)",
                                theorem.radius));
        }
        proof.states = theorem.box().size();
        proof.iterations = iterations_;
        proof.statistics = statistics_;
        proof.theorem = std::move(theorem);
        return proof;
    }
    explore::Reply settle_shape(const explore::Question& question, std::size_t shape, const MeanTheorem& theorem) {
        explore::Exploration<std::vector<explore::Forbidden>> exploration;
        exploration.tree = cells_[shape].tree;
        for (const LinearForm& drift : cells_[shape].leaves)
            exploration.leaves.push_back(forbidden(theorem, symbolic_, shapes_[shape], drift));
        return explore::settle(question, std::move(exploration));
    }

    static constexpr std::uint64_t pilot_states = 3000;

    const SymbolicSystem& symbolic_;
    const ExactSystem& exact_;
    const MeanGoal& goal_;
    LyapunovForm w_;
    const explore::Budget& budget_;
    std::vector<std::vector<Service>> statuses_;
    std::vector<Shape> shapes_;
    std::vector<explore::Exploration<LinearForm>> cells_;
    std::vector<std::pair<std::uint64_t, ExactState>> likely_;  // most visited first
    std::vector<std::uint32_t> weights_;
    std::unordered_map<int, std::optional<Rational>> reaches_;  // by power of kappa, for the weights
    int least_ = 0;
    std::uint32_t iterations_ = 0;
    std::uint64_t programs_ = 0;
    explore::Statistics statistics_;
};

}  // namespace

namespace {

/// The functions that are tried before one is looked for.
std::vector<LyapunovForm> usual_functions(const Instance& instance, const Layout& layout) {
    std::vector<LyapunovForm> all;
    for (const std::string& name : {argument_function(layout.arrangement()), std::string("squares")}) {
        try {
            all.push_back(named_lyapunov(name, instance, layout));
        } catch (const InputError&) {  // not defined for these queues
        }
    }
    return all;
}

MeanOutcome prove_by_some_function(const SymbolicSystem& symbolic, const ExactSystem& exact, const MeanGoal& goal,
                                   const explore::Budget& budget) {
    const Instance& instance = symbolic.instance();
    const Layout& layout = symbolic.layout();
    std::string why_not;
    const auto failed = [&](const std::string& reason) {
        why_not += (why_not.empty() ? "" : "; ") + reason;
        if (goal.say) goal.say(reason);
    };
    for (const LyapunovForm& function : usual_functions(instance, layout)) {
        MeanOutcome outcome = MeanSearch(symbolic, exact, goal, function, budget).run();
        const auto* unknown = std::get_if<MeanUnknown>(&outcome);
        if (unknown == nullptr || !unknown->no_drift) return outcome;
        failed(unknown->reason);
    }
    try {
        SynthesisBudget limits;
        limits.explore = budget;
        auto found = synthesise(symbolic, exact, pair_template(instance, layout), limits);
        if (auto* function = std::get_if<FoundLyapunov>(&found))
            return MeanSearch(symbolic, exact, goal, std::move(function->proof.theorem.v), budget).run();
        failed("none is found: " + std::get<SynthesisFailure>(found).reason);
    } catch (const InputError& error) {  // the template does not fit these queues
        failed(std::string("none is found: ") + error.what());
    }
    return MeanUnknown{why_not, {}, true};
}

}  // namespace

MeanOutcome prove_mean(const SymbolicSystem& symbolic, const ExactSystem& exact, const MeanGoal& goal,
                       const explore::Budget& budget) {
    if (symbolic.counters() > 0 || symbolic.layout().lists_tasks())
        throw InputError::at_key("policy",
                                 fmt::format("expected queues that hold counts, and no counters: the states of "
                                             "{} are more than lengths and statuses",
                                             symbolic.info().id));
    return goal.w ? MeanSearch(symbolic, exact, goal, *goal.w, budget).run()
                  : prove_by_some_function(symbolic, exact, goal, budget);
}

}  // namespace schedproof::queueing
