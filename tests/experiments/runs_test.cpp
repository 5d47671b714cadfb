/// Replications, units as files, studies and their folder.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <fstream>
#include <mutex>
#include <set>

#include "experiments/runs/folder.hpp"
#include "experiments/runs/replicate.hpp"
#include "experiments/runs/study.hpp"
#include "experiments/runs/unit.hpp"
#include "model/base/parallel.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "tests/experiments/fake_experiments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::runs {
namespace {

using testing_support::Lindley;

TEST(Parallel, CallsEachOnceAndThrowsTheFirst) {
    for (const unsigned threads : {1U, 2U, 5U}) {
        std::mutex guard;
        std::multiset<std::size_t> seen;
        base::for_each_index(100, threads, [&](std::size_t i) {
            const std::lock_guard lock(guard);
            seen.insert(i);
        });
        EXPECT_EQ(seen.size(), 100U);
        EXPECT_EQ(std::set<std::size_t>(seen.begin(), seen.end()).size(), 100U);
    }
    base::for_each_index(0, 2, [](std::size_t) { FAIL(); });
    try {
        base::for_each_index(10, 1, [](std::size_t i) {
            if (i >= 3) throw Error(std::to_string(i));
        });
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "3");
    }
}

/// Runs up to five replications together, and notes how many.
class InFives : public Lindley {
  public:
    InFives() : Lindley(20, 50) {}
    [[nodiscard]] std::size_t side_by_side() const override { return 5; }
    [[nodiscard]] std::vector<simulation::Observation> run_together(
        std::span<const statistics::Replication> replications, const simulation::Done& done) const override {
        std::vector<simulation::Observation> result;
        for (const statistics::Replication& replication : replications) result.push_back(run(replication, done));
        const std::lock_guard lock(guard);
        together.insert(replications.size());
        return result;
    }
    mutable std::mutex guard;
    mutable std::multiset<std::size_t> together;
};

TEST(Replicate, RunsSideBySideWhatCanBe) {
    const auto alone = replicate(Lindley(20, 50), {7, 3}, 11, 1);
    const auto sizes_of = [&](std::size_t count, unsigned threads) {
        const InFives experiment;
        std::vector<double> reports;
        const auto seen = replicate(experiment, {7, 3}, count, threads, [&](double done) { reports.push_back(done); });
        EXPECT_TRUE(std::equal(seen.begin(), seen.end(), alone.begin()));
        EXPECT_EQ(reports.back(), static_cast<double>(count));
        EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
        return experiment.together;
    };
    using Sizes = std::multiset<std::size_t>;
    EXPECT_EQ(sizes_of(1, 1), (Sizes{1}));
    EXPECT_EQ(sizes_of(5, 1), (Sizes{5}));
    EXPECT_EQ(sizes_of(11, 1), (Sizes{3, 4, 4}));
    // A thread more is worth while as long as each still has three.
    EXPECT_EQ(sizes_of(5, 4), (Sizes{5}));
    EXPECT_EQ(sizes_of(6, 4), (Sizes{3, 3}));
    EXPECT_EQ(sizes_of(10, 8), (Sizes{3, 3, 4}));
}

