/// Smaller counterexamples of the assignment family: fewer tasks, cores, servers and replicas, then simpler numbers.
///
/// Greedy: candidates are tried in a fixed order, and the first at which the same judge still complains becomes the new
/// problem; until none does. Candidates without one thing come before those without two, since some claims break only
/// where a task and a core go together; then those with another load or cost besides. Where nothing smaller is near, a
/// fixed lot of random problems of smaller size is looked through. Deterministic and bounded.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "checks/assignment/brute_force.hpp"

namespace schedproof::checks {

struct ShrunkProblem {
    AssignmentProblem problem;
    std::size_t tried = 0;  ///< candidates looked at
};

/// How a claim fails on a problem; empty when it does not.
using Complaint = std::function<std::string(const AssignmentProblem&)>;

/// Requires a problem with local tasks of cost 1 about which `complaint` complains; so does it about the result.
/// Cost: at most `limit` complaints.
[[nodiscard]] ShrunkProblem shrink(AssignmentProblem problem, const Complaint& complaint, std::size_t limit = 20'000);

}  // namespace schedproof::checks
