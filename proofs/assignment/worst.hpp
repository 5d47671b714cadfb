/// How much worse than the best a policy can be: the adversary.
///
/// For a shape and costs, the largest ratio of a policy's makespan to the least one.
///
/// Over all loads (`worst_over_loads`): the policy's own code is explored on symbolic loads (ratio_space.hpp). On a
/// cell of the exploration it makes one assignment, and its cores finish at linear forms f. A competitor O makes
/// linear forms of its own. A problem may be scaled, so let O finish everything by 1; then the largest f on the cell is
/// a linear program, and the largest of all these values, over cells, cores and competitors, is the supremum of the
/// ratio over ALL loads of the shape: f at most that on the closure of each cell, hence on the cell, and approached
/// from within the cell, where a ratio of continuous functions varies little. Whether it is attained is asked of the
/// cells themselves, strict sides included. The competitor is enumerated (competitors.hpp), or left free to Z3, which
/// then decides that nothing exceeds the value found.
/// On a grid (`worst_on_grid`): every problem with loads and costs from lists; its optimum by divisions among servers,
/// unless a bound below it shows that the ratio is no larger than one found before.
/// Either way the instance reported is run again and its optimum found again, in rationals.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/assignment/policy.hpp"
#include "proofs/assignment/ratio_space.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/explore/worst_case.hpp"

namespace schedproof::assignment {

/// Which makespan of an online policy counts: that of its event loop, or that of the map it ends with.
enum class Counted { events, map };

/// What a policy makes of a problem.
template <Number N>
struct Run {
    Assignment assignment;
    std::vector<N> finish;  ///< the largest is the makespan
};

/// A policy as the adversary meets it.
struct SystemUnderTest {
    std::string name;
    std::function<Run<Rational>(const Problem<Rational>&)> exact;
    std::function<Run<explore::Affine>(const Problem<explore::Affine>&)> symbolic;
};

/// `schedule(problem)` is the policy's ScheduleResult for a problem in rationals or affine forms: a function of the
/// problem, so with draws, if any, from a generator that starts anew in each call.
template <class Schedule>
[[nodiscard]] SystemUnderTest system_under_test(std::string name, Counted counted, Schedule schedule) {
    const auto run = [counted, schedule]<class N>(const Problem<N>& problem) {
        ScheduleResult<N> outcome = schedule(problem);
        Run<N> result{std::move(outcome.assignment), {}};
        if (counted == Counted::events && outcome.event_makespan) {
            result.finish.push_back(*outcome.event_makespan);
            return result;
        }
        const Totals<N> a = totals(problem, result.assignment);
        for (std::size_t p = 0; p < a.load.size(); ++p)
            if (a.tasks[p] > 0) result.finish.push_back(a.load[p]);
        return result;
    };
    return {std::move(name), run, run};
}

/// A problem with its ratio, found by running the policy on it and solving it.
struct RatioWitness {
    Problem<Rational> problem;
    Assignment scheduled, optimal;
    Rational makespan, optimum;
    [[nodiscard]] Rational ratio() const { return makespan / optimum; }
};
/// Requires a problem with a task.
[[nodiscard]] RatioWitness measure(const SystemUnderTest& system_under_test, Problem<Rational> problem);

struct Worst {
    /// What is known of the ratio.
    using Proved = explore::WorstCase;
    Proved proved = Proved::lower_bound;
    std::optional<Rational> ratio;  ///< none: unbounded
    bool attained = false;          ///< by the witness; otherwise the witness is near
    std::optional<RatioWitness> witness;
    std::uint64_t cases = 0;        ///< cells, or problems of the grid
    std::uint64_t competitors = 0;  ///< enumerated; 0 when free
    std::uint64_t programs = 0;     ///< linear programs solved, or optima found
    explore::Statistics statistics;
    std::string ended;  ///< which budget, of a lower bound
};

enum class Competitor { enumerated, free };

/// Throws LimitExceeded when the competitors are too many to enumerate, ContractViolation when the policy compares
/// with an absolute time, so that problems cannot be scaled.
[[nodiscard]] Worst worst_over_loads(const SystemUnderTest& system_under_test, const RatioSpace& space,
                                     Competitor competitor, const explore::Budget& budget = {});

/// The statement that the ratio is at most `ratio` for all problems of the space, as a question about the policy's
/// code: `explore::ask` finds a proof that is checked by multiplication, or a problem where it fails.
/// Borrows the space. Throws LimitExceeded when the competitors are too many to enumerate.
[[nodiscard]] explore::Question ratio_question(const SystemUnderTest& system_under_test, const RatioSpace& space,
                                               const Rational& ratio);

struct Grid {
    std::vector<Rational> loads;  ///< of every core, at least 0
    std::vector<Costs> costs;     ///< given ones
    std::uint64_t limit = 10'000'000;
    std::function<void(std::uint64_t done, std::uint64_t all)> progress;  ///< may be empty
};
/// Throws LimitExceeded when the grid has more problems than its limit.
[[nodiscard]] Worst worst_on_grid(const SystemUnderTest& system_under_test,
                                  std::span<const std::shared_ptr<const Shape>> shapes, const Grid& grid);

}  // namespace schedproof::assignment
