/// Heavy traffic: how long queues must be just inside the capacity region, whatever the policy does.
///
/// Whatever it serves, server m completes a task in a slot with probability at most b_m, the rate of its best level to
/// any type that arrives. So the number of tasks in the system dominates a queue on the line,
///     Phi' = (Phi + eta - b)^+,   eta = tasks of a slot,   b = sum of independent Bernoulli(b_m),
/// of slack eps = sum b_m - sum lambda_L > 0. Squaring, with chi the unused part of b, so that chi Phi' = 0,
///     2 eps E Phi = sigma^2 + nu^2 + eps^2 - E chi^2,   chi <= M,   E chi = eps,
/// where sigma^2 = Var eta and nu^2 = sum b_m (1 - b_m). Since E chi^2 <= M eps,
///     E sum Q >= E Phi >= (sigma^2 + nu^2 + eps^2) / (2 eps) - M/2.                                 (14) of [wang2013]
/// With two levels, Ml servers that are local to some type that arrives and Mr others: sum b_m = Ml alpha + Mr gamma.
///
/// Wang's theorems about the other direction (collapse of the state to one ray, and equality in the limit) assume
///     (12)  sum of lambda_L over types with a replica in H  >=  |H| alpha   for every set H of local servers,
///     Mr > 0, and
///     (20)  eps < min{ Ml alpha + Mr gamma, Mr (Ml+1) gamma, (Ml+1) alpha / (2N), (Ml+1) min lambda / 6 },
/// N the number of types that arrive. (12) speaks of 2^Ml sets; by the theorem of Hall and Gale it holds exactly when
/// every local server can be sent tasks at rate alpha by types that it holds, which one maximum flow decides: a flow
/// that fills all servers proves (12), and the minimum cut otherwise is a set H that misses it by most.
#include "proofs/queueing/heavy_traffic/bound.hpp"

#include <algorithm>
#include <functional>

#include "model/core/errors.hpp"
#include "model/queueing/arrival_moments.hpp"
#include "proofs/queueing/capacity/flow.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;

namespace {

bool arrives(const Instance& instance, TaskTypeId type) { return instance.arrival_rate(type).sign() > 0; }

/// Servers that hold data of a type that arrives.
std::vector<ServerId> local_servers(const Instance& instance) {
    std::vector<bool> local(instance.servers().size());
    for (const TaskTypeId type : instance.types())
        if (arrives(instance, type))
            for (const ServerId m : instance.type(type).replicas) local[m.index()] = true;
    std::vector<ServerId> servers;
    for (const ServerId m : instance.servers())
        if (local[m.index()]) servers.push_back(m);
    return servers;
}

Law<std::int64_t> sum(const Law<std::int64_t>& a, const Law<std::int64_t>& b) {
    Law<std::int64_t> both;
    for (const auto& [m, p] : a)
        for (const auto& [n, r] : b) both.add(m + n, p * r);
    return both;
}

}  // namespace

Law<std::int64_t> total_arrivals(const Instance& instance, std::uint64_t largest) {
    if (instance.arrivals().largest_total() > largest)
        throw LimitExceeded("arrivals", "a slot may bring more than " + std::to_string(largest) + " tasks");
    Law<std::int64_t> total;
    total.add(0, Rational(1));
    for (const ArrivalFactor& factor : instance.arrivals().factors()) {
        Law<std::int64_t> own;
        for (const ArrivalOutcome& outcome : factor.outcomes()) {
            std::int64_t tasks = 0;
            for (const std::uint32_t n : outcome.count) tasks += n;
            own.add(tasks, outcome.probability);
        }
        total = sum(total, own);
    }
    return total;
}

Law<std::int64_t> sum_of_bernoullis(const std::vector<Rational>& rates) {
    Law<std::int64_t> total;
    total.add(0, Rational(1));
    for (const Rational& rate : rates) {
        Law<std::int64_t> own;
        own.add(1, rate);
        own.add(0, Rational(1) - rate);
        total = sum(total, own);
    }
    return total;
}

Slack slack(const Instance& instance) {
    if (instance.total_arrival_rate().sign() == 0)
        throw InputError::at_key("arrivals", "expected arrivals: heavy traffic is near the boundary of the region");
    Slack known;
    for (const ServerId m : instance.servers()) {
        Rational best;
        for (const TaskTypeId type : instance.types())
            if (arrives(instance, type)) best = std::max(best, instance.rate(type, m));
        known.offered += best;
        known.service_variance += best * (Rational(1) - best);
        known.best_rate.push_back(std::move(best));
    }
    known.arriving = instance.total_arrival_rate();
    known.epsilon = known.offered - known.arriving;
    known.arrival_variance = queueing::arrival_moments(instance.arrivals()).variance;
    if (known.epsilon.sign() > 0)
        known.lower_bound = (known.arrival_variance + known.service_variance + known.epsilon * known.epsilon) /
                                (Rational(2) * known.epsilon) -
                            Rational(Integer(instance.servers().size()), Integer(2));
    return known;
}

