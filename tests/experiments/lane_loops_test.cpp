/// The loops over sixteen tasks or servers: for every set of instructions against the plain way to do it, and how ties
/// are broken, counted over all bytes.
#include "experiments/simulators/slotted/lane_loops.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace schedproof::simulation {
namespace {

std::vector<SimdLevel> levels_here() {
    std::vector<SimdLevel> levels{SimdLevel::none};
    if (available_simd() >= SimdLevel::avx2) levels.push_back(SimdLevel::avx2);
    if (available_simd() >= SimdLevel::avx512) levels.push_back(SimdLevel::avx512);
    return levels;
}

using Word = std::uint32_t;

LaneWords words_of(std::size_t count, Word least, Word most) {
    LaneWords words(count);
    for (Word& word : words)
        word = least + static_cast<Word>(*rc::gen::inRange<std::uint64_t>(0, std::uint64_t{most} - least + 1));
    return words;
}
LaneWords masks(std::size_t count) {
    LaneWords words = words_of(count, 0, 1);
    for (Word& word : words) word = 0 - word;
    return words;
}

/// Words whose 16 bits from `shift` on are small numbers.
LaneWords random_bits(std::size_t count, Word shift) {
    LaneWords words = words_of(count, 0, 4);
    for (Word& word : words) word = word << shift | 0xABCDU << (16 - shift);
    return words;
}

TEST(LaneLoops, EverySetOfInstructionsGivesTheSameRandomWords) {
    for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{12345}, std::uint64_t{7} << 32}) {
        LaneWords plain(256), other(256);
        lane_loops(SimdLevel::none).philox(0x0123456789abcdefU, 0xfedcba9876543210U, first, 4, plain.data());
        for (const SimdLevel simd : levels_here()) {
            lane_loops(simd).philox(0x0123456789abcdefU, 0xfedcba9876543210U, first, 4, other.data());
            EXPECT_EQ(other, plain);
        }
    }
}

/// Words of Philox 4x32-10 that its authors publish with the generator, for counter and key of all zeros.
TEST(LaneLoops, TheRandomWordsAreThoseOfTheAuthors) {
    LaneWords words(64);
    lane_loops(SimdLevel::none).philox(0, 0, 0, 1, words.data());
    EXPECT_EQ(words[0], 0x6627e8d5U);
    EXPECT_EQ(words[16], 0xe169c58dU);
    EXPECT_EQ(words[32], 0xbc57ac4cU);
    EXPECT_EQ(words[48], 0x9b00dbd8U);
}

RC_GTEST_PROP(LaneLoops, PlacesWordsOnServers, ()) {
    const std::size_t planes = *rc::gen::inRange<std::size_t>(1, 6);
    const Word n = *rc::gen::element<Word>(1, 2, 5, 800, 3'000'000'000U), passed_over = (0 - n) % n;
    const LaneWords words = words_of(planes * lanes, 0, all_ones);
    LaneWords expected(words.size());
    bool look = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint64_t product = std::uint64_t{words[i]} * n;
        expected[i] = static_cast<Word>(product >> 32);
        look = look || static_cast<Word>(product) < passed_over;
        for (std::size_t j = i % lanes; j < i; j += lanes) look = look || expected[j] == expected[i];
    }
    for (const SimdLevel simd : levels_here()) {
        LaneWords out(words.size());
        RC_ASSERT(lane_loops(simd).place(words.data(), lanes, planes, n, passed_over, out.data()) == look);
        RC_ASSERT(out == expected);
    }
}

RC_GTEST_PROP(LaneLoops, ChooseALeastQueueByTheLeastByte, ()) {
    const bool common = *rc::gen::arbitrary<bool>();
    const std::size_t planes = *rc::gen::inRange<std::size_t>(1, common ? 4 : 5), count = planes + (common ? 1 : 0);
    constexpr Word queues = 7;
    const LaneWords length = words_of(queues, 0, *rc::gen::element<Word>(0, 1, 3, longest_length)),
                    ties = words_of(lanes, 0, *rc::gen::element<Word>(0x0101, all_ones));
    const Word by_length = *rc::gen::element<Word>(0, all_ones);
    std::vector<LaneWords> candidates;
    for (std::size_t k = 0; k < planes; ++k) candidates.push_back(words_of(lanes, 0, queues - 1));
    if (common) candidates.push_back(LaneWords(lanes, queues - 1));
    for (const SimdLevel simd : levels_here()) {
        LaneWords chosen(lanes), tied(lanes);
        LaneChoice choice{length.data(), {}, queues - 1, ties.data(), by_length, chosen.data(), tied.data()};
        for (std::size_t k = 0; k < planes; ++k) choice.planes[k] = candidates[k].data();
        lane_loops(simd).choose(choice, planes, common);
        for (std::size_t i = 0; i < lanes; ++i) {
            std::vector<std::pair<std::uint64_t, Word>> keys;  // length, then byte; queue
            for (std::size_t k = 0; k < count; ++k) {
                const Word q = candidates[k][i];
                keys.emplace_back(std::uint64_t{length[q] & by_length} << 8 | (ties[i] >> 8 * k & 0xFF), q);
            }
            const std::uint64_t least = std::min_element(keys.begin(), keys.end())->first;
            const auto first = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.first == least; });
            const auto having =
                std::count_if(keys.begin(), keys.end(), [&](const auto& k) { return k.first == least; });
            RC_ASSERT((tied[i] != 0) == (having > 1));
            RC_ASSERT(having > 1 || chosen[i] == first->second);
        }
    }
}

