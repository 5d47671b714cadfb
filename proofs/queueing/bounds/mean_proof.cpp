/// The box, and the multiple of W beyond it, for the width that is wanted (proposed_table.hpp has the tables).
///
/// The offset is the least at which h stays below kappa W + b, and -h too, where the far inequalities fail: there the
/// glued function must be the table. How far out they fail, over all states, is known from the cells of the drift of W
/// (far_field.hpp); a box that does not reach as far proves nothing, however good its table looks. Larger kappa brings
/// the far field in and widens the interval, so of the powers of two that bring it into the box the one with the least
/// width is taken. Two small boxes show how the width falls, hence which radius is needed.
///
/// Long: the steps of one search, which share the boxes, their solutions and how far in each multiple reaches.
///
/// Doubles only propose: the bounds are read off the rounded table by exact arithmetic (mean_table.hpp).
#include "proofs/queueing/bounds/mean_proof.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "model/base/stopwatch.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/bounds/far_field.hpp"
#include "proofs/queueing/bounds/proposed_table.hpp"
#include "proofs/queueing/bounds/renamings.hpp"
#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/max_weight.hpp"
#include "proofs/queueing/theorems/user_lyapunov.hpp"

namespace schedproof::queueing {

namespace {

/// A number near a proposed one, with up to 40 bits after the point.
Rational near(long double value) {
    const int bits = std::clamp(61 - std::ilogb(std::max(value, 1.0L)), 0, 40);
    const auto scaled = static_cast<std::int64_t>(std::floor(std::ldexp(value, bits)));
    return Rational(Integer(scaled)) * power_of_two(-bits);
}

class MeanSearch {
  public:
    MeanSearch(const SymbolicSystem& symbolic, const ExactSystem& exact, const MeanGoal& goal, LyapunovForm w,
               const explore::Budget& budget)
        : symbolic_(symbolic),
          exact_(exact),
          goal_(goal),
          name_(w.name),
          far_(symbolic, goal.of, std::move(w), goal.uniform, goal.max_programs, goal.threads, budget,
               [this](std::string_view what, double done, double all) {
                   if (!promised_) require_time();
                   report(what, done, all);
               }) {
        require(goal.width.sign() > 0, "a wanted width above 0");
    }

    MeanOutcome run() {
        if (std::string wrong = far_rejection(symbolic_, far_.w()); !wrong.empty()) return unknown(std::move(wrong));
        if (std::string ended = far_.explore(); !ended.empty()) return unknown(std::move(ended));
        if (goal_.of.is_quadratic()) {
            if (std::string wrong = far_.choose_factor(); !wrong.empty())
                return MeanUnknown{std::move(wrong), far_.statistics(), true};
            if (std::string wrong = far_rejection(symbolic_, far_.w()); !wrong.empty())
                return unknown(std::move(wrong));
        }
        find_likely_states();
        if (std::optional<MeanUnknown> failure = choose_weights()) return *failure;
        return goal_.radius ? prove_on(*goal_.radius) : grow();
    }

    /// The mean of growing boxes, until it changes by less than the width that is wanted.
    [[nodiscard]] MeasuredMean measure() {
        promised_ = true;  // what is measured is told, however long the smallest box takes
        far_.find_services();
        find_likely_states();
        set_weights(goal_.weights.value_or(std::vector<std::uint32_t>(symbolic_.layout().queues(), 1)));
        const std::uint32_t largest = goal_.radius.value_or(radius_for(goal_.max_states));
        MeasuredMean measured;
        for (std::uint32_t radius = std::min(radius_for(pilot_states), largest), before = radius;;) {
            const SolvedBox solved = solve(radius);
            const auto value = static_cast<double>(solved.mean);
            measured = {value, radius > before ? std::optional(std::abs(value - measured.value)) : std::nullopt, radius,
                        solved.states};
            const bool settled = measured.change && *measured.change <= goal_.width.approximate();
            before = radius;
            radius = std::min({radius_for(3 * solved.states), radius_in_time(solved.states), largest});
            if (settled || radius <= before) return measured;
        }
    }

  private:
    [[nodiscard]] MeanUnknown unknown(std::string reason) const {
        return {std::move(reason), far_.statistics(), false};
    }
    [[nodiscard]] bool has_time() const { return !goal_.seconds || watch_.seconds() < *goal_.seconds; }
    void require_time() const {
        if (!has_time())
            throw LimitExceeded(
                "time", fmt::format("{:g} seconds did not suffice for a box and what is outside it", *goal_.seconds));
    }
    void report(std::string_view what, double done, double all) const {
        if (goal_.progress) goal_.progress(what, done, all);
    }
    void say(const std::string& line) const {
        if (goal_.say) goal_.say(line);
    }

