/// Replications, summaries, units as files and their folder, on experiments whose truth is known.
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
#include "experiments/runs/parallel.hpp"
#include "experiments/runs/replicate.hpp"
#include "experiments/runs/report.hpp"
#include "experiments/runs/study.hpp"
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
    ASSERT_EQ(s.quantities[0].quantiles.size(), 2U) << "the median and 90 % of 15 values";
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

/// One run of batches of a second each, with a mean and a weight for each; a distribution may stand beside.
Observation written_out(const std::vector<simulation::Tally>& batches) {
    Observation o{1, {}, 1};
    for (const simulation::Tally& tally : batches)
        o.batches.push_back({{{tally.sum * tally.weight, tally.weight}}, std::vector<statistics::Histogram>(1)});
    return o;
}

const std::vector<simulation::Quantity> one_quantity{{"value", "task", true, 1, {}}};

/// High for `high` batches, then 10; seen in batches whose number `seen` likes.
template <class Seen>
Observation falling(std::size_t batches, std::size_t high, Seen&& seen) {
    std::vector<simulation::Tally> list;
    for (std::size_t b = 0; b < batches; ++b) list.push_back({b < high ? 100.0 : 10.0, seen(b) ? 1.0 : 0.0});
    return written_out(list);
}

TEST(Summary, FindsTheWarmUpOfWhatIsSeldomSeen) {
    const auto cut_of = [](const Observation& o) { return warm_up(one_quantity, std::span(&o, 1), {}); };
    const auto always = [](std::size_t) { return true; };
    EXPECT_EQ(cut_of(falling(400, 100, always)), (Cut{100, true, true, {}}));
    // Seen in every third batch: by stretches of four, in fives.
    const Cut third = cut_of(falling(400, 100, [](std::size_t b) { return b % 3 == 0; }));
    EXPECT_TRUE(third.found);
    EXPECT_GE(third.batches, 100U);
    EXPECT_LE(third.batches, 120U);
    // Not seen at first: that is warm-up as well.
    EXPECT_EQ(cut_of(falling(400, 0, [](std::size_t b) { return b >= 37; })), (Cut{37, true, true, {}}));
    // A gap so long that hardly a stretch is without one, or nothing at all: no level, and that is said.
    for (const std::size_t until : {60U, 200U}) {
        const Cut cut = cut_of(falling(200, 0, [&](std::size_t b) { return b == 0 || b >= until; }));
        EXPECT_FALSE(cut.found) << until;
        EXPECT_EQ(cut.batches, 100U);
    }
    EXPECT_FALSE(cut_of(falling(200, 0, [](std::size_t) { return false; })).found);
    // A quantity beside the first: its warm-up counts, and what cannot be judged is named.
    std::vector<simulation::Quantity> two{{"first", "task", false, 1, {}}, {"second", "task", true, 1, {}}};
    Observation both{1, {}, 1};
    for (std::size_t b = 0; b < 400; ++b)
        both.batches.push_back(
            {{{1, 1}, {b < 100 ? 300.0 : 10.0, b % 3 == 0 ? 1.0 : 0.0}}, std::vector<statistics::Histogram>(2)});
    EXPECT_GE(warm_up(two, std::span(&both, 1), {}).batches, 100U);
    for (std::size_t b = 1; b < 200; ++b) both.batches[b].tallies[1] = {};
    EXPECT_EQ(warm_up(two, std::span(&both, 1), {}).unsettled, std::vector<std::string>{"second"});
}

TEST(Summary, PoliciesThatAreComparedAreCutAtTheSameTime) {
    const auto always = [](std::size_t) { return true; };
    const std::vector<PolicyResults> policies{
        {"second", one_quantity, {falling(200, 20, always), falling(200, 20, always)}},
        {"second", one_quantity, {falling(200, 60, always), falling(200, 60, always)}}};
    const std::vector<Summary> summaries = summarise(policies, {});
    EXPECT_EQ(summaries[0].cut.batches, 60U);
    EXPECT_EQ(summaries[1].cut.batches, 60U);
    StudyPoint point;
    point.policies = {{"a", {"simulate"}, {}}, {"b", {"simulate"}, {}}};
    const PointReport compared = report(point, policies);
    ASSERT_EQ(compared.differences.size(), 1U);
    EXPECT_EQ(compared.differences[0].difference.difference.mean, 0) << "after 60 seconds they are the same";
    // A time that was given is each one's own.
    EXPECT_EQ(summarise(policies, {.warm_up = 30.0})[0].cut, (Cut{30, false, true, {}}));
    EXPECT_EQ(summarise(policies, {.terminating = true})[1].cut.batches, 0U);
}