/// Over all bytes, each of the tied is chosen equally often.
TEST(LaneLoops, BytesFavourNoneOfTheTied) {
    const LaneWords length{1, 1, 1, 2};
    std::map<Word, std::uint64_t> times_of_two, times_of_three;
    LaneWords chosen(lanes), tied(lanes), ties(lanes);
    std::array<LaneWords, 3> planes{LaneWords(lanes, 0), LaneWords(lanes, 1), LaneWords(lanes, 3)};
    LaneChoice choice{length.data(), {}, 2, ties.data(), all_ones, chosen.data(), tied.data()};
    for (std::size_t k = 0; k < planes.size(); ++k) choice.planes[k] = planes[k].data();
    const auto count = [&](std::size_t of_planes, bool common, Word shift, std::map<Word, std::uint64_t>& times) {
        for (Word word = 0; word < 1U << 16; word += lanes) {
            for (Word i = 0; i < lanes; ++i) {
                const Word u = word + i;
                ties[i] = common ? (u & 0x1F) | (u >> 5 & 0x1F) << 8 | (u >> 10 & 0x1F) << shift : u;
            }
            lane_loops(available_simd()).choose(choice, of_planes, common);
            for (std::size_t i = 0; i < lanes; ++i)
                if (tied[i] == 0) ++times[chosen[i]];
        }
    };
    count(2, false, 0, times_of_two);
    EXPECT_EQ(times_of_two, (std::map<Word, std::uint64_t>{{0, 32'640}, {1, 32'640}}));  // 2^16 less 2^8, halved
    // Two candidates, one that is longer, and the common queue, whose byte is the last; five bits each, twice over.
    count(3, true, 24, times_of_three);
    ASSERT_EQ(times_of_three.size(), 3U);
    EXPECT_EQ(times_of_three[0], times_of_three[1]);
    EXPECT_EQ(times_of_three[0], times_of_three[2]);
}

/// Servers in some state between slots.
struct Cluster {
    std::size_t servers = lanes * *rc::gen::inRange<std::size_t>(1, 4);
    LaneWords length = words_of(servers, 0, 3), helped = words_of(servers, 0, 2), idle = masks(servers),
              elsewhere = masks(servers), below = words_of(servers, 0, 3), data = masks(servers),
              own = LaneWords(servers), help = own, done = own, started = own;
    Cluster() {
        for (std::size_t m = 0; m < servers; ++m) {
            elsewhere[m] &= ~idle[m];
            length[m] = std::max(length[m], helped[m] + (idle[m] == 0 && elsewhere[m] == 0 ? 1 : 0));
        }
    }
    LaneServers view() {
        return {servers,          length.data(), helped.data(), idle.data(),    own.data(), help.data(),
                elsewhere.data(), below.data(),  done.data(),   started.data(), data.data()};
    }
};