    [[nodiscard]] StateBox box(std::uint32_t radius) const {
        return {far_.statuses(), box_weights(weights_, far_.empty()), radius, goal_.max_states};
    }
    /// Renamings that fold a box of this size.
    std::vector<Renaming> renamings(std::uint64_t states) {
        if (states < goal_.fold_from) return {};
        if (!renamings_) {
            constexpr std::uint64_t enough = 1000;  // short queues, where servers ask for more tasks than there are
            renamings_ =
                unnoticed_renamings(exact_, goal_.of, far_.w(), far_.statuses(), box_weights(weights_, far_.empty()),
                                    box(radius_for(std::min(enough, goal_.max_states))));
        }
        return *renamings_;
    }
    /// The radius of the largest box of at most so many states; kept, since each multiple of the function asks for it.
    [[nodiscard]] std::uint32_t radius_for(std::uint64_t states) {
        constexpr std::uint32_t largest = (1U << 20U) - 1;
        const auto [kept, is_new] = radii_.try_emplace(states, 0);
        if (is_new)
            kept->second =
                StateBox::largest_radius(far_.statuses(), box_weights(weights_, far_.empty()), states, largest);
        return kept->second;
    }
    void set_weights(const std::vector<std::uint32_t>& weights) {
        if (weights == weights_) return;
        weights_ = weights;
        radii_.clear();
        reaches_.clear();
        renamings_.reset();
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
    [[nodiscard]] std::uint32_t most_likely(const FoldedBox& in) const {
        for (const auto& [count, state] : likely_)
            if (const auto entry = in.entry(state)) return static_cast<std::uint32_t>(*entry);
        return static_cast<std::uint32_t>(*in.entry(exact_.initial()));
    }

    /// The radius that the far field of kappa = 2^power needs, near a proposed mean; kept.
    std::optional<std::uint32_t> reach_at(int power, long double mean) {
        const auto known = reaches_.find(power);
        if (known != reaches_.end()) return known->second;
        return reaches_[power] = far_.reach(power_of_two(power), weights_, near(mean) + power_of_two(-10), near(mean),
                                            radius_for(goal_.max_states));
    }
    /// The least power of two, from 2^-32 to 2^32, whose far field lies within a radius that a box may have. A larger
    /// multiple brings the far field in, so growing strides find two powers with the least between them.
    std::optional<int> least_power(long double mean) {
        const auto lies_in = [&](int power) { return reach_at(power, mean).has_value(); };
        const bool at_one = lies_in(0);
        int known = 0, other = 0;
        for (int stride = 1; (other == 0 || lies_in(other) == at_one) && std::abs(other) < farthest; stride *= 2) {
            known = other;
            other += at_one ? -stride : stride;
            other = std::clamp(other, -farthest, farthest);
        }
        if (lies_in(other) == at_one) return at_one ? std::optional(other) : std::nullopt;
        int out = at_one ? other : known, in = at_one ? known : other;
        while (in - out > 1) {
            const int middle = out + (in - out) / 2;
            (lies_in(middle) ? in : out) = middle;
        }
        return in;
    }

    /// The largest radius of a box that the time left is enough for, by what the last one took, of so many states.
    [[nodiscard]] std::uint32_t radius_in_time(std::uint64_t states) {
        if (!goal_.seconds) return std::numeric_limits<std::uint32_t>::max();
        const double factor = std::max(*goal_.seconds - watch_.seconds(), 0.0) / std::max(solving_seconds_, 1e-3);
        return radius_for(static_cast<std::uint64_t>(std::min(factor * static_cast<double>(states), 1e15)));
    }

    SolvedBox solve(std::uint32_t radius) {
        const base::Stopwatch watch;
        StateBox states = box(radius);
        SolvedBox solved;
        solved.radius = radius;
        solved.states = states.size();
        solved.renamings = renamings(solved.states);
        const FoldedBox folded(std::move(states), solved.renamings);
        const auto all = static_cast<double>(folded.entries());
        solved.chain = box_chain(exact_, goal_.of, far_.w(), folded, goal_.threads, [&](std::uint64_t done) {
            report(fmt::format("kernel on the box of radius {}", radius), static_cast<double>(done), all);
        });
        BoxChain& chain = solved.chain;
        solved.taboo = taboo_states(chain, most_likely(folded));
        solved.solution = solve_taboo(chain, solved.taboo, [&](unsigned rounds) {
            report(fmt::format("linear systems of {} states, rounds", chain.states()), rounds, 0);
        });
        iterations_ += solved.solution.iterations;
        const TabooSolution::From& first = solved.solution.from.front();
        solved.mean = first.u / first.v;
        solving_seconds_ = watch.seconds();
        return solved;
    }

    /// The best promise of the least kappas whose far field lies in the box.
    void promise_best(SolvedBox& solved) {
        constexpr int powers = 40, enough = 3;
        int lying_in = 0;
        for (int power = least_; power < least_ + powers && lying_in < enough; ++power) {
            if (solved.promise && !has_time()) break;
            const auto far = reach_at(power, solved.mean);
            if (!far || *far > solved.radius) {
                if (power > least_ + 1 && far == reach_at(power - 1, solved.mean)) break;  // as far in as it comes
                continue;
            }
            ++lying_in;
            const Promise made = promise(solved, power);
            if (!solved.promise || made.blur < solved.promise->blur) solved.promise = made;
            promised_ = true;
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
            set_weights(candidate);
            const SolvedBox pilot = solve(radius_for(std::min<std::uint64_t>(pilot_states, goal_.max_states)));
            const std::optional<int> least = least_power(pilot.mean);
            if (!least) return too_small(pilot.mean);
            const long double width = promise(pilot, *least).blur;
            if (narrowest && width >= *narrowest) continue;
            narrowest = width;
            best = candidate;
            least_ = *least;
        }
        set_weights(best);
        return {};
    }
    /// Why no box that is allowed reaches the far field of any multiple.
    [[nodiscard]] MeanUnknown too_small(long double mean) {
        const auto needs = far_.reach(power_of_two(farthest), weights_, near(mean) + power_of_two(-10), near(mean),
                                      std::numeric_limits<std::uint32_t>::max());
        std::string reason = fmt::format("{}: no box of at most {} states is large enough", name_, goal_.max_states);
        reason += needs ? fmt::format(": they have a radius of at most {}, and {} is needed",
                                      radius_for(goal_.max_states), *needs)
                        : std::string(", nor any other");
        return {std::move(reason), far_.statistics(), true, needs};
    }
    /// Per queue of a server and level, how many times slower than the fastest level it is emptied, to the nearest
    /// integer; 1 for queues that do not determine a rate.
    [[nodiscard]] std::vector<std::uint32_t> weights_by_rate() const {
        const Instance& instance = symbolic_.instance();
        const Layout& layout = symbolic_.layout();
        std::vector<std::uint32_t> weights(layout.queues(), 1);
        if (layout.arrangement() != Arrangement::per_server_and_level || layout.rows() > 1) return weights;
        for (const auto& own : far_.statuses())
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
            SolvedBox solved = solve(radius);
            promise_best(solved);
            const long double width = solved.promise ? solved.promise->blur : promise(solved, least_).blur;
            say(fmt::format("radius {}: {} states{}, width {:.1e}{}", radius, solved.states,
                            solved.renamings.empty() ? "" : fmt::format(" in {} entries", solved.chain.states()),
                            static_cast<double>(width), solved.promise ? "" : ", far field not reached"));
            if ((solved.promise && width <= wanted) || radius == largest) return prove(std::move(solved));
            // At first the width falls more slowly than farther out: no step is longer than it takes for three times
            // as many states.
            const std::uint32_t most = radius_for(3 * solved.states);
            const std::uint32_t allowed = std::min(largest, radius_in_time(solved.states));
            if (allowed <= radius) return prove(std::move(solved));
            std::uint32_t next = most;
            if (before && before->second > width && width > wanted) {
                const long double slope = std::log(before->second / width) / (radius - before->first);
                const long double more = std::log(width / wanted) / slope * 1.25L + 3;
                next = radius + static_cast<std::uint32_t>(std::min<long double>(more, most - radius));
            }
            if (!solved.promise) next = std::max(next, least_radius(solved.mean).value_or(next));
            before = {radius, width};
            radius = std::min(std::max(next, radius + 1), allowed);
        }
    }
    /// The least radius that a far field needs, over the kappas that are tried; nothing when none has one near the
    /// mean.
    std::optional<std::uint32_t> least_radius(long double mean) {
        std::optional<std::uint32_t> least;
        for (int power = least_; power < least_ + 6; ++power)
            if (const auto far = reach_at(power, mean); far && (!least || *far < *least)) least = far;
        return least;
    }

