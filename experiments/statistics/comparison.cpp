/// Paired differences and control variates by orthogonal regression.
///
/// Controls are centred at their sample means and made orthogonal one after another (Gram-Schmidt), their deviations
/// from the exact means transformed alike; then each direction is regressed on separately, the mean moves by -slope x
/// deviation, and the variance factor 1/n + sum deviation^2 / |direction|^2 is that of the intercept in ordinary least
/// squares at the exact means. A control whose direction vanishes against its own scale (constant, or determined by the
/// ones before) is left out: its slope would be rounding noise. Degrees of freedom: n - q - 1.
#include "experiments/statistics/comparison.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "model/core/errors.hpp"

namespace schedproof::statistics {

namespace {

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> centred(std::span<const double> values) {
    const double mean = mean_of(values);
    std::vector<double> result(values.begin(), values.end());
    for (double& value : result) value -= mean;
    return result;
}

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Squares below this part of their origin are rounding.
constexpr double negligible = 1e-12;

/// Controls made orthogonal one after another (Gram and Schmidt), so each is regressed on alone: what the earlier ones
/// explain of a control is taken from its values and from its deviation alike.
struct Basis {
    std::vector<std::vector<double>> directions;  // centred, orthogonal
    std::vector<double> deviations;               // of the direction's mean from its exact one
    std::vector<std::size_t> used;
};

void extend(Basis& basis, const Control& control, std::size_t index) {
    std::vector<double> direction = centred(control.values);
    double deviation = mean_of(control.values) - control.expectation;
    const double scale = dot(control.values, control.values);
    const double before = dot(direction, direction);
    for (std::size_t k = 0; k < basis.directions.size(); ++k) {
        const std::vector<double>& other = basis.directions[k];
        const double share = dot(direction, other) / dot(other, other);
        for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= share * other[i];
        deviation -= share * basis.deviations[k];
    }
    if (before <= negligible * scale || dot(direction, direction) <= negligible * before) return;
    basis.directions.push_back(std::move(direction));
    basis.deviations.push_back(deviation);
    basis.used.push_back(index);
}

}  // namespace

PairedDifference paired_difference(std::span<const double> a, std::span<const double> b, double confidence) {
    require(a.size() == b.size() && !a.empty(), "pairs are as many of one as of the other");
    std::vector<double> difference(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
    PairedDifference result{estimate(difference, confidence), 0, {}};
    const std::vector<double> x = centred(a), y = centred(b);
    const double scale = dot(x, x) * dot(y, y);
    if (scale > 0) result.correlation = dot(x, y) / std::sqrt(scale);
    if (const double base = mean_of(b); base != 0) result.relative = result.difference.mean / base;
    return result;
}

Controlled controlled(std::span<const double> values, std::span<const Control> controls, double confidence) {
    const Estimate plain = estimate(values, confidence);
    const std::size_t n = values.size();
    Basis basis;
    for (std::size_t c = 0; c < controls.size() && basis.used.size() + 2 < n; ++c) {
        require(controls[c].values.size() == n, "a control has as many values as what it controls");
        extend(basis, controls[c], c);
    }
    if (basis.used.empty()) return {plain, {}, 1};
    std::vector<double> residual = centred(values);
    const double before = dot(residual, residual);
    double mean = plain.mean, leverage = 1 / static_cast<double>(n);
    for (std::size_t k = 0; k < basis.used.size(); ++k) {
        const std::vector<double>& direction = basis.directions[k];
        const double square = dot(direction, direction);
        const double slope = dot(residual, direction) / square;
        for (std::size_t i = 0; i < n; ++i) residual[i] -= slope * direction[i];
        mean -= slope * basis.deviations[k];
        leverage += basis.deviations[k] * basis.deviations[k] / square;
    }
    const double left = dot(residual, residual);
    const auto freedom = static_cast<double>(n - basis.used.size() - 1);
    const double t = boost::math::quantile(boost::math::students_t(freedom), (1 + confidence) / 2);
    const double ratio = before > 0 ? (left / freedom) / (before / static_cast<double>(n - 1)) : 1;
    return {{mean, t * std::sqrt(left / freedom * leverage)}, basis.used, ratio};
}

}  // namespace schedproof::statistics
