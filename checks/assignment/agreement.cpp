/// The comparisons of an assignment policy with itself.
///
/// Results are compared in rationals: assignments, and executions with their times. On symbols every load, cost and
/// slope of the problem is one, and a PointDecider answers each comparison as the problem's numbers do; so what differs
/// is the code that ran, not the numbers.
#include "checks/assignment/agreement.hpp"

#include <algorithm>
#include <tuple>

#include "checks/assignment/generate.hpp"

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

/// The ends of tasks that start so, in this order: a remote one lasts as long as the dearest price while it runs.
std::vector<Rational> ends_by_model(const AssignmentProblem& problem, const RationalResult& result) {
    const Shape& shape = *problem.shape;
    std::vector<Rational> ends;
    for (std::size_t i = 0; i < result.executions.size(); ++i) {
        const Execution<Rational>& e = result.executions[i];
        const ServerId s = shape.server_of(e.core);
        ends.push_back(e.start + problem.local);
        if (e.local) continue;
        std::vector<std::size_t> running{i};
        for (std::size_t j = 0; j < i; ++j) {
            const Execution<Rational>& before = result.executions[j];
            if (!before.local && shape.server_of(before.core) == s && e.start < ends[j]) running.push_back(j);
        }
        for (const std::size_t j : running)
            ends[j] = std::max(ends[j], result.executions[j].start + problem.cost(s)(running.size()));
    }
    return ends;
}

/// How the executions of an online policy are not those of its assignment under the model; of another policy, that
/// there are some.
std::string executions_fault(const AssignmentProblem& problem, const RationalResult& result, bool online) {
    if (!online)
        return result.executions.empty() && !result.event_makespan
                   ? ""
                   : "it gives executions and does not state that it is online";
    const Shape& shape = *problem.shape;
    if (result.executions.size() != shape.tasks().size()) return "it executes not every task once";
    std::vector<Rational> free = problem.initial;
    std::vector<bool> done(shape.tasks().size(), false);
    std::optional<Rational> last, start;
    for (const Execution<Rational>& e : result.executions) {
        if (e.task.index() >= done.size() || done[e.task.index()]) return "it executes not every task once";
        done[e.task.index()] = true;
        if (result.assignment[e.task.index()] != e.core) return "it executes a task elsewhere than it assigns it";
        if (e.local != shape.is_local(e.task, shape.server_of(e.core))) return "it takes a remote task for a local one";
        if (e.start < free[e.core.index()]) return "it starts a task on a core that is busy";
        if (start && e.start < *start) return "its executions are not in the order of their starts";
        start = e.start;
        free[e.core.index()] = e.finish;
        if (!last || *last < e.finish) last = e.finish;
    }
    const std::vector<Rational> ends = ends_by_model(problem, result);
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (result.executions[i].finish != ends[i]) return "a task of it does not last as long as the model says";
    return last == result.event_makespan ? "" : "its makespan is not the last end of a task";
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
                            if (std::string found = executions_fault(problem, first, policy.online); !found.empty())
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