    MeanOutcome prove_on(std::uint32_t radius) {
        SolvedBox solved = solve(radius);
        promise_best(solved);
        return prove(std::move(solved));
    }

    MeanOutcome prove(SolvedBox solved) {
        if (!solved.promise) {
            const auto radius = least_radius(solved.mean);
            return unknown(fmt::format(
                "the drift of {} outweighs the function only {}, outside the box of radius {}: a larger box is needed "
                "(--box, --max-states)",
                name_, radius ? fmt::format("where the measure passes {}", *radius) : std::string("far out"),
                solved.radius));
        }
        MeanTheorem theorem = tabulate(exact_, goal_, far_.w(), solved);
        theorem.weights = weights_;
        theorem.statuses = far_.statuses();
        theorem.empty = far_.empty();
        if (goal_.uniform) theorem.uniform = far_.uniform(weights_);
        const Promise& made = *solved.promise;
        const Rational between = near(std::max(made.upper - made.lower - made.blur, 0.0L));  // classes' means
        const std::size_t classes = solved.solution.from.size();
        const bool may_refine = classes == 1 && made.blur <= static_cast<long double>(goal_.width.approximate());
        if (!may_refine) solved = {};
        set_bounds(exact_, goal_, theorem);
        if (may_refine && theorem.upper - theorem.at_least() > goal_.width) {
            refine(exact_, goal_, solved, theorem);
            solved = {};
            set_bounds(exact_, goal_, theorem);
        }
        MeanOutcome outcome = settle(std::move(theorem));
        if (auto* proof = std::get_if<MeanProof>(&outcome)) {
            const Rational width = proof->theorem.upper - proof->theorem.at_least();
            proof->classes = classes;
            proof->reached = (classes == 1 ? width : width - between) <= goal_.width;
        }
        return outcome;
    }

