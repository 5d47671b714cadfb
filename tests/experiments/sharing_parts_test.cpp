/// Books of the simulator of jobs that share a cluster, against plain ways: heartbeats, ends of tasks, fair shares.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "experiments/simulators/sharing/completions.hpp"
#include "experiments/simulators/sharing/fair_shares.hpp"
#include "experiments/simulators/sharing/heartbeats.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::simulation {
namespace {

using sharing::SlotId;
using sharing::Ticks;

/// Beat number k is of node k mod M at floor(n h / M) + h floor(k / M): the first that counts, by looking at all.
std::optional<Heartbeats::Beat> reference_next(std::size_t nodes, Ticks period, std::uint64_t served, Ticks now,
                                               const std::vector<bool>& in) {
    if (std::find(in.begin(), in.end(), true) == in.end()) return {};
    for (std::uint64_t k = served;; ++k) {
        const std::size_t n = k % nodes;
        const Ticks time =
            static_cast<Ticks>(k / nodes) * period + static_cast<Ticks>(n) * period / static_cast<Ticks>(nodes);
        if (time >= now && in[n]) return Heartbeats::Beat{time, n, k};
    }
}

TEST(Heartbeats, AreThoseOfEveryNodeInTurn) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Sampler randomness(StreamKey{1, seed});
        const std::size_t nodes = 1 + randomness.below(70);
        const Ticks period = 1 + static_cast<Ticks>(randomness.below(90));
        Heartbeats beats(nodes, period);
        IndexSet set(nodes);
        std::vector<bool> in(nodes);
        std::uint64_t served = 0;
        Ticks now = 0;
        for (int i = 0; i < 60; ++i) {
            now += static_cast<Ticks>(randomness.below(static_cast<std::uint64_t>(period)));
            const std::size_t n = randomness.below(nodes);
            in[n] = randomness.below(3) > 0;
            in[n] ? set.insert(n) : set.erase(n);
            const auto is = beats.next(now, set);
            const auto expected = reference_next(nodes, period, served, now, in);
            ASSERT_EQ(is.has_value(), expected.has_value());
            if (!is) continue;
            ASSERT_EQ(is->number, expected->number);
            EXPECT_EQ(is->node, expected->node);
            EXPECT_EQ(is->time, expected->time);
            if (randomness.below(2) == 0) continue;
            now = is->time;
            beats.served(*is);
            served = is->number + 1;
        }
    }
}

TEST(Heartbeats, StayInWholeNumbersLate) {
    const Ticks period = Ticks{1} << 40;
    const std::size_t nodes = 3;
    Heartbeats beats(nodes, period);
    IndexSet set(nodes);
    set.insert(1);
    const Ticks late = (Ticks{1} << 61) + 1;
    const auto beat = beats.next(late, set);
    ASSERT_TRUE(beat);
    EXPECT_EQ(beat->node, 1U);
    EXPECT_GE(beat->time, late);
    EXPECT_LT(beat->time, late + period);
    EXPECT_EQ(beat->time % period, period / 3);
}

/// Times near and far: in the block of now, in the row of blocks and beyond it; entries of a time come together,
/// whenever they were added.
TEST(Completions, ComeInOrderOfTime) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Sampler randomness(StreamKey{2, seed});
        Completions completions;
        std::map<Ticks, std::vector<SlotId>> plain;
        const std::uint64_t spread = std::array<std::uint64_t, 4>{20, 1500, 100'000, 700'000}[seed % 4];
        Ticks now = 0;
        const auto add = [&](std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) {
                const Ticks finish = now + 1 + static_cast<Ticks>(randomness.below(spread));
                const SlotId s(randomness.below(100));
                completions.add(finish, s);
                plain[finish].push_back(s);
            }
        };
        EXPECT_EQ(completions.next(), Completions::never);
        add(20);
        for (int i = 0; i < 300 && !plain.empty(); ++i) {
            ASSERT_EQ(completions.next(), plain.begin()->first);
            // Now and then time stops before the next end.
            const Ticks before = (now + completions.next()) / 2,
                        t = randomness.below(4) == 0 ? before : completions.next();
            std::vector<SlotId> taken, expected;
            now = t;
            completions.take(t, [&](SlotId s) { taken.push_back(s); });
            if (plain.begin()->first == t) {
                expected = std::move(plain.begin()->second);
                plain.erase(plain.begin());
            }
            std::sort(taken.begin(), taken.end());
            std::sort(expected.begin(), expected.end());
            ASSERT_EQ(taken, expected);
            add(randomness.below(3));
        }
        if (plain.empty()) {
            EXPECT_EQ(completions.next(), Completions::never);
        }
    }
}

/// The level is found by counting up, and the jobs are in any order, some of them gone.
RC_GTEST_PROP(FairShares, AreTheLargestThatFit, ()) {
    const auto slots = *rc::gen::inRange<std::size_t>(1, 30);
    struct Shown {
        std::uint32_t running, unlaunched;
    };
    const auto all = *rc::gen::container<std::vector<Shown>>(
        rc::gen::construct<Shown>(rc::gen::inRange<std::uint32_t>(0, 12), rc::gen::inRange<std::uint32_t>(0, 12)));
    JobTable table;
    std::vector<Shown> there;
    for (const Shown& shown : all) {
        if (shown.running + shown.unlaunched == 0) continue;
        sharing::Job job;
        job.tasks.resize(shown.running + shown.unlaunched);
        const JobId j = table.open(job);
        for (std::uint32_t i = 0; i < shown.running; ++i) table.launched(j);
        if (*rc::gen::inRange(0, 4) == 0)
            table.close(j);
        else
            there.push_back(shown);
    }
    const auto taken = [&](std::size_t level) {
        std::size_t sum = 0;
        for (const Shown& job : there) sum += std::min<std::size_t>(job.running + job.unlaunched, level);
        return sum;
    };
    std::size_t level = 0;
    while (level < slots && taken(level + 1) <= slots) ++level;
    std::uint64_t missing = 0;
    for (const Shown& job : there) {
        const std::size_t share = std::min<std::size_t>(job.running + job.unlaunched, level);
        if (share > job.running) missing += share - job.running;
    }
    RC_ASSERT(FairShares().missing(table, slots) == missing);
}

}  // namespace
}  // namespace schedproof::simulation
