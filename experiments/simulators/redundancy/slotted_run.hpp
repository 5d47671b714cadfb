/// What a simulated run of a policy leaves behind.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace schedproof::simulation {

struct Run {
    std::vector<double> flowtime;  ///< c_j - a_j, by job
    std::uint64_t events = 0;      ///< arrivals and completions
    double active = 0;             ///< number of active jobs, mean over the time from the first arrival to the end
};

/// Called now and then with the number of jobs done.
using Progress = std::function<void(std::size_t)>;

}  // namespace schedproof::simulation
