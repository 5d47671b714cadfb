/// Problems of the assignment family to look at: random ones with many ties, and a grid of all small ones.
///
/// What breaks claims of this family are ties, idle cores with large loads, one hot server, and prices that jump. So
/// loads are multiples of a quarter in a short range, and the kinds of cost function include jumps.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "checks/assignment/exhaustive.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::checks {

/// Largest sizes of a random problem; each is drawn from 1 up.
struct AssignmentSizes {
    std::size_t servers = 4;
    std::size_t cores = 3;  ///< per server
    std::size_t tasks = 7;
    std::size_t replicas = 3;
};

/// Loads in 0..6 in steps of 1/4, 1/2 or 1, now and then one server 6 to 15 hotter; costs 1 + n, 1 + n/2, 1 + n^2/4,
/// constant, a step, or a random table that jumps up to 4, one for all servers or each its own.
/// The same stream gives the same problem.
[[nodiscard]] AssignmentProblem random_assignment_problem(Sampler& randomness, const AssignmentSizes& sizes = {});

/// A grid of small problems. Servers with their cores, tasks with their replica sets, and cores of a server with their
/// loads are taken once up to order.
struct SmallGrid {
    std::size_t servers = 2;
    std::size_t cores = 2;  ///< per server
    std::size_t tasks = 3;
    std::vector<std::string> loads{"0", "1/2", "1", "2"};
    std::vector<std::string> costs{"3/2 +1/2", "2", "5/4 3"};  ///< as problem_of reads them; one for all servers
};

/// `every problem with at most 2 servers of at most 2 cores, ...`: all limits of the grid.
[[nodiscard]] std::string bounds_text(const SmallGrid& grid);

/// Calls `visit` with each problem of the grid, fewest tasks first, then fewest cores, until it returns false.
/// Returns the number of calls.
std::uint64_t for_each_small_problem(const SmallGrid& grid, const std::function<bool(const AssignmentProblem&)>& visit);

}  // namespace schedproof::checks
