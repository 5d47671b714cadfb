/// The registered policies of the assignment family, added under other names as a run adds a policy that it does not
/// know: they are what they were, in every mode.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <tuple>
#include <type_traits>

#include "policies/assignment/registered_policies.hpp"
#include "policies/assignment/registry.hpp"
#include "proofs/assignment/added.hpp"
#include "proofs/assignment/theorems/worst_ratio.hpp"
#include "proofs/assignment/worst.hpp"
#include "tests/support/assignment_generators.hpp"
#include "tests/support/assignment_outcomes.hpp"

namespace schedproof::assignment::added_policies {
namespace {

using explore::Affine;
using testing_support::assert_same;
using testing_support::mapped;

/// Calls `visit.operator()<P>()` for the type of every registered policy.
template <class Visit>
void for_each_type(Visit visit) {
    [&]<class... P>(std::type_identity<std::tuple<P...>>) {
        (visit.template operator()<P>(), ...);
    }(std::type_identity<RegisteredPolicies>());
}

/// P under another id, registered; the id.
template <class P>
std::string registered_again() {
    static const std::string id = "added-" + std::string(P::info.id);
    if (!is_added(id)) {
        AnyPolicy policy = added<P>();
        policy.info.id = id;
        add_policy(policy);
    }
    return id;
}

/// Draws.
struct RandomHadoop {
    static constexpr PolicyInfo info{"random-hadoop", "test", "hadoop with random picks, jobs in fair order"};
    static constexpr bool online = true;
    Pick pick = Pick::random;
    JobOrder jobs = JobOrder::fair;
    static constexpr std::tuple parameters{Parameter("pick", &RandomHadoop::pick),
                                           Parameter("jobs", &RandomHadoop::jobs)};
    template <Number N, Randomness R>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        return Hadoop{pick, jobs}.schedule(problem, randomness);
    }
};

template <Number N>
ScheduleResult<N> drawn(const AnyPolicy& policy, const Problem<N>& problem) {
    Sampler randomness(StreamKey{7});
    return run(policy, problem, randomness);
}

/// In rationals, ticks and on symbols.
void assert_alike(const AnyPolicy& known, const AnyPolicy& added, const Problem<Rational>& problem) {
    const ScheduleResult<Rational> expected = drawn(known, problem);
    assert_same(expected, drawn(added, problem), [](const Rational& n) { return n; });
    const Integer ticks = least_ticks(problem);
    assert_same(expected, drawn(added, in_ticks(problem, ticks)),
                [&](CheckedInt n) { return Rational(n.value()) / Rational(ticks); });
    proof::Space space;
    for (std::size_t p = 0; p < problem.initial.size(); ++p) space.add("L" + std::to_string(p), false, Rational(0));
    explore::PointDecider decider(space, problem.initial);
    Problem<Affine> symbolic = mapped<Affine>(problem, [](const Rational& n) { return Affine(n); });
    symbolic.initial = explore::symbols(decider);
    assert_same(expected, drawn(added, symbolic), [&](const Affine& n) { return n.form().at(problem.initial); });
}

TEST(AddedAssignmentPolicies, DecideAsTheyDid) {
    for_each_type([]<class P>() {
        const std::string id = registered_again<P>();
        EXPECT_TRUE(rc::check(id, [&] {
            const AnyPolicy added = make_policy(id);
            RC_ASSERT(added.as<P>() == nullptr);
            RC_ASSERT(added.is_online() == states_online<P>);
            RC_ASSERT(definition(added) == definition(P{}));
            assert_alike(P{}, added, *testing_support::small_problems());
        }));
    });
}

TEST(AddedAssignmentPolicies, DrawAsTheyDid) {
    const AnyPolicy known = Hadoop{Pick::random, JobOrder::fair}, added = assignment::added<RandomHadoop>();
    EXPECT_EQ(definition(added), "pick = random, jobs = fair");
    EXPECT_TRUE(rc::check("draws, and their law", [&] {
        const Problem<Rational> problem = *testing_support::small_problems({.servers = 3, .cores = 2, .tasks = 4});
        assert_alike(known, added, problem);
        const auto law = [&](const AnyPolicy& policy) {
            return enumerate([&](auto& randomness) { return run(policy, problem, randomness).assignment; });
        };
        RC_ASSERT(law(known) == law(added));
    }));
}

TEST(AddedAssignmentPolicies, HaveTheSameWorstRatio) {
    Costs costs;
    costs.functions = {CostFunction<Rational>({Rational(3) / Rational(2)}, Rational(1) / Rational(2))};
    for_each_type([&]<class P>() {
        const std::string id = registered_again<P>();
        SCOPED_TRACE(id);
        const auto counted = make_policy(id).is_online() ? Counted::events : Counted::map;
        const SystemUnderTest system = registered_system(id, Rational(3), counted);
        Worst of_known = worst_over_loads(registered_system(std::string(P::info.id), Rational(3), counted), "1,1:0/1",
                                          costs, Competitor::automatic);
        Worst of_added = worst_over_loads(system, "1,1:0/1", costs, Competitor::automatic);
        ASSERT_EQ(of_added.proved, Worst::Proved::supremum);
        EXPECT_EQ(of_added.ratio, of_known.ratio);
        EXPECT_EQ(of_added.attained, of_known.attained);
        WorstCertificate certificate{id, {"1,1:0/1", costs, {}, counted, of_added.ratio, of_added.approach}, {}};
        certificate.proofs = std::move(of_added.proofs);
        EXPECT_EQ(rejection(certificate), "");
        // The policy's parameters are told, whatever they are called.
        EXPECT_NE(sentence(certificate).find(id + " (" + definition(P{}) + ")"), std::string::npos)
            << sentence(certificate);
    });
}

TEST(AddedAssignmentPolicies, AreSettledOnSmallShapes) {
    const std::string id = registered_again<List>();
    const SmallWorst small = worst_on_small_shapes(id, {});
    ASSERT_EQ(small.found.size(), 4U);
    for (const CertifiedWorst& one : small.found) {
        EXPECT_EQ(one.worst.proved, Worst::Proved::supremum);
        EXPECT_EQ(rejection(one.certificate), "");
        EXPECT_EQ(one.certificate.policy, id);
    }
    EXPECT_EQ(small.not_covered.size(), 2U);
    // A cell is more than this budget has.
    explore::Budget none;
    none.paths = 1;
    for (const CertifiedWorst& one : worst_on_small_shapes(id, none).found) {
        EXPECT_EQ(one.worst.proved, Worst::Proved::lower_bound);
        EXPECT_NE(one.worst.ended, "");
    }
}

TEST(AddedAssignmentPolicies, HaveNoWorstRatioIfTheyDraw) {
    const SmallWorst small = worst_on_small_shapes(registered_again<RandomHadoop>(), {});
    EXPECT_TRUE(small.found.empty());
    ASSERT_EQ(small.not_covered.size(), 6U);
    EXPECT_NE(small.not_covered.front().find("draws"), std::string::npos) << small.not_covered.front();
}

/// Has no answer where there is no task.
struct LooksAtTheFirstTask {
    static constexpr PolicyInfo info{"looks-at-the-first-task", "test", "all tasks where the first has its data"};
    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        require(problem.shape->tasks().size() > 0, "a first task");
        const CoreId core = problem.shape->core(problem.shape->replicas(TaskId(0)).front(), 0);
        return {Assignment(problem.shape->tasks().size(), core), {}, {}};
    }
};

TEST(AddedAssignmentPolicies, AreNotAskedWithoutTasks) {
    const AnyPolicy policy = added<LooksAtTheFirstTask>();
    const auto problem = testing_support::assignment_problem({{"1"}, {"2", "0"}}, {}, {testing_support::table({"2"})});
    EXPECT_TRUE(drawn(policy, problem).assignment.empty());
    EXPECT_TRUE(drawn(policy, in_ticks(problem, Integer(1))).assignment.empty());
}

TEST(AddedAssignmentPolicies, HaveNamesOfTheirOwn) {
    AnyPolicy policy = added<Hadoop>();
    EXPECT_THROW(add_policy(policy), InputError);
    policy.info.id = "with a blank";
    EXPECT_THROW(add_policy(policy), InputError);
    EXPECT_TRUE(is_added(registered_again<Hadoop>()));
    EXPECT_FALSE(is_added("hadoop"));
    EXPECT_FALSE(is_added("added"));
}

}  // namespace
}  // namespace schedproof::assignment::added_policies
