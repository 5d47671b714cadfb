/// Statements about curves: what decides them, what leaves them open, and mutants of the rules.
#include "experiments/reproduction/statement.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "experiments/reproduction/figure_verdict.hpp"
#include "experiments/reproduction/measure.hpp"
#include "model/core/errors.hpp"

namespace schedproof::reproduction {
namespace {

constexpr double confidence = 0.95;

Sample drawn(std::vector<double> values) { return {std::move(values), false}; }
Sample computed(double value) { return {{value}, true}; }

/// One curve per list of values, at places 1, 2, 3, ...; all computed, so that every comparison is decided.
Measurements exact_curves(const std::vector<std::pair<std::string, std::vector<double>>>& curves) {
    Measurements all;
    for (const auto& [name, values] : curves)
        for (std::size_t i = 0; i < values.size(); ++i)
            all.add({"m", name, static_cast<double>(i + 1)}, computed(values[i]));
    return all;
}

Statement about(StatementKind kind, std::vector<std::string> curves) {
    Statement statement;
    statement.kind = kind;
    statement.measure = "m";
    statement.curves = std::move(curves);
    return statement;
}

Truth truth(const Statement& statement, const Measurements& measurements) {
    return assess(statement, measurements, confidence).truth;
}

TEST(Statement, OrderingIsStrictAtEveryPlace) {
    const Statement chain = about(StatementKind::ordering, {"a", "b", "c"});
    EXPECT_EQ(truth(chain, exact_curves({{"a", {1, 1}}, {"b", {2, 2}}, {"c", {3, 3}}})), Truth::holds);
    EXPECT_EQ(truth(chain, exact_curves({{"a", {1, 1}}, {"b", {2, 3}}, {"c", {3, 3}}})), Truth::fails) << "equal";
    Statement there = chain;
    there.at = {1};
    EXPECT_EQ(truth(there, exact_curves({{"a", {1, 1}}, {"b", {2, 3}}, {"c", {3, 3}}})), Truth::holds);
}

TEST(Statement, RatioMayBeOfOnePlaceOverAnother) {
    Statement ratio = about(StatementKind::ratio, {"a"});
    ratio.at = {2};
    ratio.over_at = 1;
    ratio.above = 1.5;
    const Assessment found = assess(ratio, exact_curves({{"a", {4, 10}}}), confidence);
    EXPECT_EQ(found.truth, Truth::holds);
    ASSERT_EQ(found.comparisons.size(), 1U);
    EXPECT_DOUBLE_EQ(found.comparisons[0].estimate.mean, 2.5);
    EXPECT_EQ(found.comparisons[0].what, "a at 2 over a at 1");
    ratio.below = 2;
    EXPECT_EQ(truth(ratio, exact_curves({{"a", {4, 10}}})), Truth::fails);
    EXPECT_EQ(truth(ratio, exact_curves({{"a", {0, 10}}})), Truth::open) << "nothing is a multiple of 0";
}

TEST(Statement, CrossingMonotoneAndMinimum) {
    Statement crossing = about(StatementKind::crossing, {"a", "b"});
    crossing.from = 1;
    crossing.to = 3;
    EXPECT_EQ(truth(crossing, exact_curves({{"a", {1, 9, 4}}, {"b", {2, 2, 3}}})), Truth::holds)
        << "what lies between is left out";
    EXPECT_EQ(truth(crossing, exact_curves({{"a", {1, 1, 2}}, {"b", {2, 2, 3}}})), Truth::fails);
    Statement falls = about(StatementKind::monotone, {"a"});
    falls.rising = false;
    EXPECT_EQ(truth(falls, exact_curves({{"a", {3, 2, 1}}})), Truth::holds);
    EXPECT_EQ(truth(falls, exact_curves({{"a", {3, 3, 1}}})), Truth::fails);
    Statement least = about(StatementKind::minimum, {"a"});
    least.from = 2;
    least.to = 3;
    EXPECT_EQ(truth(least, exact_curves({{"a", {3, 1, 9, 2}}})), Truth::holds) << "one of them is enough";
    EXPECT_EQ(truth(least, exact_curves({{"a", {3, 2, 2, 1}}})), Truth::fails);
    EXPECT_EQ(truth(least, exact_curves({{"a", {1, 2, 2, 3}}})), Truth::fails);
}

TEST(Statement, OneRunDecidesNothing) {
    Statement band = about(StatementKind::band, {"a"});
    band.below = 10;
    Measurements one;
    one.add({"m", "a", 0}, drawn({1}));
    EXPECT_EQ(truth(band, one), Truth::open);
    one.add({"m", "a", 0}, drawn({1, 1}));
    EXPECT_EQ(truth(band, one), Truth::holds);
    one.add({"m", "a", 0}, drawn({1, 1, std::nan("")}));
    EXPECT_EQ(truth(band, one), Truth::open) << "a run that did not see it";
}

TEST(Statement, PairsTakeAwayWhatIsCommon) {
    Measurements noisy;
    noisy.add({"m", "a", 0}, drawn({10, 200, 3000, 40}));
    noisy.add({"m", "b", 0}, drawn({11, 202, 3001, 42}));
    EXPECT_EQ(truth(about(StatementKind::ordering, {"a", "b"}), noisy), Truth::holds);
    // The same values in another order are no pairs of the same runs.
    noisy.add({"m", "b", 0}, drawn({3001, 42, 11, 202}));
    EXPECT_EQ(truth(about(StatementKind::ordering, {"a", "b"}), noisy), Truth::open);
}

TEST(Statement, ManyComparisonsNeedWiderIntervals) {
    Measurements some;
    for (int x = 0; x < 40; ++x) some.add({"m", "a", static_cast<double>(x)}, drawn({0.9, 1.0, 1.3, 1.1}));
    Statement one = about(StatementKind::band, {"a"});
    one.above = 0.75;
    one.at = {0};
    EXPECT_EQ(truth(one, some), Truth::holds);
    one.at.clear();
    EXPECT_EQ(truth(one, some), Truth::open) << "forty of them do not all hold with the same confidence";
}

TEST(Statement, NamesWhatIsNotThere) {
    const Measurements curves = exact_curves({{"srpt", {1}}, {"fair", {2}}});
    try {
        static_cast<void>(assess(about(StatementKind::ordering, {"srtp", "fair"}), curves, confidence));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.place().key, "curves");
        EXPECT_NE(error.expected().find("not 'srtp' (did you mean 'srpt'?)"), std::string::npos) << error.expected();
    }
    Statement elsewhere = about(StatementKind::ordering, {"srpt", "fair"});
    elsewhere.at = {7};
    EXPECT_THROW(static_cast<void>(assess(elsewhere, curves, confidence)), InputError);
    EXPECT_THROW(static_cast<void>(assess(about(StatementKind::monotone, {"srpt"}), curves, confidence)), InputError);
}

/// Rules that decide too much; each must differ from `decide` on some estimate.
struct Rule {
    const char* name;
    Truth (*decide)(double low, double high, double above, double below);
};
const Rule mutants[] = {
    {"the mean decides",
     [](double low, double high, double above, double below) {
         const double mean = (low + high) / 2;
         return mean > above && mean < below ? Truth::holds : Truth::fails;
     }},
    {"overlap is enough", [](double low, double high, double above,
                             double below) { return high > above && low < below ? Truth::holds : Truth::fails; }},
    {"a bound may be reached",
     [](double low, double high, double above, double below) {
         return high < above || low > below ? Truth::fails : low >= above && high <= below ? Truth::holds : Truth::open;
     }},
    {"what is open fails", [](double low, double high, double above,
                              double below) { return low > above && high < below ? Truth::holds : Truth::fails; }},
};

TEST(Decide, DiffersFromEveryMutant) {
    for (const Rule& mutant : mutants) {
        bool caught = false;
        for (int mean = -4; mean <= 4; ++mean)
            for (int half = 0; half <= 4; ++half)
                caught = caught || mutant.decide(mean - half, mean + half, -2, 2) !=
                                       decide({static_cast<double>(mean), static_cast<double>(half)}, -2.0, 2.0);
        EXPECT_TRUE(caught) << mutant.name;
    }
}

RC_GTEST_PROP(Decide, IsTheTruthOfEveryPointOfTheInterval, ()) {
    const auto mean = static_cast<double>(*rc::gen::inRange(-50, 50));
    const auto half = static_cast<double>(*rc::gen::inRange(0, 30));
    const auto above = static_cast<double>(*rc::gen::inRange(-40, 10));
    const double below = above + static_cast<double>(*rc::gen::inRange(1, 40));
    const Truth found = decide({mean, half}, above, below);
    std::size_t inside = 0, beyond_above = 0, beyond_below = 0, points = 0;
    for (double v = mean - half; v <= mean + half; v += 0.5, ++points) {
        inside += v > above && v < below ? 1 : 0;
        beyond_above += v <= above ? 1 : 0;
        beyond_below += v >= below ? 1 : 0;
    }
    RC_ASSERT((found == Truth::holds) == (inside == points));
    RC_ASSERT((found == Truth::fails) == (beyond_above == points || beyond_below == points));
}

RC_GTEST_PROP(Decide, NarrowerIntervalsNeverContradict, ()) {
    const auto mean = static_cast<double>(*rc::gen::inRange(-50, 50));
    const auto half = static_cast<double>(*rc::gen::inRange(1, 30));
    const auto inner = static_cast<double>(*rc::gen::inRange(0, static_cast<int>(half) + 1));
    const auto shift = static_cast<double>(*rc::gen::inRange(-100, 101)) / 100 * (half - inner);
    const auto bound = static_cast<double>(*rc::gen::inRange(-50, 50));
    const Truth wide = decide({mean, half}, bound, {}), narrow = decide({mean + shift, inner}, bound, {});
    if (wide != Truth::open) RC_ASSERT(narrow == wide);
}

RC_GTEST_PROP(Statement, AnOrderingAndItsReverseAreNeverBothTrue, ()) {
    const auto values = *rc::gen::container<std::vector<int>>(8, rc::gen::inRange(-20, 21));
    Measurements curves;
    std::vector<double> a(values.begin(), values.begin() + 4), b(values.begin() + 4, values.end());
    curves.add({"m", "a", 0}, drawn(a));
    curves.add({"m", "b", 0}, drawn(b));
    const Truth less = truth(about(StatementKind::ordering, {"a", "b"}), curves);
    const Truth more = truth(about(StatementKind::ordering, {"b", "a"}), curves);
    RC_ASSERT(!(less == Truth::holds && more == Truth::holds));
    if (less == Truth::holds) RC_ASSERT(more == Truth::fails);
    RC_ASSERT((less == Truth::open) == (more == Truth::open));
}

RC_GTEST_PROP(Verdicts, AreNoStrongerThanTheirEvidence, ()) {
    constexpr Truth truths[] = {Truth::holds, Truth::fails, Truth::open};
    const Truth base = truths[*rc::gen::inRange(0, 3)];
    std::vector<Truth> others;
    for (const int other :
         *rc::gen::container<std::vector<int>>(*rc::gen::inRange<std::size_t>(0, 5), rc::gen::inRange(0, 3)))
        others.push_back(truths[other]);
    const Verdict verdict = combine(base, others);
    const auto seen = [&](Truth wanted) {
        return base == wanted || std::find(others.begin(), others.end(), wanted) != others.end();
    };
    if (verdict == Verdict::reproduced) RC_ASSERT(base == Truth::holds && !seen(Truth::fails));
    if (verdict == Verdict::not_reproduced) RC_ASSERT(!seen(Truth::holds) && !seen(Truth::open));
    RC_ASSERT((verdict == Verdict::depends) == (seen(Truth::holds) && seen(Truth::fails)));
    if (verdict == Verdict::inconclusive) RC_ASSERT(base != Truth::holds && seen(Truth::open));
}

TEST(Combination, KnownAnswers) {
    constexpr Truth holds = Truth::holds, fails = Truth::fails, open = Truth::open;
    const auto with = [](Truth base, std::vector<Truth> others) { return combine(base, others); };
    EXPECT_EQ(with(fails, {fails, fails}), Verdict::not_reproduced);
    EXPECT_EQ(with(fails, {fails, open}), Verdict::inconclusive) << "the open choice may be the one that is meant";
    EXPECT_EQ(with(fails, {open, holds}), Verdict::depends);
    EXPECT_EQ(with(holds, {open}), Verdict::reproduced);
    EXPECT_EQ(with(open, {holds, open}), Verdict::inconclusive);
    EXPECT_EQ(with(open, {}), Verdict::inconclusive);
}

simulation::Observation observed(const std::vector<double>& batches) {
    simulation::Observation seen{10, {}, 0};
    for (const double value : batches) {
        simulation::Batch batch{{{value, 1}}, std::vector<statistics::Histogram>(1)};
        batch.histograms[0].add(static_cast<std::uint64_t>(value));
        seen.batches.push_back(batch);
    }
    return seen;
}

TEST(Measure, KnownAnswers) {
    const std::vector<simulation::Quantity> quantities{{"length", "task", true, 1, {}}};
    const simulation::Observation seen = observed({100, 1, 2, 3, 4});
    Measure measure{"m", "length", Statistic::mean, 0, {}};
    EXPECT_DOUBLE_EQ(*value_of(measure, quantities, seen, 1), 2.5);
    measure.last = 0.4;
    EXPECT_DOUBLE_EQ(*value_of(measure, quantities, seen, 1), 3.5);
    measure.last = std::nullopt;
    measure.statistic = Statistic::growth;
    EXPECT_DOUBLE_EQ(*value_of(measure, quantities, seen, 1), 0.1) << "2 more after two batches of 10";
    measure.statistic = Statistic::rate;
    EXPECT_DOUBLE_EQ(*value_of(measure, quantities, seen, 1), 0.1) << "4 values in four batches of 10";
    measure.statistic = Statistic::share;
    measure.at = 3;
    EXPECT_DOUBLE_EQ(*value_of(measure, quantities, seen, 1), 0.75);
    measure.statistic = Statistic::quantile;
    measure.at = 0.5;
    EXPECT_DOUBLE_EQ(*value_of(measure, quantities, seen, 1), 2);
    measure.quantity = "lenght";
    EXPECT_THROW(static_cast<void>(value_of(measure, quantities, seen, 1)), InputError);
}

}  // namespace
}  // namespace schedproof::reproduction
