/// The event loop against plain lists, event by event; what happens at one instant, in gaps and when nobody is
/// served; policies of this test's own; a speedup that is not linear; machine numbers beside rationals.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "checks/redundancy/reference_model.hpp"
#include "model/core/errors.hpp"
#include "model/redundancy/instance.hpp"
#include "tests/support/redundancy_problems.hpp"

namespace schedproof::redundancy {
namespace {

using testing_support::any_redundancy_policy;
using testing_support::any_redundancy_problem;
using testing_support::any_speed;
using testing_support::ratio;
using testing_support::redundancy_problem;

Rational flowtime(const AnyPolicy& policy, const Problem<Rational>& problem, const Rational& speed) {
    return history(policy, problem, speed).total_flowtime(problem.jobs);
}

/// Where a history differs from a plain schedule; empty when it does not. Intervals without length are the history's
/// own way to tell of one instant.
std::string difference(const History<Rational>& history, const checks::ReferenceSchedule& plain) {
    if (history.completion != plain.completion) return "completions";
    std::size_t i = 0;
    for (const Interval<Rational>& own : history.intervals) {
        if (own.length.sign() == 0) continue;
        if (i == plain.intervals.size()) return "more intervals";
        const checks::ReferenceInterval& other = plain.intervals[i++];
        if (own.start != other.start || own.length != other.length || own.active.size() != other.active.size())
            return "an interval";
        std::vector<checks::ReferenceShare> shares(own.active.size());
        for (const Band& band : own.allocation)
            for (std::size_t k = band.first; k < band.last; ++k)
                shares[k] = {band.grant.copies, Rational(1) / Rational(band.grant.ways)};
        if (shares != other.shares) return "an allocation";
        for (std::size_t k = 0; k < own.active.size(); ++k)
            if (own.active[k].job.index() != other.active[k] || own.active[k].remaining != other.remaining[k])
                return "the remaining work of a job";
    }
    return i == plain.intervals.size() ? "" : "fewer intervals";
}

RC_GTEST_PROP(RedundancyScheduleProperty, IsTheReferenceSchedule, ()) {
    const auto problem = any_redundancy_problem(7, 5);
    const auto policy = any_redundancy_policy();
    const Rational speed = any_speed();
    RC_ASSERT(difference(history(policy, problem, speed), checks::reference_schedule(policy, problem, speed)) == "");
}

/// Many jobs of few sizes at once on few machines: completions fall together, and rounds become too small.
RC_GTEST_PROP(RedundancyScheduleProperty, IsTheReferenceScheduleWhereJobsEndTogether, ()) {
    auto problem = any_redundancy_problem(9, 3);
    for (auto& job : problem.jobs) job = {ratio(*rc::gen::inRange(0, 2)), ratio(*rc::gen::inRange(1, 3))};
    std::sort(problem.jobs.begin(), problem.jobs.end(),
              [](const auto& a, const auto& b) { return a.arrival < b.arrival; });
    const auto policy = any_redundancy_policy();
    RC_ASSERT(difference(history(policy, problem, 1), checks::reference_schedule(policy, problem, 1)) == "");
}

RC_GTEST_PROP(RedundancyScheduleProperty, IntervalsFollowWithoutGaps, ()) {
    const auto problem = any_redundancy_problem(6, 4);
    const History<Rational> h = history(any_redundancy_policy(), problem, any_speed());
    Rational now = problem.jobs.front().arrival;
    for (const Interval<Rational>& interval : h.intervals) {
        RC_ASSERT(interval.start == now && interval.length.sign() >= 0);
        std::size_t arrived = 0;
        for (const auto& job : problem.jobs) arrived += job.arrival <= now ? 1 : 0;
        RC_ASSERT(interval.arrived <= arrived);
        if (interval.length.sign() > 0) RC_ASSERT(interval.arrived == arrived);
        now += interval.length;
    }
    RC_ASSERT(now == *std::max_element(h.completion.begin(), h.completion.end()));
}

RC_GTEST_PROP(RedundancyScheduleProperty, MachineNumbersAreNear, ()) {
    const auto problem = any_redundancy_problem(6, 4);
    const auto policy = any_redundancy_policy();
    const Rational speed = any_speed();
    Problem<Real> real{problem.machines, problem.service, {}};
    for (const auto& job : problem.jobs)
        real.jobs.push_back({Real(job.arrival.approximate()), Real(job.size.approximate())});
    const auto exact = history(policy, problem, speed);
    const auto near = history(policy, real, speed);
    // Where rounding turns a tie, jobs of equal remaining work change places: the sum does not mind.
    RC_ASSERT(std::abs(near.total_flowtime(real.jobs).value() - exact.total_flowtime(problem.jobs).approximate()) <
              1e-9);
}

/// 2/3 of 7 is no machine number. Were what rounding leaves of the second job taken for work, it would lose its machine
/// when the first leaves, and wait for those of size 100: 71.33 instead of 28/3.
TEST(RedundancySchedule, MachineNumbersLetJobsThatEndTogetherLeaveTogether) {
    const auto problem = redundancy_problem(2, "det", {{0, 7}, {0, 7}, {0, 100}, {0, 100}});
    Problem<Real> real{2, problem.service, {{0, 7}, {0, 7}, {0, 100}, {0, 100}}};
    for (const char* id : {"fair", "fair+r", "laps+r"}) {
        const auto exact = history(make_policy(id, ratio(1)), problem, ratio(3, 2));
        const auto near = history(make_policy(id, ratio(1)), real, ratio(3, 2));
        for (std::size_t j = 0; j < 4; ++j)
            EXPECT_NEAR(near.completion[j].value(), exact.completion[j].approximate(), 1e-9) << id << " " << j;
    }
    EXPECT_EQ(flowtime(Fair{}, problem, ratio(3, 2)), ratio(484, 3));
}

RC_GTEST_PROP(RedundancyScheduleProperty, WithoutAGainSrptRHasTheFlowtimesOfSrpt, ()) {
    auto problem = any_redundancy_problem(7, 5);
    problem.service = Service(Deterministic{});
    const Rational speed = any_speed();
    RC_ASSERT(history(SrptR{}, problem, speed).completion == history(Srpt{}, problem, speed).completion);
}

RC_GTEST_PROP(RedundancyScheduleProperty, FairRIsLapsRInRoundsWithBeta1, ()) {
    const auto problem = any_redundancy_problem(7, 5);
    const Rational speed = any_speed();
    const auto fair = history(FairR{}, problem, speed).completion;
    RC_ASSERT(history(make_policy("laps+r", ratio(1)), problem, speed).completion == fair);
}

TEST(RedundancySchedule, FairRIsNotLapsRWithAllServed) {
    const auto problem = redundancy_problem(2, "det", {{0, 1}, {0, 1}, {0, 1}});
    EXPECT_EQ(flowtime(FairR{}, problem, 1), ratio(4));                              // 1, 1, 2
    EXPECT_EQ(flowtime(make_policy("laps+r:all", ratio(1)), problem, 1), ratio(6));  // every rate 1/2
}

TEST(RedundancySchedule, OneJobOnTwoMachines) {
    const auto problem = redundancy_problem(2, "two-point:2,0", {{0, 1}});
    EXPECT_EQ(flowtime(Srpt{}, problem, 1), ratio(1));
    EXPECT_EQ(flowtime(SrptR{}, problem, 1), ratio(2, 3));
    EXPECT_EQ(flowtime(SrptR{}, problem, 2), ratio(1, 3));
}

/// SRPT+R against the optimum's schedule at unit speed, by hand: g(2) = 5/3.
TEST(RedundancySchedule, SrptRIsNotOptimalAtUnitSpeed) {
    const auto problem = redundancy_problem(2, "two-point:3,0", {{0, ratio(7, 2)}, {0, ratio(4)}});
    EXPECT_EQ(flowtime(SrptR{}, problem, 1), ratio(73, 10));
}

/// A completion comes before an arrival at the same instant; two arrivals in the order of their ids; a tie of
/// remaining works goes to the lower id.
TEST(RedundancySchedule, EventsOfOneInstant) {
    const auto problem = redundancy_problem(1, "det", {{0, 2}, {2, 1}, {2, 1}});
    const History<Rational> h = history(Srpt{}, problem, 1);
    EXPECT_EQ(h.completion, (std::vector<Rational>{2, 3, 4}));
    ASSERT_EQ(h.intervals.size(), 5u);
    for (const std::size_t i : {1u, 2u}) EXPECT_EQ(h.intervals[i].length, ratio(0));
    EXPECT_TRUE(h.intervals[1].active.empty());  // the first has left, the second is not there yet
    ASSERT_EQ(h.intervals[2].active.size(), 1u);
    EXPECT_EQ(h.intervals[2].active.front().job, JobId(1));
    EXPECT_EQ(h.intervals[3].active.size(), 2u);

    const auto both = redundancy_problem(2, "det", {{0, 1}, {0, 1}});
    EXPECT_EQ(history(Fair{}, both, 1).completion, (std::vector<Rational>{1, 1}));
    // The first two end together at 2; when one has left, the other has lost its machine, and is done all the same.
    const auto round = redundancy_problem(2, "det", {{0, 1}, {0, 1}, {0, 5}, {0, 5}});
    EXPECT_EQ(history(Fair{}, round, 1).completion, (std::vector<Rational>{2, 2, 6, 6}));
    // The job that arrives when the first has 1 left stands behind it.
    const auto tie = redundancy_problem(1, "det", {{0, 2}, {1, 1}});
    EXPECT_EQ(history(Srpt{}, tie, 1).completion, (std::vector<Rational>{2, 3}));
}

TEST(RedundancySchedule, IdlesUntilTheNextArrival) {
    const auto problem = redundancy_problem(2, "two-point:2,0", {{1, 1}, {5, 3}});
    const History<Rational> h = history(SrptR{}, problem, 1);
    EXPECT_EQ(h.completion, (std::vector<Rational>{ratio(5, 3), 7}));
    ASSERT_EQ(h.intervals.size(), 3u);
    EXPECT_TRUE(h.intervals[1].active.empty());
    EXPECT_TRUE(h.intervals[1].allocation.empty());
    EXPECT_EQ(h.intervals[1].length, ratio(10, 3));
    EXPECT_EQ(h.intervals[1].arrived, 1u);
    EXPECT_TRUE(history(SrptR{}, redundancy_problem(1, "det", {}), 1).intervals.empty());
}

/// LAPS with beta n rounded down: with few jobs nobody is served.
struct LapsDown {
    static constexpr PolicyInfo info{"laps-down", "[schedproof], docs/models/redundancy.md, Interpretation R5",
                                     "floor(beta n)"};
    static constexpr Order order = Order::arrival;
    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        grant(allocation, n - n / 2, n, {1, (n / 2 + machines - 1) / machines});
        return allocation;
    }
};

TEST(RedundancySchedule, RoundingDownDeadlocks) {
    const auto one = redundancy_problem(1, "det", {{0, 1}});
    EXPECT_THROW((void)history(LapsDown{}, one, 1), Deadlock);
    const auto later = redundancy_problem(1, "det", {{0, 1}, {4, 1}});
    EXPECT_THROW((void)history(LapsDown{}, later, 1), Deadlock);
    EXPECT_EQ(checks::reference_schedule({false,
                                          [](std::size_t n, std::size_t) {
                                              std::vector<checks::ReferenceShare> all(n);
                                              for (std::size_t i = n - n / 2; i < n; ++i) all[i] = {1, ratio(1)};
                                              return all;
                                          }},
                                         one, 1),
              std::nullopt);
}

/// By remaining work, the longest first: ranks change as time passes.
struct Longest {
    static constexpr PolicyInfo info{"longest", "this test", "one copy for the jobs with the most remaining work"};
    static constexpr Order order = Order::remaining;
    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        grant(allocation, n - std::min(n, machines), n, {1, 1});
        return allocation;
    }
};
checks::ReferencePolicy reference_longest() {
    return {true, [](std::size_t n, std::size_t machines) {
                std::vector<checks::ReferenceShare> all(n);
                for (std::size_t i = n - std::min(n, machines); i < n; ++i) all[i] = {1, ratio(1)};
                return all;
            }};
}