RC_GTEST_PROP(LaneLoops, ServeAsOneServerAfterAnother, ()) {
    const Cluster before;
    const Word threshold = *rc::gen::inRange<Word>(0, 4), local_below = *rc::gen::inRange<Word>(0, 4);
    const Word shift = *rc::gen::element<Word>(0, 16);
    const LaneWords words = random_bits(before.servers, shift);
    Cluster expected = before;
    LaneServed sum;
    for (std::size_t m = 0; m < before.servers; ++m) {
        Cluster& c = expected;
        const bool own = c.idle[m] != 0 && c.length[m] >= threshold;
        c.own[m] = own ? all_ones : 0;
        c.help[m] = c.idle[m] != 0 && !own ? all_ones : 0;
        const bool starts = own && c.length[m] > c.helped[m], busy = c.idle[m] == 0 || starts;
        if (starts) c.below[m] = local_below;
        c.started[m] = starts ? all_ones : 0;
        const Word bits = words[m] >> shift & 0xFFFF;
        const bool ends = busy && bits < c.below[m];
        sum.undecided = sum.undecided || (busy && bits == c.below[m]);
        c.done[m] = ends ? all_ones : 0;
        c.idle[m] = !busy || ends ? all_ones : 0;
        sum.started += starts ? 1 : 0;
        sum.busy += busy ? 1 : 0;
        sum.busy_with_data += busy && c.data[m] != 0 ? 1 : 0;
        if (!ends || c.elsewhere[m] != 0) continue;
        --c.length[m];
        ++sum.completed;
    }
    for (const SimdLevel simd : levels_here()) {
        Cluster c = before;
        const LaneLoops& loops = lane_loops(simd);
        RC_ASSERT(loops.largest(c.length.data(), c.servers) == *std::max_element(c.length.begin(), c.length.end()));
        RC_ASSERT(loops.least(c.length.data(), c.servers) == *std::min_element(c.length.begin(), c.length.end()));
        loops.split(c.view(), threshold);
        const LaneServed served = loops.serve(c.view(), words.data(), shift, local_below);
        RC_ASSERT(c.own == expected.own);
        RC_ASSERT(c.help == expected.help);
        RC_ASSERT(c.started == expected.started);
        RC_ASSERT(c.done == expected.done);
        RC_ASSERT(c.idle == expected.idle);
        RC_ASSERT(c.below == expected.below);
        RC_ASSERT(c.length == expected.length);
        RC_ASSERT(served.started == sum.started);
        RC_ASSERT(served.busy == sum.busy);
        RC_ASSERT(served.busy_with_data == sum.busy_with_data);
        RC_ASSERT(served.completed == sum.completed);
        RC_ASSERT(served.undecided == sum.undecided);
    }
}

/// Servers with a queue for each of two levels.
struct LevelledCluster {
    std::size_t servers = lanes * *rc::gen::inRange<std::size_t>(1, 4);
    LaneWords local = words_of(servers, 0, 2), remote = words_of(servers, 0, 2), workload = LaneWords(servers),
              idle = masks(servers), on_remote = masks(servers), data = masks(servers),
              chose_local = LaneWords(servers), chose_remote = chose_local, done = chose_local,
              local_starts = chose_local, remote_starts = chose_local;
    LevelledCluster() {
        for (std::size_t m = 0; m < servers; ++m) {
            if (idle[m] == 0) ++(on_remote[m] != 0 ? remote : local)[m];
            workload[m] = local[m] + 4 * remote[m];
        }
    }
    LaneLevels view() {
        return {servers,     local.data(),        remote.data(),        workload.data(),     1,
                4,           idle.data(),         chose_local.data(),   chose_remote.data(), on_remote.data(),
                done.data(), local_starts.data(), remote_starts.data(), data.data()};
    }
};

