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
    std::vector<Coefficient<N>> rate;      ///< per level: mu times a common integer
    std::vector<Coefficient<N>> slowness;  ///< per level: 1/mu times a common integer
    std::vector<Coefficient<N>> cost;      ///< per type: c_L (e_L + 1) times a common integer
    Weights() = default;                   ///< to be filled by a mode whose rates are symbols
    explicit Weights(const Instance& instance);
};

template <Number N>
Weights<N>::Weights(const Instance& instance) {
    std::vector<Rational> rates, slownesses, costs;
    for (const Level level : instance.levels()) {
        rates.push_back(instance.rate(level));
        slownesses.push_back(Rational(1) / instance.rate(level));
    }
    for (const TaskType& type : instance.data().types) costs.push_back(type.cost * Rational(type.exponent + 1));
    const auto scaled = [](const std::vector<Rational>& values) {
        const Rational scale = common_denominator(values);
        std::vector<Coefficient<N>> coefficients;
        for (const Rational& value : values) coefficients.push_back(NumberTraits<N>::coefficient(value * scale));
        return coefficients;
    };
    rate = scaled(rates);
    slowness = scaled(slownesses);
    cost = scaled(costs);
}

}  // namespace schedproof::queueing
