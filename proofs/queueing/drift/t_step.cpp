#include "proofs/queueing/drift/t_step.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::duality {

using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;

namespace {

const Rational& rate_of(const MaxWeightData& data, std::size_t server, QueueId queue) {
    for (const WeightedQueue& entry : data.servable[server])
        if (entry.queue == queue) return entry.multiplier;
    throw ContractViolation("a server executes tasks of queues that it serves");
}

/// Mean number of the next `steps` slots in which a task in execution holds its server. Requires rate > 0.
Rational held(const Rational& rate, std::uint32_t steps) {
    Rational power(1), square = Rational(1) - rate;
    for (std::uint32_t n = steps; n > 0; n /= 2) {
        if (n % 2 == 1) power *= square;
        square *= square;
    }
    return (Rational(1) - power) / rate;
}

/// Queues that a type with arrivals may join.
std::vector<bool> joined(const MaxWeightData& data) {
    std::vector<bool> known(data.queues);
    for (std::size_t type = 0; type < data.admissible.size(); ++type)
        if (data.arrival_rates[type].sign() > 0)
            for (const WeightedQueue& entry : data.admissible[type]) known[entry.queue.index()] = true;
    return known;
}

StepBound bound(const MaxWeightData& data, std::uint32_t steps, const Executing& executing) {
    auto solution = capacity::solve(step_program(data, steps, executing));
    if (!solution) throw LimitExceeded("linear programming", "no method found the largest drift over some slots");
    return {executing, std::move(*solution)};
}

/// Whether T slots work: all bounds, or the first combination that fails.
struct Trial {
    std::vector<StepBound> bounds;
    std::optional<StepFailure> failure;
};

Trial attempt(const MaxWeightData& data, std::uint32_t steps, const std::vector<Executing>& combinations) {
    Trial trial;
    for (const Executing& executing : combinations) {
        StepBound here = bound(data, steps, executing);
        if (here.largest().sign() >= 0) {
            std::vector<Rational> weights(here.solution.x.begin(),
                                          here.solution.x.begin() + static_cast<std::ptrdiff_t>(data.queues));
            trial.failure = StepFailure{steps, executing, std::move(weights), here.largest()};
            return trial;
        }
        trial.bounds.push_back(std::move(here));
    }
    return trial;
}

}  // namespace

Rational leading_drift(const MaxWeightData& data, std::uint32_t steps, const Executing& executing,
                       const std::vector<Rational>& weights) {
    require(executing.size() == data.servable.size(), "one status per server");
    const Rational slots(steps);
    Rational sum;
    for (std::size_t type = 0; type < data.admissible.size(); ++type)
        sum += slots * data.arrival_rates[type] * type_value(data, type, weights);
    for (std::size_t m = 0; m < data.servable.size(); ++m) {
        const Rational best = server_value(data, m, weights);
        sum -= slots * best;
        if (!executing[m]) continue;
        const Rational& rate = rate_of(data, m, *executing[m]);
        sum += held(rate, steps) * (best - rate * weights.at(executing[m]->index()));
    }
    return Rational(2) * sum;
}

LinearProgram step_program(const MaxWeightData& data, std::uint32_t steps, const Executing& executing) {
    require(executing.size() == data.servable.size(), "one status per server");
    const Rational slots(steps);
    const std::vector<bool> counts = joined(data);
    LinearProgram program;
    LinearRow total{{}, Relation::equal, Rational(1)};
    for (std::uint32_t q = 0; q < data.queues; ++q) {
        (void)program.add_variable();
        if (counts[q]) total.entries.emplace_back(q, Rational(1));
    }
    program.rows.push_back(std::move(total));
    for (std::uint32_t q = 0; q < data.queues; ++q)
        if (!counts[q]) program.rows.push_back({{{q, Rational(1)}}, Relation::equal, Rational(0)});
    for (std::size_t type = 0; type < data.admissible.size(); ++type) {
        const std::uint32_t v = program.add_variable(-(slots * data.arrival_rates[type]));
        for (const WeightedQueue& entry : data.admissible[type])
            program.rows.push_back(
                {{{v, Rational(1)}, {static_cast<std::uint32_t>(entry.queue.index()), -entry.multiplier}},
                 Relation::at_most,
                 Rational(0)});
    }
    for (std::size_t m = 0; m < data.servable.size(); ++m) {
        Rational free = slots;
        if (executing[m]) {
            const Rational& rate = rate_of(data, m, *executing[m]);
            const Rational slots_held = held(rate, steps);
            free -= slots_held;
            program.cost[executing[m]->index()] += slots_held * rate;
        }
        const std::uint32_t w = program.add_variable(free);
        for (const WeightedQueue& entry : data.servable[m])
            program.rows.push_back(
                {{{w, Rational(1)}, {static_cast<std::uint32_t>(entry.queue.index()), -entry.multiplier}},
                 Relation::at_least,
                 Rational(0)});
    }
    return program;
}

