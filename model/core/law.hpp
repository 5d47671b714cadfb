/// A finite probability law with exact weights.
#pragma once

#include <map>
#include <utility>

#include "model/core/errors.hpp"
#include "model/core/rational.hpp"

namespace schedproof {

/// Outcomes of type T, each with a positive rational probability; equal outcomes are one.
/// Requires: T is totally ordered by `<`.
template <class T>
class Law {
  public:
    /// Adds probability to an outcome. Throws ContractViolation when it is negative; zero is ignored.
    void add(T outcome, const Rational& probability) {
        require(probability.sign() >= 0, "a probability must not be negative");
        if (probability.sign() > 0) weight_[std::move(outcome)] += probability;
    }

    /// Sum of all probabilities: one for a complete law.
    [[nodiscard]] Rational total() const {
        Rational sum;
        for (const auto& [outcome, probability] : weight_) sum += probability;
        return sum;
    }
    [[nodiscard]] Rational probability(const T& outcome) const {
        const auto found = weight_.find(outcome);
        return found == weight_.end() ? Rational() : found->second;
    }
    /// E f(X), for f returning a Rational.
    template <class F>
    [[nodiscard]] Rational expectation(F&& f) const {
        Rational sum;
        for (const auto& [outcome, probability] : weight_) sum += probability * Rational(f(outcome));
        return sum;
    }
    /// The law of f(X).
    template <class F>
    [[nodiscard]] auto map(F&& f) const {
        Law<std::decay_t<std::invoke_result_t<F&, const T&>>> image;
        for (const auto& [outcome, probability] : weight_) image.add(f(outcome), probability);
        return image;
    }

    [[nodiscard]] std::size_t size() const { return weight_.size(); }
    [[nodiscard]] auto begin() const { return weight_.begin(); }
    [[nodiscard]] auto end() const { return weight_.end(); }
    friend bool operator==(const Law&, const Law&) = default;

  private:
    std::map<T, Rational> weight_;
};

}  // namespace schedproof