TEST(Summary, ASingleRunToAnEndOfItsOwnHasNoInterval) {
    const Independent experiment(40, 5);
    const auto runs = replicate(experiment, {1, 0}, 2, 1);
    const SummaryOptions trace{.terminating = true};
    EXPECT_FALSE(
        summarise(experiment.quantities(), std::span(runs).first(1), trace).quantities[0].estimate->half_width);
    EXPECT_TRUE(summarise(experiment.quantities(), runs, trace).quantities[0].estimate->half_width);
}

TEST(Summary, GivesQuantilesThatTheSampleCanTell) {
    const auto quantiles = [](std::size_t values) {
        const Independent experiment(1, values);
        return summarise(experiment.quantities(), replicate(experiment, {1, 0}, 2, 1), {.warm_up = 0.0})
            .quantities[0]
            .quantiles.size();
    };
    EXPECT_EQ(quantiles(1), 1U);
    EXPECT_EQ(quantiles(9), 1U);
    EXPECT_EQ(quantiles(10), 2U);
    EXPECT_EQ(quantiles(20), 3U);
    EXPECT_EQ(quantiles(100), 4U);
    EXPECT_EQ(quantiles(999), 4U);
    EXPECT_EQ(quantiles(1000), 5U);
}

TEST(Summary, NamesTheControlsThatItUsed) {
    std::vector<simulation::Quantity> quantities{
        {"value", "1", false, 1, {}}, {"seldom", "1", false, 1, 0.5}, {"input", "1", false, 1, 0.5}};
    std::vector<Observation> runs;
    statistics::Stream stream({1, 0}, "controls");
    for (std::size_t r = 0; r < 12; ++r) {
        const double x = testing_support::uniform(stream), y = testing_support::uniform(stream);
        runs.push_back({1, {{{{x + 0.1 * y, 1}, {x, r == 3 ? 0.0 : 1.0}, {x, 1}}, {}}}, 1});
    }
    const Summary s = summarise(quantities, runs, {.warm_up = 0.0});
    ASSERT_TRUE(s.quantities[0].controlled);
    EXPECT_EQ(s.quantities[0].controlled->used, std::vector<std::size_t>{2}) << "not the one that a run never saw";
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

/// Whether so many hits of `trials` are likely when each has the probability stated: fails one test in a million by
/// chance.
bool plausible(std::size_t hits, std::size_t trials, double stated) {
    return statistics::proportion(hits, trials, 1 - 1e-6).covers(stated);
}

/// Intervals of the mean time in system, 2, over many seeds: replications, the same with controls, one long run.
TEST(Summary, CoversTheExactMeanOfMM1) {
    constexpr std::size_t seeds = 800;
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
    for (const std::size_t covered : {plain, controls, batches}) EXPECT_TRUE(plausible(covered, seeds, 0.9)) << covered;
    EXPECT_GT(reduced, seeds * 8 / 10);
}

/// The same as a user gets it who says nothing: the warm-up is found, on these very runs. The queue starts with 200
/// tasks' work, forgotten after about 400 of 24,000 seconds; without a warm-up hardly an interval would cover.
TEST(Summary, CoversTheExactMeanWithTheWarmUpThatItFinds) {
    constexpr std::size_t seeds = 400;
    std::size_t replications = 0, batches = 0, uncut = 0, narrow = 0, found = 0;
    const Lindley experiment(200, 60, 200);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const auto runs = replicate(experiment, {seed, 0}, 5, 2);
        const auto error = [](const Summary& s) { return std::abs(s.quantities[0].estimate->mean - 2); };
        const auto width = [](const Summary& s) { return *s.quantities[0].estimate->half_width; };
        const Summary all = summarise(experiment.quantities(), runs, {.confidence = 0.9});
        const Summary one = summarise(experiment.quantities(), std::span(runs).first(1), {.confidence = 0.9});
        const Summary whole = summarise(experiment.quantities(), runs, {.confidence = 0.9, .warm_up = 0.0});
        found += all.cut.found && one.cut.found ? 1 : 0;
        replications += error(all) <= width(all) ? 1 : 0;
        batches += error(one) <= width(one) ? 1 : 0;
        uncut += error(whole) <= width(whole) ? 1 : 0;
        narrow += error(one) <= 0.8 * width(one) ? 1 : 0;
    }
    EXPECT_GT(found, seeds * 8 / 10) << "else half the run was left out, and that is said";
    EXPECT_TRUE(plausible(replications, seeds, 0.9)) << replications;
    EXPECT_TRUE(plausible(batches, seeds, 0.9)) << batches;
    EXPECT_FALSE(plausible(uncut, seeds, 0.9)) << uncut;
    EXPECT_FALSE(plausible(narrow, seeds, 0.9)) << narrow;
}

