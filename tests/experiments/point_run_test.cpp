/// Runs of a point in memory: the same report as of all observations at once, first answers early, bounded memory.
#include "experiments/runs/point_run.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>

#include "experiments/command/simulate/run_study.hpp"
#include "experiments/runs/replicate.hpp"
#include "experiments/runs/study_report.hpp"
#include "tests/experiments/fake_experiments.hpp"

namespace schedproof::runs {
namespace {

using simulation::Experiment;
using simulation::Observation;
using testing_support::Lindley;

Study study_of(std::size_t policies, std::uint64_t replications) {
    StudyPoint point;
    for (std::size_t c = 0; c < policies; ++c)
        point.policies.push_back({"policy " + std::to_string(c), {"simulate"}, {}});
    point.replications = replications;
    point.seed = 3;
    return {"1.2.3", {"simulate"}, {}, {point}};
}

/// What the point comes to when all observations are there at once; the replications from 0 to before n.
PointReport reference(const StudyPoint& point, const std::vector<const Experiment*>& experiments, std::size_t n) {
    std::vector<PolicyResults> results;
    for (const Experiment* e : experiments)
        results.push_back({e->time_unit(), e->quantities(), replicate(*e, {point.seed, point.first}, n, 1)});
    return report(point, results);
}

void expect_same(const PointReport& a, const PointReport& b) {
    ASSERT_EQ(a.policies.size(), b.policies.size());
    for (std::size_t c = 0; c < a.policies.size(); ++c) {
        const PolicyReport &x = a.policies[c], &y = b.policies[c];
        EXPECT_EQ(x.time_unit, y.time_unit);
        EXPECT_EQ(x.series, y.series);
        EXPECT_EQ(x.distributions, y.distributions);
        EXPECT_EQ(x.summary.cut, y.summary.cut);
        EXPECT_EQ(x.summary.replications, y.summary.replications);
        EXPECT_EQ(x.summary.work, y.summary.work);
        EXPECT_EQ(x.summary.batches, y.summary.batches);
        for (std::size_t q = 0; q < x.quantities.size(); ++q) {
            const QuantitySummary &u = x.summary.quantities[q], &v = y.summary.quantities[q];
            EXPECT_EQ(u.means, v.means);
            EXPECT_EQ(u.largest, v.largest);
            ASSERT_EQ(u.estimate.has_value(), v.estimate.has_value());
            if (u.estimate) {
                EXPECT_EQ(u.estimate->mean, v.estimate->mean);
                EXPECT_EQ(u.estimate->half_width, v.estimate->half_width);
            }
            ASSERT_EQ(u.quantiles.size(), v.quantiles.size());
            for (std::size_t i = 0; i < u.quantiles.size(); ++i) EXPECT_EQ(u.quantiles[i].mean, v.quantiles[i].mean);
        }
    }
    ASSERT_EQ(a.differences.size(), b.differences.size());
    for (std::size_t i = 0; i < a.differences.size(); ++i)
        EXPECT_EQ(a.differences[i].difference.difference.mean, b.differences[i].difference.difference.mean);
}

TEST(PointRun, ComesToWhatAllObservationsComeTo) {
    const Lindley quiet(60, 20), backlogged(60, 20, 40);
    SummaryOptions found, given, terminating;
    given.warm_up = 100.0;
    terminating.terminating = true;
    for (const SummaryOptions& options : {found, given, terminating})
        for (const unsigned threads : {1U, 4U})
            for (const std::uint64_t replications : {1U, 7U}) {
                Study study = study_of(2, replications);
                study.points[0].options = options;
                const PointRun run{&study, 0, {&quiet, &backlogged}, threads};
                expect_same(report(study.points[0], run_point(run)),
                            reference(study.points[0], run.experiments, replications));
            }
}

TEST(PointRun, StopsWhereThePrecisionIsReached) {
    const Lindley quiet(60, 20), backlogged(60, 20, 40);
    for (const bool given : {false, true})
        for (const unsigned threads : {1U, 3U}) {
            Study study = study_of(2, 3);
            StudyPoint& point = study.points[0];
            if (given) point.options.warm_up = 100.0;
            point.precision = Precision{0.1, 3, 60};
            const PointRun run{&study, 0, {&quiet, &backlogged}, threads};
            std::vector<PolicyResults> all;
            for (const Experiment* e : run.experiments)
                all.push_back({e->time_unit(), e->quantities(), replicate(*e, {point.seed, 0}, 60, 2)});
            const auto n = Stopping(point.options, *point.precision).look(all);
            ASSERT_TRUE(n && *n > 3 && *n < 60) << "else nothing is shown";
            expect_same(report(point, run_point(run)), reference(point, run.experiments, *n));
        }
}

/// Notes the order in which replications begin.
class Noted : public Lindley {
  public:
    Noted(std::vector<std::uint64_t>& begun, std::mutex& guard) : Lindley(5, 10), begun_(begun), guard_(guard) {}
    [[nodiscard]] Observation run(const statistics::Replication& replication,
                                  const simulation::Done& done) const override {
        {
            const std::lock_guard lock(guard_);
            begun_.push_back(replication.number);
        }
        return Lindley::run(replication, done);
    }

