/// The simulator in slots: against a naive one, against exact schedules where both must agree, and what the paper's
/// section 6 reports.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/simulators/redundancy/copies_in_slots.hpp"
#include "experiments/simulators/redundancy/mean_service.hpp"
#include "experiments/simulators/redundancy/random_periods.hpp"
#include "experiments/statistics/sample.hpp"
#include "experiments/workload/redundancy_workload.hpp"
#include "model/core/errors.hpp"
#include "tests/experiments/slotted_oracle.hpp"

namespace schedproof::simulation {
namespace {

using redundancy::AnyPolicy;
using redundancy::Jobs;
using redundancy::make_policy;

Rational half() { return Rational(Integer(1), Integer(2)); }

Jobs<Real> random_jobs(bool whole, std::size_t most) {
    Jobs<Real> jobs;
    double now = 0;
    const auto draw = [&](int from, int to) { return *rc::gen::inRange(from, to) / (whole ? 1.0 : 8.0); };
    for (std::size_t j = *rc::gen::inRange<std::size_t>(1, most); j > 0; --j) {
        now += whole ? draw(0, 4) : draw(0, 24);
        jobs.push_back({Real(now), Real(draw(1, whole ? 9 : 60))});
    }
    return jobs;
}

RC_GTEST_PROP(SlottedRun, IsWhatTheNaiveLoopDoes, ()) {
    const auto policies = redundancy::policies();
    const std::string id(policies[*rc::gen::inRange<std::size_t>(0, policies.size())].id);
    const int percent = *rc::gen::element(10, 28, 50, 80, 100);
    const AnyPolicy policy = make_policy(id, Rational(Integer(percent), Integer(100)));
    const auto machines = *rc::gen::inRange<std::size_t>(1, 7);
    const double speed = *rc::gen::element(1.0, 0.5, 3.0);
    const statistics::Replication replication{*rc::gen::inRange<std::uint64_t>(1, 1000), 0};
    const Jobs<Real> jobs = random_jobs(false, 25);
    RandomPeriods work(period_law("B"), machines, replication);
    slotted_oracle::SlotOracle oracle(id, jobs, machines, speed, percent);
    SlottedSetting setting{jobs, speed, replication};
    setting.watcher = &oracle;
    const Run run = run_in_slots(policy, work, setting);
    RC_ASSERT(!::testing::Test::HasFailure());
    RC_ASSERT(oracle.completion.size() == jobs.size());
    for (std::size_t j = 0; j < jobs.size(); ++j)
        RC_ASSERT(run.flowtime[j] == oracle.completion[j] - jobs[j].arrival.value());
    RC_ASSERT(run.events == 2 * jobs.size());
}

/// On machines of rate 1, with everything whole and no machine divided, slots and exact schedules are one.
RC_GTEST_PROP(SlottedRun, IsTheExactScheduleOnWholeNumbers, ()) {
    const std::string id =
        *rc::gen::element<std::string>("srpt", "srpt+r", "fair", "fair+r", "laps", "laps+r", "late", "redundancy-d");
    const bool shares = id.starts_with("fair") || id.starts_with("laps");
    const auto machines = *rc::gen::inRange<std::size_t>(shares ? 8 : 1, 12);
    const Jobs<Real> jobs = random_jobs(true, shares ? 2 * machines : 20);
    const AnyPolicy policy = make_policy(id, half());
    redundancy::Problem<Rational> exact{machines, redundancy::Service(), {}};
    for (const auto& job : jobs)
        exact.jobs.push_back(
            {Rational(static_cast<int>(job.arrival.value())), Rational(static_cast<int>(job.size.value()))});
    const auto history = redundancy::history<Rational>(policy, exact, Rational(1));
    ConstantWork work(machines);
    const Run slotted = run_in_slots(policy, work, {jobs});
    const Run real = run_on_mean_service(policy, {machines, redundancy::Service(), jobs}, Rational(1));
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const Rational flowtime = history.completion[j] - exact.jobs[j].arrival;
        RC_ASSERT(flowtime == Rational(static_cast<int>(slotted.flowtime[j])));
        RC_ASSERT(slotted.flowtime[j] == real.flowtime[j]);
    }
    RC_ASSERT(std::abs(slotted.active - real.active) < 1e-9);
}

/// Tenths and thirds of a slot are no machine numbers, and yet ten tenths are done in ten slots, and jobs that are done
/// together leave together.
TEST(SlottedRun, RoundingCostsNoSlotAndNoMachine) {
    const auto flowtimes = [](const char* id, std::size_t machines, double speed, const Jobs<Real>& jobs) {
        ConstantWork work(machines);
        return run_in_slots(make_policy(id, half()), work, {jobs, speed}).flowtime;
    };
    EXPECT_EQ(flowtimes("srpt", 1, 0.1, {{0, 1}}), std::vector<double>{10});
    EXPECT_EQ(flowtimes("fair", 2, 1, Jobs<Real>(20, {0, 1})), std::vector<double>(20, 10));
    const Jobs<Real> jobs{{0, 1}, {0, 3}, {0, 5}, {1, 30}, {1, 1}, {2, 2}, {4, 3}, {8, 30}};
    EXPECT_EQ(flowtimes("fair", 2, 1, jobs)[1], 8);
}

TEST(SlottedRun, FollowsTheBestCopyAndJumpsAtEventsOnly) {
    // Two machines in turn at rates 2, 0 and 0, 2, one slot each; one job on both, another comes at 3.
    class Turns final : public MachineWork {
      public:
        Turns() : MachineWork(2) {}
        Period next(std::size_t machine, const Period& before) override {
            const auto slot = static_cast<std::size_t>(before.end);
            return {(slot + machine) % 2 == 0 ? 2.0 : 0.0, before.end + 1};
        }
    };
    // Each copy gets 2 done in two slots, so both together no more: the best is at 4 after slots 0, 1, 2.
    Turns work;
    const Jobs<Real> alone{{Real(0), Real(6)}};
    EXPECT_EQ(run_in_slots(make_policy("srpt+r", half()), work, {alone}).flowtime, (std::vector<double>{5}));
    // The checkpoint at 3 lets both copies go on from 4. Whichever machine job 0 keeps, it has 2 more done within two
    // slots; without the jump it would need until 6 on machine 1.
    const Jobs<Real> two{{Real(0), Real(6)}, {Real(3), Real(100)}};
    std::set<double> seen;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Turns again;
        const simulation::Run run = run_in_slots(make_policy("srpt+r", half()), again, {two, 1, {seed, 0}});
        EXPECT_EQ(run.events, 4U);
        seen.insert(run.flowtime[0]);
    }
    EXPECT_EQ(seen, (std::set<double>{4, 5}));
}

