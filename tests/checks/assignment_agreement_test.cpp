/// Every registered assignment policy agrees with itself in all modes, generated ones do or break a contract, and
/// policies that depend on what they must not are refused with the reason.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/assignment/agreement.hpp"
#include "checks/assignment/exhaustive.hpp"
#include "checks/assignment/family.hpp"
#include "checks/assignment/generate.hpp"
#include "policies/assignment/registered_policies.hpp"
#include "proofs/assignment/added.hpp"
#include "tests/experiments/seeded/assignment_even_counts.hpp"
#include "tests/experiments/seeded/assignment_forgetful_list.hpp"
#include "tests/experiments/seeded/assignment_frozen_price.hpp"
#include "tests/experiments/seeded/assignment_stale_head.hpp"
#include "tests/model/assignment_online_oracle.hpp"
#include "tests/support/trees/assignment.hpp"

namespace schedproof::checks::assignment_agreement {
namespace {

using namespace assignment;

template <class P>
std::string refusal(const P& policy, std::uint64_t cases = agreement_cases) {
    return assignment_disagreement([&] { return assignment_policy_in_modes(policy); }, cases);
}
/// Of a policy that this program is not compiled with.
template <class P>
std::string refusal_when_added() {
    return refusal(AnyPolicy(added<P>()));
}

TEST(AssignmentAgreement, HoldsForEveryRegisteredPolicy) {
    for (const PolicyInfo& info : policies()) EXPECT_EQ(AssignmentFamily::refusal(std::string(info.id)), "") << info.id;
}

/// The first core that may take a task, or the last one.
template <Number N>
ScheduleResult<N> all_on(const Problem<N>& problem, bool last) {
    ScheduleResult<N> result;
    for (std::size_t t = 0; t < problem.shape->tasks().size(); ++t)
        result.assignment.emplace_back(last ? problem.shape->cores().size() - 1 : 0);
    return result;
}
struct CountsCalls {
    static constexpr PolicyInfo info{"counts-calls", "test", "another core in every other call"};
    static inline int calls = 0;
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>& problem) const {
        return all_on(problem, ++calls % 2 == 0);
    }
};
struct Remembers {
    static constexpr PolicyInfo info{"remembers", "test", "another core after a larger problem"};
    static inline std::size_t before = 0;
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const bool larger = before > problem.shape->tasks().size();
        before = problem.shape->tasks().size();
        return all_on(problem, larger);
    }
};
struct LooksAtNumber {
    static constexpr PolicyInfo info{"looks-at-number", "test", "another core in ticks"};
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>& problem) const {
        return all_on(
            problem, requires(N n) { n.value(); });
    }
};
struct GoodOnlyWhenProved {
    static constexpr PolicyInfo info{"good-only-when-proved", "test", "another core on symbols"};
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>& problem) const {
        return all_on(
            problem, requires(N n) { n.form(); });
    }
};
struct AbsoluteTime {
    static constexpr PolicyInfo info{"absolute-time", "test", "compares a load with four ticks"};
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>& problem) const {
        return all_on(problem, problem.load(CoreId(0)) < N(4));
    }
};
struct Forgets {
    static constexpr PolicyInfo info{"forgets", "test", "assigns nothing"};
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>&) const {
        return {};
    }
};
struct BeyondTheLast {
    static constexpr PolicyInfo info{"beyond-the-last", "test", "uses a core that there is not"};
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>& problem) const {
        return {Assignment(problem.shape->tasks().size(), CoreId(problem.shape->cores().size())), {}, {}};
    }
};
/// Waits unless the last core will be busy for long.
struct Foresees {
    static constexpr PolicyInfo info{"foresees", "test", "goes by the last core's load before it is known"};
    static constexpr bool online = true;
    template <Number N, Randomness R>
    ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        const N delay = problem.initial.back() > times(2, problem.local) ? N(0) : times(5, problem.local);
        const auto rule = [&](std::size_t, const CostFunction<N>&) { return std::optional<N>(delay); };
        return run_online(problem, rule, Unscheduled(*problem.shape, Pick::lowest, JobOrder::fifo, randomness));
    }
};
struct WrongMakespan {
    static constexpr PolicyInfo info{"wrong-makespan", "test", "says that it ends at 0"};
    static constexpr bool online = true;
    template <Number N, Randomness R>
    ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        ScheduleResult<N> result = ask_schedule(Hadoop{}, problem, randomness);
        result.event_makespan = N(0);
        return result;
    }
};

