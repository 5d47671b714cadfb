/// Instances of the redundancy family to look at: random ones with many ties, and grids of all small ones.
///
/// What breaks claims of this family are jobs that arrive or end together, few jobs on many machines, one job more than
/// machines, and speeds just above what a theorem asks for. So arrivals and sizes are quarters in a short range, often
/// equal, and speeds are those of the theorems: 1, 1 + e, 2 + e, 4 + e, 1 + b + e, 2 + 2b + 2e.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/core/randomness.hpp"
#include "model/redundancy/instance.hpp"

namespace schedproof::checks {

/// Largest sizes of a random instance; each is drawn from 1 up.
struct RedundancySizes {
    std::size_t jobs = 7;
    std::size_t machines = 5;
};
/// With a linear service. The same stream gives the same instance.
[[nodiscard]] redundancy::Instance random_redundancy_instance(Sampler& randomness, const RedundancySizes& sizes = {});
/// A service of any kind with some lengths, as the sizes of jobs.
[[nodiscard]] redundancy::Instance random_service_instance(Sampler& randomness);

/// All problems with up to so many jobs and machines, gaps and sizes from lists, each at every speed.
struct RedundancyGrid {
    std::size_t jobs = 3;
    std::size_t machines = 3;
    std::vector<std::string> services{"det", "two-point:2,0", "two-point:3,0"};
    std::vector<std::string> gaps{"0", "3/2"};
    std::vector<std::string> sizes{"1", "5/2", "4"};
    std::vector<std::string> speeds{"2", "5"};
    std::string beta = "1/2";
};
/// `every instance with at most 3 jobs on at most 3 machines, ...`: all limits of the grid.
[[nodiscard]] std::string bounds_text(const RedundancyGrid& grid);

/// Calls `visit` with each instance, fewest jobs first, then fewest machines, until it returns false.
/// Returns the number of calls.
std::uint64_t for_each_small_instance(const RedundancyGrid& grid,
                                      const std::function<bool(const redundancy::Instance&)>& visit);

}  // namespace schedproof::checks
