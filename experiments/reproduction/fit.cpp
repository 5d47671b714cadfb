/// Least squares, a fit for each replication.
///
/// A coefficient is fitted in every replication by itself, so that its values are independent and alike: statements
/// about it are decided like those about any other measure, by Student's interval of its mean, and two policies that
/// met the same random numbers are compared pair by pair.
///
/// What is minimised is sum over x of (d^(-p_1) (y(x) - sum_i c_i d(x)^(p_i)))^2. The weight d^(-p_1) brings values of
/// the leading order d^(p_1) to the same size; without it the values nearest to the boundary, which are the largest and
/// vary most, would decide alone. With p = (-1, 0) this is a straight line through the points (d, d y), and c_1 is what
/// d y tends to at the boundary, in the form of the fit. The interval says how well the runs determine c_i, not whether
/// the form is right.
/// The system is solved by a QR decomposition with column pivoting, which also tells whether the powers are told apart.
#include "experiments/reproduction/fit.hpp"

#include <fmt/core.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"

namespace schedproof::reproduction {

namespace {

double distance(const Fit& fit, double x) { return std::abs(x - fit.boundary); }

std::vector<double> places_of(const Fit& fit, const Measurements& measurements, const std::string& curve) {
    const std::vector<double> known = measurements.places(fit.measure, curve);
    if (known.empty())
        throw InputError::at_key("curves", fmt::format("expected a curve of the figure, not '{}'{}", curve,
                                                       base::did_you_mean(curve, measurements.curves(fit.measure))));
    const std::vector<double>& places = fit.at.empty() ? known : fit.at;
    for (const double x : places) {
        if (std::find(known.begin(), known.end(), x) == known.end())
            throw InputError::at_key("at", fmt::format("expected a place where '{}' has a value, not {:g}", curve, x));
        if (!(distance(fit, x) > 0))
            throw InputError::at_key("boundary", fmt::format("expected no value on it, but {:g} is one", x));
    }
    if (places.size() < fit.powers.size())
        throw InputError::at_key("powers", fmt::format("expected at most as many as places, {}", places.size()));
    return places;
}

/// Row by place, column by power: d^(p_i - p_1).
Eigen::MatrixXd matrix_of(const Fit& fit, const std::vector<double>& places) {
    Eigen::MatrixXd matrix(places.size(), fit.powers.size());
    for (std::size_t row = 0; row < places.size(); ++row)
        for (std::size_t column = 0; column < fit.powers.size(); ++column)
            matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
                std::pow(distance(fit, places[row]), fit.powers[column] - fit.powers.front());
    return matrix;
}

void add_coefficients_of(const Fit& fit, const std::string& curve, Measurements& measurements) {
    const std::vector<double> places = places_of(fit, measurements, curve);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(matrix_of(fit, places));
    if (solver.rank() < static_cast<Eigen::Index>(fit.powers.size()))
        throw InputError::at_key("powers", "expected powers that the places tell apart");
    std::size_t replications = measurements.find({fit.measure, curve, places.front()})->values.size();
    std::vector<Sample> found(fit.powers.size());
    for (const double x : places) {
        const Sample& sample = *measurements.find({fit.measure, curve, x});
        replications = std::min(replications, sample.values.size());
        for (Sample& coefficient : found) coefficient.exact = sample.exact;
    }
    for (std::size_t r = 0; r < replications; ++r) {
        Eigen::VectorXd right(places.size());
        for (std::size_t row = 0; row < places.size(); ++row)
            right[static_cast<Eigen::Index>(row)] = measurements.find({fit.measure, curve, places[row]})->values[r] *
                                                    std::pow(distance(fit, places[row]), -fit.powers.front());
        const Eigen::VectorXd solution = solver.solve(right);
        for (std::size_t i = 0; i < found.size(); ++i)
            found[i].values.push_back(solution[static_cast<Eigen::Index>(i)]);
    }
    for (std::size_t i = 0; i < found.size(); ++i)
        measurements.add({fit.coefficients[i], curve, 0}, std::move(found[i]));
}

}  // namespace

void add_coefficients(const Fit& fit, Measurements& measurements) {
    require(!fit.powers.empty() && fit.powers.size() == fit.coefficients.size(), "a power has a coefficient");
    for (const std::string& curve : fit.curves) add_coefficients_of(fit, curve, measurements);
}

double value_at(const Fit& fit, const Measurements& measurements, const std::string& curve, double x) {
    double sum = 0;
    for (std::size_t i = 0; i < fit.powers.size(); ++i) {
        const Sample* sample = measurements.find({fit.coefficients[i], curve, 0});
        require(sample != nullptr && !sample->values.empty(), "a fit's coefficients are measured first");
        const double mean = std::accumulate(sample->values.begin(), sample->values.end(), 0.0) /
                            static_cast<double>(sample->values.size());
        sum += mean * std::pow(distance(fit, x), fit.powers[i]);
    }
    return sum;
}

}  // namespace schedproof::reproduction
