/// Rates as weights: all rates of an instance times one positive integer that makes them integral, and likewise their
/// reciprocals and the costs. Comparisons between weighted quantities are the same for every number type.
#pragma once

#include <vector>

#include "model/core/number.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::queueing {

/// Integer multipliers of an instance, as coefficients of N.
template <Number N>
struct Weights {
    std::vector<Coefficient<N>> rate;      ///< per entry of the table of rates: mu times a common integer
    std::vector<Coefficient<N>> slowness;  ///< the same: 1/mu times a common integer
    Coefficient<N> unit_of_work = NumberTraits<N>::coefficient(Rational(1));  ///< that integer of `slowness`
    std::vector<Coefficient<N>> cost;  ///< per type: c_L (e_L + 1) times a common integer
    Weights() = default;               ///< to be filled by a mode whose rates are symbols
    explicit Weights(const Instance& instance);
};

template <Number N>
Weights<N>::Weights(const Instance& instance) {
    const std::vector<Rational> rates = instance.rate_table();
    std::vector<Rational> slownesses, costs;
    for (const Rational& mu : rates) slownesses.push_back(Rational(1) / mu);
    for (const TaskType& type : instance.data().types) costs.push_back(type.cost * Rational(type.exponent + 1));
    const auto scaled = [](const std::vector<Rational>& values) {
        const Rational scale = common_denominator(values);
        std::vector<Coefficient<N>> coefficients;
        coefficients.reserve(values.size());
        for (const Rational& value : values) coefficients.push_back(NumberTraits<N>::coefficient(value * scale));
        return coefficients;
    };
    rate = scaled(rates);
    slowness = scaled(slownesses);
    unit_of_work = NumberTraits<N>::coefficient(common_denominator(slownesses));
    cost = scaled(costs);
}

}  // namespace schedproof::queueing
