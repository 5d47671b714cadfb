/// Laws of queue lengths after some slots: exact from the kernel, counted from simulators, and compared.
#pragma once

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "experiments/simulators/core/observation.hpp"
#include "experiments/simulators/slotted/queue_counts.hpp"
#include "experiments/statistics/intervals.hpp"
#include "model/markov/stationary.hpp"
#include "policies/queueing/exact.hpp"

namespace schedproof::simulation {

using ExactLengths = std::map<std::vector<std::int64_t>, double>;
using SeenLengths = std::map<std::vector<std::int64_t>, std::uint64_t>;

/// The exact law of the queue lengths after some steps, the law of a step from each state being `next_law`.
template <class Next>
ExactLengths exact_lengths_after(const queueing::ExactState& start, int steps, Next&& next_law) {
    Law<queueing::ExactState> law;
    law.add(start, Rational(1));
    for (int t = 0; t < steps; ++t) {
        Law<queueing::ExactState> next;
        for (const auto& [state, p] : law)
            for (const auto& [to, q] : next_law(state)) next.add(to, p * q);
        law = std::move(next);
    }
    ExactLengths lengths;
    for (const auto& [state, p] : law) {
        std::vector<std::int64_t> key;
        for (const CheckedInt& n : state.length) key.push_back(n.value());
        lengths[key] += p.approximate();
    }
    return lengths;
}

/// The same after some slots, from the empty system or a given state.
inline ExactLengths exact_lengths(const queueing::ExactSystem& system, int slots,
                                  const std::optional<queueing::ExactState>& start = {}) {
    return exact_lengths_after(start ? *start : system.initial(), slots,
                               [&](const queueing::ExactState& state) { return system.kernel(state); });
}

/// Pearson's test with cells of at least five expected; returns the p-value.
inline double fit(const ExactLengths& exact, const SeenLengths& seen, double runs) {
    double statistic = 0, rare_expected = 0, rare_seen = 0;
    int cells = 0;
    for (const auto& [key, count] : seen)
        if (!exact.contains(key)) return 0;
    for (const auto& [key, p] : exact) {
        const auto found = seen.find(key);
        const double count = found == seen.end() ? 0 : static_cast<double>(found->second);
        if (p * runs < 5) {
            rare_expected += p * runs;
            rare_seen += count;
            continue;
        }
        statistic += (count - p * runs) * (count - p * runs) / (p * runs);
        ++cells;
    }
    if (rare_expected >= 5) {
        statistic += (rare_seen - rare_expected) * (rare_seen - rare_expected) / rare_expected;
        ++cells;
    }
    if (cells < 2) return 1;
    return boost::math::cdf(boost::math::complement(boost::math::chi_squared(cells - 1), statistic));
}

/// That an event of a rational probability is not decided by `bits` bits alone. `happens(p, r)`: whether the event of
/// probability p does in replication r. Where the first bits of the random number that decides are k, found by
/// bisection, (k + f) / 2^bits is met with probability f, by bits that are only looked at then.
template <class Happens>
void expect_no_rounding(unsigned bits, int runs, Happens&& happens) {
    const Integer all = Integer(1) << bits;
    for (const auto& [p, q] : {std::pair{1, 2}, std::pair{1, 5}}) {
        int happened = 0;
        for (int r = 0; r < runs; ++r) {
            const auto replication = static_cast<std::uint64_t>(r);
            ASSERT_TRUE(happens(Rational(1), replication));
            Integer low = 0, high = all;  // happens at high / 2^bits, not at low
            while (high - low > 1) {
                const Integer middle = (low + high) / 2;
                (happens(Rational(middle, all), replication) ? high : low) = middle;
            }
            happened +=
                happens((Rational(low) + Rational(Integer(p), Integer(q))) / Rational(all), replication) ? 1 : 0;
        }
        const double mean = static_cast<double>(runs) * p / q, deviation = std::sqrt(mean * (q - p) / q);
        EXPECT_NEAR(happened, mean, 4.5 * deviation) << p << "/" << q;
    }
}

/// What a simulator's queues hold between two slots.
template <class Run>
std::vector<std::int64_t> lengths_of(const Run& run) {
    std::vector<std::int64_t> lengths;
    for (const QueueCounts& counts : run.counts()) lengths.push_back(counts.length[0]);
    return lengths;
}

/// The mean number of tasks over a run and its interval, from the batches after the first twentieth.
inline statistics::Estimate mean_tasks_of(const Experiment& experiment, std::size_t quantity, double level) {
    const Observation o = experiment.run({3, 0}, {});
    std::vector<statistics::Part> parts;
    for (std::size_t b = o.batches.size() / 20; b < o.batches.size(); ++b)
        parts.push_back({o.batches[b].tallies[quantity].sum, o.batches[b].tallies[quantity].weight});
    return statistics::batch_means(parts, 19, level).estimate;
}

/// The exact mean number of tasks in equilibrium.
inline double exact_mean_tasks(const std::vector<queueing::ExactState>& states,
                               const markov::TransitionMatrix& matrix) {
    std::vector<std::vector<Rational>> functions(1);
    for (const queueing::ExactState& state : states) {
        std::int64_t present = 0;
        for (const CheckedInt length : state.length) present += length.value();
        functions[0].emplace_back(present);
    }
    return markov::stationary_means(matrix, functions)[0].approximate();
}

}  // namespace schedproof::simulation
