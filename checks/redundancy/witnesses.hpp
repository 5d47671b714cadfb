/// The named instances of the redundancy family: the smallest on which something false fails.
///
/// What each comes to is said by the properties (properties.hpp) and asserted, number by number, by the tests. Most
/// are files under experiments/instances/redundancy as well.
#pragma once

#include <string_view>
#include <vector>

#include "model/redundancy/instance.hpp"

namespace schedproof::checks {

struct RedundancyWitness {
    std::string_view name;
    std::string_view source;
    std::string_view shows;  ///< one sentence with its numbers
    redundancy::Instance instance;
};

/// All of them, in the order of the paper.
[[nodiscard]] std::vector<RedundancyWitness> redundancy_witnesses();
/// Throws ContractViolation for an unknown name.
[[nodiscard]] RedundancyWitness redundancy_witness(std::string_view name);

/// A problem in a line: machines, service, and jobs as `0 7/2, 0 4`: arrival and size.
[[nodiscard]] redundancy::Problem<Rational> redundancy_problem_of(std::size_t machines, std::string_view service,
                                                                  std::string_view jobs);

}  // namespace schedproof::checks
