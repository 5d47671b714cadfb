/// What `schedproof delay` asks for.
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

/// Numbers that need not be whole are words here, read and checked by the command.
struct DelayRequest {
    std::uint64_t nodes = 100;
    std::uint64_t replicas = 3;
    std::vector<std::uint64_t> tasks;  ///< of jobs, each a row; none: 20
    std::string goal = "0.95";         ///< locality
    std::optional<std::uint64_t> slots;
    std::string task_time = "1";
    std::string local;                 ///< p, part of the offers that come from nodes with a job's data; or empty
    std::vector<std::uint64_t> skips;  ///< of the table; none: up to twice the largest rule, in ten steps
    std::string picture;               ///< .svg or .png, or empty
    Destination to;
};

int run(const DelayRequest& request);
/// The command's options.
void add_delay(CLI::App& app, DelayRequest& request, int& exit_code);

}  // namespace schedproof::command
