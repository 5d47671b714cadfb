/// Fitted curves: coefficients that are known, what the weights and the replications do, and complaints.
#include "experiments/reproduction/fit.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "experiments/reproduction/statement.hpp"
#include "model/core/errors.hpp"

namespace schedproof::reproduction {
namespace {

const std::vector<double> loads{0.5, 0.8, 0.9, 0.95, 0.99};

Fit near_one() { return {"delay", {"a"}, {}, 1, {-1, 0}, {"slope", "offset"}, ""}; }

/// c0 / (1 - rho) + c1 for each pair: a replication each.
Measurements curves(const std::vector<std::pair<double, double>>& coefficients) {
    Measurements all;
    for (const double x : loads) {
        Sample sample;
        for (const auto& [slope, offset] : coefficients) sample.values.push_back(slope / (1 - x) + offset);
        all.add({"delay", "a", x}, std::move(sample));
    }
    return all;
}

RC_GTEST_PROP(Fit, FindsTheCoefficientsOfEveryReplication, ()) {
    std::vector<std::pair<double, double>> wanted;
    for (int r = *rc::gen::inRange(1, 6); r > 0; --r)
        wanted.emplace_back(*rc::gen::inRange(-50, 50), *rc::gen::inRange(-50, 50));
    Measurements all = curves(wanted);
    add_coefficients(near_one(), all);
    const Sample *slope = all.find({"slope", "a", 0}), *offset = all.find({"offset", "a", 0});
    RC_ASSERT(slope != nullptr && offset != nullptr && slope->values.size() == wanted.size());
    double mean = 0;
    for (std::size_t r = 0; r < wanted.size(); ++r) {
        RC_ASSERT(std::abs(slope->values[r] - wanted[r].first) < 1e-8);
        RC_ASSERT(std::abs(offset->values[r] - wanted[r].second) < 1e-8);
        mean += (wanted[r].first / 0.1 + wanted[r].second) / static_cast<double>(wanted.size());
    }
    RC_ASSERT(std::abs(value_at(near_one(), all, "a", 0.9) - mean) < 1e-6);
}

/// The residuals, weighted by the distance, are orthogonal to the terms: no other coefficients leave less.
RC_GTEST_PROP(Fit, LeavesTheLeastWeightedSquares, ()) {
    Measurements all;
    std::vector<double> y;
    for (const double x : loads) {
        y.push_back(static_cast<double>(*rc::gen::inRange(0, 1000)));
        all.add({"delay", "a", x}, {{y.back()}, false});
    }
    add_coefficients(near_one(), all);
    const auto squares = [&](double slope, double offset) {
        double sum = 0;
        for (std::size_t i = 0; i < loads.size(); ++i)
            sum += std::pow((1 - loads[i]) * y[i] - slope - offset * (1 - loads[i]), 2);
        return sum;
    };
    const double slope = all.find({"slope", "a", 0})->values[0], offset = all.find({"offset", "a", 0})->values[0];
    const double least = squares(slope, offset);
    for (const double step : {-1.0, -0.01, 0.01, 1.0}) {
        RC_ASSERT(squares(slope + step, offset) >= least);
        RC_ASSERT(squares(slope, offset + step) >= least);
        RC_ASSERT(squares(slope + step, offset - step) >= least);
    }
}

TEST(Fit, IsAMeasureThatStatementsDecide) {
    Measurements all = curves({{2.0, 1}, {2.2, 0}, {1.8, 5}, {2.1, -3}});
    add_coefficients(near_one(), all);
    Statement band{StatementKind::band, "slope", {"a"}, {}, {}, 1.5, 2.5, {}, {}, true};
    EXPECT_EQ(assess(band, all, 0.95).truth, Truth::holds);
    band.above = 2.1;
    EXPECT_EQ(assess(band, all, 0.95).truth, Truth::open) << "its interval holds 2.1";
}

TEST(Fit, OfExactValuesIsExact) {
    Measurements all;
    for (const double x : loads) all.add({"delay", "a", x}, {{3 / std::sqrt(1 - x)}, true});
    Fit fit = near_one();
    fit.powers = {-0.5};
    fit.coefficients = {"root"};
    add_coefficients(fit, all);
    EXPECT_TRUE(all.find({"root", "a", 0})->exact);
    EXPECT_NEAR(all.find({"root", "a", 0})->values[0], 3, 1e-12);
}

TEST(Fit, TakesThePlacesThatItNames) {
    Measurements all = curves({{2, 1}});
    all.add({"delay", "a", 0.5}, {{1e6}, false});
    Fit fit = near_one();
    fit.at = {0.8, 0.9, 0.99};
    add_coefficients(fit, all);
    EXPECT_NEAR(all.find({"slope", "a", 0})->values[0], 2, 1e-9) << "without the outlier";
}

std::string complaint(const Fit& fit) {
    Measurements all = curves({{2, 1}});
    try {
        add_coefficients(fit, all);
    } catch (const InputError& error) {
        return error.place().key;
    }
    return "";
}

TEST(Fit, NamesWhatIsWrong) {
    Fit fit = near_one();
    EXPECT_EQ(complaint(fit), "");
    fit.boundary = 0.9;
    EXPECT_EQ(complaint(fit), "boundary");
    fit = near_one();
    fit.curves = {"b"};
    EXPECT_EQ(complaint(fit), "curves");
    fit = near_one();
    fit.at = {0.8, 0.85};
    EXPECT_EQ(complaint(fit), "at");
    fit.at = {0.8};
    EXPECT_EQ(complaint(fit), "powers") << "fewer places than coefficients";
    fit = near_one();
    fit.powers = {-1, -1};
    EXPECT_EQ(complaint(fit), "powers") << "which are one";
}

}  // namespace
}  // namespace schedproof::reproduction
