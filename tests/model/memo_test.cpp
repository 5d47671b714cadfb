/// Values that are made at the first request, once, also where several threads ask at a time or the making throws.
#include "model/base/memo.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {
namespace {

TEST(Memo, MakesAValueOnceForEachTypeAndNumber) {
    Memo memo;
    int made = 0;
    const auto make = [&] { return ++made; };
    const int& first = memo.get<int>(0, make);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(&memo.get<int>(0, make), &first);
    EXPECT_EQ(memo.get<int>(1, make), 2);
    EXPECT_EQ(memo.get<std::string>(0, [&] { return std::string("text"); }), "text");
    EXPECT_EQ(memo.get<int>(0, make), 1);
    EXPECT_EQ(made, 2);
}

TEST(Memo, KeepsWhatTheMakingThrows) {
    Memo memo;
    int made = 0;
    const auto ask = [&] {
        (void)memo.get<int>(0, [&]() -> int {
            ++made;
            throw LimitExceeded("terms", "too many");
        });
    };
    EXPECT_THROW(ask(), LimitExceeded);
    EXPECT_THROW(ask(), LimitExceeded);
    EXPECT_EQ(made, 1);
}

TEST(Memo, MayBeAskedWhileAValueIsMade) {
    Memo memo;
    const int& outer = memo.get<int>(0, [&] { return memo.get<int>(1, [] { return 20; }) + 1; });
    EXPECT_EQ(outer, 21);
}

TEST(Memo, MakesAValueOnceWhereManyAskAtATime) {
    for (int round = 0; round < 50; ++round) {
        Memo memo;
        std::atomic<int> made = 0;
        std::vector<const int*> seen(8);
        for_each_index(seen.size(), 4, [&](std::size_t i) {
            seen[i] = &memo.get<int>(static_cast<int>(i % 2), [&] { return ++made; });
        });
        EXPECT_EQ(made, 2);
        for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], seen[i % 2]);
    }
}

}  // namespace
}  // namespace schedproof::base
