/// A policy as theorems about makespans meet it: run on numbers or on symbols, and the finish times that count.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/assignment/policy.hpp"
#include "policies/assignment/registry.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::assignment {

/// Which makespan of an online policy counts: that of its event loop, or that of the map it ends with.
enum class Counted { events, map };

/// What a policy makes of a problem.
template <Number N>
struct Run {
    Assignment assignment;
    std::vector<N> finish;  ///< the largest is the makespan
};

struct SystemUnderTest {
    std::string name;
    std::function<Run<Rational>(const Problem<Rational>&)> exact;
    std::function<Run<explore::Affine>(const Problem<explore::Affine>&)> symbolic;
};

/// `schedule(problem)` is the policy's ScheduleResult for a problem in rationals or affine forms: a function of the
/// problem.
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

/// The wait of a policy that has one, in parts of a local task's cost.
[[nodiscard]] std::optional<Rational> wait_of(const AnyPolicy& policy);

/// The parameters of a policy that its answers depend on: ` (W = 3, pick lowest)`, or nothing; of an added policy all
/// of them, since nothing is known of them.
[[nodiscard]] std::string parameters_text(const AnyPolicy& policy);

/// A registered policy with this wait, which must draw nothing: running it throws InputError where it does. Throws
/// InputError for an unknown policy or a negative wait.
[[nodiscard]] SystemUnderTest registered_system(const std::string& policy, const Rational& wait, Counted counted);

}  // namespace schedproof::assignment
