/// In place of experiments/simulators/slotted/lane_draws.hpp: here each slot draws for itself.
#pragma once

#include <cstdint>

#include "tests/enumerated/instead/experiments/statistics/stream.hpp"

namespace schedproof::simulation {

inline constexpr std::uint64_t slots_a_draw = 1;

}  // namespace schedproof::simulation
