/// The policies of the oracle, and the few operations on finite laws that the oracle is written in.
///
/// Each policy is two functions from what it sees to a law: where a task of a type goes, and which queue an idle server
/// asks. Ties are in the law, so nothing here draws or enumerates. Weights are the plain rational products of the
/// papers; nothing is scaled.
/// Source: docs/models/queueing.md. An internal part of tests/model/queueing_oracle.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/core/errors.hpp"
#include "tests/model/queueing_oracle.hpp"

namespace schedproof::oracle {

using Counts = std::vector<long long>;
using Indices = std::vector<std::size_t>;
using Target = std::optional<std::size_t>;  ///< queue that a server asks, if any

/// The law of a constant.
template <class T>
Pmf<T> surely(T outcome) {
    Pmf<T> law;
    law.emplace(std::move(outcome), 1);
    return law;
}

/// Each of the outcomes alike. Requires: at least one.
template <class T>
Pmf<T> uniform(const std::vector<T>& outcomes) {
    Pmf<T> law;
    for (const T& outcome : outcomes) law[outcome] += Rational(1, outcomes.size());
    return law;
}

/// Law of `step`'s outcome when its argument is itself random: sum over a of law(a) step(a).
template <class A, class Step>
auto then(const Pmf<A>& law, Step&& step) {
    std::decay_t<std::invoke_result_t<Step&, const A&>> result;
    for (const auto& [a, p] : law)
        for (const auto& [b, q] : step(a)) result[b] += p * q;
    return result;
}

inline long long total(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), 0LL); }

struct Rules;

/// An instance and the policy that runs it.
struct Cluster {
    const queueing::Instance& instance;
    const Rules& rules;
    const Plan* plan;
    std::vector<std::vector<Rational>> lists;  // of rates

    std::size_t servers() const { return instance.data().servers.size(); }
    std::size_t types() const { return instance.data().types.size(); }
    std::size_t levels() const { return instance.data().levels.size(); }
    const queueing::Options& options() const { return instance.options(); }
    const Rational& rate(std::size_t level) const { return instance.data().levels[level].rate; }
    /// Of a task of the type.
    const Rational& rate_of(std::size_t type, std::size_t level) const {
        const queueing::TaskType& known = instance.data().types[type];
        return known.rates.empty() ? rate(level) : known.rates[level];
    }
    /// Of a task of the queue: only the queue of a type, or of a list of rates, tells more than the level.
    const Rational& rate_in(std::size_t q, std::size_t level) const;

    // A server with a queue for each level has one for each list of rates: those of the first list by level, those of
    // the second, ...
    std::size_t queue(std::size_t m, std::size_t level, std::size_t list) const {
        return m * lists.size() * levels() + list * levels() + level;
    }
    std::size_t owner(std::size_t q) const { return q / (lists.size() * levels()); }
    std::size_t list_of(std::size_t type) const {
        const auto own = std::find(lists.begin(), lists.end(), rates_of(instance, type));
        return static_cast<std::size_t>(own - lists.begin());
    }

    Indices replicas(std::size_t type) const {
        Indices result;
        for (const ServerId n : instance.data().types[type].replicas) result.push_back(n.index());
        return result;
    }
    /// Groups are nested: two servers share one if its name and those of all groups around it agree.
    std::size_t distance(std::size_t m, std::size_t n) const {
        if (m == n) return 0;
        const auto& a = instance.data().servers[m].groups;
        const auto& b = instance.data().servers[n].groups;
        for (std::size_t g = 0; g + 2 < levels(); ++g)
            if (std::vector(a.begin() + static_cast<std::ptrdiff_t>(g), a.end()) ==
                std::vector(b.begin() + static_cast<std::ptrdiff_t>(g), b.end()))
                return g + 1;
        return levels() - 1;
    }
    std::size_t level(std::size_t type, std::size_t m) const {
        std::size_t nearest = levels() - 1;
        for (const std::size_t n : replicas(type)) nearest = std::min(nearest, distance(m, n));
        return nearest;
    }
};

/// Of a policy that has one.
inline const Plan& plan_of(const Cluster& c) {
    if (c.plan == nullptr) throw ContractViolation("the policy needs a plan");
    return *c.plan;
}

/// What a policy may read: the queues before the slot, or those and the tasks that have joined since.
struct Sight {
    const Cluster& cluster;
    Counts length;    // as the policy reads it
    Counts unserved;  // tasks not in execution
    const std::vector<Rational>& memory;

    bool has_work(std::size_t q) const {
        return (cluster.options().empty_target == queueing::EmptyTarget::conserved ? unserved : length)[q] > 0;
    }
    Indices queues_with_work() const {
        Indices result;
        for (std::size_t q = 0; q < length.size(); ++q)
            if (has_work(q)) result.push_back(q);
        return result;
    }
};

/// Where a task of a type goes; where an idle server looks for work.
struct Rules {
    queueing::Arrangement arrangement;
    Pmf<std::size_t> (*route)(const Sight&, std::size_t type);
    Pmf<Target> (*serve)(const Sight&, std::size_t server);
};

inline const Rational& Cluster::rate_in(std::size_t q, std::size_t level) const {
    if (rules.arrangement == queueing::Arrangement::per_type) return rate_of(q, level);
    if (rules.arrangement != queueing::Arrangement::per_server_and_level) return rate(level);
    return lists[q / levels() % lists.size()][level];
}

/// Rules and data of a policy on an instance. Throws ContractViolation as `queue_shape` does.
/// Requires: the arguments outlive the result.
[[nodiscard]] Cluster cluster_of(const queueing::Instance& instance, const std::string& policy_id,
                                 const std::optional<Plan>& plan);

}  // namespace schedproof::oracle