RC_GTEST_PROP(RedundancyScheduleProperty, RanksFollowRemainingWork, ()) {
    const auto problem = any_redundancy_problem(6, 3);
    const Rational speed = any_speed();
    RC_ASSERT(difference(history(Longest{}, problem, speed),
                         *checks::reference_schedule(reference_longest(), problem, speed)) == "");
}

TEST(RedundancySchedule, RanksAreSortedAnewAtEachDecision) {
    const auto problem = redundancy_problem(1, "det", {{0, 2}, {0, 5}, {4, 3}});
    // The second works from 5 to 1 at time 4; the new one (3) is done first, then 2, then 1.
    EXPECT_EQ(history(Longest{}, problem, 1).completion, (std::vector<Rational>{9, 10, 7}));
}

TEST(RedundancyInstance, RefusesBadNumbers) {
    Instance good{"x", "", redundancy_problem(1, "det", {{0, 1}, {1, 1}}), 1, ratio(1, 2)};
    EXPECT_NO_THROW(validate(good));
    const auto with = [&](auto change) {
        Instance bad = good;
        change(bad);
        return bad;
    };
    for (const Instance& bad :
         {with([](Instance& i) { i.problem.machines = 0; }), with([](Instance& i) { i.speed = 0; }),
          with([](Instance& i) { i.speed = -1; }), with([](Instance& i) { i.beta = 0; }),
          with([](Instance& i) { i.beta = ratio(3, 2); }), with([](Instance& i) { i.problem.jobs[0].size = 0; }),
          with([](Instance& i) { i.problem.jobs[1].size = -1; }),
          with([](Instance& i) { i.problem.jobs[0].arrival = -1; }),
          with([](Instance& i) { i.problem.jobs[0].arrival = 2; })})
        EXPECT_THROW(validate(bad), InputError);
    EXPECT_THROW((void)history(Srpt{}, good.problem, 0), ContractViolation);
    Problem<Rational> periodic = good.problem;
    periodic.service = Service(Periodic{});
    EXPECT_THROW((void)history(Srpt{}, periodic, 1), ContractViolation);
}

