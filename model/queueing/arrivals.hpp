/// The arrivals of one slot: a joint law of the number of tasks of each type. And the batches of continuous time.
///
/// A product of independent factors, each an explicit joint law over a few types. One factor over all types is the
/// general case; one factor per type is independent arrivals, which would have exponentially many joint outcomes.
/// Slots are independent and identically distributed, and arrivals are bounded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/core/ids.hpp"
#include "model/core/randomness.hpp"
#include "model/core/rational.hpp"

namespace schedproof::queueing {

/// One outcome of a factor: `count[i]` tasks of the factor's i-th type, with probability > 0.
struct ArrivalOutcome {
    std::vector<std::uint32_t> count;
    Rational probability;
    friend bool operator==(const ArrivalOutcome&, const ArrivalOutcome&) = default;
};

/// A joint law over the numbers of tasks of some types.
class ArrivalFactor {
  public:
    /// Throws InputError unless the outcomes have one count per type and positive probabilities that sum to one.
    ArrivalFactor(std::vector<TaskTypeId> types, std::vector<ArrivalOutcome> outcomes);

    [[nodiscard]] std::span<const TaskTypeId> types() const { return types_; }
    [[nodiscard]] std::span<const ArrivalOutcome> outcomes() const { return outcomes_; }
    [[nodiscard]] const DiscreteDistribution& distribution() const { return distribution_; }

  private:
    std::vector<TaskTypeId> types_;
    std::vector<ArrivalOutcome> outcomes_;
    DiscreteDistribution distribution_;
};

/// Largest number of tasks that a law may bring in one slot.
inline constexpr std::uint64_t max_tasks_per_slot = 1'000'000'000;

class ArrivalLaw {
  public:
    /// Throws InputError when a type stands in two factors, or a slot may bring more than `max_tasks_per_slot` tasks.
    explicit ArrivalLaw(std::vector<ArrivalFactor> factors);

    /// At most one task of each type in `rates`, independently; type i with probability rates[i]. Zero rates allowed.
    [[nodiscard]] static ArrivalLaw bernoulli(std::span<const Rational> rates);
    /// At most one task in all: of type i with probability rates[i], none with the rest.
    [[nodiscard]] static ArrivalLaw single(std::span<const Rational> rates);

    [[nodiscard]] std::span<const ArrivalFactor> factors() const { return factors_; }
    /// lambda: mean number of tasks of each type in a slot. Shape: `types` entries.
    [[nodiscard]] std::vector<Rational> means(std::size_t types) const;
    /// Largest possible number of tasks in a slot.
    [[nodiscard]] std::uint64_t largest_total() const;

  private:
    std::vector<ArrivalFactor> factors_;
};

/// So many tasks of one type that come in one event of continuous time, with a probability.
struct BatchSize {
    std::uint32_t tasks;
    Rational probability;
    friend bool operator==(const BatchSize&, const BatchSize&) = default;
};

/// Most tasks of a batch. They are routed one after another, each with all its ties, so that the law of an event grows
/// with every task: no exact mode could enumerate a larger one.
inline constexpr std::uint32_t max_batch_size = 1000;

/// Sorts the sizes of a type's batches. Throws InputError naming `batches` unless they are from 2 to max_batch_size,
/// each once, with probabilities above 0 of a sum of at most 1.
void check_batches(std::vector<BatchSize>& sizes);
/// These and a single task, with what their probabilities lack to 1. Shape: ascending.
[[nodiscard]] std::vector<BatchSize> with_single_tasks(const std::vector<BatchSize>& sizes);

/// A family of arrival laws with a parameter eps, the slack, in [0, up_to]: at eps = 0 the law of the instance, at
/// `up_to` the law given here, between them their mixture. The two laws differ in one factor, so that every probability
/// of an outcome of a slot is affine in eps.
struct ArrivalSlack {
    Rational up_to;  ///< above 0
    ArrivalLaw end;
};

}  // namespace schedproof::queueing
