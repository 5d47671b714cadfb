/// Near the boundary of the capacity region: what the queues are worth, and along which ray MaxWeight keeps them.
///
/// Let (v, w) be the prices of the capacity program (capacity/certificate.hpp), scaled so that the dearest task is
/// worth 1. A task in queue i is worth what the cheapest service of it costs, p_i = min over servers m that may serve
/// it of w_m / rate_{m,i}. The workload Z = sum p_i Q_i drifts by at least sum lambda_L v_L - sum w_m = -slack, however
/// one schedules; no policy has less of it but for a term that stays bounded, so
///     slack * E Z  ->  ( sum_{L,K} v_L v_K Cov(A_L, A_K) + sum_L lambda_L v_L^2 - sum_m w_m^2 ) / 2
/// at the least: variance of the value that arrives, and of the value that leaves, for a server m whose tasks complete
/// at rate mu with value v has mean mu v = w_m on all that it serves at the boundary, and second moment mu v^2, which
/// adds up to sum lambda v^2 over the servers. For a given Z the fewest tasks are Z / max p, all of the dearest kind.
///
/// A MaxWeight-type policy (duality/stability.hpp) equalises the products rate * q that a server compares: weights
/// q = p attain sum lambda v(q) = rho* sum w(q), so along the ray of p its drift vanishes at the boundary. It vanishes
/// exactly where v(q) and w(q) are prices. With unique prices these are the weights q = s z with l <= z <= p, l_i the
/// largest price of a type that may join queue i. Above s p_i some server turns to queue i, and below s l_i tasks join
/// it. If l = p that is the ray, and the state collapses to it (docs/heavy-traffic.md, Every cluster). Between s l_i
/// and s p_i queue i is neither joined nor served, and where it is depends on the past. On the ray
///     sum Q / (least sum Q of the same workload) = (sum p) (max p) / sum p^2,
/// 1 exactly when all queues are worth the same, which is what condition (12) brings about. With two servers, two
/// levels and the first overloaded: p = (1, r), r = gamma/alpha, and the factor is (1 + r) / (1 + r^2).
///
/// Stated as what they are: p, the ray, the factor and the constant are exact functions of the instance's rates and
/// prices. That the limits are attained is the heavy-traffic theory's claim, under unique prices (complete resource
/// pooling, reported) and at rho* = 1; no finite computation here shows it. Away from the boundary the constant is the
/// formula at the instance's own rates.
#pragma once

#include <optional>
#include <vector>

#include "model/queueing/instance.hpp"
#include "proofs/queueing/capacity/certificate.hpp"
#include "proofs/queueing/duality/stability.hpp"

namespace schedproof::heavy_traffic {

/// The direction of the workload, from the prices alone.
struct Workload {
    Rational load;                       ///< rho*
    std::vector<Rational> type_price;    ///< v per type; the dearest is 1
    std::vector<Rational> server_price;  ///< w per server, in the same unit
    Rational slack;                      ///< sum w - sum lambda v. Unit: value per slot
    bool pooled = false;                 ///< complete resource pooling: the prices are the only ones
    Rational arrival_variance;           ///< Var sum v_L A_L
    Rational service_variance;           ///< sum lambda v^2 - sum w^2
    /// (arrival + service variance) / 2: limit of slack * E Z at the least.
    [[nodiscard]] Rational constant() const { return (arrival_variance + service_variance) / Rational(2); }
};

/// Requires an exact certificate of the instance with rho* > 0. Throws InputError when the instance has rates only.
[[nodiscard]] Workload workload(const queueing::Instance& instance, const capacity::CapacityCertificate& certificate);

/// The ray of a policy whose weights are queue lengths, or lengths times costs.
struct CollapseRay {
    std::vector<Rational> direction;  ///< lengths on the ray: p_i over the cost of queue i; zero where no task comes
    std::vector<Rational> least;      ///< l_i over its cost; where that is less, the state does not collapse to the ray
    /// sum Q over the least sum Q of the same workload, on the ray; at least 1. None where a queue is loose.
    std::optional<Rational> factor;
    [[nodiscard]] bool is_loose(std::size_t queue) const { return least[queue] < direction[queue]; }
};

/// Absent when the policy does not reach the whole region, so that p is not balanced for it (a policy blind to levels).
/// Requires data of the instance whose weights are queue lengths times `costs`, one above 0 per queue; none: all 1.
[[nodiscard]] std::optional<CollapseRay> collapse_ray(const duality::MaxWeightData& data, const Workload& workload,
                                                      const std::vector<Rational>& costs = {});

/// The ray of Balanced-Pandas, whose weights are workloads: W_m is proportional to w_m. Of the tasks in W_m, all but
/// few are of queues whose service is worth w_m, so at the least rate mu_m of these sum Q is at least sum mu_m W_m
/// (docs/heavy-traffic.md, Every cluster).
struct WorkloadRay {
    std::vector<Rational> slowest;  ///< mu_m per server: the least rate at which what it does is worth w_m
    Rational factor;                ///< sum Q over the least sum Q of the same workload is at least this, on the ray
};
[[nodiscard]] WorkloadRay workload_ray(const queueing::Instance& instance, const Workload& workload);

}  // namespace schedproof::heavy_traffic
