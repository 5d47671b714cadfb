/// Replications, summaries, units as files and their folder, on experiments whose truth is known.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <mutex>
#include <set>

#include "experiments/runs/folder.hpp"
#include "experiments/runs/parallel.hpp"
#include "experiments/runs/replicate.hpp"
#include "experiments/runs/summary.hpp"
#include "experiments/runs/unit.hpp"
#include "model/core/errors.hpp"
#include "tests/experiments/fake_experiments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::runs {
namespace {

using simulation::Observation;
using testing_support::Independent;
using testing_support::Lindley;

TEST(Parallel, CallsEachOnceAndThrowsTheFirst) {
    for (const unsigned threads : {1U, 2U, 5U}) {
        std::mutex guard;
        std::multiset<std::size_t> seen;
        for_each_index(100, threads, [&](std::size_t i) {
            const std::lock_guard lock(guard);
            seen.insert(i);
        });
        EXPECT_EQ(seen.size(), 100U);
        EXPECT_EQ(std::set<std::size_t>(seen.begin(), seen.end()).size(), 100U);
    }
    for_each_index(0, 2, [](std::size_t) { FAIL(); });
    try {
        for_each_index(10, 1, [](std::size_t i) {
            if (i >= 3) throw Error(std::to_string(i));
        });
        FAIL();
    } catch (const Error& error) { EXPECT_STREQ(error.what(), "3"); }
}

TEST(Replicate, IsTheSameOnAnyNumberOfThreads) {
    const Lindley experiment(20, 50);
    std::vector<double> reports;
    const auto one = replicate(experiment, {7, 3}, 9, 1, [&](double done) { reports.push_back(done); });
    EXPECT_EQ(one, replicate(experiment, {7, 3}, 9, 2));
    EXPECT_EQ(one, replicate(experiment, {7, 3}, 9, 4));
    EXPECT_EQ(one[4], experiment.run({7, 7}, {}));
    EXPECT_NE(one[0], one[1]);
    EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
    EXPECT_EQ(reports.back(), 9);
}

TEST(Summary, AgreesWithSumsWrittenOut) {
    const Independent experiment(4, 5);
    const auto runs = replicate(experiment, {1, 0}, 3, 1);
    const Summary s = summarise(experiment.quantities(), runs, {.confidence = 0.9, .warm_up = 5.0});
    EXPECT_EQ(s.cut, (Cut{1, false, true, {}}));
    EXPECT_EQ(s.work, 60U);
    double mean = 0;
    for (std::size_t r = 0; r < 3; ++r) {
        double sum = 0;
        for (std::size_t b = 1; b < 4; ++b) sum += runs[r].batches[b].tallies[0].sum;
        EXPECT_DOUBLE_EQ(*s.quantities[0].means[r], sum / 15);
        mean += sum / 45;
    }
    EXPECT_NEAR(s.quantities[0].estimate->mean, mean, 1e-12);
    EXPECT_EQ(s.quantities[0].weight, 45);
    ASSERT_EQ(s.quantities[0].quantiles.size(), std::size(quantile_parts));
    EXPECT_TRUE(s.quantities[1].quantiles.empty());
    statistics::Histogram kept;
    for (std::size_t b = 1; b < 4; ++b) kept += runs[0].batches[b].histograms[0];
    const Summary single = summarise(experiment.quantities(), std::span(runs).first(1), {.warm_up = 5.0});
    EXPECT_DOUBLE_EQ(single.quantities[0].quantiles[0].mean, static_cast<double>(kept.quantile(0.5)) * 0.01);
    EXPECT_FALSE(single.quantities[0].quantiles[0].half_width);
    EXPECT_TRUE(single.quantities[0].estimate->half_width) << "batch means";
    EXPECT_THROW(static_cast<void>(summarise(experiment.quantities(), runs, {.warm_up = 20.0})), InputError);
    EXPECT_EQ(warm_up(experiment.quantities(), runs, {.terminating = true}), (Cut{0, false, true, {}}));
}

TEST(Summary, FindsTheWarmUpOfABacklog) {
    const Lindley cold(200, 40, 800);  // forgotten after 800 / (1 - 1/2) seconds: 20 batches of 80 seconds
    const auto runs = replicate(cold, {3, 0}, 5, 2);
    const Cut cut = warm_up(cold.quantities(), runs, {});
    EXPECT_TRUE(cut.found);
    EXPECT_GE(cut.batches, 18U);
    EXPECT_LE(cut.batches, 75U);
    const Lindley longer(100, 40, 4000);  // forgotten at the end
    EXPECT_FALSE(warm_up(longer.quantities(), replicate(longer, {3, 0}, 5, 2), {}).found);
    EXPECT_EQ(warm_up(longer.quantities(), replicate(longer, {3, 0}, 5, 2), {}).batches, 50U);
}

TEST(Summary, DistributionEndsAtOne) {
    const Lindley experiment(50, 100);
    const auto runs = replicate(experiment, {1, 0}, 2, 2);
    const auto points = distribution(experiment.quantities()[0], 0, runs, {}, 100);
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
    EXPECT_EQ(points.back().second, 1);
    EXPECT_LT(points.size(), 200U);
    for (const auto& [x, part] : points)
        if (part > 0.1) { EXPECT_NEAR(part, 1 - std::exp(-x / 2), 0.05); }
}

/// Intervals of the mean time in system, 2, over many seeds: replications, the same with controls, one long run.
TEST(Summary, CoversTheExactMeanOfMM1) {
    constexpr std::size_t seeds = 400;
    std::size_t plain = 0, controls = 0, batches = 0, reduced = 0;
    const Lindley experiment(50, 60);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const auto runs = replicate(experiment, {seed, 0}, 12, 2);
        const Summary s = summarise(experiment.quantities(), runs, {.confidence = 0.9, .warm_up = 600.0});
        const auto covers = [](const statistics::Estimate& e) { return std::abs(e.mean - 2) <= *e.half_width; };
        plain += covers(*s.quantities[0].estimate) ? 1 : 0;
        ASSERT_TRUE(s.quantities[0].controlled);
        controls += covers(s.quantities[0].controlled->estimate) ? 1 : 0;
        reduced += s.quantities[0].controlled->variance_ratio < 1 ? 1 : 0;
        const Summary one =
            summarise(experiment.quantities(), std::span(runs).first(1), {.confidence = 0.9, .warm_up = 600.0});
        batches += covers(*one.quantities[0].estimate) ? 1 : 0;
    }
    // Means of skewed values are not quite normal, and batches not quite independent: a few per cent below 90.
    for (const std::size_t covered : {plain, controls, batches}) {
        EXPECT_GT(statistics::proportion(covered, seeds, 1 - 1e-6).high, 0.9) << covered;
        EXPECT_LT(statistics::proportion(covered, seeds, 1 - 1e-6).low, 0.9) << covered;
    }
    EXPECT_GT(reduced, seeds * 8 / 10);
}