/// Hadoop, whose result goes through `Spoil`.
template <class Spoil>
struct SpoiledHadoop {
    static constexpr PolicyInfo info{"spoiled-hadoop", "test", "hadoop with a spoiled result"};
    static constexpr bool online = Spoil::online;
    template <Number N, Randomness R>
    ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        ScheduleResult<N> result = ask_schedule(Hadoop{}, problem, randomness);
        Spoil::spoil(problem, result);
        return result;
    }
};
struct NotOnline {
    static constexpr bool online = false;
    static void spoil(const auto&, auto&) {}
};
struct WithoutExecutions {
    static constexpr bool online = true;
    static void spoil(const auto&, auto& result) { result.executions.clear(); }
};
struct WithoutMakespan {
    static constexpr bool online = true;
    static void spoil(const auto&, auto& result) { result.event_makespan.reset(); }
};
struct OnAnotherCore {
    static constexpr bool online = true;
    static void spoil(const auto& problem, auto& result) {
        result.assignment.front() = CoreId((result.assignment.front().index() + 1) % problem.initial.size());
    }
};
struct LongerAtTheEnd {
    static constexpr bool online = true;
    static void spoil(const auto& problem, auto& result) {
        auto& last = *std::max_element(result.executions.begin(), result.executions.end(),
                                       [](const auto& a, const auto& b) { return a.finish < b.finish; });
        last.finish = last.finish + problem.local;
        result.event_makespan = last.finish;
    }
};
struct InAnotherOrder {
    static constexpr bool online = true;
    static void spoil(const auto&, auto& result) { std::reverse(result.executions.begin(), result.executions.end()); }
};
/// Looks for the core that is free first, and begins with one that never is.
struct Sentinel {
    static constexpr PolicyInfo info{"sentinel", "test", "compares loads with a million"};
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>& problem) const {
        N least(1'000'000);
        bool last = false;
        for (const N& load : problem.initial)
            if (load < least) {
                least = load;
                last = !last;
            }
        return all_on(problem, last);
    }
};
struct Alters {
    static constexpr PolicyInfo info{"alters", "test", "frees the first core"};
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const_cast<Problem<N>&>(problem).initial.front() = N(0);
        return all_on(problem, false);
    }
};
struct Throws {
    static constexpr PolicyInfo info{"throws", "test", "looks for a task that there is not"};
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>& problem) const {
        static_cast<void>(problem.initial.at(100));
        return {};
    }
};
struct ThrowsANumber {
    static constexpr PolicyInfo info{"throws-a-number", "test", "throws what is no exception"};
    template <Number N>
    ScheduleResult<N> schedule(const Problem<N>&) const {
        throw 1;
    }
};

/// Refused for this reason, compiled with this program or added to it.
template <class P>
void expect_refused(const std::string& reason) {
    EXPECT_EQ(refusal(P{}).find(reason), 0U) << refusal(P{});
    EXPECT_EQ(refusal_when_added<P>().find(reason), 0U) << refusal_when_added<P>();
}

TEST(AssignmentAgreement, RefusesWhatPoliciesMustNotDependOn) {
    // How many calls lie between two of the same problem decides which comparison meets it first.
    for (const std::string& counts : {refusal(CountsCalls{}), refusal_when_added<CountsCalls>()})
        EXPECT_TRUE(counts.starts_with("asked ") || counts.starts_with("made twice")) << counts;
    expect_refused<Remembers>("asked ");
    expect_refused<LooksAtNumber>("in ticks it answers differently");
    expect_refused<GoodOnlyWhenProved>("on symbols it answers differently");
    expect_refused<AbsoluteTime>("it compares a time with a number");
    expect_refused<Sentinel>("it compares a time with a number");
    expect_refused<Alters>("it alters the problem");
    expect_refused<Foresees>("it is online and goes by a load");
}

TEST(AssignmentAgreement, RefusesResultsThatAreNone) {
    EXPECT_EQ(refusal(Forgets{}).find("it breaks a contract: a policy gives every task a core"), 0U);
    EXPECT_EQ(refusal_when_added<Forgets>().find("forgets breaks a contract: a policy gives every task a core"), 0U);
    EXPECT_EQ(refusal(BeyondTheLast{}).find("it breaks a contract: a policy uses cores of the problem"), 0U);
    EXPECT_NE(refusal(Throws{}).find("it throws an exception: "), std::string::npos) << refusal(Throws{});
    EXPECT_EQ(refusal_when_added<Throws>().find("throws throws an exception: "), 0U) << refusal_when_added<Throws>();
    EXPECT_EQ(refusal(ThrowsANumber{}).find("it throws what is no exception"), 0U);
    EXPECT_EQ(refusal_when_added<ThrowsANumber>().find("throws-a-number throws"), 0U);
}

