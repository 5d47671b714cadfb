/// The comparisons of an assignment policy with itself.
///
/// Results are compared in rationals: assignments, and executions with their times. On symbols every load, cost and
/// slope of the problem is one, and each comparison is answered as the problem's numbers do; so what differs is the
/// code that ran, not the numbers. Since all times are symbols there, a number beside them is one that the policy
/// brought, such as a sentinel for "late": it may be too large to matter in a random case, and matters in finer ticks.
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

/// Answers as a point does, and notes whether a time was compared with a number that is no time.
class UnitsDecider final : public explore::Decider {
  public:
    UnitsDecider(const proof::Space& space, const std::vector<Rational>& point) : Decider(space), point_(point) {}
    [[nodiscard]] bool compared_with_a_number() const { return compared_with_a_number_; }

  private:
    [[nodiscard]] bool choose(const proof::Atom& atom) override {
        compared_with_a_number_ = compared_with_a_number_ || atom.bound.sign() != 0;
        return atom.side(true).holds(point_);
    }
    const std::vector<Rational>& point_;
    bool compared_with_a_number_ = false;
};

/// How the policy differs on symbols, which stand for every time of the problem.
std::string difference_on_symbols(const AssignmentPolicyInModes& policy, const AssignmentProblem& problem,
                                  const RationalResult& expected) {
    proof::Space space;
    std::vector<Rational> point;
    const auto symbol = [&](const Rational& value) {
        space.add("x" + std::to_string(point.size()), false, std::nullopt);
        point.push_back(value);
    };
    symbol(problem.local);
    for (const Rational& load : problem.initial) symbol(load);
    for (const auto& g : problem.costs) {
        for (const Rational& value : g.values()) symbol(value);
        symbol(g.slope());
    }
    UnitsDecider decider(space, point);
    decider.begin_path();
    const std::vector<Affine> symbols = explore::symbols(decider);
    auto next = symbols.begin();
    Problem<Affine> symbolic{problem.shape, {}, {}, problem.cost_of, *next++};
    for (std::size_t p = 0; p < problem.initial.size(); ++p) symbolic.initial.push_back(*next++);
    for (const auto& g : problem.costs) {
        std::vector<Affine> values;
        for (std::size_t i = 0; i < g.values().size(); ++i) values.push_back(*next++);
        symbolic.costs.emplace_back(std::move(values), *next++);
    }
    const RationalResult result =
        in_rationals(policy.on_symbols(symbolic), [&](const Affine& n) { return n.form().at(point); });
    if (!same(result, expected)) return "on symbols it answers differently";
    return decider.compared_with_a_number() ? "it compares a time with a number, which in other units is another time"
                                            : "";
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

/// Whether the problem is what it was when `kept` was copied of it.
bool unaltered(const AssignmentProblem& problem, const AssignmentProblem& kept) {
    return *problem.shape == *kept.shape && problem.initial == kept.initial && problem.costs == kept.costs &&
           problem.cost_of == kept.cost_of && problem.local == kept.local;
}

/// The first two runs on the problem that differ; empty when none do.
std::string difference(const std::function<AssignmentPolicyInModes()>& make, const AssignmentProblem& problem) {
    AssignmentProblem kept = problem;
    kept.shape = std::make_shared<const Shape>(*problem.shape);
    const AssignmentPolicyInModes policy = make();
    const RationalResult first = policy.in_rationals(problem);
    if (!unaltered(problem, kept)) return "it alters the problem";
    if (!same(policy.in_rationals(problem), first)) return "asked twice, it answers differently";
    if (!same(make().in_rationals(problem), first)) return "made twice, it answers differently";
    if (std::string found = against_consistency(problem, first, policy.online); !found.empty()) return found;
    const Integer ticks = least_ticks(problem);
    if (!same(result_in_ticks(policy, problem, ticks), first)) return "in ticks it answers differently";
    if (!same(result_in_ticks(policy, problem, ticks * 3), first)) return "in finer ticks it answers differently";
    if (std::string found = difference_on_symbols(policy, problem, first); !found.empty()) return found;
    return policy.online ? foresight(policy, problem, first) : "";
}

}  // namespace

AssignmentPolicyInModes assignment_policy_in_modes(const AnyPolicy& policy) {
    const auto in_mode = [policy](const auto& problem) {
        Sampler randomness(StreamKey{1});
        return run(policy, problem, randomness);
    };
    return {in_mode, in_mode, in_mode, policy.is_online()};
}

std::string assignment_disagreement(const std::function<AssignmentPolicyInModes()>& make, std::uint64_t cases) {
    return disagreement([](Sampler& randomness) { return random_assignment_problem(randomness); },
                        [&](const AssignmentProblem& problem) { return difference(make, problem); }, cases);
}

}  // namespace schedproof::checks
