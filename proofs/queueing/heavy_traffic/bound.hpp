/// Heavy traffic: how long queues must be just inside the capacity region, whatever the policy does.
/// The method stands at the head of bound.cpp.
///
/// Source: [wang2013], Section IV. The bound here holds for any number of levels.
/// Deviation: servers and types without arrivals do not count; the paper has none (docs/models/queueing.md,
/// Interpretation Q20).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/law.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::heavy_traffic {

/// The line queue of an instance and what is known of it. Unit: tasks, tasks per slot.
struct Slack {
    std::vector<Rational> best_rate;  ///< b_m per server
    Rational offered;                 ///< sum b_m
    Rational arriving;                ///< sum lambda
    Rational epsilon;                 ///< offered - arriving; the bounds need it positive
    Rational arrival_variance;        ///< sigma^2, from the arrival law, joint or a product
    Rational service_variance;        ///< nu^2
    /// (14). Absent unless epsilon > 0. May be negative, far from the boundary.
    std::optional<Rational> lower_bound;
};

/// Throws InputError when the instance has rates only, or no arrivals at all.
[[nodiscard]] Slack slack(const queueing::Instance& instance);

/// The law of the number of tasks in a slot. Throws InputError when the instance has rates only; LimitExceeded when a
/// slot may bring more than `largest` tasks.
[[nodiscard]] Law<std::int64_t> total_arrivals(const queueing::Instance& instance, std::uint64_t largest = 100'000);

/// The law of a sum of independent Bernoulli variables.
[[nodiscard]] Law<std::int64_t> sum_of_bernoullis(const std::vector<Rational>& rates);

/// A rate at which a local server is sent tasks of a type that it holds.
struct LocalFlow {
    TaskTypeId type;
    ServerId server;
    Rational amount;  ///< > 0
};

/// Condition (12), with its proof either way.
struct HeavyLocalTraffic {
    bool holds = false;
    std::vector<LocalFlow> flow;      ///< when it holds: alpha to every local server, at most lambda from every type
    std::vector<ServerId> violating;  ///< otherwise: a set H that misses the condition by most
    Rational arriving;                ///< local tasks to H
    Rational required;                ///< |H| alpha
};

/// Condition (20): the four numbers, in the order of the paper; it holds when epsilon is positive and below all.
struct SmallSlack {
    bool holds = false;
    std::vector<Rational> limits;
};

/// What the heavy-traffic theorems ask of a two-level instance.
struct Conditions {
    std::vector<ServerId> local;   ///< servers local to a type that arrives
    std::vector<ServerId> remote;  ///< the others; (12) makes sense only if there are some
    HeavyLocalTraffic local_traffic;
    SmallSlack small_slack;
    [[nodiscard]] bool hold() const { return local_traffic.holds && !remote.empty() && small_slack.holds; }
};

/// Absent unless the instance has two levels and no type has rates of its own. Cost: one maximum flow from servers to
/// their types.
[[nodiscard]] std::optional<Conditions> conditions(const queueing::Instance& instance, const Slack& slack);

/// Empty when the verdict on (12) is proved by its flow or its set, otherwise what is wrong.
/// Exact: multiplication, addition and comparison.
[[nodiscard]] std::string rejection(const queueing::Instance& instance, const HeavyLocalTraffic& claim);

}  // namespace schedproof::heavy_traffic