  private:
    std::vector<std::uint64_t>& begun_;
    std::mutex& guard_;
};

TEST(PointRun, TellsOfTheFirstReplicationOfEveryPolicyFirst) {
    std::vector<std::uint64_t> begun;
    std::mutex guard;
    const Noted a(begun, guard), b(begun, guard), c(begun, guard);
    Study study = study_of(3, 4);
    study.points[0].options.terminating = true;
    PointRun run{&study, 0, {&a, &b, &c}, 1};
    std::vector<std::size_t> told, begun_then;
    std::vector<double> means;
    run.first = [&](std::size_t policy, const Summary& alone) {
        told.push_back(policy);
        begun_then.push_back(begun.size());
        means.push_back(alone.quantities[0].estimate->mean);
    };
    const PointReport all = report(study.points[0], run_point(run));
    EXPECT_EQ(begun, (std::vector<std::uint64_t>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}));
    EXPECT_EQ(told, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(begun_then, (std::vector<std::size_t>{1, 2, 3}));
    for (const double mean : means) EXPECT_EQ(mean, *all.policies[0].summary.quantities[0].means[0]);
}

TEST(PointRun, SaysWhatIsPlannedAndWhatAFirstRunCameTo) {
    Study study = study_of(2, 4);
    StudyPoint& point = study.points[0];
    EXPECT_EQ(cli::plan_of(point, 2), "8 runs on 2 threads, 4 replications of each of policy 0, policy 1");
    const Lindley experiment(20, 5);
    const Observation seen = experiment.run({3, 0}, {});
    std::vector<simulation::Quantity> quantities = experiment.quantities();
    quantities[2] = {"part", "1", false, 1, {}};
    Summary alone = summarise(quantities, std::span(&seen, 1), {.terminating = true});
    alone.quantities[0].estimate = statistics::Estimate{12.5, {}};
    alone.quantities[2].estimate = statistics::Estimate{0.25, {}};
    EXPECT_EQ(cli::preliminary_line(point, 1, quantities, alone),
              "preliminary, policy 1 after one replication: time in system 12.5 second, part 0.25");
    point.precision = Precision{0.1, 4, 100};
    EXPECT_EQ(cli::plan_of(point, 1), "8 to 200 runs on 1 thread, 4 to 100 replications of each of policy 0, policy 1");
}

/// Observations of about two megabytes.
class Large : public Lindley {
  public:
    Large() : Lindley(20, 2) {}
    [[nodiscard]] Observation run(const statistics::Replication& replication,
                                  const simulation::Done& done) const override {
        Observation seen = Lindley::run(replication, done);
        for (simulation::Batch& batch : seen.batches) batch.histograms[0].add(std::uint64_t{1} << 62);
        return seen;
    }
};

/// Most memory that a process of its own needs, in megabytes.
long peak_of(const SummaryOptions& options, std::uint64_t replications) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const Large experiment;
        Study study = study_of(1, replications);
        study.points[0].options = options;
        const auto kept = run_point(PointRun{&study, 0, {&experiment}, 2});
        rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        const long peak = kept.front().size() == replications ? usage.ru_maxrss / 1024 : -1;
        ::_exit(::write(ends[1], &peak, sizeof peak) == sizeof peak ? 0 : 1);
    }
    long peak = -1;
    EXPECT_EQ(::read(ends[0], &peak, sizeof peak), static_cast<ssize_t>(sizeof peak));
    ::waitpid(child, nullptr, 0);
    ::close(ends[0]);
    ::close(ends[1]);
    return peak;
}

TEST(PointRun, MemoryDoesNotGrowWithTheReplications) {
#ifdef SCHEDPROOF_SANITIZED
    GTEST_SKIP() << "sanitizers keep memory that was given back";
#endif
    SummaryOptions trace;
    trace.terminating = true;
    const long few = peak_of(trace, 5), many = peak_of(trace, 105), all = peak_of({}, 105);
    EXPECT_LT(many, few + 30);
    // Where the warm-up is to be found, all of them are needed: so observations are as large as is said here.
    EXPECT_GT(all, many + 100);
}

}  // namespace
}  // namespace schedproof::runs
