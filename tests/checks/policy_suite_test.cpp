/// What test suites of others are offered: a policy's checks as one assertion, proofs, random problems that shrink.
#include "checks/suite/policy_suite.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "checks/core/run.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/suite/generators.hpp"
#include "checks/suite/googletest.hpp"
#include "checks/suite/policy_proofs.hpp"
#include "experiments/simulate_policy.hpp"
#include "proofs/certifier/certify.hpp"

namespace schedproof::suite {

namespace {

using queueing::Arrangement;
using queueing::Rules;
using namespace queueing::language;

/// Local queues by length, and servers that serve their own: transient inside the region where loads are uneven.
struct Alone {
    static constexpr PolicyInfo info{"suite-alone", "test", "join the shortest local queue; serve own"};
    static constexpr Rules rules{keep(Arrangement::per_server), route(argmin(local, length)), serve(own)};
};
/// Hopes for what Alone does not do.
struct Hopeful {
    static constexpr PolicyInfo info{"suite-hopeful", "test", "join the longest local queue; serve own"};
    static constexpr std::array hopes{"queueing.squares-drift-negative"};
    static constexpr Rules rules{keep(Arrangement::per_server), route(argmax(local, length)), serve(own)};
};
/// One machine too few.
struct Idle {
    static constexpr PolicyInfo info{"suite-idle", "test", "one copy for each of M - 1 jobs"};
    static constexpr std::array hopes{"redundancy.no-gain"};
    static constexpr redundancy::Order order = redundancy::Order::remaining;
    [[nodiscard]] constexpr redundancy::Allocation allocate(std::size_t n, std::size_t machines) const {
        redundancy::Allocation allocation;
        grant(allocation, 0, std::min(n, std::max<std::size_t>(machines - 1, 1)), {1, 1});
        return allocation;
    }
};
/// Every task to the first core: its outcomes are right, and far from good.
struct FirstCore {
    static constexpr PolicyInfo info{"suite-first-core", "test", "every task to the first core"};
    template <Number N>
    [[nodiscard]] assignment::ScheduleResult<N> schedule(const assignment::Problem<N>& problem) const {
        assignment::ScheduleResult<N> result;
        result.assignment.assign(problem.shape->tasks().size(), CoreId(0));
        return result;
    }
};
/// Gives what is not there.
struct Short {
    static constexpr PolicyInfo info{"suite-short", "test", "forgets a task"};
    template <Number N>
    [[nodiscard]] assignment::ScheduleResult<N> schedule(const assignment::Problem<N>&) const {
        return {};
    }
};
/// Takes the first slot for the first job.
struct FirstJob {
    static constexpr PolicyInfo info{"suite-first-job", "test", "the first ready job, wherever its data is"};
    template <sharing::SharingView V>
    [[nodiscard]] constexpr std::optional<sharing::Launch> offer(V& now, sharing::NodeRef n) const {
        for (const sharing::JobRef j : now.jobs(sharing::Order::fifo)) return sharing::Launch{j, now.nearest(j, n)};
        return {};
    }
};
struct TakenName {
    static constexpr PolicyInfo info{"pandas:plain", "test", "another policy of this id"};
    static constexpr Rules rules{keep(Arrangement::per_server), route(local), serve(own)};
};

TEST(PolicySuite, PassesWhereNothingSpeaksAgainstThePolicy) {
    const Report report = ask<Alone>();
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_GT(report.asked.size(), 5U);
    EXPECT_TRUE(passes<Alone>());
}

TEST(PolicySuite, ReportsAHopeThatFailsWithItsSmallestProblem) {
    const Report report = ask<Idle>();
    ASSERT_EQ(report.failures.size(), 1U) << report.text();
    const Failure& failure = report.failures[0];
    EXPECT_EQ(failure.claim, "redundancy.no-gain");
    EXPECT_EQ(failure.statement.rfind("Of suite-idle in place of srpt+r: ", 0), 0U) << failure.statement;
    const auto& smallest = checks::case_of<checks::RedundancyFamily>(failure.counterexample);
    EXPECT_EQ(smallest.problem.machines, 2U);
    EXPECT_EQ(smallest.problem.jobs.size(), 2U);
    EXPECT_NE(failure.problem.find("machines = 2"), std::string::npos) << failure.problem;
    const ::testing::AssertionResult result = passes<Idle>();
    EXPECT_FALSE(result);
    EXPECT_NE(std::string(result.message()).find(failure.problem), std::string::npos) << result.message();
    EXPECT_FALSE(ask<Hopeful>({.claims = {"queueing.tasks-balance"}, .hopes = {}, .settings = {}}).passed());
}

TEST(PolicySuite, RefusesAPolicyThatDisagreesWithItself) {
    const Report report = ask<Short>();
    EXPECT_NE(report.refused, "");
    EXPECT_TRUE(report.asked.empty());
    EXPECT_FALSE(report.passed());
}

TEST(PolicySuite, DoesNotPassWhereNothingIsAskedOrAHopeIsNone) {
    Options options;
    options.claims = {"assignment.dyndloff*"};
    EXPECT_THROW((void)ask<FirstCore>(options), InputError);
    options.claims = {"assignment.property-1.2.constraint-2"};
    const Report report = ask<FirstCore>(options);
    EXPECT_EQ(report.text(), "no claim speaks of suite-first-core\n");
    EXPECT_FALSE(report.passed());
    options.hopes = {"queueing.tasks-balance"};
    EXPECT_THROW((void)ask<FirstCore>(options), InputError);
    EXPECT_THROW((void)ask<TakenName>(), InputError);
    EXPECT_FALSE(queueing::is_added("pandas:plain"));
}

TEST(PolicySuite, AHopeThatNothingSettlesIsNoSuccess) {
    Options options;
    options.claims = {"assignment.outcome-consistent"};
    options.hopes = {"assignment.no-path"};  // of DynDLOff's first phase, which this policy has not
    const Report report = ask<FirstCore>(options);
    EXPECT_TRUE(report.failures.empty()) << report.text();
    EXPECT_EQ(report.unsettled.size(), 1U) << report.text();
    EXPECT_FALSE(report.passed());
    options.hopes.clear();
    EXPECT_TRUE(ask<FirstCore>(options).passed());
}

TEST(PolicySuite, ProvesAndGivesTheCertificate) {
    const queueing::Instance uneven = *checks::named_instance("m2-uneven");
    const StabilityVerdict transient = prove<Alone>(uneven);
    EXPECT_EQ(transient.standing, Standing::transient);
    const StabilityVerdict stable = prove<Alone>(*checks::named_instance("m2-half"));
    EXPECT_EQ(stable.standing, Standing::stable);
    for (const checks::Verdict& verdict :
         {transient.verdict, stable.verdict, prove<Alone>("queueing.tasks-balance", "m2-half")})
        EXPECT_TRUE(certify::check_text(certificate(verdict), "certificate", nullptr).accepted());
    EXPECT_EQ(checks::kind_of(prove_every_cluster<Alone>(2)), checks::VerdictKind::unknown);
    EXPECT_EQ(certificate(prove_every_cluster<Alone>(2)), "");
    EXPECT_EQ(checks::kind_of(prove<Alone>("queueing.squares-drift-negative", "m2-uneven")),
              checks::VerdictKind::refuted);
    EXPECT_THROW((void)prove<Alone>("queueing.tasks-balance", "m2-half", "certificate"), InputError);
    EXPECT_THROW((void)prove<Alone>("queueing.tasks-balance", "nowhere"), InputError);
}

TEST(PolicySuite, SimulatesBesideOthers) {
    const auto report = simulate<Alone>(*checks::named_instance("m2-half"), {.slots = 4'000}, {"jsq-maxweight"});
    ASSERT_EQ(report.policies.size(), 2U);
    EXPECT_GT(runs::summary_of(report, "task delay").estimate->mean, 1.0);
    EXPECT_THROW((void)runs::summary_of(report, "nothing"), InputError);
    simulation::FlowtimeSettings flow{.policy = redundancy::Srpt{}};
    flow.machines = 4;
    flow.workload.horizon = 200;
    EXPECT_GT(runs::summary_of(simulate<Idle>(flow), "flowtime").estimate->mean, 0.0);
    simulation::SharingSettings sharing;
    sharing.horizon = "300";
    EXPECT_EQ(simulate<FirstJob>(sharing, {"delay"}).policies.size(), 2U);
}

/// A test of RapidCheck that fails on all but the smallest problems, and says which is the smallest that it found.
template <class T, class Fails>
T smallest(const rc::Gen<T>& gen, const Fails& fails) {
    for (std::uint64_t seed = 0;; ++seed) {
        rc::Shrinkable<T> at = gen(rc::Random(seed), rc::kNominalSize);
        if (!fails(at.value())) continue;
        for (bool shrunk = true; shrunk;) {
            shrunk = false;
            auto smaller = at.shrinks();
            while (auto next = smaller.next())
                if (fails(next->value())) {
                    at = *next;
                    shrunk = true;
                    break;
                }
        }
        return at.value();
    }
}

TEST(PolicySuite, RandomProblemsShrink) {
    const auto jobs = smallest(redundancy_instances(), [](const auto& at) { return at.problem.jobs.size() >= 2; });
    EXPECT_EQ(jobs.problem.jobs.size(), 2U);
    EXPECT_EQ(jobs.problem.machines, 1U);
    const auto tasks = smallest(assignment_problems(), [](const auto& at) { return at.shape->tasks().size() >= 2; });
    EXPECT_EQ(tasks.shape->tasks().size(), 2U);
    const auto nodes = smallest(sharing_states(), [](const auto& at) { return at.setting.jobs.size() >= 2; });
    EXPECT_EQ(nodes.setting.jobs.size(), 2U);
    const auto long_queue = [](const auto& at) {
        return std::any_of(at.state.length.begin(), at.state.length.end(),
                           [](const auto& q) { return q.value() >= 3; });
    };
    const auto state = smallest(states<Alone>(), long_queue);
    EXPECT_EQ(state.instance->servers().size(), 1U);
    EXPECT_EQ(state.state.length[0].value(), 3);
}

RC_GTEST_PROP(PolicySuite, RandomStatesAreValidAndPrint, ()) {
    const auto at = *states<Alone>();
    Rational total;
    for (const queueing::Move& move : system(at).moves(at.state)) total += move.probability;
    RC_ASSERT(total == 1);
    std::ostringstream out;
    showValue(at, out);
    showValue(*sharing_trajectories(), out);
    showValue(*busy_sharing_states(), out);
    showValue(*assignment_problems(), out);
    RC_ASSERT(out.str().find("family = \"queueing\"") != std::string::npos);
}

}  // namespace

}  // namespace schedproof::suite
