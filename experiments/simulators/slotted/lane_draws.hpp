/// What is fixed of the random bits of replications side by side; they are made in lane_draws.inc.
#pragma once

#include <cstdint>

namespace schedproof::simulation {

/// Slots that a block of random words serves where each slot has words of its own: half a word of four each.
inline constexpr std::uint64_t slots_a_draw = 8;

}  // namespace schedproof::simulation
