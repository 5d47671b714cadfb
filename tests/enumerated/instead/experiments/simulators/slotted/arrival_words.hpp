/// Arrivals by slot: those of the scalar simulator are of the streams that take turns; the kernel of replications side
/// by side draws them itself (lane_draws.inc).
///
/// In place of experiments/simulators/slotted/arrival_words.hpp, whose law is tested beside the kernel's
/// (tests/experiments/slotted_queueing_test.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "experiments/simulators/slotted/exact_cuts.hpp"
#include "experiments/simulators/slotted/lane_loops.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "model/core/errors.hpp"
#include "tests/enumerated/instead/experiments/statistics/stream.hpp"

namespace schedproof::simulation {

class ArrivalWords {
  public:
    [[nodiscard]] static bool suit(const SimulatedSystem&) { return statistics::outcomes_of_this_thread->side_by_side; }
    [[nodiscard]] static std::array<std::uint32_t, 4> names(const statistics::Replication&) { return {}; }
    [[nodiscard]] static statistics::Stream further(const statistics::Replication& replication) {
        return statistics::Stream(replication, "further bits of arrivals");
    }
    [[nodiscard]] static ExactCuts cuts(const queueing::ArrivalFactor& factor) {
        std::vector<Rational> cuts;
        Rational below;
        for (std::size_t k = 0; k + 1 < factor.outcomes().size(); ++k)
            cuts.push_back(below += factor.outcomes()[k].probability);
        return ExactCuts(std::move(cuts));
    }
    ArrivalWords(const SimulatedSystem&, const statistics::Replication&) {}
    [[nodiscard]] const std::vector<std::uint32_t>& next() { throw ContractViolation("arrivals by slot are random"); }
};

}  // namespace schedproof::simulation
