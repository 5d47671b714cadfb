/// Basic activities of the capacity problem: who serves what at a vertex optimum.
/// The method stands at the head of activities.cpp.
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
    std::size_t parts = 0;          ///< the same of the activities of all optima together

    /// All servers help each other, if in several optima: exactly then the optimal prices are unique but for their
    /// unit.
    [[nodiscard]] bool complete_resource_pooling() const { return parts == 1; }
};

/// Requires an exact certificate that verifies for the instance. At rho* = 0 there is no activity, and it is unique.
/// Cost: entries of the decomposition times the depth of the forest; then linear in replicas, entries and servers.
[[nodiscard]] Activities basic_activities(const queueing::Instance& instance, const CapacityCertificate& certificate);

}  // namespace schedproof::capacity