TEST(SlottedRun, SameSeedSameBytesAndStreamsThatNoPolicyTouches) {
    const statistics::Replication replication{7, 3};
    const workload::RedundancyWorkload load{1, workload::Pareto{2, 20}, 500};
    const Jobs<Real> jobs = workload::generate(load, replication);
    EXPECT_EQ(workload::generate(load, replication), jobs);
    EXPECT_NE(workload::generate(load, {7, 4}), jobs);
    EXPECT_NE(workload::generate(load, {8, 3}), jobs);
    const auto flowtimes = [&](const char* policy, std::uint64_t seed) {
        RandomPeriods work(period_law("A"), 50, {seed, 3});
        return run_in_slots(make_policy(policy, half()), work, {jobs, 1, {seed, 3}}).flowtime;
    };
    EXPECT_EQ(flowtimes("laps+r", 7), flowtimes("laps+r", 7));
    EXPECT_NE(flowtimes("laps+r", 7), flowtimes("laps+r", 8));

    // The same paths are seen by every policy.
    struct Work : Watcher {
        std::map<std::uint64_t, std::vector<double>> seen;
        void decided(std::uint64_t, std::span<const Placed>) override {}
        void worked(std::uint64_t slot, std::span<const double> work) override {
            seen[slot].assign(work.begin(), work.end());
        }
    } first, second;
    for (auto [policy, watcher] : {std::pair{"srpt", &first}, std::pair{"fair+r", &second}}) {
        RandomPeriods work(period_law("A"), 20, replication);
        SlottedSetting setting{jobs, 1, replication};
        setting.watcher = watcher;
        static_cast<void>(run_in_slots(make_policy(policy, half()), work, setting));
    }
    std::size_t common = 0;
    for (const auto& [slot, work] : first.seen)
        if (const auto other = second.seen.find(slot); other != second.seen.end()) {
            EXPECT_EQ(work, other->second);
            ++common;
        }
    EXPECT_GT(common, 400U);
}

TEST(SlottedRun, EndsLoudlyWhenJobsDoNot) {
    class Idle final : public MachineWork {
      public:
        Idle() : MachineWork(1) {}
        Period next(std::size_t, const Period&) override { return {0, 1e18}; }
    } work;
    const Jobs<Real> jobs{{Real(0), Real(1)}};
    SlottedSetting setting{jobs};
    setting.max_slots = 1000;
    EXPECT_THROW(static_cast<void>(run_in_slots(make_policy("srpt", half()), work, setting)), LimitExceeded);
    const Jobs<Real> late{{Real(0), Real(1)}, {Real(1e300), Real(1)}};
    ConstantWork one(1);
    EXPECT_THROW(static_cast<void>(run_in_slots(make_policy("srpt", half()), one, {late})), LimitExceeded);
    EXPECT_TRUE(run_in_slots(make_policy("srpt", half()), work, {Jobs<Real>()}).flowtime.empty());
}

