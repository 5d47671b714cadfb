#include "checks/assignment/two_phase_policy.hpp"

#include <type_traits>

namespace schedproof::checks {

using namespace assignment;

namespace {

/// A time in parts of a local task; `unit` is what one is in the numbers of the run.
template <Number N>
Rational parts(const N& time, const N& unit) {
    if constexpr (std::is_same_v<N, CheckedInt>)
        return Rational(time.value()) / Rational(unit.value());
    else
        return time / unit;
}

template <Number N>
BalancedFacts facts(const BalancedAssignment<N>& b, const N& unit) {
    BalancedFacts result{b.assignment(), std::vector<Rational>(b.tasks.size())};
    for (std::size_t i = 0; i < b.tasks.size(); ++i) result.finish[b.tasks[i].index()] = parts(b.finish[i], unit);
    return result;
}

template <Number N>
PlacedFacts facts(const Candidate<N>& a, const DeadlineOrder<N>& order, const N& unit) {
    return {a.assignment,
            parts(a.nominal, unit),
            {order.tasks.begin(), order.tasks.begin() + static_cast<std::ptrdiff_t>(a.remote)}};
}

template <Number N>
RunFacts run(const DynDlOff& interpretation, const Problem<N>& problem) {
    const DynDlOffTrace<N> trace = interpretation.trace(problem);
    const N& unit = problem.local;
    return {facts(trace.balanced, unit), facts(trace.low, trace.order, unit), facts(trace.high, trace.order, unit),
            facts(trace.taken(), trace.order, unit), trace.counters};
}

}  // namespace

TwoPhasePolicy two_phase_policy(const DynDlOff& interpretation, std::string name) {
    TwoPhasePolicy under_test;
    under_test.name = std::move(name);
    under_test.balance = [interpretation](const AssignmentProblem& problem) {
        return facts(interpretation.balance(problem), problem.local);
    };
    under_test.candidate = [interpretation](const AssignmentProblem& problem, std::size_t i) {
        const auto b = interpretation.balance(problem);
        const auto order = order_by_deadline(b);
        const Placement placement = interpretation.max_min_placement ? Placement::max_min : Placement::exact;
        return facts(with_remote(problem, b, order, i, placement), order, problem.local);
    };
    under_test.bounds = [interpretation](const AssignmentProblem& problem, ServerId s, const Rational& d) {
        Counters counters;
        const auto load = loads(problem, interpretation.balance(problem));
        const auto room = room_before(problem, load, s, d, interpretation.all_core_bounds);
        const std::size_t tasks = problem.shape->tasks().size();
        return BoundFacts{
            most_by_total(problem.cost(s), room.total, tasks, counters), room.of_core.size(),
            most_remote_before(problem, load, s, d, {interpretation.strict_capacity, interpretation.all_core_bounds},
                               counters)};
    };
    under_test.run = [interpretation](const AssignmentProblem& problem) { return run(interpretation, problem); };
    under_test.run_in_ticks = [interpretation](const AssignmentProblem& problem) {
        return run(interpretation, in_ticks(problem, least_ticks(problem)));
    };
    return under_test;
}

TwoPhasePolicy by_output(std::string name, Assignment output) {
    TwoPhasePolicy under_test;
    under_test.name = std::move(name);
    under_test.run = [output = std::move(output)](const AssignmentProblem& problem) {
        RunFacts run;
        run.balanced = dyndloff().balance(problem);
        run.taken.assignment = output;
        return run;
    };
    return under_test;
}

TwoPhasePolicy dyndloff() { return two_phase_policy(DynDlOff{}, "dyndloff"); }

}  // namespace schedproof::checks
