/// A cluster and how the capacity program splits its work, as a DOT text.
///
/// Types on the left with their arrival rates, servers on the right by rack with their loads and prices, an edge per
/// basic activity with its rate, drawn by locality. A cluster too large to look at is drawn by groups of servers
/// (racks, or servers of equal price) and by locality level: how much work each group does at each level.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/queueing/instance.hpp"
#include "proofs/queueing/capacity/certificate.hpp"

namespace schedproof::graph {

/// More types, servers or assignments than this are drawn by groups.
struct CapacityPictureLimits {
    std::size_t types = 40;
    std::size_t servers = 40;
    std::size_t assignments = 150;
    std::size_t groups = 60;  ///< beyond, the remaining groups are one
};

/// Requires a certificate that verifies for the instance; `decomposition` is the one to draw (that of the certificate,
/// or the basic activities).
[[nodiscard]] std::string capacity_dot(const queueing::Instance& instance,
                                       const capacity::CapacityCertificate& certificate,
                                       const std::vector<capacity::Assignment>& decomposition,
                                       const CapacityPictureLimits& limits = {});

}  // namespace schedproof::graph
