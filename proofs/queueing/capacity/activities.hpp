/// Basic activities of the capacity problem: who serves what at a vertex optimum.
///
/// A pair (L, m) with x*_{Lm} > 0 at a vertex of the set of optimal decompositions is a basic activity. Fluid model
/// planning schedules by them, and heavy-traffic theory asks whether their graph (types and servers, one edge per
/// basic activity) is connected: complete resource pooling.
///
/// Let (v, w) be optimal prices and rho* > 0. Every w_m is positive (region.hpp), so by complementary slackness the
/// optimal decompositions are exactly the x >= 0 with x_{Lm} = 0 unless v_L mu_{Lm} = w_m, with row sums lambda_L and
/// all loads rho*. In the unit of value, x_{Lm} v_L, this is a transportation polytope: supplies lambda_L v_L, demands
/// rho* w_m, on the graph of tight pairs. Hence, without a second linear program:
///   * vertices are the members whose support is a forest, reached by cancelling cycles (cycles.hpp);
///   * the vertex is the only optimum iff no amount can be moved: contract each tree of the support to a point (within
///     a tree all flows are positive, so value can be moved between any two of its members); every tight pair outside
///     the support is an arc from its type's tree to its server's. The optimum is unique iff these arcs form no
///     directed cycle, loops included;
///   * a connected support fixes all ratios of prices, so complete resource pooling makes the prices unique.
/// Tight pairs are handled per pool and never listed: at tight prices a pool (n, h) offers a type exactly the servers
/// below n of least price, all of them at level h (pooled.hpp), and no server is offered twice.
#pragma once

#include <cstddef>
#include <vector>

#include "model/queueing/instance.hpp"
#include "proofs/queueing/capacity/certificate.hpp"

namespace schedproof::capacity {

struct Activities {
    std::vector<Assignment> basic;  ///< x* at a vertex optimum, ascending by (type, server)
    bool unique = false;            ///< no other decomposition has load rho*
    std::size_t components = 0;     ///< of the graph of basic activities over all servers and the types with arrivals

    [[nodiscard]] bool complete_resource_pooling() const { return components == 1; }
};

/// Requires an exact certificate that verifies for the instance. At rho* = 0 there is no activity, and it is unique.
/// Cost: entries of the decomposition times the depth of the forest; then linear in replicas, entries and servers.
[[nodiscard]] Activities basic_activities(const queueing::Instance& instance, const CapacityCertificate& certificate);

}  // namespace schedproof::capacity