/// What comes out of a queue as found by MSER, warm-up and all: with backlogs, cuts move while replications are added.
std::vector<PolicyResults> queues(std::uint64_t seed, std::size_t replications) {
    std::vector<PolicyResults> results;
    for (const double backlog : {0.0, 30.0, 60.0}) {
        const Lindley experiment(100, 10, backlog);
        results.push_back({"second", experiment.quantities(),
                           replicate(experiment, {seed, static_cast<std::uint64_t>(backlog)}, replications, 2)});
    }
    return results;
}

std::vector<PolicyResults> first_of(const std::vector<PolicyResults>& results, std::size_t n) {
    std::vector<PolicyResults> prefix = results;
    for (PolicyResults& policy : prefix) policy.observations.resize(n);
    return prefix;
}

/// The rule as the report applies it.
bool all_precise(const std::vector<PolicyResults>& results, const SummaryOptions& options, double relative) {
    const auto summaries = summarise(results, options);
    return std::all_of(summaries.begin(), summaries.end(),
                       [&](const Summary& s) { return statistics::is_precise(*s.quantities[0].estimate, relative); });
}

TEST(Precision, StopsWhereTheReportOfAllPoliciesIsPrecise) {
    std::size_t together = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const auto results = queues(seed, 25);
        const Precision precision{0.15, 3, 25};
        std::optional<std::size_t> least;
        for (std::size_t n = 3; n <= 25 && !least; ++n)
            if (all_precise(first_of(results, n), {}, 0.15)) least = n;
        EXPECT_EQ(Stopping({}, precision).look(results), least) << seed;
        if (!least) continue;
        // Whatever the portions in which they come.
        Stopping portions({}, precision);
        for (std::size_t n = 1; n < *least; n += 2) EXPECT_FALSE(portions.look(first_of(results, n)));
        EXPECT_EQ(portions.look(first_of(results, *least)), least);
        EXPECT_EQ(portions.look(results), least);
        // Each alone would have been content at numbers of which the largest is another one.
        std::size_t alone = 3;
        for (const PolicyResults& policy : results)
            alone = std::max(alone, Stopping({}, precision).look(std::vector<PolicyResults>{policy}).value_or(25));
        together += alone != *least ? 1 : 0;
    }
    EXPECT_GT(together, 0U);
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
    return {"1.2.3", {"sweep", "s.toml"}, {{"s.toml", std::string(64, 'b')}}, {point, point}};
}

TEST(Studies, ReadBackAsTheyWereWritten) {
    const std::string text = to_text(study_of_two());
    const Study back = parse_study(text, "study.json");
    EXPECT_EQ(to_text(back), text);
    EXPECT_EQ(back.points[1].policies, study_of_two().points[1].policies);
    EXPECT_EQ(back.inputs, study_of_two().inputs);
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

TEST(Folder, CreatesAFileOnce) {
    const testing_support::TemporaryDirectory root;
    const Folder folder = Folder::open(root.path());
    std::vector<char> first(8, 0);
    for_each_index(first.size(), 4,
                   [&](std::size_t i) { first[i] = folder.create("study.json", "by " + std::to_string(i)) ? 1 : 0; });
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
