/// The parts of the simulators in slots, each against the plain way to do it.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <map>
#include <set>

#include "experiments/simulators/core/index_set.hpp"
#include "experiments/simulators/slotted/calendar.hpp"
#include "experiments/simulators/slotted/geometric.hpp"
#include "experiments/simulators/slotted/length_order.hpp"
#include "experiments/simulators/slotted/replica_source.hpp"
#include "experiments/simulators/slotted/task_lists.hpp"
#include "experiments/simulators/slotted/tournament.hpp"

namespace schedproof::simulation {
namespace {

TEST(QueueingParts, ATournamentKnowsItsBestAndWhoHoldsIt) {
    EXPECT_TRUE(rc::check("best value and holders are those of a scan", [] {
        const auto items = *rc::gen::inRange<std::size_t>(1, 12);
        Tournament<Wanted::largest> largest(items);
        Tournament<Wanted::smallest> smallest(items, 0);
        std::vector<std::int64_t> high(items, Tournament<Wanted::largest>::never), low(items, 0);
        for (int i = 0; i < 20; ++i) {
            const auto item = *rc::gen::inRange<std::size_t>(0, items);
            const std::int64_t value = *rc::gen::inRange(-2, 3);
            largest.set(item, high[item] = value);
            smallest.set(item, low[item] = value);
            const auto check = [&](const auto& tree, const std::vector<std::int64_t>& values, std::int64_t best) {
                RC_ASSERT(tree.best() == best);
                std::set<std::size_t> expected, found;
                for (std::size_t k = 0; k < values.size(); ++k)
                    if (values[k] == best) expected.insert(k);
                for (std::uint64_t k = 0; k < tree.holders(); ++k) found.insert(tree.holder(k));
                RC_ASSERT(found == expected);
                RC_ASSERT(tree.holders() == expected.size());
            };
            check(largest, high, *std::max_element(high.begin(), high.end()));
            check(smallest, low, *std::min_element(low.begin(), low.end()));
        }
    }));
}

TEST(QueueingParts, AnOrderOfLengthsKnowsItsShortest) {
    EXPECT_TRUE(rc::check("the shortest are those of a scan", [] {
        const auto queues = *rc::gen::inRange<std::uint32_t>(1, 9);
        LengthOrder order(queues);
        std::vector<std::uint32_t> length(queues, 0);
        for (int i = 0; i < 40; ++i) {
            const auto q = *rc::gen::inRange<std::size_t>(0, queues);
            length[q] = *rc::gen::inRange(0U, 5U);
            order.set(q, length[q]);
            const std::uint32_t least = *std::min_element(length.begin(), length.end());
            std::set<std::uint32_t> expected;
            for (std::uint32_t k = 0; k < queues; ++k)
                if (length[k] == least) expected.insert(k);
            RC_ASSERT(order.least() == least);
            RC_ASSERT(std::set<std::uint32_t>(order.shortest().begin(), order.shortest().end()) == expected);
            RC_ASSERT(order.length(q) == length[q]);
        }
    }));
}

TEST(QueueingParts, AnIndexSetIsWalkedInOrder) {
    EXPECT_TRUE(rc::check("members come as from an ordered set", [] {
        const auto universe = *rc::gen::element<std::size_t>(1, 63, 64, 65, 4096, 4097, 300'000);
        IndexSet set(universe);
        std::set<std::size_t> plain;
        for (int i = 0; i < 30; ++i) {
            const auto n = *rc::gen::inRange<std::size_t>(0, universe);
            if (*rc::gen::arbitrary<bool>()) {
                set.insert(n);
                plain.insert(n);
            } else {
                set.erase(n);
                plain.erase(n);
            }
            const auto from = *rc::gen::inRange<std::size_t>(0, universe);
            const auto next = plain.lower_bound(from);
            RC_ASSERT(set.next(from) == (next == plain.end() ? IndexSet::none : *next));
            const auto first = next == plain.end() ? plain.begin() : next;
            RC_ASSERT(set.next_round(from) == (first == plain.end() ? IndexSet::none : *first));
            RC_ASSERT(set.empty() == plain.empty());
            RC_ASSERT(set.contains(n) == plain.contains(n));
        }
        RC_ASSERT(set.next(universe) == IndexSet::none);
    }));
}

TEST(QueueingParts, ACalendarGivesEveryEntryInItsSlot) {
    EXPECT_TRUE(rc::check("entries come when they are due, however far away", [] {
        constexpr std::uint32_t entries = 6;
        Calendar calendar;
        std::vector<std::uint64_t> due(entries, 0);
        for (std::uint64_t now = 1; now < 400; ++now) {
            std::set<std::uint32_t> expected, found;
            for (std::uint32_t e = 0; e < entries; ++e)
                if (due[e] == now) expected.insert(e);
            for (const std::uint32_t e : calendar.take(now)) found.insert(e);
            RC_ASSERT(found == expected);
            for (std::uint32_t e = 0; e < entries; ++e)
                if (due[e] <= now && now % 7 == e) {
                    due[e] = now + *rc::gen::element<std::uint64_t>(1, 2, 63, 64, 65, 127, 130);
                    calendar.put(e, now, due[e]);
                }
        }
    }));
}

TEST(QueueingParts, TasksLeaveInOrderOfArrival) {
    TaskLists lists(2);
    for (std::uint32_t t = 0; t < 5; ++t) lists.push(t % 2, {t, 10 + t});
    EXPECT_EQ(lists.pop(0).arrived, 0U);
    lists.push(0, {5, 15});
    EXPECT_EQ(lists.pop(1).type, 11U);
    EXPECT_EQ(lists.pop(0).arrived, 2U);
    EXPECT_EQ(lists.pop(0).arrived, 4U);
    EXPECT_EQ(lists.pop(0).arrived, 5U);
    EXPECT_EQ(lists.pop(1).arrived, 3U);
}

/// Pearson's test of counts against probabilities whose cells are large enough; the p-value.
double fit(const std::vector<double>& expected, const std::vector<double>& seen) {
    double statistic = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        statistic += (seen[i] - expected[i]) * (seen[i] - expected[i]) / expected[i];
    return boost::math::cdf(
        boost::math::complement(boost::math::chi_squared(static_cast<double>(expected.size() - 1)), statistic));
}

TEST(QueueingParts, SlotsOfServiceAreGeometric) {
    for (const auto& [p, q] : std::map<int, int>{{1, 5}, {4, 5}, {1, 2}, {1, 50}, {1, 1}}) {
        const Rational probability = Rational(p) / Rational(q);
        const Geometric law(probability);
        statistics::Stream stream({11, 0}, "geometric test");
        constexpr int draws = 50'000, cells = 12;
        std::vector<double> expected, seen(cells + 1, 0);
        double left = 1;
        for (int k = 1; k <= cells; ++k) {
            expected.push_back(draws * left * probability.approximate());
            left *= 1 - probability.approximate();
        }
        expected.push_back(draws * left);
        for (int i = 0; i < draws; ++i) ++seen[std::min<std::uint64_t>(law(stream) - 1, cells)];
        while (expected.size() > 1 && expected.back() < 5) {
            const double rest = expected.back(), count = seen.back();
            expected.pop_back();
            seen.pop_back();
            expected.back() += rest;
            seen.back() += count;
        }
        if (expected.size() == 1) {
            EXPECT_EQ(seen[0], draws);
            continue;
        }
        EXPECT_GT(fit(expected, seen), 1e-4) << p << "/" << q;
        expected[0] *= 1.05;  // a law that is a little off is noticed
        expected[1] -= expected[0] / 1.05 * 0.05;
        EXPECT_LT(fit(expected, seen), 1e-3) << p << "/" << q;
    }
}

TEST(QueueingParts, ReplicasLieOnDifferentServersEachOrderedChoiceEquallyLikely) {
    // All ordered choices of few servers; the first and last server of many, by their number modulo 7.
    for (const RandomReplicas law : {RandomReplicas{1, 1},
                                     {3, 3},
                                     {5, 2},
                                     {800, 3},
                                     {3'000'000'000U, 2}}) {  // the last passes over three words in ten
        ReplicaSource source({5, 0}, law);
        const bool few = law.data_servers <= 5;
        const std::uint32_t kinds = few ? law.data_servers : 7;
        std::map<std::vector<std::uint32_t>, double> seen;
        constexpr int draws = 40'000;
        for (int i = 0; i < draws; ++i) {
            const auto task = source.next();
            ASSERT_EQ(task.size(), law.replicas);
            std::vector<std::uint32_t> choice;
            for (const ServerId m : task) {
                ASSERT_LT(m.index(), law.data_servers);
                ASSERT_EQ(std::count(task.begin(), task.end(), m), 1);
                choice.push_back(static_cast<std::uint32_t>(m.index() % kinds));
            }
            if (!few) choice = {choice.front(), choice.back()};
            ++seen[choice];
        }
        std::vector<double> expected, counted;
        std::map<std::vector<std::uint32_t>, double> law_of_choice;
        if (few) {
            double choices = 1;
            for (std::uint32_t i = 0; i < law.replicas; ++i) choices *= law.data_servers - i;
            ASSERT_EQ(static_cast<double>(seen.size()), choices);
            for (const auto& [choice, count] : seen) law_of_choice[choice] = 1 / choices;
        } else {
            const auto of_kind = [&](std::uint32_t kind) { return (law.data_servers - 1 - kind) / kinds + 1; };
            const double pairs = double{1} * law.data_servers * (law.data_servers - 1);
            for (std::uint32_t a = 0; a < kinds; ++a)
                for (std::uint32_t b = 0; b < kinds; ++b)
                    law_of_choice[{a, b}] = double{1} * of_kind(a) * (of_kind(b) - (a == b ? 1 : 0)) / pairs;
        }
        for (const auto& [choice, p] : law_of_choice) {
            expected.push_back(draws * p);
            counted.push_back(seen[choice]);
        }
        if (expected.size() > 1) {
            EXPECT_GT(fit(expected, counted), 1e-4) << law.data_servers;
        }
    }
}

}  // namespace
}  // namespace schedproof::simulation