    MeanOutcome settle(MeanTheorem theorem) {
        auto proofs = far_.prove(theorem);
        if (auto* reason = std::get_if<std::string>(&proofs)) return unknown(std::move(*reason));
        MeanProof proof;
        proof.proofs = std::move(std::get<std::vector<proof::ExploredProof>>(proofs));
        proof.states = theorem.box().size();
        proof.iterations = iterations_;
        proof.statistics = far_.statistics();
        proof.theorem = std::move(theorem);
        return proof;
    }

    static constexpr std::uint64_t pilot_states = 3000;
    static constexpr int farthest = 32;  // powers of two that are tried

    const SymbolicSystem& symbolic_;
    const ExactSystem& exact_;
    const MeanGoal& goal_;
    std::string name_;
    FarField far_;
    std::vector<std::pair<std::uint64_t, ExactState>> likely_;  // most visited first
    std::vector<std::uint32_t> weights_;
    std::optional<std::vector<Renaming>> renamings_;                 // for the weights
    std::unordered_map<std::uint64_t, std::uint32_t> radii_;         // by number of states, for the weights
    std::unordered_map<int, std::optional<std::uint32_t>> reaches_;  // by power of kappa, for the weights
    int least_ = 0;
    bool promised_ = false;  // something can be proved already
    base::Stopwatch watch_;
    double solving_seconds_ = 0;  // of the last box
    std::uint32_t iterations_ = 0;
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
    std::optional<std::uint32_t> needs;
    const auto failed = [&](const std::string& reason) {
        why_not += (why_not.empty() ? "no interval found. Tried: " : "; ") + reason;
        if (goal.say) goal.say(reason);
    };
    for (const LyapunovForm& function : usual_functions(instance, layout)) {
        MeanOutcome outcome = MeanSearch(symbolic, exact, goal, function, budget).run();
        const auto* unknown = std::get_if<MeanUnknown>(&outcome);
        if (unknown == nullptr || !unknown->no_drift) return outcome;
        if (unknown->needs) needs = std::min(needs.value_or(*unknown->needs), *unknown->needs);
        failed(unknown->reason);
    }
    try {
        SynthesisBudget limits;
        limits.explore = budget;
        auto found = synthesise(symbolic, exact, pair_template(instance, layout), limits);
        if (auto* function = std::get_if<FoundLyapunov>(&found))
            return MeanSearch(symbolic, exact, goal, std::move(function->proof.theorem.v), budget).run();
        failed("a search: " + std::get<SynthesisFailure>(found).reason);
    } catch (const InputError& error) {  // the template does not fit these queues
        failed(std::string("a search: ") + error.what());
    }
    return MeanUnknown{why_not, {}, true, needs};
}

}  // namespace

MeanOutcome prove_mean(const SymbolicSystem& symbolic, const ExactSystem& exact, const MeanGoal& goal,
                       const explore::Budget& budget) {
    if (symbolic.counters() > 0 || symbolic.layout().lists_tasks())
        throw InputError::at_key("policy",
                                 fmt::format("expected queues that hold counts, and no counters: the states of "
                                             "{} are more than lengths and statuses",
                                             symbolic.info().id));
    MeanOutcome outcome = [&]() -> MeanOutcome {
        try {
            return goal.w ? MeanSearch(symbolic, exact, goal, *goal.w, budget).run()
                          : prove_by_some_function(symbolic, exact, goal, budget);
        } catch (const LimitExceeded& limit) {
            if (!goal.measure) throw;
            return MeanUnknown{limit.what(), {}};
        }
    }();
    if (auto* unknown = std::get_if<MeanUnknown>(&outcome); unknown != nullptr && goal.measure) {
        const LyapunovForm w = goal.w ? *goal.w : named_lyapunov("squares", symbolic.instance(), symbolic.layout());
        unknown->measured = MeanSearch(symbolic, exact, goal, w, budget).measure();
    }
    return outcome;
}

}  // namespace schedproof::queueing
