/// Every registered assignment policy agrees with itself in all modes, generated ones do or break a contract, and
/// policies that depend on what they must not are refused with the reason.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/assignment/agreement.hpp"
#include "checks/assignment/exhaustive.hpp"
#include "checks/assignment/family.hpp"
#include "checks/assignment/generate.hpp"
#include "tests/model/assignment_online_oracle.hpp"
#include "tests/support/trees/assignment.hpp"

namespace schedproof::checks::assignment_agreement {
namespace {

using namespace assignment;

template <class P>
std::string refusal(const P& policy, std::uint64_t cases = agreement_cases) {
    return assignment_disagreement([&] { return assignment_policy_in_modes(policy); }, cases);
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
    template <Number N, Randomness R>
    ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        ScheduleResult<N> result = ask_schedule(Hadoop{}, problem, randomness);
        result.event_makespan = N(0);
        return result;
    }
};

TEST(AssignmentAgreement, RefusesWhatPoliciesMustNotDependOn) {
    // How many calls lie between two of the same problem decides which comparison meets it first.
    const std::string counts = refusal(CountsCalls{});
    EXPECT_TRUE(counts.starts_with("asked ") || counts.starts_with("made twice")) << counts;
    EXPECT_EQ(refusal(Remembers{}).find("asked "), 0U) << refusal(Remembers{});
    EXPECT_EQ(refusal(LooksAtNumber{}).find("in ticks it answers differently"), 0U);
    EXPECT_EQ(refusal(GoodOnlyWhenProved{}).find("on symbols it answers differently"), 0U);
    EXPECT_EQ(refusal(AbsoluteTime{}).find("in "), 0U) << refusal(AbsoluteTime{});
    EXPECT_EQ(refusal(Forgets{}).find("it breaks a contract: a policy gives every task a core"), 0U);
    EXPECT_EQ(refusal(BeyondTheLast{}).find("it breaks a contract: a policy uses cores of the problem"), 0U);
    EXPECT_EQ(refusal(Foresees{}).find("it is online and goes by a load"), 0U) << refusal(Foresees{});
    EXPECT_EQ(refusal(WrongMakespan{}).find("its makespan is not the last end"), 0U) << refusal(WrongMakespan{});
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
