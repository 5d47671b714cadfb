/// The slots in which the waiting tasks of many queues arrived: a ring for each, all of one capacity.
#pragma once

#include <cstdint>

#include "experiments/simulators/slotted/lane_loops.hpp"

namespace schedproof::simulation {

class StampRings {
  public:
    /// With no queues it takes no memory, and nothing may be pushed.
    explicit StampRings(std::size_t queues) : ring_(queues << bits_), head_(queues, 0), tail_(queues, 0) {}

    /// Throws LimitExceeded when the rings would hold more than 2^31 entries in all.
    void push(std::uint32_t q, std::uint32_t stamp) {
        if (tail_[q] - head_[q] == std::uint32_t{1} << bits_) [[unlikely]]
            widen();
        ring_[(q << bits_) + (tail_[q]++ & ((std::uint32_t{1} << bits_) - 1))] = stamp;
    }
    /// Requires that a task waits there.
    std::uint32_t pop(std::uint32_t q) {
        return ring_[(q << bits_) + (head_[q]++ & ((std::uint32_t{1} << bits_) - 1))];
    }
    /// Of the queues from `first` on, as many as there are servers, to be popped where tasks start.
    [[nodiscard]] LaneStamps view(std::uint32_t first, std::uint32_t* executing) {
        return {ring_.data() + (first << bits_), bits_, head_.data() + first, executing};
    }

    /// What a push is going to touch; `fetch_ring` after `fetch_tail`.
    void fetch_tail(std::uint32_t q) const { __builtin_prefetch(&tail_[q]); }
    void fetch_ring(std::uint32_t q) const { __builtin_prefetch(&ring_[q << bits_]); }

  private:
    void widen();

    std::uint32_t bits_ = 3;
    LaneWords ring_, head_, tail_;  // head and tail count the tasks that left and came
};

}  // namespace schedproof::simulation