/// The periodic process as a speedup on machine numbers: h is not linear in the length, and time is found by halving.
class PeriodicSpeedup {
  public:
    explicit PeriodicSpeedup(double speed) : speed_(speed) {}
    [[nodiscard]] Real work(const Grant& grant, const Real& length) const {
        return Real(speed_ / static_cast<double>(grant.ways) * best(grant.copies, length.value()));
    }
    [[nodiscard]] Real time(const Grant& grant, const Real& work) const {
        double low = 0, high = 1;
        while (this->work(grant, Real(high)) < work) high *= 2;
        for (int i = 0; i < 60; ++i) {
            const double middle = (low + high) / 2;
            (this->work(grant, Real(middle)) < work ? low : high) = middle;
        }
        return Real(high);
    }

  private:
    /// h(r, D) of docs/models/redundancy.md, Model.
    static double best(std::size_t copies, double length) {
        const double periods = std::floor(length / 2), rest = length - 2 * periods;
        const double low = rest <= 1 ? 0 : rest - 1, high = rest <= 1 ? rest : 1, atom = std::abs(1 - rest) / 2;
        const double r = static_cast<double>(copies) + 1;
        return 2 * periods + 2 * (high - (std::pow(atom + high - low, r) - std::pow(atom, r)) / r);
    }
    double speed_;
};