namespace {

/// Servers supply alpha, types have room for lambda; all scaled to integers.
HeavyLocalTraffic local_traffic(const Instance& instance, const std::vector<ServerId>& local) {
    const Rational& alpha = instance.rate(instance.local());
    std::vector<Rational> numbers = instance.data().rates;
    numbers.push_back(alpha);
    const Integer scale = common_denominator(numbers);
    const auto scaled = [&](const Rational& value) { return (value * Rational(scale)).numerator(); };
    const std::size_t types = instance.types().size();
    std::vector<Integer> supply(types + instance.servers().size(), Integer(0)), room = supply;
    std::vector<capacity::Arc> arcs;
    for (const ServerId m : local) supply[types + m.index()] = scaled(alpha);
    for (const TaskTypeId type : instance.types()) {
        if (!arrives(instance, type)) continue;
        room[type.index()] = scaled(instance.arrival_rate(type));
        for (const ServerId m : instance.type(type).replicas)
            arcs.push_back({static_cast<std::uint32_t>(types + m.index()), static_cast<std::uint32_t>(type.index())});
    }
    capacity::TransportFlow<Integer> flow(std::move(arcs), std::move(supply), std::move(room));
    flow.maximise();
    HeavyLocalTraffic result;
    result.holds = std::all_of(flow.left().begin(), flow.left().end(), [](const Integer& n) { return n == 0; });
    if (result.holds) {
        for (std::size_t a = 0; a < flow.arcs().size(); ++a)
            if (flow.flow()[a] > 0)
                result.flow.push_back({TaskTypeId(flow.arcs()[a].to), ServerId(flow.arcs()[a].from - types),
                                       Rational(flow.flow()[a], scale)});
        return result;
    }
    for (const ServerId m : local)
        if (flow.in_cut(types + m.index())) result.violating.push_back(m);
    for (const TaskTypeId type : instance.types())
        if (arrives(instance, type) && flow.in_cut(type.index())) result.arriving += instance.arrival_rate(type);
    result.required = Rational(Integer(result.violating.size())) * alpha;
    return result;
}

SmallSlack small_slack(const Instance& instance, const Slack& slack, std::size_t local, std::size_t remote) {
    const Rational &alpha = instance.rate(instance.local()), &gamma = instance.rate(instance.remote());
    const Rational ml1{Integer(local + 1)};
    std::int64_t types = 0;
    std::optional<Rational> rarest;
    for (const TaskTypeId type : instance.types()) {
        if (!arrives(instance, type)) continue;
        ++types;
        if (!rarest || instance.arrival_rate(type) < *rarest) rarest = instance.arrival_rate(type);
    }
    SmallSlack result;
    result.limits = {slack.offered, Rational(Integer(remote)) * ml1 * gamma, ml1 * alpha / Rational(2 * types),
                     ml1 * *rarest / Rational(6)};
    result.holds =
        slack.epsilon.sign() > 0 && slack.epsilon < *std::min_element(result.limits.begin(), result.limits.end());
    return result;
}

}  // namespace

std::optional<Conditions> conditions(const Instance& instance, const Slack& slack) {
    if (instance.levels().size() != 2 || instance.rates_by_type() || instance.rates_at_servers()) return std::nullopt;
    Conditions found;
    found.local = local_servers(instance);
    for (const ServerId m : instance.servers())
        if (!std::binary_search(found.local.begin(), found.local.end(), m)) found.remote.push_back(m);
    found.local_traffic = local_traffic(instance, found.local);
    if (const std::string wrong = rejection(instance, found.local_traffic); !wrong.empty())
        throw OracleConflict("the flow that decides condition (12) does not check: " + wrong);
    found.small_slack = small_slack(instance, slack, found.local.size(), found.remote.size());
    return found;
}

std::string rejection(const Instance& instance, const HeavyLocalTraffic& claim) {
    const Rational& alpha = instance.rate(instance.local());
    const std::vector<ServerId> local = local_servers(instance);
    if (claim.holds) {
        std::vector<Rational> into(instance.servers().size()), from(instance.types().size());
        for (const LocalFlow& flow : claim.flow) {
            const auto& replicas = instance.type(flow.type).replicas;
            if (flow.amount.sign() <= 0) return "a flow is not positive";
            if (!std::binary_search(replicas.begin(), replicas.end(), flow.server))
                return "a flow leads to a server without the data";
            into[flow.server.index()] += flow.amount;
            from[flow.type.index()] += flow.amount;
        }
        for (const ServerId m : local)
            if (into[m.index()] < alpha) return "a server is sent less than its local rate";
        for (const TaskTypeId type : instance.types())
            if (from[type.index()] > instance.arrival_rate(type)) return "a type sends more than arrives";
        return claim.violating.empty() ? "" : "a set violates the condition that is said to hold";
    }
    Rational arriving;
    for (const TaskTypeId type : instance.types()) {
        const auto& replicas = instance.type(type).replicas;
        if (std::any_of(claim.violating.begin(), claim.violating.end(),
                        [&](ServerId m) { return std::binary_search(replicas.begin(), replicas.end(), m); }))
            arriving += instance.arrival_rate(type);
    }
    if (std::adjacent_find(claim.violating.begin(), claim.violating.end(), std::greater_equal<>()) !=
            claim.violating.end() ||
        !std::includes(local.begin(), local.end(), claim.violating.begin(), claim.violating.end()))
        return "the set is not one of local servers";
    if (arriving != claim.arriving || claim.required != Rational(Integer(claim.violating.size())) * alpha)
        return "the set's rates are others";
    return arriving < claim.required ? "" : "the set satisfies the condition";
}

}  // namespace schedproof::heavy_traffic