TEST(Replicate, KeepsExperimentsApart) {
    const InFives a, b;
    std::vector<PlannedRun> runs;
    for (std::uint64_t r = 0; r < 4; ++r) {
        runs.push_back({&a, {1, r}});
        runs.push_back({&b, {2, r}});
    }
    std::vector<simulation::Observation> seen(runs.size());
    run_all(runs, 2, {}, [&](std::size_t i, simulation::Observation o) { seen[i] = std::move(o); });
    for (std::size_t i = 0; i < runs.size(); ++i) EXPECT_EQ(seen[i], a.run(runs[i].replication, {})) << i;
    EXPECT_EQ(a.together, (std::multiset<std::size_t>{4}));
    EXPECT_EQ(b.together, (std::multiset<std::size_t>{4}));
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

TEST(Units, AreRefusedWhenTheirMembersAreOfOtherKindsOrMissing) {
    for (const char* text : {R"({"schema": 5})", R"({"schema": null})", R"({"schema": "simulation-unit"})", "null", ""})
        EXPECT_THROW(static_cast<void>(parse_unit(text, "unit")), InputError) << text;
    // Fingerprints that agree with what no run writes.
    Unit unit = unit_of(Lindley(2, 5));
    Unit empty = unit, fewer = unit, without = unit;
    empty.observation.batches.clear();
    fewer.observation.batches[1].tallies.pop_back();
    without.observation.batches[0].histograms.clear();
    static_cast<void>(parse_unit(to_text(unit), "unit"));
    for (const Unit& wrong : {empty, fewer, without})
        EXPECT_THROW(static_cast<void>(parse_unit(to_text(wrong), "unit")), InputError);
}

Study study_of_two() {
    StudyPoint point;
    point.variables = {{"load", "1/2"}};
    point.inputs = {{"m2.toml", std::string(64, 'a')}};
    point.policies = {{"delay D=5", {"simulate", "--skips", "5"}, 5.0, "D (offers passed over)"},
                      {"fifo", {"simulate"}, {}}};
    point.precision = Precision{0.05, 10, 20};
    point.options.warm_up = 3.5;
    point.options.known = KnownMean{1, "tasks in system", 4.5, 4.75};
    return {"1.2.3", {"sweep", "s.toml"}, {{"s.toml", std::string(64, 'b')}}, {point, point}};
}

TEST(Studies, ReadBackAsTheyWereWritten) {
    const std::string text = to_text(study_of_two());
    const Study back = parse_study(text, "study.json");
    EXPECT_EQ(to_text(back), text);
    EXPECT_EQ(back.points[1].policies, study_of_two().points[1].policies);
    EXPECT_EQ(back.inputs, study_of_two().inputs);
    EXPECT_EQ(back.points[0].options.known, study_of_two().points[0].options.known);
}

TEST(Studies, AreRefusedOutOfRange) {
    const auto expect_refused = [](auto&& change) {
        Study study = study_of_two();
        change(study);
        EXPECT_THROW(static_cast<void>(parse_study(to_text(study), "study.json")), InputError) << to_text(study);
    };
    expect_refused([](Study& s) { s.points.clear(); });
    expect_refused([](Study& s) { s.points[1].policies.clear(); });
    expect_refused([](Study& s) { s.points[0].replications = 0; });
    expect_refused([](Study& s) { s.points[0].replications = most_replications + 1; });
    expect_refused([](Study& s) { s.points[0].precision->least = 1; });
    expect_refused([](Study& s) { s.points[0].precision->most = 9; });
    expect_refused([](Study& s) { s.points[0].precision->relative = 0; });
    expect_refused([](Study& s) { s.points[0].options.confidence = 1; });
    expect_refused([](Study& s) { s.points[0].options.warm_up = -1; });
    expect_refused([](Study& s) { s.points[0].options.known->policy = 2; });
    expect_refused([](Study& s) { s.points[0].options.known->lower = 5; });
    for (const char* text : {R"({"schema": 5})", R"({"schema": "simulation-study"})", "[]", ""})
        EXPECT_THROW(static_cast<void>(parse_study(text, "study.json")), InputError) << text;
}

TEST(Shards, ShareUnitsAndPolicies) {
    // Units of two policies in turn: of every part of an even number of parts, each policy has its half, but for one.
    for (const std::size_t count : {1U, 2U, 3U, 4U, 6U}) {
        std::vector<std::size_t> parts(120, 0);
        for (std::size_t i = 0; i < count; ++i) {
            std::array<std::size_t, 2> of_policy{};
            for (std::size_t unit = 0; unit < parts.size(); ++unit)
                if (Shard{i, count}.has(unit)) ++parts[unit], ++of_policy[unit % 2];
            EXPECT_NEAR(static_cast<double>(of_policy[0]), 60.0 / static_cast<double>(count), 1) << i << "/" << count;
            EXPECT_NEAR(static_cast<double>(of_policy[1]), 60.0 / static_cast<double>(count), 1) << i << "/" << count;
        }
        EXPECT_EQ(std::count(parts.begin(), parts.end(), 1U), 120);
    }
}

TEST(Units, CommandLinesAreForTheShell) {
    EXPECT_EQ(base::command_line({"simulate", "--load", "1/2", "a b", "it's", ""}),
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

TEST(Folder, CreatesAFileOnce) {
    const testing_support::TemporaryDirectory root;
    const Folder folder = Folder::open(root.path());
    std::vector<char> first(8, 0);
    base::for_each_index(first.size(), 4, [&](std::size_t i) {
        first[i] = folder.create("study.json", "by " + std::to_string(i)) ? 1 : 0;
    });
    ASSERT_EQ(std::count(first.begin(), first.end(), 1), 1);
    const auto writer = std::find(first.begin(), first.end(), 1) - first.begin();
    EXPECT_EQ(folder.read("study.json"), "by " + std::to_string(writer));
    EXPECT_EQ(folder.names("").size(), 1U) << "nothing half written is left";
}

TEST(Folder, WhatTheSystemRefusesIsAnErrorOfTheInput) {
    const testing_support::TemporaryDirectory root;
    const std::string too_long(300, 'x');
    EXPECT_THROW(static_cast<void>(Folder::open(root.path() / too_long)), InputError);
    EXPECT_THROW(static_cast<void>(Folder::existing(root.path() / too_long)), InputError);
    const Folder folder = Folder::open(root.path() / "a");
    EXPECT_THROW(static_cast<void>(folder.read(too_long)), InputError);
    std::filesystem::create_directory(root.path() / "a" / "p.json");
    EXPECT_THROW(static_cast<void>(folder.read("p.json")), InputError);
    std::filesystem::remove_all(root.path() / "a");
    EXPECT_THROW(static_cast<void>(folder.names("")), InputError);
    EXPECT_THROW(folder.write("x", "y"), InputError);
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
