/// Hand-written loops, each for one policy on one cluster: how fast a core can be, to hold the simulators against.
#pragma once

#include <cstdint>

namespace schedproof::bench {

/// What a loop did. Times are the caller's.
struct LoopResult {
    std::uint64_t tasks = 0;  ///< completed
    double mean_tasks = 0;    ///< in the system, at the ends of slots; 0 in continuous time
    double mean_delay = 0;    ///< in slots, or units of time; 0 without delays
};

/// Wang's policy: 1000 servers, data on 800, three replicas, local rate 4/5, remote 1/5, Poisson arrivals, sequential
/// routing.
[[nodiscard]] LoopResult naive_loop(std::uint64_t slots, double rate, std::uint64_t seed);
/// A calendar of services, indices made in bulk, no branches on what is random; with or without delays.
[[nodiscard]] LoopResult calendar_loop(std::uint64_t slots, double rate, std::uint64_t seed, bool delays);
/// Counts only, sixteen tasks and servers at a time. Requires `has_wide_loop`.
[[nodiscard]] LoopResult wide_loop(std::uint64_t slots, double rate, std::uint64_t seed);
[[nodiscard]] bool has_wide_loop();

/// Join-shortest-queue on 100 servers in continuous time, exponential gaps and sizes of mean 1, with delays.
[[nodiscard]] LoopResult heap_loop(std::uint64_t tasks, double load, std::uint64_t seed);

}  // namespace schedproof::bench
