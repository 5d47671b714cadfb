/// Laws of sizes and gaps: their texts, their moments, what is drawn.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "experiments/workload/random_law.hpp"
#include "model/core/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::workload {
namespace {

/// Mean and part of values above x, of many draws.
struct Seen {
    double mean = 0, square = 0, above = 0;
};
Seen draw(const RealLaw& law, double x) {
    constexpr int n = 400'000;
    Draws draws(law, statistics::Stream({7, 1}, "test"));
    Seen seen;
    for (int i = 0; i < n; ++i) {
        const double value = draws();
        EXPECT_GE(value, 0);
        seen.mean += value / n;
        seen.square += value * value / n;
        seen.above += value > x ? 1.0 / n : 0;
    }
    return seen;
}

struct Known {
    const char* text;
    double mean, variation, x, above;
};

TEST(RealLaw, DrawsWhatItsMomentsAndTailSay) {
    const Known known[] = {
        {"exponential:3", 3, 1, 3, std::exp(-1)},
        {"constant:2", 2, 0, 1.5, 1},
        {"uniform:1,4", 2.5, 0.75 / 6.25, 3, 1.0 / 3},
        {"pareto:4,3", 4, 1.0 / 8, 6, 1.0 / 16},
        {"gamma:4,0.5", 2, 0.25, 2, 71.0 / 3 * std::exp(-4)},
        {"gamma:0.5,2", 1, 2, 1, std::erfc(std::sqrt(0.5))},
        {"hyperexponential:0.9,0.5,0.1,5.5", 1, 5.5, 5.5, 0.9 * std::exp(-11) + 0.1 * std::exp(-1)},
    };
    for (const Known& k : known) {
        const RealLaw law = parse_law(k.text, "sizes");
        EXPECT_EQ(to_text(law), k.text);
        EXPECT_NEAR(mean(law), k.mean, 1e-12) << k.text;
        EXPECT_NEAR(squared_variation(law), k.variation, 1e-12) << k.text;
        const Seen seen = draw(law, k.x);
        const double deviation = k.mean * std::sqrt(k.variation);
        EXPECT_NEAR(seen.mean, k.mean, 4 * deviation / std::sqrt(400'000.0) + 1e-9) << k.text;
        EXPECT_NEAR(seen.square - seen.mean * seen.mean, deviation * deviation, 0.1 * deviation * deviation + 1e-9)
            << k.text;
        EXPECT_NEAR(seen.above, k.above, 4 * std::sqrt(k.above * (1 - k.above) / 400'000) + 1e-9) << k.text;
    }
    EXPECT_EQ(squared_variation(parse_law("pareto:2,20", "sizes")), INFINITY);
    EXPECT_EQ(to_text(parse_law("deterministic:7", "sizes")), "constant:7");
}

TEST(RealLaw, OfAFileIsItsValues) {
    const testing_support::TemporaryDirectory directory;
    const std::string file = (directory.path() / "values").string();
    const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
    write("# sizes\n1\n\n3\n8\n");
    const RealLaw law = parse_law("trace:" + file, "sizes");
    EXPECT_EQ(mean(law), 4);
    EXPECT_NEAR(squared_variation(law), 26.0 / 3 / 16, 1e-12);
    EXPECT_NEAR(draw(law, 2).above, 2.0 / 3, 0.01);
    EXPECT_EQ(to_text(law), "trace:" + file);
    for (const char* wrong : {"", "0\n", "1\n-1\n", "1\nx\n", "1"}) {
        write(wrong);
        EXPECT_THROW(static_cast<void>(parse_law("trace:" + file, "sizes")), InputError) << wrong;
    }
    EXPECT_THROW(static_cast<void>(parse_law("trace:" + file + "x", "sizes")), InputError);
}

TEST(RealLaw, RefusesWhatIsNone) {
    for (const char* wrong : {"pareto:1,20", "pareto:2,0", "pareto:2", "pareto:2,1,1", "constant:0", "uniform:3,3",
                              "exponential:x", "exponential", "constant", "", "exponential:nan", "exponential:1,2",
                              "gamma:0,1", "gamma:1", "hyperexponential:0.5,1", "hyperexponential:0.5,1,0.5",
                              "hyperexponential:1.5,1,-0.5,1", "hyperexponential:0.5,1,0.5,0", "normal:1"})
        EXPECT_THROW(static_cast<void>(parse_law(wrong, "sizes")), InputError) << wrong;
    try {
        static_cast<void>(parse_law("exponental:1", "--sizes"));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("--sizes: expected exponential:MEAN"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("did you mean 'exponential'?"), std::string::npos);
    }
}

}  // namespace
}  // namespace schedproof::workload
