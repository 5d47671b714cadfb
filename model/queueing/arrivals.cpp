/// Arrival laws as products of finite factors.
///
/// The number of arrivals of all types in a slot is a random vector. Types that arrive independently need not have
/// their joint outcomes listed: a law is a list of independent factors, each with its types and a finite distribution
/// of their counts. An enumeration then branches factor by factor, and a simulator draws once per factor. Means and
/// bounds are sums over factors. Probabilities are exact and must sum to one; the rates of an instance are compared
/// with the means exactly.
#include "model/queueing/arrivals.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

std::uint64_t tasks_in(const ArrivalOutcome& outcome) {
    return std::accumulate(outcome.count.begin(), outcome.count.end(), std::uint64_t{0});
}

DiscreteDistribution checked_distribution(std::span<const TaskTypeId> types, std::span<const ArrivalOutcome> outcomes) {
    std::vector<Rational> probabilities;
    Rational sum;
    for (const ArrivalOutcome& outcome : outcomes) {
        if (outcome.count.size() != types.size())
            throw InputError::at_key("arrivals", "expected one count per task type in each outcome");
        if (outcome.probability.sign() <= 0 || outcome.probability > 1)
            throw InputError::at_key(
                "arrivals", "expected a probability above 0 and at most 1, not " + outcome.probability.to_string());
        sum += outcome.probability;
        probabilities.push_back(outcome.probability);
    }
    if (sum != 1) throw InputError::at_key("arrivals", "expected probabilities that sum to 1, not " + display(sum));
    return DiscreteDistribution(std::move(probabilities));
}

}  // namespace

ArrivalFactor::ArrivalFactor(std::vector<TaskTypeId> types, std::vector<ArrivalOutcome> outcomes)
    : types_(std::move(types)),
      outcomes_(std::move(outcomes)),
      distribution_(checked_distribution(types_, outcomes_)) {}

ArrivalLaw::ArrivalLaw(std::vector<ArrivalFactor> factors) : factors_(std::move(factors)) {
    std::set<TaskTypeId> seen;
    for (const ArrivalFactor& factor : factors_)
        for (const TaskTypeId type : factor.types())
            if (!seen.insert(type).second)
                throw InputError::at_key("arrivals", "expected each task type once in the arrival law");
    // A slot counts its tasks in 32 bits.
    if (largest_total() > max_tasks_per_slot)
        throw InputError::at_key("arrivals",
                                 "expected at most " + std::to_string(max_tasks_per_slot) + " tasks in a slot");
}

ArrivalLaw ArrivalLaw::bernoulli(std::span<const Rational> rates) {
    std::vector<ArrivalFactor> factors;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        if (rates[i].sign() < 0 || rates[i] > 1)
            throw InputError::at_key("arrivals", "expected a probability between 0 and 1, not " + rates[i].to_string());
        if (rates[i].sign() == 0) continue;
        std::vector<ArrivalOutcome> outcomes{{{1}, rates[i]}};
        if (rates[i] != 1) outcomes.push_back({{0}, Rational(1) - rates[i]});
        factors.emplace_back(std::vector{TaskTypeId(i)}, std::move(outcomes));
    }
    return ArrivalLaw(std::move(factors));
}

ArrivalLaw ArrivalLaw::single(std::span<const Rational> rates) {
    std::vector<TaskTypeId> types;
    std::vector<ArrivalOutcome> outcomes;
    Rational none = 1;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        types.emplace_back(i);
        if (rates[i].sign() < 0)
            throw InputError::at_key("arrivals", "expected a probability between 0 and 1, not " + rates[i].to_string());
        if (rates[i].sign() == 0) continue;
        std::vector<std::uint32_t> one(rates.size(), 0);
        one[i] = 1;
        outcomes.push_back({std::move(one), rates[i]});
        none -= rates[i];
    }
    if (none.sign() < 0)
        throw InputError::at_key("arrivals",
                                 "expected rates that sum to at most 1 when a slot brings at most one task");
    if (none.sign() > 0) outcomes.push_back({std::vector<std::uint32_t>(rates.size(), 0), none});
    return ArrivalLaw({ArrivalFactor(std::move(types), std::move(outcomes))});
}

std::vector<Rational> ArrivalLaw::means(std::size_t types) const {
    std::vector<Rational> mean(types);
    for (const ArrivalFactor& factor : factors_)
        for (const ArrivalOutcome& outcome : factor.outcomes())
            for (std::size_t i = 0; i < outcome.count.size(); ++i)
                if (outcome.count[i] != 0) mean.at(factor.types()[i].index()) += outcome.probability * outcome.count[i];
    return mean;
}

void check_batches(std::vector<BatchSize>& sizes) {
    std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.tasks < b.tasks; });
    Rational sum;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto& [tasks, probability] = sizes[i];
        if (tasks < 2 || tasks > max_batch_size)
            throw InputError::at_key("batches", "expected a size from 2 to " + std::to_string(max_batch_size) +
                                                    ", not " + std::to_string(tasks));
        if (i > 0 && tasks == sizes[i - 1].tasks)
            throw InputError::at_key("batches",
                                     "expected each size once, but " + std::to_string(tasks) + " stands twice");
        if (probability.sign() <= 0)
            throw InputError::at_key("batches", "expected a probability above 0, not " + probability.to_string());
        sum += probability;
    }
    if (sum > 1)
        throw InputError::at_key("batches", "expected probabilities that sum to at most 1, not to " + sum.to_string());
}

std::vector<BatchSize> with_single_tasks(const std::vector<BatchSize>& sizes) {
    std::vector<BatchSize> all = sizes;
    Rational one(1);
    for (const BatchSize& size : sizes) one -= size.probability;
    if (one.sign() > 0) all.insert(all.begin(), {1, one});
    return all;
}

std::uint64_t ArrivalLaw::largest_total() const {
    std::uint64_t sum = 0;
    for (const ArrivalFactor& factor : factors_) {
        std::uint64_t largest = 0;
        for (const ArrivalOutcome& outcome : factor.outcomes()) largest = std::max(largest, tasks_in(outcome));
        sum += largest;
    }
    return sum;
}

}  // namespace schedproof::queueing