std::vector<Executing> executing_combinations(const MaxWeightData& data, std::size_t limit) {
    const std::vector<bool> counts = joined(data);
    std::vector<Executing> all(1);
    for (const std::vector<WeightedQueue>& list : data.servable) {
        Executing own;
        for (const WeightedQueue& entry : list)
            if (counts[entry.queue.index()] && entry.multiplier.sign() > 0) own.emplace_back(entry.queue);
        if (own.empty()) own.emplace_back(std::nullopt);
        if (all.size() * own.size() > limit)
            throw LimitExceeded("statuses", "more than " + std::to_string(limit) + " combinations of statuses");
        std::vector<Executing> longer;
        for (const Executing& executing : all)
            for (const auto& queue : own) {
                longer.push_back(executing);
                longer.back().push_back(queue);
            }
        all = std::move(longer);
    }
    return all;
}

StepResult least_steps(const MaxWeightData& data, std::uint32_t max_steps) {
    require(max_steps >= 1, "at least one slot");
    const auto counts = joined(data);
    if (std::find(counts.begin(), counts.end(), true) == counts.end())
        throw ContractViolation("without arrivals there is no queue to drift");
    std::vector<Executing> combinations = executing_combinations(data);
    StepResult result;
    std::uint32_t fails = 0, works = 1;  // the least T lies above `fails`, and at most at `works` once that is known
    Trial trial = attempt(data, works, combinations);
    while (trial.failure) {
        fails = works;
        // The combination that failed last is the likeliest to fail again.
        std::rotate(combinations.begin(), std::find(combinations.begin(), combinations.end(), trial.failure->executing),
                    combinations.end());
        result.failure = std::move(trial.failure);
        if (works == max_steps) return result;
        works = works > max_steps / 2 ? max_steps : 2 * works;
        trial = attempt(data, works, combinations);
    }
    while (works - fails > 1) {
        const std::uint32_t middle = fails + (works - fails) / 2;
        Trial next = attempt(data, middle, combinations);
        if (next.failure) {
            fails = middle;
            result.failure = std::move(next.failure);
        } else {
            works = middle;
            trial = std::move(next);
        }
    }
    result.steps = works;
    result.bounds = std::move(trial.bounds);
    result.worst = static_cast<std::size_t>(
        std::max_element(result.bounds.begin(), result.bounds.end(),
                         [](const StepBound& a, const StepBound& b) { return a.largest() < b.largest(); }) -
        result.bounds.begin());
    return result;
}

std::string rejection(const MaxWeightData& data, const StepResult& result) {
    if (result.failure) {
        const StepFailure& failure = *result.failure;
        if (result.steps && failure.steps + 1 != *result.steps) return "the failure is not of one slot fewer";
        if (failure.weights.size() != data.queues || failure.executing.size() != data.servable.size())
            return "the failure has another shape";
        for (const Rational& weight : failure.weights)
            if (weight.sign() < 0) return "a weight is negative";
        const std::vector<Executing> all = executing_combinations(data);
        if (std::find(all.begin(), all.end(), failure.executing) == all.end()) return "the failure has other statuses";
        const Rational drift = leading_drift(data, failure.steps, failure.executing, failure.weights);
        if (drift != failure.drift || drift.sign() < 0) return "the drift does not fail at the weights given";
    } else if (result.steps != std::uint32_t{1}) {
        return "nothing shows that fewer slots fail";
    }
    if (!result.steps) return result.bounds.empty() ? "" : "bounds without a number of slots";
    std::vector<Executing> missing = executing_combinations(data);
    for (const StepBound& here : result.bounds) {
        const auto found = std::find(missing.begin(), missing.end(), here.executing);
        if (found == missing.end()) return "a combination of statuses is unknown or stands twice";
        missing.erase(found);
        if (std::string wrong = capacity::rejection(step_program(data, *result.steps, here.executing), here.solution);
            !wrong.empty())
            return wrong;
        if (here.largest().sign() >= 0) return "a bound is not negative";
    }
    if (!missing.empty()) return "a combination of statuses has no bound";
    return result.worst < result.bounds.size() ? "" : "the worst bound is not among the bounds";
}

}  // namespace schedproof::duality
