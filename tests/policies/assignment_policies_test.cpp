/// Every registered policy of the assignment family on all its numbers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>

#include "policies/assignment/registry.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/symbolic/affine.hpp"
#include "tests/proofs/assignment_generators.hpp"
#include "tests/support/assignment_instances.hpp"
#include "tests/support/assignment_outcomes.hpp"

namespace schedproof::assignment {
namespace {

using explore::Affine;
using ::schedproof::testing_support::assert_same;
using ::schedproof::testing_support::mapped;
using testing_support::q;

Sampler sampler() { return Sampler({1, 0, 0}); }

ScheduleResult<Rational> outcome_of(const std::string& name, const Problem<Rational>& problem,
                                    const PolicyOptions& o = {}) {
    Sampler randomness = sampler();
    return run(make_policy(name, o), problem, randomness);
}

class EveryAssignmentPolicy : public testing::TestWithParam<std::string> {};

TEST_P(EveryAssignmentPolicy, GivesEachTaskOneCore) {
    EXPECT_TRUE(rc::check(GetParam() + ": each task has one core of the shape", [&] {
        const Problem<Rational> problem = *testing_support::small_problem();
        RC_LOG() << testing_support::text(problem) << "\n";
        PolicyOptions o;
        o.pick = *rc::gen::element(Pick::lowest, Pick::random);
        const ScheduleResult<Rational> outcome = outcome_of(GetParam(), problem, o);
        RC_ASSERT(outcome.assignment.size() == problem.shape->tasks().size());
        for (const CoreId p : outcome.assignment) RC_ASSERT(p.index() < problem.shape->cores().size());
        const bool online = !outcome.executions.empty();
        for (const PolicyInfo& info : policies())
            if (info.id == GetParam() && !outcome.assignment.empty())
                RC_ASSERT(make_policy(info.id).is_online() == online);
        RC_ASSERT(outcome.event_makespan.has_value() == online);
        // With data everywhere nothing can be remote.
        std::vector<ServerId> all;
        std::vector<std::uint32_t> cores;
        for (const ServerId s : problem.shape->servers()) {
            all.push_back(s);
            cores.push_back(static_cast<std::uint32_t>(problem.shape->cores_of(s)));
        }
        Replicas everywhere;
        for (std::size_t t = 0; t < problem.shape->tasks().size(); ++t) everywhere.add(all);
        Problem<Rational> local = problem;
        local.shape = std::make_shared<const Shape>(cores, std::move(everywhere));
        RC_ASSERT(evaluate(local, outcome_of(GetParam(), local).assignment).remote_tasks == 0u);
    }));
}

TEST_P(EveryAssignmentPolicy, RunsAlikeOnTicksRationalsAndForms) {
    EXPECT_TRUE(rc::check(GetParam() + ": ticks, rationals and affine forms give the same outcome", [&] {
        const Problem<Rational> problem = *testing_support::small_problem();
        RC_LOG() << testing_support::text(problem) << "\n";
        PolicyOptions o;
        o.wait = testing_support::quarters(*rc::gen::inRange(0, 14));
        o.pick = *rc::gen::element(Pick::lowest, Pick::random);
        const AnyPolicy policy = make_policy(GetParam(), o);
        Sampler a = sampler(), b = sampler(), c = sampler();
        const ScheduleResult<Rational> expected = run(policy, problem, a);

        const Integer ticks = lcm(least_ticks(problem), o.wait.denominator());
        const auto in_units = [&](CheckedInt n) { return Rational(n.value()) / Rational(ticks); };
        assert_same(expected, run(policy, in_ticks(problem, ticks), b), in_units);

        // Loads are symbols, answered for at their point; what comes out is affine in them.
        proof::Space space;
        for (std::size_t p = 0; p < problem.initial.size(); ++p) space.add("L" + std::to_string(p), false, Rational(0));
        explore::PointDecider decider(space, problem.initial);
        Problem<Affine> symbolic = mapped<Affine>(problem, [](const Rational& n) { return Affine(n); });
        symbolic.initial = explore::symbols(decider);
        assert_same(expected, run(policy, symbolic, c), [&](const Affine& n) { return n.form().at(problem.initial); });
    }));
}

TEST_P(EveryAssignmentPolicy, IsEmptyWithoutTasks) {
    const auto problem = ::schedproof::testing_support::assignment_problem(
        {{"1"}, {"2", "0"}}, {}, {::schedproof::testing_support::table({"2"})});
    const ScheduleResult<Rational> outcome = outcome_of(GetParam(), problem);
    EXPECT_TRUE(outcome.assignment.empty() && outcome.executions.empty());
    EXPECT_FALSE(outcome.event_makespan.has_value());
}

std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const PolicyInfo& info : policies()) list.emplace_back(info.id);
    return list;
}
std::string test_name(const testing::TestParamInfo<std::string>& parameter) {
    std::string name = parameter.param;
    for (char& c : name)
        if (c == '-' || c == ':') c = '_';
    return name;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryAssignmentPolicy, testing::ValuesIn(names()), test_name);

TEST(AssignmentRegistry, NamesAreUniqueAndUnknownOnesAreRefused) {
    std::set<std::string_view> seen;
    for (const PolicyInfo& info : policies()) {
        EXPECT_TRUE(seen.insert(info.id).second) << info.id;
        EXPECT_EQ(resolve_policy(info.id), info.id);
        EXPECT_FALSE(info.source.empty() || info.summary.empty()) << info.id;
    }
    EXPECT_EQ(resolve_policy("dyndl"), "");
    EXPECT_THROW((void)make_policy("dyndl"), InputError);
    PolicyOptions negative;
    negative.wait = Rational(-1);
    EXPECT_THROW((void)make_policy("delay", negative), InputError);
    PolicyOptions below;
    below.threshold = Rational(-1);
    EXPECT_THROW((void)make_policy("ltfpa", below), InputError);
}

/// DynDLOn for all loads of a shape at once: every cell has one schedule, and its makespan is affine in the loads.
TEST(OnlineExplored, AllLoadsOfAShape) {
    Replicas sets;
    for (const std::size_t s : {0U, 0U, 1U}) sets.add(std::vector{ServerId(s)});
    const auto shape = std::make_shared<const Shape>(std::vector<std::uint32_t>{1, 2}, std::move(sets));
    proof::Space space;
    for (int p = 0; p < 3; ++p) space.add("L" + std::to_string(p), false, Rational(0));
    const auto cells = explore::explore(space, [&](const std::vector<Affine>& loads) {
        Problem<Affine> problem;
        problem.shape = shape;
        problem.initial = loads;
        problem.costs.emplace_back(std::vector<Affine>{Affine(q("3/2"))}, Affine(q("1/2")));
        PolicyOptions o;
        o.wait = q("1/4");
        Sampler randomness = sampler();
        const ScheduleResult<Affine> outcome = run(make_policy("dyndlon", o), problem, randomness);
        return std::pair(outcome.assignment, outcome.event_makespan->form());
    });
    EXPECT_FALSE(cells.ended.has_value());
    std::set<std::size_t> remote;
    for (const auto& [assignment, makespan] : cells.leaves) {
        std::size_t n = 0;
        for (const TaskId t : shape->tasks())
            if (!shape->is_local(t, shape->server_of(assignment[t.index()]))) ++n;
        remote.insert(n);
    }
    EXPECT_EQ(remote, (std::set<std::size_t>{0, 1, 2}));
}

}  // namespace
}  // namespace schedproof::assignment
