/// Problems in full, as text: what a test prints of a counterexample.
#pragma once

#include <string>

#include "checks/assignment/family.hpp"
#include "checks/queueing/family.hpp"
#include "checks/redundancy/family.hpp"
#include "checks/sharing/family.hpp"

namespace schedproof::suite {

/// As an instance file.
[[nodiscard]] std::string shown(const checks::AssignmentProblem& problem);
[[nodiscard]] std::string shown(const redundancy::Instance& instance);
/// The instance's file, then the state in a line, with the names of its queues under the known policy.
[[nodiscard]] std::string shown(const checks::ClusterState& at, const std::string& policy);
/// Cluster, jobs, parameters and slots, a line each.
[[nodiscard]] std::string shown(const checks::SharingCase& one);

/// The problem of a counterexample of the family with this id; where it lies, of a family that is not known here.
[[nodiscard]] std::string shown(const checks::Counterexample& found, std::string_view family);

}  // namespace schedproof::suite
