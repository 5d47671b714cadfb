/// The counts of a queue in the simulators in slots.
#pragma once

#include <cstdint>

namespace schedproof::simulation {

/// Which length of a queue: at the start of the slot, or with the arrivals of the slot so far.
enum class Moment : std::uint8_t { start_of_slot, live };

struct QueueCounts {
    std::uint32_t length[2] = {0, 0};  ///< by moment: tasks, those in execution included
    std::uint32_t in_service = 0;
    std::uint32_t pointing = 0;  ///< idle servers that chose it in this slot

    [[nodiscard]] std::uint32_t& settled() { return length[0]; }
    [[nodiscard]] std::uint32_t& live() { return length[1]; }
    [[nodiscard]] std::uint32_t live() const { return length[1]; }
    /// Tasks that no server executes, arrivals of the slot included.
    [[nodiscard]] std::uint32_t waiting() const { return length[1] - in_service; }
};

}  // namespace schedproof::simulation