RC_GTEST_PROP(LaneLoops, ServeLevelsAsOneServerAfterAnother, ()) {
    const LevelledCluster before;
    const bool or_none = *rc::gen::arbitrary<bool>();
    const Word below[2] = {*rc::gen::inRange<Word>(0, 4), *rc::gen::inRange<Word>(0, 4)};
    const Word shift = *rc::gen::element<Word>(0, 16);
    const LaneWords words = random_bits(before.servers, shift), arrivals = words_of(before.servers, 0, 1);
    LevelledCluster expected = before;
    LaneServed sum;
    for (std::size_t m = 0; m < before.servers; ++m) {
        LevelledCluster& c = expected;
        const bool idle = c.idle[m] != 0, to_remote = c.local[m] == 0 && c.remote[m] > 0,
                   to_local = !to_remote && (c.local[m] > 0 || !or_none);
        c.local[m] += arrivals[m];
        c.workload[m] += arrivals[m];
        const bool local_starts = idle && to_local && c.local[m] > 0, remote_starts = idle && to_remote;
        const bool busy = !idle || local_starts || remote_starts,
                   on_remote = idle ? remote_starts : c.on_remote[m] != 0;
        const Word bits = words[m] >> shift & 0xFFFF;
        const bool ends = busy && bits < below[on_remote ? 1 : 0];
        sum.undecided = sum.undecided || (busy && bits == below[on_remote ? 1 : 0]);
        sum.started += local_starts ? 1 : 0;
        sum.started_remote += remote_starts ? 1 : 0;
        sum.busy += busy ? 1 : 0;
        sum.busy_with_data += busy && c.data[m] != 0 ? 1 : 0;
        sum.completed += ends ? 1 : 0;
        c.local_starts[m] = local_starts ? all_ones : 0;
        c.remote_starts[m] = remote_starts ? all_ones : 0;
        c.on_remote[m] = on_remote ? all_ones : 0;
        c.done[m] = ends ? all_ones : 0;
        c.idle[m] = !busy || ends ? all_ones : 0;
        if (!ends) continue;
        --(on_remote ? c.remote : c.local)[m];
        c.workload[m] -= on_remote ? 4 : 1;
    }
    for (const SimdLevel simd : levels_here()) {
        LevelledCluster c = before;
        lane_loops(simd).split_levels(c.view(), or_none ? all_ones : 0);
        for (std::size_t m = 0; m < c.servers; ++m) {
            c.local[m] += arrivals[m];
            c.workload[m] += arrivals[m];
        }
        const LaneServed served = lane_loops(simd).serve_levels(c.view(), words.data(), shift, below[0], below[1]);
        RC_ASSERT(c.local_starts == expected.local_starts);
        RC_ASSERT(c.remote_starts == expected.remote_starts);
        RC_ASSERT(c.on_remote == expected.on_remote);
        RC_ASSERT(c.done == expected.done);
        RC_ASSERT(c.idle == expected.idle);
        RC_ASSERT(c.local == expected.local);
        RC_ASSERT(c.remote == expected.remote);
        RC_ASSERT(c.workload == expected.workload);
        RC_ASSERT(served.started == sum.started);
        RC_ASSERT(served.started_remote == sum.started_remote);
        RC_ASSERT(served.busy == sum.busy);
        RC_ASSERT(served.busy_with_data == sum.busy_with_data);
        RC_ASSERT(served.completed == sum.completed);
        RC_ASSERT(served.undecided == sum.undecided);
    }
}

RC_GTEST_PROP(LaneLoops, TakeStampsFromTheHeadsOfRings, ()) {
    const std::size_t servers = lanes * *rc::gen::inRange<std::size_t>(1, 4);
    const LaneWords started = masks(servers);
    const Word bits = *rc::gen::inRange<Word>(0, 4), slot = 100;
    LaneWords ring = words_of(servers << bits, 90, slot);
    for (Word& stamp : ring)
        if (stamp == 95) stamp = all_ones;
    const LaneWords head = words_of(servers, 0, 40), executing = words_of(servers, 0, 9);
    LaneWords expected_head = head, expected = executing;
    LaneWaits waits;
    for (std::size_t m = 0; m < servers; ++m) {
        if (started[m] == 0) continue;
        expected[m] = ring[(m << bits) + expected_head[m]++ % (Word{1} << bits)];
        if (expected[m] == all_ones) continue;
        ++waits.tasks;
        waits.slots += slot - expected[m];
    }
    for (const SimdLevel simd : levels_here()) {
        LaneWords head_here = head, here = executing;
        const LaneWaits found = lane_loops(simd).take_stamps(started.data(), servers,
                                                             {ring.data(), bits, head_here.data(), here.data()}, slot);
        RC_ASSERT(head_here == expected_head);
        RC_ASSERT(here == expected);
        RC_ASSERT(found.tasks == waits.tasks);
        RC_ASSERT(found.slots == waits.slots);
    }
}

RC_GTEST_PROP(LaneLoops, ListEqualWordsInOrder, ()) {
    const std::size_t count = lanes * *rc::gen::inRange<std::size_t>(1, 5);
    const LaneWords words = words_of(count, 0, *rc::gen::inRange<Word>(0, 4));
    const Word value = *rc::gen::inRange<Word>(0, 4);
    LaneWords expected;
    for (std::size_t i = 0; i < count; ++i)
        if (words[i] == value) expected.push_back(static_cast<Word>(i));
    const LaneWords behind(lanes, all_ones);
    for (const SimdLevel simd : levels_here()) {
        LaneWords places(count);
        places.insert(places.end(), behind.begin(), behind.end());
        const Word found = lane_loops(simd).list_equal(words.data(), count, value, places.data());
        RC_ASSERT(found == expected.size());
        RC_ASSERT(std::equal(expected.begin(), expected.end(), places.begin()));
        RC_ASSERT(std::equal(behind.begin(), behind.end(), places.end() - lanes));
    }
}

}  // namespace
}  // namespace schedproof::simulation
