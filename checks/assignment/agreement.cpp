/// The comparisons of an assignment policy with itself.
///
/// Results are compared in rationals: assignments, and executions with their times. On symbols every load, cost and
/// slope of the problem is one, and a PointDecider answers each comparison as the problem's numbers do; so what differs
/// is the code that ran, not the numbers.
#include "checks/assignment/agreement.hpp"

#include <algorithm>
#include <tuple>

#include "checks/assignment/generate.hpp"
#include "checks/assignment/properties/schedule_properties.hpp"

namespace schedproof::checks {

using namespace assignment;
using explore::Affine;

namespace {

using RationalResult = ScheduleResult<Rational>;

bool same(const Execution<Rational>& a, const Execution<Rational>& b) {
    return a.task == b.task && a.core == b.core && a.start == b.start && a.finish == b.finish && a.local == b.local;
}
bool same(const RationalResult& a, const RationalResult& b) {
    return a.assignment == b.assignment && a.event_makespan == b.event_makespan &&
           std::equal(a.executions.begin(), a.executions.end(), b.executions.begin(), b.executions.end(),
                      [](const auto& x, const auto& y) { return same(x, y); });
}

/// A result with numbers turned into rationals.
template <class N, class Value>
RationalResult in_rationals(const ScheduleResult<N>& result, const Value& value) {
    RationalResult to{result.assignment, {}, {}};
    for (const Execution<N>& e : result.executions)
        to.executions.push_back({e.task, e.core, value(e.start), value(e.finish), e.local});
    if (result.event_makespan) to.event_makespan = value(*result.event_makespan);
    return to;
}

RationalResult result_in_ticks(const AssignmentPolicyInModes& policy, const AssignmentProblem& problem,
                               const Integer& ticks) {
    const Rational tick = Rational(1) / Rational(ticks);
    return in_rationals(policy.in_ticks(in_ticks(problem, ticks)),
                        [&](CheckedInt n) { return Rational(n.value()) * tick; });
}

RationalResult result_on_symbols(const AssignmentPolicyInModes& policy, const AssignmentProblem& problem) {
    proof::Space space;
    std::vector<Rational> point;
    const auto symbol = [&](const Rational& value) {
        space.add("x" + std::to_string(point.size()), false, std::nullopt);
        point.push_back(value);
    };
    for (const Rational& load : problem.initial) symbol(load);
    for (const auto& g : problem.costs) {
        for (const Rational& value : g.values()) symbol(value);
        symbol(g.slope());
    }
    explore::PointDecider decider(space, point);
    decider.begin_path();
    const std::vector<Affine> symbols = explore::symbols(decider);
    auto next = symbols.begin();
    Problem<Affine> symbolic{problem.shape, {}, {}, problem.cost_of, Affine(problem.local)};
    for (std::size_t p = 0; p < problem.initial.size(); ++p) symbolic.initial.push_back(*next++);
    for (const auto& g : problem.costs) {
        std::vector<Affine> values;
        for (std::size_t i = 0; i < g.values().size(); ++i) values.push_back(*next++);
        symbolic.costs.emplace_back(std::move(values), *next++);
    }
    return in_rationals(policy.on_symbols(symbolic), [&](const Affine& n) { return n.form().at(point); });
}

/// What is started before a time: tasks, cores and starts. Ends may be put off later.
std::vector<std::tuple<TaskId, CoreId, Rational>> started_before(const RationalResult& result, const Rational& until) {
    std::vector<std::tuple<TaskId, CoreId, Rational>> started;
    for (const Execution<Rational>& e : result.executions)
        if (e.start < until) started.emplace_back(e.task, e.core, e.start);
    return started;
}
/// Makes the load of each core larger in turn: until the smaller one ends, an online policy cannot know which it is.
std::string foresight(const AssignmentPolicyInModes& policy, const AssignmentProblem& problem,
                      const RationalResult& result) {
    for (const Rational& load : problem.initial) {
        AssignmentProblem other = problem;
        other.initial[static_cast<std::size_t>(&load - problem.initial.data())] += Rational(7) / Rational(2);
        if (started_before(policy.in_rationals(other), load) != started_before(result, load))
            return "it is online and goes by a load before the core becomes free";
    }
    return {};
}

}  // namespace

std::string assignment_disagreement(const std::function<AssignmentPolicyInModes()>& make, std::uint64_t cases) {
    return disagreement([](Sampler& randomness) { return random_assignment_problem(randomness); },
                        [&](const AssignmentProblem& problem) -> std::string {
                            const AssignmentPolicyInModes policy = make();
                            const RationalResult first = policy.in_rationals(problem);
                            if (!same(policy.in_rationals(problem), first))
                                return "asked twice, it answers differently";
                            if (!same(make().in_rationals(problem), first)) return "made twice, it answers differently";
                            if (std::string found = against_consistency(problem, first, policy.online); !found.empty())
                                return found;
                            const Integer ticks = least_ticks(problem);
                            if (!same(result_in_ticks(policy, problem, ticks), first))
                                return "in ticks it answers differently";
                            if (!same(result_in_ticks(policy, problem, ticks * 3), first))
                                return "in finer ticks it answers differently";
                            if (!same(result_on_symbols(policy, problem), first))
                                return "on symbols it answers differently";
                            return policy.online ? foresight(policy, problem, first) : "";
                        },
                        cases);
}

}  // namespace schedproof::checks
