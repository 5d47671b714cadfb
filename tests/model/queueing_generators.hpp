/// Random small clusters, options, plans and states, for properties that compare exact laws.
///
/// Small on purpose: up to three servers, three task types and three tasks in a slot, so that one slot has at most a
/// few thousand paths. Within that, what a policy can tell apart comes up often: short queues with equal lengths, rates
/// in simple ratios, servers that share work, levels of locality in nested groups. All values come from nested
/// generators, so a failing case shrinks.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>

#include "checks/suite/random_instances.hpp"
#include "model/queueing/instance.hpp"
#include "model/queueing/options.hpp"
#include "model/queueing/state.hpp"
#include "tests/model/queueing_oracle.hpp"

namespace schedproof::queueing {

/// How RapidCheck prints a counterexample.
void showValue(const Instance& instance, std::ostream& out);
void showValue(const State<CheckedInt>& state, std::ostream& out);
void showValue(const Truncation& truncation, std::ostream& out);

}  // namespace schedproof::queueing

namespace schedproof::oracle {

void showValue(const Plan& plan, std::ostream& out);

/// What a random instance must look like. Absent: random.
struct InstanceWish : suite::InstanceWish {
    bool own_rates = false;  ///< types may have rates of their own, if the policy's queues tell them
};

/// Nothing but rates of types' own.
[[nodiscard]] inline InstanceWish with_own_rates() {
    InstanceWish wish;
    wish.own_rates = true;
    return wish;
}

/// Options that are defined for the policy when a slot brings at most `largest_total` tasks: phantoms only where every
/// queue counts, types revealed on start only when tasks come alone.
[[nodiscard]] rc::Gen<queueing::Options> options_for(const std::string& policy_id, std::size_t largest_total);

/// An instance that the policy can run on, options included. Shape: 1-3 servers, 2-4 levels, 1-3 types of any replica
/// sets, a bernoulli, single, joint or product arrival law with a positive rate and at most three tasks in a slot, up
/// to two of them of one type.
[[nodiscard]] rc::Gen<queueing::Instance> small_instance(const std::string& policy_id, InstanceWish wish = {});

/// The instance with random rates at servers in place of levels, some absent; `alike`: the same for all types. Its
/// replicas stay, whether their servers can serve the type or not.
[[nodiscard]] rc::Gen<queueing::Instance> with_rates_at_servers(const queueing::Instance& instance, bool alike);

/// A split of the arrival rates over random servers, not in general optimal, with its load; absent for policies that
/// read no plan. Activities stand in the order of types, then of servers.
[[nodiscard]] rc::Gen<std::optional<Plan>> plan_for(const std::string& policy_id, const queueing::Instance& instance);

/// A consistent state: lengths 0..longest, servers idle or in queues that they serve (phantoms under that option only),
/// waiting lists of any types, counters near ties.
[[nodiscard]] rc::Gen<queueing::State<CheckedInt>> valid_state(const queueing::Instance& instance,
                                                               const QueueShape& shape, int longest = 4);

/// No truncation, or either rule with a cap at which a state of `valid_state` often meets it.
[[nodiscard]] rc::Gen<queueing::Truncation> any_truncation();

}  // namespace schedproof::oracle