TEST(AssignmentAgreement, RefusesExecutionsThatAreNotThoseOfTheAssignment) {
    expect_refused<WrongMakespan>("the event makespan is not the last finish");
    expect_refused<SpoiledHadoop<NotOnline>>("it has executions and does not state that it is online");
    expect_refused<SpoiledHadoop<WithoutExecutions>>("0 of ");
    expect_refused<SpoiledHadoop<WithoutMakespan>>("the event makespan is not the last finish");
    expect_refused<SpoiledHadoop<OnAnotherCore>>("task ");
    expect_refused<SpoiledHadoop<LongerAtTheEnd>>("task ");
    EXPECT_NE(refusal(SpoiledHadoop<InAnotherOrder>{}), "");
    expect_refused<FrozenPrice>("task ");
    EXPECT_NE(refusal(FrozenPrice{}).find(" ends at "), std::string::npos) << refusal(FrozenPrice{});
}

/// What is refuted by claims is not refused.
TEST(AssignmentAgreement, OfPoliciesWithSeededFaults) {
    EXPECT_EQ(refusal_when_added<ForgetfulList>(), "");
    EXPECT_EQ(refusal_when_added<EvenCounts>(), "");
    EXPECT_EQ(refusal_when_added<StaleHead>(), "");
}

TEST(AssignmentAgreement, OfGeneratedPolicies) {
    EXPECT_TRUE(rc::check("online", [] {
        const trees::DelayTree tree = *trees::delay_trees();
        RC_ASSERT(refusal(trees::DelayTreePolicy{std::make_shared<const trees::DelayTree>(tree)}, 10) == std::string());
    }));
    EXPECT_TRUE(rc::check("offline", [] {
        const trees::PlaceTree tree = *trees::place_trees();
        const std::string why = refusal(trees::PlaceTreePolicy{tree}, 10);
        RC_ASSERT(why.empty() != tree.forgets_one);
    }));
}

AssignmentProblem drawn_problem() {
    Sampler randomness(StreamKey{*rc::gen::inRange<std::uint64_t>(0, 1 << 20)});
    return random_assignment_problem(randomness);
}

/// The event loop under any delay rule is the naive one.
TEST(AssignmentAgreement, GeneratedOnlinePoliciesRunAsTheNaiveLoop) {
    EXPECT_TRUE(rc::check([] {
        const trees::DelayTree tree = *trees::delay_trees();
        const AssignmentProblem problem = drawn_problem();
        Sampler randomness(StreamKey{});
        const auto is =
            ask_schedule(trees::DelayTreePolicy{std::make_shared<const trees::DelayTree>(tree)}, problem, randomness);
        oracle::Faults as_printed;
        as_printed.wait_from_last_start = tree.wait_from == WaitFrom::last_start;
        oracle::EventLoop naive(problem, oracle::Rule::hadoop, Rational(0), tree.jobs == JobOrder::fair, as_printed,
                                [](std::size_t) { return std::size_t{0}; });
        naive.waits([&](std::size_t running, const CostFunction<Rational>& g) {
            return trees::delay_of(tree, running, g, Rational(1) / Rational(2));
        });
        const std::vector<oracle::Run> expected = naive.run();
        RC_ASSERT(is.executions.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            RC_ASSERT(is.executions[i].task.index() == expected[i].task);
            RC_ASSERT(is.executions[i].core.index() == expected[i].core);
            RC_ASSERT(is.executions[i].start == expected[i].start);
            RC_ASSERT(is.executions[i].finish == expected[i].end());
        }
    }));
}

/// No policy is better than the optimum.
TEST(AssignmentAgreement, NoGeneratedPolicyBeatsTheOptimum) {
    EXPECT_TRUE(rc::check([] {
        trees::PlaceTree tree = *trees::place_trees();
        tree.forgets_one = false;
        const AssignmentProblem problem = drawn_problem();
        Sampler randomness(StreamKey{});
        const auto is = ask_schedule(trees::PlaceTreePolicy{tree}, problem, randomness);
        RC_ASSERT(*evaluate(problem, is.assignment).makespan >= Exhaustive(problem).optimum());
    }));
}

}  // namespace
}  // namespace schedproof::checks::assignment_agreement
