#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "model/base/nearest.hpp"

namespace schedproof::input {
namespace {

constexpr std::array<std::string_view, 4> keys{"servers", "replicas", "arrivals", "options"};

TEST(Nearest, NamesTheWordThatWasMeant) {
    EXPECT_EQ(base::nearest_match("severs", keys), "servers");
    EXPECT_EQ(base::nearest_match("repilcas", keys), "replicas");
    EXPECT_EQ(base::nearest_match("Options", keys), "options");
    EXPECT_EQ(base::nearest_match("zebra", keys), std::nullopt);
    EXPECT_EQ(base::nearest_match("", keys), std::nullopt);
    EXPECT_EQ(base::did_you_mean("arivals", keys), " (did you mean 'arrivals'?)");
    EXPECT_EQ(base::did_you_mean("quux", keys), "");
}

TEST(Nearest, PrefersTheFirstOfEquallyNear) {
    const std::vector<std::string> names{"ab1", "ab2"};
    EXPECT_EQ(base::nearest_match("ab3", names), "ab1");
    EXPECT_EQ(base::nearest_match("ab2", names), "ab2");
}

TEST(Nearest, KnowsTheDistance) {
    EXPECT_EQ(base::edit_distance("kitten", "sitting", 9), 3U);
    EXPECT_EQ(base::edit_distance("ab", "ba", 9), 1U);
    EXPECT_EQ(base::edit_distance("", "abc", 9), 3U);
    EXPECT_EQ(base::edit_distance("abcdef", "uvwxyz", 2), 3U);
    EXPECT_EQ(base::edit_distance(std::string(100'000, 'a'), std::string(100'000, 'b'), 5), 6U);
}

RC_GTEST_PROP(Nearest, IsSymmetricAndBoundedByTheLongerWord, (const std::string& a, const std::string& b)) {
    const std::size_t distance = base::edit_distance(a, b, 1000);
    RC_ASSERT(distance == base::edit_distance(b, a, 1000));
    if (a.size() <= 64 && b.size() <= 64) RC_ASSERT(distance <= std::max(a.size(), b.size()));
    RC_ASSERT(base::edit_distance(a, a, 0) == 0U);
}

}  // namespace
}  // namespace schedproof::input
