/// What delay scheduling gains and costs, exactly, in the model of its analysis.
///
/// The model: every offer of a free slot comes from one of M nodes, each equally likely, whatever came before. A job
/// with unlaunched data on n of them finds the node of an offer local with probability p = n/M. It lets D offers pass
/// for want of data there before it takes any slot. So none of D offers is local with probability (1-p)^D: locality is
/// missed less by a constant factor with each further offer.
///
/// With K tasks left, each in R replicas, the paper takes p = 1 - (1-K/M)^R, and the mean over K = 1..N of the
/// probability 1 - (1-K/M)^(RD) of a local task within D offers as the locality of a job of N tasks. With
/// x = e^(-RD/M), (1-K/M)^(RD) <= x^K, and sum_K x^K <= x/(1-x); so the mean is at least 1 - x/(N(1-x)), which reaches
/// a goal g < 1 when x <= (1-g)N / (1+(1-g)N), that is, when
///     D >= (M/R) ln y,   y = (1+(1-g)N) / ((1-g)N).
/// That is the paper's rule for D. It does not know how many slots a node has.
///
/// Two steps of it are not what the algorithm does. A job takes a slot at the latest at the offer after D skipped ones,
/// which may be local too: its launch is local with probability 1 - (1-p)^(D+1). And a launch without data leaves the
/// skip count at D: the next task does not wait at all. `mean_locality_as_printed` follows both; the second outweighs
/// the first, and the rule's D misses its goal for N = 20, R = 3, M = 100, g = 19/20.
///
/// Everything here is rational. The rule needs a logarithm, which is decided by comparing e^q with y: e^q is enclosed
/// by partial sums of its series, and it is no rational for q != 0, so that ends.
/// Source: [zaharia2010], "Analysis of Delay Scheduling", "How to set D"; docs/models/sharing.md, Analysis of delay
/// scheduling.
#pragma once

#include <cstdint>
#include <optional>

#include "model/core/rational.hpp"

namespace schedproof::sharing {

/// The least that `value` can be and the most. They are equal where it is known exactly.
struct Enclosure {
    Rational least, most;
    [[nodiscard]] bool exact() const { return least == most; }
};

/// Whether e^exponent < bound. Requires exponent >= 0.
[[nodiscard]] bool exponential_below(const Rational& exponent, const Rational& bound);
/// The least whole n >= 0 with e^(n step) >= bound. Requires step > 0.
/// Cost: O(log n) comparisons. Throws LimitExceeded when n step would be above 10,000.
[[nodiscard]] std::uint64_t least_multiple_of_logarithm(const Rational& step, const Rational& bound);

/// 1 - (1-p)^offers: one of so many offers is local. Range of p: [0, 1].
[[nodiscard]] Rational local_within(const Rational& p, std::uint64_t offers);
/// 1 - (1-p)^(skips+1): the task launched is local, of a job that lets `skips` offers pass before it takes any.
[[nodiscard]] inline Rational launch_is_local(const Rational& p, std::uint64_t skips) {
    return local_within(p, skips + 1);
}
/// Mean number of offers that such a job lets pass: sum of (1-p)^i over i = 1..skips.
[[nodiscard]] Rational mean_skips(const Rational& p, std::uint64_t skips);

/// A job of a number of tasks on a cluster.
struct DelaySetting {
    std::uint64_t nodes = 1;     ///< M >= 1
    std::uint64_t replicas = 1;  ///< R >= 1, of each task's data
    std::uint64_t tasks = 1;     ///< N >= 1
};
/// Throws ContractViolation unless all three are at least 1, LimitExceeded for more than 2^32 of one.
void validate(const DelaySetting& setting);

/// p with `left` tasks to launch: 1 - (1-K/M)^R, and 1 when there are as many tasks as nodes.
[[nodiscard]] Rational local_offer(const DelaySetting& setting, std::uint64_t left);

/// The mean over K = 1..N of the probability of a local task within `skips` offers: what the paper calls locality.
/// Cost: N powers of R skips. Throws LimitExceeded beyond some seconds.
[[nodiscard]] Rational mean_locality(const DelaySetting& setting, std::uint64_t skips);
/// The part of a job's N tasks that is launched on local data, in the mean, by the algorithm as it is printed: the skip
/// count returns to 0 with a local launch only.
/// An enclosure of width 2^-100 at most, exact where that is cheap. Throws LimitExceeded as above.
[[nodiscard]] Enclosure mean_locality_as_printed(const DelaySetting& setting, std::uint64_t skips);
/// 1 - x/(N(1-x)) with x = e^(-R skips/M), the paper's lower bound, from below and above. Requires skips >= 1.
[[nodiscard]] Enclosure locality_bound(const DelaySetting& setting, std::uint64_t skips);

/// The least whole D of the paper's rule. Range of goal: [0, 1).
[[nodiscard]] std::uint64_t rule_for_skips(const DelaySetting& setting, const Rational& goal);
/// (M/R) ln y, the rule before it is rounded up, within 1/1000: from below and above.
[[nodiscard]] Enclosure rule_value(const DelaySetting& setting, const Rational& goal);
/// The least D with `mean_locality` of at least the goal.
[[nodiscard]] std::uint64_t least_skips(const DelaySetting& setting, const Rational& goal);
/// The least D with `mean_locality_as_printed` of at least the goal; nothing when its enclosures do not tell.
[[nodiscard]] std::optional<std::uint64_t> least_skips_as_printed(const DelaySetting& setting, const Rational& goal);

/// (skips/slots) task_time: slots free at the mean rate slots/task_time. A mean, and no bound of a single wait.
[[nodiscard]] Rational mean_wait(std::uint64_t skips, std::uint64_t slots, const Rational& task_time);
/// ceil(skips/slots) longest: while no task takes longer than `longest`, every slot is offered once in that time.
[[nodiscard]] Rational sure_wait(std::uint64_t skips, std::uint64_t slots, const Rational& longest);

}  // namespace schedproof::sharing
