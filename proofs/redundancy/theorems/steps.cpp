/// Lemmas about SRPT, SRPT+R and LAPS+R, each as questions about one step of the policy's own code.
///
/// A lemma about whole runs is proved by induction over events, and its step is local: two clusters whose remaining
/// work is dominated stay so through an interval without events, and through an arrival. So a question starts from
/// symbolic sorted remaining work (symbols are the differences, hence non-negative), runs the schedule of the policy
/// for one interval or arrival, and forbids that the i-th largest remaining work of the one exceeds that of the other.
/// With copies the work of an interval with r of them is a symbol of its own, non-decreasing in r: all that the lemma
/// needs of the speedup. The drift of the potential of LAPS+R is one inequality per number of active jobs and of jobs
/// that the optimum works on; eps, peak, speeds and work are symbols, ranks and shares come from the policy's code.
/// One question per number of jobs up to the shape's; each has few cells.
#include "proofs/redundancy/theorems/steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "proofs/redundancy/theorems/duals.hpp"

namespace schedproof::redundancy {

using explore::Affine;
using explore::Forbidden;
using explore::Question;
using proof::LinearForm;

namespace {

Affine part(std::size_t a, std::size_t b, const Affine& of) { return Rational(Integer(a), Integer(b)) * of; }

/// A policy's cluster at work, jobs of these sizes inserted in their order. Ascending sizes are never compared anew.
template <class Speedup>
AnySchedule<Affine, Speedup> busy(const AnyPolicy& policy, std::size_t machines, Speedup speedup,
                                  const std::vector<Affine>& sizes) {
    AnySchedule<Affine, Speedup> schedule(policy, machines, std::move(speedup));
    for (std::size_t j = 0; j < sizes.size(); ++j) schedule.arrive(JobId(j), sizes[j]);
    return schedule;
}

auto busy_srpt(const Shape& shape, const std::vector<Affine>& sizes) {
    return busy(Srpt{}, shape.machines, LinearSpeedup<Affine>(shape.service, shape.machines, Rational(1)), sizes);
}

Problem<Affine> together(const Shape& shape, const std::vector<Affine>& sizes) {
    Problem<Affine> problem{shape.machines, shape.service, {}};
    for (const Affine& size : sizes) problem.jobs.push_back({Affine(0), size});
    return problem;
}

/// The work of an interval as symbols, by number of copies, on machines of one's own.
struct GivenWork {
    std::vector<Affine> by_copies;
    [[nodiscard]] Affine work(const Grant& grant, const Affine&) const {
        return Rational(Integer(1), Integer(grant.ways)) * by_copies[grant.copies - 1];
    }
};

/// The i-th largest remaining work of `more` is at least that of `less`, for every i.
std::vector<Forbidden> dominates(const std::vector<Active<Affine>>& more, const std::vector<Active<Affine>>& less) {
    std::vector<Forbidden> obligations;
    for (std::size_t i = 1; i <= less.size(); ++i)
        obligations.push_back(at_most(less[less.size() - i].remaining, more[more.size() - i].remaining));
    return obligations;
}

/// Symbols more[..], less[..]: two sorted vectors of remaining work, the first above the second.
proof::Space two_clusters(std::size_t more, std::size_t less) {
    proof::Space space;
    add_sorted(space, "more", more);
    add_sorted(space, "less", less);
    for (std::size_t i = 0; i < less; ++i) {
        LinearForm difference;
        for (std::size_t k = 0; k < more - i; ++k) difference += LinearForm::variable(static_cast<proof::Variable>(k));
        for (std::size_t k = 0; k < less - i; ++k)
            difference -= LinearForm::variable(static_cast<proof::Variable>(more + k));
        space.premises.push_back({difference, false});
    }
    return space;
}

template <class Make>
std::vector<Question> for_each_pair(std::size_t jobs, Make&& make) {
    std::vector<Question> all;
    for (std::size_t more = 1; more <= jobs; ++more)
        for (std::size_t less = 1; less <= more; ++less) all.push_back(make(more, less));
    return all;
}

}  // namespace

std::vector<Question> remaining_questions(const Shape& shape) {
    std::vector<Question> all;
    for (std::size_t n = 1; n <= shape.jobs; ++n) {
        Question question{fmt::format("remaining flowtime of {}", n), {}, {}};
        add_sorted(question.space, "size", n);
        question.body = [shape, n](const std::vector<Affine>& symbols) {
            const Problem<Affine> problem = together(shape, sorted(symbols, 0, n));
            const Affine flowtime = history(Srpt{}, problem, Rational(1)).total_flowtime(problem.jobs);
            Affine sum(0);
            for (std::size_t k = 1; k <= n; ++k)
                sum += Rational((n - k) / shape.machines + 1) * problem.jobs[k - 1].size;
            return std::vector<Forbidden>{at_most(flowtime, sum), at_most(sum, flowtime)};
        };
        all.push_back(std::move(question));
    }
    return all;
}

/// The run does not depend on which of the jobs came last, so one run serves every rank.
std::vector<Question> static_questions(const Shape& shape, const Rational& constant) {
    std::vector<Question> all;
    for (std::size_t n = 1; n <= shape.jobs; ++n) {
        Question question{fmt::format("last of {}", n), {}, {}};
        add_sorted(question.space, "size", n);
        question.body = [shape, constant, n](const std::vector<Affine>& symbols) {
            const std::vector<Affine> sizes = sorted(symbols, 0, n);
            const auto all_there = busy_srpt(shape, sizes);
            std::vector<Affine> done = history(Srpt{}, together(shape, sizes), Rational(1)).completion;
            done.insert(done.begin(), Affine(0));
            std::vector<Forbidden> obligations;
            for (std::size_t rank = 0; rank < n; ++rank) {
                const Affine alpha = insertion_cost(DualRule::srpt, all_there.active(), rank, shape.machines);
                for (std::size_t m = 0; m <= n; ++m)
                    obligations.push_back(
                        at_most(alpha, done[m] + part(n - m, shape.machines, sizes[rank]) + constant * sizes[rank]));
            }
            return obligations;
        };
        all.push_back(std::move(question));
    }
    return all;
}

namespace {

/// Adds work[1], work[2], ... behind the length of an interval: what is done in it with 1, 2, ... copies, no less than
/// that length and no less with one copy more.
void add_work(proof::Space& space, const Shape& shape) {
    for (std::size_t r = 1; r <= shape.machines; ++r) {
        const proof::Variable work = space.add(fmt::format("work[{}]", r), false, Rational(0));
        space.premises.push_back({LinearForm::variable(work) - LinearForm::variable(work - 1), false});
    }
}

/// Adds the symbols of an interval without an event behind those of two clusters: its length and, under a policy with
/// copies, the work done with 1, 2, ... copies. Nobody is done before its end.
void add_interval(proof::Space& space, const Shape& shape, std::size_t more, std::size_t less,
                  const AnyPolicy* copies) {
    const proof::Variable length = space.add("length", false, Rational(0));
    const auto lasts = [&](std::size_t first, std::size_t rank, proof::Variable work) {
        LinearForm left;
        for (std::size_t k = 0; k <= rank; ++k) left += LinearForm::variable(static_cast<proof::Variable>(first + k));
        space.premises.push_back({left - LinearForm::variable(work), false});
    };
    lasts(0, 0, length);
    if (copies == nullptr) return lasts(more, 0, length);
    add_work(space, shape);
    for (const Band& band : copies->allocate(less, shape.machines))
        lasts(more, band.first, length + static_cast<proof::Variable>(band.grant.copies));
}

}  // namespace

std::vector<Question> step_questions(const Shape& shape, const AnyPolicy& policy, bool copies) {
    return for_each_pair(shape.jobs, [&](std::size_t more, std::size_t less) {
        Question question{fmt::format("{} after {} and {}", copies ? "redundancy" : "dominance", more, less),
                          two_clusters(more, less),
                          {}};
        add_interval(question.space, shape, more, less, copies ? &policy : nullptr);
        question.body = [shape, policy, copies, more, less](const std::vector<Affine>& symbols) {
            const Affine& length = symbols[more + less];
            const std::vector<Affine> work(symbols.begin() + static_cast<std::ptrdiff_t>(more + less + 1),
                                           symbols.end());
            auto above = busy_srpt(shape, sorted(symbols, 0, more));
            above.advance(length);
            const auto dominated = [&](auto below) {
                below.advance(length);
                return dominates(above.active(), below.active());
            };
            const std::vector<Affine> sizes = sorted(symbols, more, less);
            return copies ? dominated(busy(policy, shape.machines, GivenWork{work}, sizes))
                          : dominated(busy_srpt(shape, sizes));
        };
        return question;
    });
}

std::vector<Question> favour_questions(const AnyPolicy& policy, const Shape& shape) {
    std::vector<Question> all;
    for (std::size_t n = 1; n <= shape.jobs; ++n) {
        Question question{fmt::format("latest of {}", n), {}, {}};
        for (std::size_t j = 1; j <= n; ++j) question.space.add(fmt::format("left[{}]", j), false, Rational(0));
        question.space.add("length", false, Rational(0));
        add_work(question.space, shape);
        question.body = [shape, policy, n](const std::vector<Affine>& symbols) {
            const auto first = symbols.begin() + static_cast<std::ptrdiff_t>(n);
            auto cluster =
                busy(policy, shape.machines, GivenWork{{first + 1, symbols.end()}}, {symbols.begin(), first});
            const std::vector<Active<Affine>> before = cluster.active();
            cluster.advance(*first);
            std::vector<Forbidden> obligations;
            for (std::size_t rank = 1; rank < n; ++rank)
                obligations.push_back(at_most(before[rank - 1].remaining - cluster.active()[rank - 1].remaining,
                                              before[rank].remaining - cluster.active()[rank].remaining));
            return obligations;
        };
        all.push_back(std::move(question));
    }
    return all;
}

std::vector<Question> arrival_questions(const Shape& shape) {
    return for_each_pair(shape.jobs, [&](std::size_t more, std::size_t less) {
        Question question{fmt::format("arrival at {} and {}", more, less), two_clusters(more, less), {}};
        const proof::Variable size = question.space.add("size", false, std::nullopt);
        question.space.premises.push_back({LinearForm::variable(size), true});
        question.body = [shape, more, less, size](const std::vector<Affine>& symbols) {
            auto above = busy_srpt(shape, sorted(symbols, 0, more));
            auto below = busy_srpt(shape, sorted(symbols, more, less));
            above.arrive(JobId(more), symbols[size]);
            std::vector<Forbidden> obligations = dominates(above.active(), below.active());
            below.arrive(JobId(more), symbols[size]);
            std::vector<Forbidden> both = dominates(above.active(), below.active());
            std::move(both.begin(), both.end(), std::back_inserter(obligations));
            return obligations;
        };
        return question;
    });
}

namespace {

/// s for eps as given.
Affine speed(std::string_view statement, const Rational& beta, const Affine& eps) {
    const Rational one(1), two(2);
    if (statement == "laps-drift") return Affine(two + two * beta) + two * eps;
    return Affine(statement == "laps-drift-slow" ? one : one + beta) + eps;
}

/// What the drift of a state with n active jobs is made of; variables: eps, peak, fast[1..n], work[1..n].
struct DriftState {
    Rational beta;
    std::size_t n, machines;
    std::vector<Rational> share;  ///< 1/ways by rank; 0: waits. Copies beyond the first are not counted on.

