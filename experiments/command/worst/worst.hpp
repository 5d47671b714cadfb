/// What `schedproof worst` and `schedproof optimum` ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/command/core/requests.hpp"

namespace CLI {
class App;
}

namespace schedproof::command {

struct WorstRequest {
    std::string policy;              ///< a scheduler, or a policy of the redundancy family
    std::string shape;               ///< `2,1:0/01`, or a range: `servers=2 cores=1..2 tasks=3`; or `n2-m2-det`
    std::vector<std::string> costs;  ///< one for all servers or one for each, or `any`, or `common`
    std::string grid;                ///< initial loads, or sizes, `0:6:1/2` or `0,1,5/2`; empty: all of them
    std::string gaps = "0,1,2";      ///< between arrivals, on a grid of jobs
    std::string speed = "1";         ///< of a policy of the redundancy family
    std::string at_most;             ///< a ratio to prove or refute instead, or empty
    std::string competitor = "auto";
    std::string makespan = "events";
    std::string wait = "3";
    std::string instance;  ///< file for the worst problem, or empty
    std::uint64_t seed = 1;
    std::uint64_t max_problems = 10'000'000;  ///< of a grid
    BudgetRequest budget;
    Destination to;
};

struct OptimumRequest {
    std::string instance;
    std::string method = "solver";  ///< `maps`, `servers`, `solver`, or `all`, which must agree
    bool local = false;             ///< among local assignments
    std::string deadline;           ///< fewest remote tasks within it instead, or empty
    std::string smtlib;             ///< file for the question whether anything is better, or empty
    std::optional<std::uint64_t> rlimit;
    Destination to;
};

int run(const WorstRequest& request);
int run(const OptimumRequest& request);

struct OptimumRequests {
    WorstRequest worst;
    OptimumRequest optimum;
};
/// The commands that compare assignments with the best.
void add_optima(CLI::App& app, OptimumRequests& requests, int& exit_code);

}  // namespace schedproof::command