double periodic_flowtime(const AnyPolicy& policy, const Problem<Rational>& problem, double speed) {
    Jobs<Real> jobs;
    for (const auto& job : problem.jobs)
        jobs.push_back({Real(job.arrival.approximate()), Real(job.size.approximate())});
    AnySchedule<Real, PeriodicSpeedup> schedule(policy, problem.machines, PeriodicSpeedup(speed));
    Recorder<Real> recorder(jobs.size());
    run(schedule, jobs, recorder);
    return recorder.take().total_flowtime(jobs).value();
}

RC_GTEST_PROP(RedundancyScheduleProperty, CopiesHelpSrptWithAServiceThatIsNotLinear, ()) {
    const auto problem = any_redundancy_problem(6, 5);
    const double speed = any_speed().approximate();
    RC_ASSERT(periodic_flowtime(SrptR{}, problem, speed) <= periodic_flowtime(Srpt{}, problem, speed) + 1e-6);
}

TEST(RedundancySchedule, PeriodicSpeedupIsTheExactOne) {
    const Service periodic{Periodic{}};
    for (std::uint32_t r = 1; r <= 5; ++r)
        for (std::int64_t k = 0; k <= 40; ++k)
            EXPECT_NEAR(PeriodicSpeedup(1).work({r, 1}, Real(ratio(k, 8).approximate())).value(),
                        periodic.best_of(r, ratio(k, 8)).approximate(), 1e-12);
    // Two machines, one job of size 35/48: half a unit of time.
    EXPECT_NEAR(periodic_flowtime(SrptR{}, redundancy_problem(2, "det", {{0, ratio(35, 48)}}), 1), 0.5, 1e-9);
}

}  // namespace
}  // namespace schedproof::redundancy