TEST(Precision, StopsAtTheSameNumberHoweverManyAreThere) {
    const Independent experiment(50, 40);
    const Precision precision{0.01, 5, 100};
    const SummaryOptions options{.warm_up = 0.0};
    const auto runs = replicate(experiment, {5, 0}, 100, 2);
    const auto n = enough(experiment.quantities(), runs, options, precision);
    ASSERT_TRUE(n);
    EXPECT_GT(*n, 5U);
    EXPECT_EQ(enough(experiment.quantities(), std::span(runs).first(*n), options, precision), n);
    EXPECT_FALSE(enough(experiment.quantities(), std::span(runs).first(*n - 1), options, precision));
    const Summary s = summarise(experiment.quantities(), std::span(runs).first(*n), options);
    EXPECT_TRUE(statistics::is_precise(*s.quantities[0].estimate, 0.02));
}

Unit unit_of(const simulation::Experiment& experiment) {
    return {"1.2.3",
            {"simulate", "a b.toml"},
            {4, 9},
            {{"a b.toml", std::string(64, '0')}},
            experiment.time_unit(),
            experiment.quantities(),
            experiment.run({4, 9}, {})};
}

TEST(Units, ReadBackToTheBit) {
    Unit unit = unit_of(Lindley(5, 30));
    unit.observation.batches[0].tallies[0] = {0.1 + 0.2, 1e-300};
    unit.observation.batches[1].tallies[0] = {-0.0, 5e-324};
    unit.observation.batches[2].tallies[0] = {1.7976931348623157e308, 123456789012345680.0};
    unit.observation.batches[0].histograms[0].add(std::uint64_t{1} << 63, 1'000'000'000'000);
    unit.observation.work = ~std::uint64_t{0};
    const std::string text = to_text(unit);
    const Unit back = parse_unit(text, "unit");
    EXPECT_EQ(back.observation, unit.observation);
    EXPECT_TRUE(std::signbit(back.observation.batches[1].tallies[0].sum));
    EXPECT_EQ(to_text(back), text);
    EXPECT_EQ(back.command, unit.command);
    EXPECT_EQ(back.inputs, unit.inputs);
    EXPECT_EQ(back.quantities[1].expectation, 1.0);
    unit.observation.batches[0].tallies[0].sum = std::nan("");
    EXPECT_THROW(static_cast<void>(to_text(unit)), Error);
}