/// Section 6 of the paper: the orderings that its figures show, on one seed's replications. Values are not asserted,
/// the parameters of the paper are lost.
class PaperFigures : public ::testing::TestWithParam<std::uint64_t> {
  protected:
    [[nodiscard]] statistics::Replication replication() const { return {1, GetParam()}; }
    [[nodiscard]] Jobs<Real> jobs(double rate, double horizon) const {
        return workload::generate({rate, workload::Pareto{2, 20}, horizon}, replication());
    }
    [[nodiscard]] statistics::Sample sample(const Jobs<Real>& jobs, const std::string& policy, int percent = 50,
                                            const char* configuration = "A") const {
        RandomPeriods work(period_law(configuration), 100, replication());
        const AnyPolicy algorithm = make_policy(policy, Rational(Integer(percent), Integer(100)));
        return statistics::Sample(run_in_slots(algorithm, work, {jobs, 1, replication()}).flowtime);
    }
};

/// Figures 5 and 6.
TEST_P(PaperFigures, RedundancyHelpsAtLowLoadUnderEveryAlgorithm) {
    const Jobs<Real> load = jobs(1, 4000);
    for (const char* configuration : {"A", "B"}) {
        double srpt = 0;
        for (const std::string policy : {"srpt", "fair", "laps"}) {
            const auto plain = sample(load, policy, 50, configuration);
            const auto redundant = sample(load, policy + "+r", 50, configuration);
            EXPECT_GT(redundant.mean(), 0.55 * plain.mean()) << policy << configuration;
            EXPECT_LT(redundant.mean(), 0.85 * plain.mean()) << policy << configuration;
            EXPECT_GT(redundant.share_within(40), plain.share_within(40) + 0.1) << policy << configuration;
            if (policy == "srpt") srpt = plain.mean();
            if (policy == "fair") {
                EXPECT_NEAR(plain.mean() / srpt, 1, 0.03);
            }
        }
    }
}

/// Figures 7 and 8: near the limit. The interior minimum over beta needs a long horizon: up to 20,000 slots it is at 1.
TEST_P(PaperFigures, NearTheLimitFairnessCostsAndBetaHasAnInteriorBest) {
    const Jobs<Real> load = jobs(2.5, 60'000);
    const auto srpt = sample(load, "srpt+r"), fair = sample(load, "fair+r"), best = sample(load, "laps+r", 90),
               least = sample(load, "laps+r", 20);
    EXPECT_GT(fair.mean(), 1.5 * srpt.mean());
    EXPECT_GT(best.mean(), 1.5 * srpt.mean());
    EXPECT_LT(best.mean(), fair.mean());
    EXPECT_LT(best.mean(), least.mean());
    EXPECT_GT(least.share_within(200), best.share_within(200));
    EXPECT_GT(best.share_within(200), fair.share_within(200));
}

/// Figure 7, further down: SRPT+R and Fair+R alike, LAPS+R behind; the other interpretation of LAPS+R is far off.
TEST_P(PaperFigures, FairnessCostsNothingBelowTheLimit) {
    const Jobs<Real> load = jobs(2, 8000);
    const auto srpt = sample(load, "srpt+r"), fair = sample(load, "fair+r"), laps = sample(load, "laps+r", 80);
    EXPECT_NEAR(fair.mean() / srpt.mean(), 1, 0.05);
    EXPECT_GT(laps.mean(), 1.1 * fair.mean());
    EXPECT_GT(sample(load, "laps+r:all", 80).mean(), 1.3 * laps.mean());
}

/// Figure 9: at low load smaller beta has the worse mean, through few jobs only.
TEST_P(PaperFigures, AtLowLoadSmallBetaHurtsFewJobs) {
    const Jobs<Real> load = jobs(1, 20'000);
    const auto small = sample(load, "laps+r", 20), middle = sample(load, "laps+r", 50),
               all = sample(load, "laps+r", 100);
    EXPECT_GT(small.mean(), 1.5 * middle.mean());
    EXPECT_GT(middle.mean(), 1.5 * all.mean());
    EXPECT_NEAR(small.share_within(40), all.share_within(40), 0.02);
    EXPECT_GT(small.share_within(200), 0.97);
}

INSTANTIATE_TEST_SUITE_P(Replications, PaperFigures, ::testing::Values(0, 1, 2));

}  // namespace
}  // namespace schedproof::simulation
