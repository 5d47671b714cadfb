/// The tasks of one slot after another, drawn from the law of a system.
///
/// Those of a small system whose types are listed come from words by slot (arrival_words.hpp). In others, independent
/// Bernoulli arrivals of equal probability are drawn by their gaps (the number of types passed over is geometric), so
/// that a slot costs as many draws as tasks come; other factors of a law cost one draw each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/simulators/slotted/arrival_words.hpp"
#include "experiments/simulators/slotted/geometric.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "experiments/statistics/stream.hpp"

namespace schedproof::simulation {

class ArrivalSource {
  public:
    /// Throws InputError when the instance has rates only, LimitExceeded when a factor's probabilities have no common
    /// denominator below 2^63. The system must outlive the source.
    ArrivalSource(const SimulatedSystem& system, const statistics::Replication& replication);

    /// The types of the next slot's tasks in ascending order, one entry a task; all 0 with random replicas.
    [[nodiscard]] const std::vector<std::uint32_t>& next();

  private:
    /// Types that each bring one task with the same probability.
    struct Equals {
        Geometric gap;
        std::vector<std::uint32_t> types;
    };
    [[nodiscard]] std::uint64_t total();
    void draw_by_slot();

    const SimulatedSystem& system_;
    statistics::Stream stream_;
    std::optional<ArrivalWords> by_slot_;
    std::vector<Equals> equals_;
    std::vector<const queueing::ArrivalFactor*> others_;
    std::vector<std::uint32_t> tasks_;
};

}  // namespace schedproof::simulation
