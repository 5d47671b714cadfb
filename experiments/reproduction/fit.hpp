/// Curves fitted to measurements near a boundary, such as a/(1 - rho) + b to delays as rho approaches 1.
#pragma once

#include <string>
#include <vector>

#include "experiments/reproduction/measurements.hpp"

namespace schedproof::reproduction {

/// y = sum over i of c_i d^(p_i), where d is the distance of the place from the boundary.
struct Fit {
    std::string measure;                    ///< y
    std::vector<std::string> curves;        ///< each fitted by itself
    std::vector<double> at;                 ///< places; empty: wherever a curve has values
    double boundary = 0;                    ///< d = |x - boundary|
    std::vector<double> powers;             ///< p_i; the first is the leading one
    std::vector<std::string> coefficients;  ///< what c_i is called, as a measure
    std::string name;                       ///< of the fitted curves in the legend; may be empty
};

/// Adds each coefficient of each curve as a measure at place 0, a value a replication, exact when the curve is.
/// Requires as many coefficients as powers, at least one. Throws InputError with the key of the fit (`curves`, `at`,
/// `boundary`, `powers`) for a curve or a place that there is not, a place on the boundary, fewer places than
/// coefficients, and powers that the places do not tell apart.
void add_coefficients(const Fit& fit, Measurements& measurements);

/// The fitted curve at a place, from the mean coefficients. Requires `add_coefficients` before.
[[nodiscard]] double value_at(const Fit& fit, const Measurements& measurements, const std::string& curve, double x);

}  // namespace schedproof::reproduction
