/// The arrivals of a small system whose types are listed, from random words at places that depend on the slot alone.
///
/// Each factor of the arrival law has 16 bits a slot, whatever came before: so lanes of replications draw them side by
/// side (lane_slots.inc), and every simulator in slots, under any policy, meets the same arrivals. The bits of factor f
/// in slot t are those of block (t / 8) F + f of F factors, of Philox 4x32-10: half a word of its four for each of the
/// eight slots. Cost: a comparison for each outcome of a factor and slot.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "experiments/simulators/slotted/exact_cuts.hpp"
#include "experiments/simulators/slotted/lane_loops.hpp"
#include "experiments/simulators/slotted/system.hpp"

namespace schedproof::simulation {

/// Servers of a system that is small.
inline constexpr std::size_t most_lane_servers = 64;

class ArrivalWords {
  public:
    /// Whether the arrivals of the system are drawn here.
    [[nodiscard]] static bool suit(const SimulatedSystem& system);
    /// Key and name of a replication's stream of words, low halves first, and what decides where 16 bits do not.
    [[nodiscard]] static std::array<std::uint32_t, 4> names(const statistics::Replication& replication);
    [[nodiscard]] static statistics::Stream further(const statistics::Replication& replication);
    /// Where one outcome of a factor ends and the next begins.
    [[nodiscard]] static ExactCuts cuts(const queueing::ArrivalFactor& factor);

    /// Requires: they suit. The system must outlive this.
    ArrivalWords(const SimulatedSystem& system, const statistics::Replication& replication);

    /// Outcomes of the factors in the next slot, by factor.
    [[nodiscard]] const std::vector<std::uint32_t>& next();

  private:
    void fill(std::uint64_t block);

    std::uint64_t key_, name_, slot_ = 0, first_ = 0;  // the first block of those made
    LaneWords words_;
    std::vector<ExactCuts> cuts_;  // by factor
    statistics::Stream further_;
    std::vector<std::uint32_t> outcomes_;
};

}  // namespace schedproof::simulation
