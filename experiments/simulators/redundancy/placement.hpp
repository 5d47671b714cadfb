/// Which machines the copies of a job are on: copies keep their machines as far as possible, new ones are placed at
/// random.
///
/// An allocation says how many copies a job has and into how many ways machines are divided, not which machines. A job
/// that is served again keeps its machines, the longest held first, up to its copies; the other copies go to places
/// that are free, each equally likely, on machines that the job has no copy on. The speed of a machine plays no part.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/statistics/stream.hpp"

namespace schedproof::simulation {

/// Machines of one job, each once.
using Machines = boost::container::small_vector<std::uint32_t, 4>;

class Placement {
  public:
    Placement(std::size_t machines, statistics::Stream random) : taken_(machines), random_(random) {}

    /// A job that is served: where it is, and how many copies it is to have.
    struct Claim {
        Machines* on;
        std::size_t copies;
    };
    /// Satisfies every claim. On divided machines jobs of several copies choose first, then the others in order.
    /// Requires: copies <= machines, and in all at most machines * ways.
    void place(std::span<const Claim> claims, std::size_t ways);

  private:
    void keep(const Claim& claim, std::size_t ways);
    void spread(const Claim& claim, std::size_t ways);

    std::vector<std::uint32_t> taken_;  // places of each machine
    std::vector<std::uint32_t> free_;   // machines, as often as they have places
    statistics::Stream random_;
};

}  // namespace schedproof::simulation
