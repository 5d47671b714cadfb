/// What `schedproof sweep` asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/command/simulate/simulate.hpp"

namespace schedproof::cli {

struct SweepRequest {
    std::string spec;
    std::string resume;  ///< directory of results; empty: the specification's name with the ending .results
    std::uint64_t threads = 0;
    std::string shard;
    bool dry_run = false;
    bool slurm = false;
    std::uint64_t tasks = 0;          ///< of the Slurm array; 0: one per unit, at most 100
    std::vector<std::string> sbatch;  ///< further options of sbatch
    bool collect = false;
    std::string series;
    FigureRequest figure;
    Destination to;
};
int run(const SweepRequest& request);

}  // namespace schedproof::cli
