/// Randomness: the only way in which random choices enter a model.
///
/// A step of a model asks its source of randomness for an outcome of a discrete distribution and goes on. A `Sampler`
/// draws the outcome; an `Enumerator` takes every outcome in turn, by running the step once per combination of
/// outcomes, and knows the exact probability of each. Neither the policy nor the step depends on which it is.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/core/fraction.hpp"
#include "model/core/law.hpp"
#include "model/core/philox.hpp"
#include "model/core/rational.hpp"

namespace schedproof {

/// A probability distribution on 0..n-1 with exact probabilities, prepared for sampling and for enumeration.
class DiscreteDistribution {
  public:
    /// Throws ContractViolation unless every probability is positive and they sum to one.
    explicit DiscreteDistribution(std::vector<Rational> probabilities);
    /// Outcome 0 with probability p, outcome 1 with 1-p; only outcome 0 when p is one.
    /// Throws ContractViolation unless 0 < p <= 1.
    [[nodiscard]] static DiscreteDistribution bernoulli(const Rational& p);

    [[nodiscard]] std::size_t size() const { return probability_.size(); }
    [[nodiscard]] const Rational& probability(std::size_t outcome) const { return probability_[outcome]; }
    [[nodiscard]] const Fraction& fraction(std::size_t outcome) const { return fraction_[outcome]; }
    /// Running sums of the integer weights, over their common denominator `cumulative().back()`.
    /// Throws LimitExceeded when that denominator exceeds 2^63.
    [[nodiscard]] std::span<const std::uint64_t> cumulative() const;

  private:
    std::vector<Rational> probability_;
    std::vector<Fraction> fraction_;         // the same
    std::vector<std::uint64_t> cumulative_;  // empty when the common denominator is too large
};

template <class C>
concept Randomness = requires(C& randomness, const DiscreteDistribution& distribution, std::size_t n,
                              std::span<const std::uint64_t> weights) {
    { randomness.draw(distribution) } -> std::same_as<std::size_t>;     // outcome i with probability(i)
    { randomness.uniform(n) } -> std::same_as<std::size_t>;             // 0..n-1, equally likely; n >= 1
    { randomness.proportional(weights) } -> std::same_as<std::size_t>;  // i with probability weights[i]/sum
};

/// Names one stream of random numbers. Streams of different (seed, replication, purpose) are independent.
struct StreamKey {
    std::uint64_t seed = 0;
    std::uint64_t replication = 0;
    std::uint64_t purpose = 0;
};

/// Draws outcomes: the same key gives the same draws on every machine, whatever the number of threads or shards.
class Sampler {
  public:
    explicit Sampler(StreamKey key) : state_{{key.seed, 0}, {0, 0, key.replication, key.purpose}} {}

    std::size_t draw(const DiscreteDistribution& distribution);
    std::size_t uniform(std::size_t n) { return n == 1 ? 0 : static_cast<std::size_t>(below(n)); }
    std::size_t proportional(std::span<const std::uint64_t> weights);

    /// An integer in 0..bound-1, each exactly equally likely (multiply-shift with rejection, [lemire2019]).
    std::uint64_t below(std::uint64_t bound);

  private:
    std::uint64_t next();

    PhiloxState state_;
    std::array<std::uint64_t, 4> words_{};
    std::size_t used_ = 4;
};

/// The stack of decisions behind stateless exploration: a body is run again once per path through its decisions.
/// A decision is a number below its count of alternatives; what it means is the owner's business.
class DecisionStack {
  public:
    /// The decision of the current run at this point. Throws ContractViolation when the body, replayed, does not ask
    /// the same question as before: it must be a function of its decisions alone.
    std::size_t decide(std::size_t alternatives);
    /// Moves on to the next path; false when all have been taken.
    bool next_path();

    /// Position within the path of the latest decision, from 0.
    [[nodiscard]] std::size_t latest() const { return depth_ - 1; }
    /// The first position whose decision is new in this run; decisions before it are as in the run before.
    [[nodiscard]] std::size_t first_changed() const { return first_changed_; }

  private:
    struct Decision {
        std::size_t taken;
        std::size_t alternatives;
    };
    std::vector<Decision> path_;
    std::size_t depth_ = 0;
    std::size_t first_changed_ = 0;
};

/// Takes every outcome in turn and knows its probability. Use it through `enumerate`.
class Enumerator {
  public:
    std::size_t draw(const DiscreteDistribution& distribution) {
        return decide(distribution.size(), [&](std::size_t i) -> const Fraction& { return distribution.fraction(i); });
    }
    std::size_t uniform(std::size_t n);
    std::size_t proportional(std::span<const std::uint64_t> weights);

    /// Probability of the path so far.
    [[nodiscard]] const Fraction& probability() const { return depth_ == 0 ? one_ : prefix_[depth_ - 1]; }
    /// Ends this run; false when every path has been taken.
    bool next_path();

  private:
    /// Products along the path are kept, so a run multiplies only where it departs from the run before.
    template <class ProbabilityOf>
    std::size_t decide(std::size_t alternatives, ProbabilityOf&& probability_of) {
        if (alternatives == 1) return 0;
        const std::size_t taken = stack_.decide(alternatives);
        const std::size_t here = stack_.latest();
        if (here >= stack_.first_changed()) {
            prefix_.resize(here + 1);
            prefix_[here] = here == 0 ? probability_of(taken) : prefix_[here - 1] * probability_of(taken);
        }
        depth_ = here + 1;
        return taken;
    }

    DecisionStack stack_;
    std::vector<Fraction> prefix_;
    std::size_t depth_ = 0;
    Fraction one_{1, 1};
};

static_assert(Randomness<Sampler> && Randomness<Enumerator>);

/// Runs `body(randomness)` once per combination of outcomes and hands each result with its probability, a Fraction, to
/// `sink`. Requires: body is a function of the outcomes alone. Cost: one run of body per combination.
template <class Body, class Sink>
void enumerate_each(Body&& body, Sink&& sink) {
    Enumerator randomness;
    do {
        auto result = body(randomness);
        sink(std::move(result), randomness.probability());
    } while (randomness.next_path());
}

/// The exact law of `body(randomness)`.
template <class Body>
[[nodiscard]] auto enumerate(Body&& body) {
    Law<std::decay_t<std::invoke_result_t<Body&, Enumerator&>>> law;
    enumerate_each(body, [&](auto outcome, const Fraction& p) { law.add(std::move(outcome), p.rational()); });
    return law;
}

}  // namespace schedproof
