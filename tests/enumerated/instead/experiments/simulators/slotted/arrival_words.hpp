/// Arrivals by slot, which no enumerated run has: its arrivals are those of the streams that take turns.
///
/// In place of experiments/simulators/slotted/arrival_words.hpp, whose law is tested beside the kernel's
/// (tests/experiments/slotted_queueing_test.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/simulators/slotted/system.hpp"
#include "model/core/errors.hpp"
#include "tests/enumerated/instead/experiments/statistics/stream.hpp"

namespace schedproof::simulation {

class ArrivalWords {
  public:
    [[nodiscard]] static bool suit(const System&) { return false; }
    ArrivalWords(const System&, const statistics::Replication&) {}
    [[nodiscard]] const std::vector<std::uint32_t>& next() { throw ContractViolation("arrivals by slot are random"); }
};

}  // namespace schedproof::simulation
