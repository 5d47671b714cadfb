#include "checks/assignment/scheduler_under_test.hpp"

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
RunFacts run(const DynDlOff& reading, const Problem<N>& problem) {
    const DynDlOffTrace<N> trace = reading.trace(problem);
    const N& unit = problem.local;
    return {facts(trace.balanced, unit), facts(trace.low, trace.order, unit), facts(trace.high, trace.order, unit),
            facts(trace.taken(), trace.order, unit), trace.counters};
}

}  // namespace

Subject subject_of(const DynDlOff& reading, std::string name) {
    Subject subject;
    subject.name = std::move(name);
    subject.balance = [reading](const AssignmentProblem& problem) {
        return facts(reading.balance(problem), problem.local);
    };
    subject.candidate = [reading](const AssignmentProblem& problem, std::size_t i) {
        const auto b = reading.balance(problem);
        const auto order = order_by_deadline(b);
        const Placement placement = reading.max_min_placement ? Placement::max_min : Placement::exact;
        return facts(with_remote(problem, b, order, i, placement), order, problem.local);
    };
    subject.bounds = [reading](const AssignmentProblem& problem, ServerId s, const Rational& d) {
        Counters counters;
        const auto load = loads(problem, reading.balance(problem));
        const auto room = room_before(problem, load, s, d, reading.all_core_bounds);
        const std::size_t tasks = problem.shape->tasks().size();
        return BoundFacts{
            most_by_total(problem.cost(s), room.total, tasks, counters), room.of_core.size(),
            most_remote_before(problem, load, s, d, {reading.strict_capacity, reading.all_core_bounds}, counters)};
    };
    subject.run = [reading](const AssignmentProblem& problem) { return run(reading, problem); };
    subject.run_in_ticks = [reading](const AssignmentProblem& problem) {
        return run(reading, in_ticks(problem, least_ticks(problem)));
    };
    return subject;
}

Subject dyndloff() { return subject_of(DynDlOff{}, "dyndloff"); }

}  // namespace schedproof::checks