    DriftState(const AnyPolicy& policy, const Shape& shape, std::size_t jobs)
        : beta(*shape.beta), n(jobs), machines(shape.machines), share(jobs) {
        for (const Band& band : ask_allocate(policy, jobs, shape.machines))
            for (std::size_t rank = band.first; rank < band.last; ++rank)
                share[rank] = Rational(1) / Rational(band.grant.ways);
    }
    /// 1/f(j) = max(1, beta j / M).
    [[nodiscard]] Rational weight(std::size_t rank) const {
        return std::max(Rational(1), beta * Rational(rank + 1) / Rational(machines));
    }
};

/// A bound on the drift of a state: n + gamma (G* + G) <= gamma (peak_factor Delta + speed_factor s) l.
struct DriftBound {
    Rational rate;  ///< gamma = 1 / (rate eps)
    Rational peak_factor;
    std::optional<proof::Constraint> only;  ///< for these eps
};

/// Those that make up the statement. In the one about every eps where all latest jobs are served, Delta (1 + 4/eps)
/// stands for the peak, which is not linear; but 1 + 4/eps is at least z/M up to eps = 4 / (z/M - 1), and at least 1
/// beyond, and with these two constants in its place the bound still holds.
std::vector<DriftBound> bounds(std::string_view statement, const DriftState& state) {
    const Rational one(1), four(4);
    if (statement != "laps-drift-strong-all") return {{state.beta / Rational(2), one, {}}};
    const auto served = std::count_if(state.share.begin(), state.share.end(), [](auto& x) { return x.sign() > 0; });
    const Rational rounds = Rational(served) / Rational(state.machines);
    if (rounds <= one) return {{state.beta / four, one, {}}};
    const LinearForm beyond = LinearForm::variable(0) - LinearForm(four / (rounds - one));
    return {{state.beta / four, rounds, proof::Constraint{-beyond, false}},
            {state.beta / four, one, proof::Constraint{beyond, false}}};
}

/// Of l jobs that the optimum works on: the inequality, divided by gamma, fails.
Forbidden drift_fails(const DriftState& state, const std::vector<Affine>& symbols, const Affine& s, std::size_t l,
                      const DriftBound& bound, const Rational& speed_factor) {
    const Affine &eps = symbols[0], &peak = symbols[1];
    Affine drift = Rational(state.n) * bound.rate * eps;
    Affine speeds(0), work(0);
    for (std::size_t j = 0; j < state.n; ++j) {
        const Affine &fast = symbols[2 + j], &done = symbols[2 + state.n + j];
        drift += state.weight(j) * (done - state.share[j] * (s - fast));
        speeds += fast;
        work += done;
    }
    const Rational count(l);
    Forbidden against = at_most(drift, count * (bound.peak_factor * peak + speed_factor * s));
    against.push_back({(count * s - speeds).form(), false});
    against.push_back({(count * peak - work).form(), false});
    if (bound.only) against.push_back(*bound.only);
    return against;
}

}  // namespace

std::vector<Question> drift_questions(std::string_view statement, const AnyPolicy& policy, const Shape& shape,
                                      const Rational& bound) {
    std::vector<Question> all;
    for (std::size_t n = 1; n <= shape.jobs; ++n) {
        Question question{fmt::format("drift with {} active", n), {}, {}};
        proof::Space& space = question.space;
        const LinearForm eps = LinearForm::variable(space.add("eps", false, std::nullopt));
        const LinearForm peak = LinearForm::variable(space.add("peak", false, Rational(1)));
        space.premises.push_back({eps, true});
        const LinearForm s = speed(statement, *shape.beta, Affine(eps, nullptr)).form();
        for (std::size_t j = 1; j <= n; ++j)
            space.premises.push_back(
                {s - LinearForm::variable(space.add(fmt::format("fast[{}]", j), false, Rational(0))), false});
        LinearForm idle(Rational(shape.machines));
        for (std::size_t j = 1; j <= n; ++j) {
            const LinearForm work = LinearForm::variable(space.add(fmt::format("work[{}]", j), false, Rational(0)));
            space.premises.push_back({peak - work, false});
            idle -= work;
        }
        space.premises.push_back({idle, false});
        question.body = [statement, state = DriftState(policy, shape, n), bound](const std::vector<Affine>& symbols) {
            const Affine s_now = speed(statement, state.beta, symbols[0]);
            std::vector<Forbidden> obligations;
            for (const DriftBound& part : bounds(statement, state))
                for (std::size_t l = 0; l <= state.n; ++l)
                    obligations.push_back(drift_fails(state, symbols, s_now, l, part, bound));
            return obligations;
        };
        all.push_back(std::move(question));
    }
    return all;
}

}  // namespace schedproof::redundancy
