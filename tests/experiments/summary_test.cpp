/// Summaries of runs, their warm-up, their intervals and when to stop, on experiments whose truth is known.
#include "experiments/runs/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/runs/replicate.hpp"
#include "experiments/runs/stopping.hpp"
#include "experiments/runs/study_report.hpp"
#include "model/core/errors.hpp"
#include "tests/experiments/fake_experiments.hpp"

namespace schedproof::runs {
namespace {

using simulation::Observation;
using testing_support::Independent;
using testing_support::Lindley;

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

/// Two policies meet the same random numbers, and the mean of the first is known to lie between two numbers.
TEST(Summary, AKnownMeanOfOnePolicyControlsTheOther) {
    PolicyResults first{"slot", {{"value", "1", false, 1, {}}, {"other", "1", false, 1, {}}}, {}}, second = first;
    statistics::Stream stream({1, 0}, "known");
    for (int r = 0; r < 20; ++r) {
        const double shared = testing_support::uniform(stream) - 0.5, own = testing_support::uniform(stream) - 0.5;
        first.observations.push_back({1, {{{{5 + shared, 1}, {3 * shared, 1}}, {}}}, 1});
        second.observations.push_back({1, {{{{7 + 2 * shared + 0.01 * own, 1}, {own, 1}}, {}}}, 1});
    }
    const std::vector<PolicyResults> policies{first, second};
    const auto with = [&](double lower, double upper) {
        return summarise(policies, {.warm_up = 0.0, .known = KnownMean{0, "value", lower, upper}});
    };
    const std::vector<Summary> plain = summarise(policies, {.warm_up = 0.0}), known = with(5, 5), wide = with(4.9, 5.1);
    EXPECT_FALSE(plain[1].quantities[0].controlled);
    EXPECT_FALSE(known[0].quantities[0].controlled) << "its own mean is not corrected by itself";
    ASSERT_TRUE(known[0].quantities[1].controlled && known[1].quantities[0].controlled);
    EXPECT_NEAR(known[0].quantities[1].controlled->estimate.mean, 0, 1e-9) << "three times the deviation";
    const statistics::Controlled& controlled = *known[1].quantities[0].controlled;
    EXPECT_EQ(controlled.used, std::vector<std::size_t>{2});
    EXPECT_LT(controlled.variance_ratio, 0.01);
    EXPECT_LT(*controlled.estimate.half_width, *plain[1].quantities[0].estimate->half_width / 10);
    EXPECT_NEAR(controlled.estimate.mean, 7, *controlled.estimate.half_width);
    // A mean that is known within 0.1 on either side allows for twice that.
    const statistics::Estimate& allowed = wide[1].quantities[0].controlled->estimate;
    EXPECT_NEAR(allowed.mean, controlled.estimate.mean, 1e-9);
    EXPECT_NEAR(*allowed.half_width, 0.2, 0.02);
    EXPECT_THROW(static_cast<void>(summarise(policies, {.warm_up = 0.0, .known = KnownMean{0, "nothing", 5, 5}})),
                 InputError);
    const std::vector<PolicyResults> few{
        {"slot", first.quantities, {first.observations.begin(), first.observations.begin() + 7}},
        {"slot", first.quantities, {second.observations.begin(), second.observations.begin() + 7}}};
    EXPECT_FALSE(summarise(few, {.warm_up = 0.0, .known = KnownMean{0, "value", 5, 5}})[1].quantities[0].controlled);
}

TEST(Summary, DistributionEndsAtOne) {
    const Lindley experiment(50, 100);
    KeptRuns runs("second", experiment.quantities(), {});
    for (const Observation& o : replicate(experiment, {1, 0}, 2, 2)) runs.add(o);
    const auto points = distribution(runs, 0, 100);
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
    EXPECT_EQ(points.back().second, 1);
    EXPECT_LT(points.size(), 200U);
    for (const auto& [x, part] : points)
        if (part > 0.1) {
            EXPECT_NEAR(part, 1 - std::exp(-x / 2), 0.05);
        }
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

}  // namespace
}  // namespace schedproof::runs