TEST(Units, AnAlteredByteIsNoticedAnywhere) {
    const std::string text = to_text(unit_of(Lindley(2, 5)));
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string altered = text;
        altered[i] = static_cast<char>(altered[i] ^ 1);
        EXPECT_THROW(static_cast<void>(parse_unit(altered, "unit")), InputError) << i << ": " << text[i];
    }
    for (std::size_t n = 0; n < text.size(); n += 7)
        EXPECT_THROW(static_cast<void>(parse_unit(text.substr(0, n), "unit")), InputError);
    EXPECT_THROW(static_cast<void>(parse_unit(text + " ", "unit")), InputError);
    EXPECT_THROW(static_cast<void>(parse_unit("[1]", "unit")), InputError);
}

TEST(Units, CommandLinesAreForTheShell) {
    EXPECT_EQ(command_line({"simulate", "--load", "1/2", "a b", "it's", ""}),
              "simulate --load 1/2 'a b' 'it'\\''s' ''");
}

TEST(Folder, WritesWholeFilesAndForgetsHalfOnes) {
    const testing_support::TemporaryDirectory root;
    const Folder folder = Folder::open(root.path() / "a/b");
    folder.write("x.json", "one");
    folder.write("x.json", "two");
    EXPECT_EQ(folder.read("x.json"), "two");
    EXPECT_EQ(folder.read("y.json"), std::nullopt);
    EXPECT_EQ(folder.names(".json"), std::vector<std::string>{"x.json"});
    char host[256] = {};
    ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
    const pid_t gone = ::fork();
    if (gone == 0) ::_exit(0);
    ::waitpid(gone, nullptr, 0);
    const std::string dead = folder.path("x.json." + std::string(host) + "." + std::to_string(gone) + ".0.partial");
    const std::string alive =
        folder.path("x.json." + std::string(host) + "." + std::to_string(::getpid()) + ".7.partial");
    std::ofstream(dead) << "half";
    std::ofstream(alive) << "half";
    static_cast<void>(Folder::open(root.path() / "a/b"));
    EXPECT_FALSE(std::filesystem::exists(dead));
    EXPECT_TRUE(std::filesystem::exists(alive));
    EXPECT_THROW(static_cast<void>(Folder::existing(root.path() / "c")), InputError);
    EXPECT_THROW(static_cast<void>(Folder::open(root.path() / "a/b/x.json")), InputError);
}

TEST(Folder, AFullDiskLeavesNothingBehind) {
    const testing_support::TemporaryDirectory root;
    const Folder folder = Folder::open(root.path());
    folder.write("x", "before");
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        try {
            folder.write("x", std::string(5000, 'x'));
        } catch (const InputError& error) {
            ::_exit(std::string(error.what()).find("expected room for the whole file: File too large") !=
                            std::string::npos
                        ? 7
                        : 8);
        }
        ::_exit(9);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 7);
    EXPECT_EQ(folder.read("x"), "before");
    EXPECT_EQ(folder.names("").size(), 1U);
}

}  // namespace
}  // namespace schedproof::runs
