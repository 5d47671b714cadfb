/// Histograms against sorted lists of their values.
#include "experiments/statistics/histogram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

namespace schedproof::statistics {
namespace {

TEST(HistogramBins, AreNarrowAndAddUp) {
    for (std::uint64_t value = 0; value < 512; ++value) {
        EXPECT_EQ(Histogram::bin(value), value);
        EXPECT_EQ(Histogram::largest_in(value), value);
    }
    EXPECT_TRUE(rc::check("bins follow one another without gaps, and are narrow", [] {
        const auto bits = *rc::gen::inRange(0, 64);
        const std::uint64_t value = *rc::gen::arbitrary<std::uint64_t>() >> bits;
        const std::size_t bin = Histogram::bin(value);
        const std::uint64_t last = Histogram::largest_in(bin);
        RC_ASSERT(value <= last);
        RC_ASSERT(Histogram::bin(last) == bin);
        if (last != std::numeric_limits<std::uint64_t>::max()) RC_ASSERT(Histogram::bin(last + 1) == bin + 1);
        const std::uint64_t first = bin == 0 ? 0 : Histogram::largest_in(bin - 1) + 1;
        RC_ASSERT(first <= value);
        RC_ASSERT(last - first <= value / 256);
    }));
    EXPECT_TRUE(rc::check("quantiles and sums are those of the values", [] {
        auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange(0, 5000)));
        const auto cut = *rc::gen::inRange<std::size_t>(0, values.size() + 1);
        Histogram one, two, whole;
        for (std::size_t i = 0; i < values.size(); ++i) {
            (i < cut ? one : two).add(values[i]);
            whole.add(values[i]);
        }
        one += two;
        RC_ASSERT(one == whole);
        RC_ASSERT(whole.total() == values.size());
        std::sort(values.begin(), values.end());
        const auto k = *rc::gen::inRange<std::size_t>(1, values.size() + 1);
        const double p = (static_cast<double>(k) - 0.5) / static_cast<double>(values.size());
        RC_ASSERT(whole.quantile(p) == Histogram::largest_in(Histogram::bin(values[k - 1])));
        std::map<std::uint64_t, std::uint64_t> counts;
        for (const std::uint64_t value : values) ++counts[Histogram::largest_in(Histogram::bin(value))];
        const auto bins = whole.bins();
        RC_ASSERT((std::map<std::uint64_t, std::uint64_t>(bins.begin(), bins.end()) == counts));
    }));
}

}  // namespace
}  // namespace schedproof::statistics
