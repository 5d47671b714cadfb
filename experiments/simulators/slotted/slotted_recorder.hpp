/// What is recorded in a simulation in slots.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/simulators/core/observation.hpp"
#include "experiments/simulators/slotted/queue_counts.hpp"
#include "experiments/simulators/slotted/start.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "model/queueing/state.hpp"

namespace schedproof::simulation {

struct SlottedSettings {
    std::uint64_t slots = 100'000;
    std::uint64_t batches = 200;  ///< at most slots
    bool delays = true;           ///< record the delay and wait of every task that arrives
    queueing::Truncation truncation = {};
    StartState start = {};
};

/// In place of the slot of arrival: of a task that is there at the start.
inline constexpr std::uint32_t at_start = static_cast<std::uint32_t>(-1);

/// The quantities, in the order of a batch's tallies.
[[nodiscard]] std::vector<Quantity> slotted_quantities(const System& system, bool delays);

class SlottedRecorder {
  public:
    /// Throws InputError unless 1 <= batches <= slots < 2^32.
    SlottedRecorder(const System& system, const SlottedSettings& settings, const statistics::Replication& replication);

    [[nodiscard]] std::uint64_t slots() const { return slots_; }

    void arrived(std::uint64_t tasks) { arrived_ += tasks; }
    void blocked(std::uint64_t tasks) { blocked_ += tasks; }
    void started_at(Level level, std::uint64_t tasks) { started_at_[level.index()] += tasks; }
    /// A task that arrived in the slot `arrived`, or was there `at_start`.
    void started(Level level, std::uint32_t arrived, std::uint64_t slot, std::uint64_t slots) {
        started_at(level, 1);
        if (!delays_ || arrived == at_start) return;
        ++delayed_;
        delay_.add(slot + slots - arrived);
        delay_sum_ += slot + slots - arrived;
        wait_sum_ += slot - arrived;
    }
    void completed(std::uint64_t tasks) { completed_ += tasks; }
    /// Servers that are busy before the completions of a slot.
    void served(std::uint64_t busy, std::uint64_t with_data) {
        busy_sum_[0] += busy - with_data;
        busy_sum_[1] += with_data;
    }
    /// After them: `slots` have passed. The length of one queue drawn at random stands for all.
    void end_of_slot(std::uint64_t slots, std::uint64_t in_system, std::uint64_t busy,
                     const std::vector<QueueCounts>& counts) {
        const std::uint32_t length = counts[sampled_.below(counts.size())].length[0];
        length_.add(length);
        length_sum_ += length;
        in_system_sum_ += in_system;
        waiting_sum_ += in_system - busy;
        if (slots == next_end_) end_of_batch();
    }
    [[nodiscard]] Observation take();

  private:
    void end_of_batch();

    const std::uint64_t slots_, batch_slots_;
    const bool delays_;
    std::uint64_t servers_[2] = {0, 0};  // without data, with data
    Observation observation_;
    std::uint64_t next_end_;

    // Of the batch.
    std::uint64_t arrived_ = 0, blocked_ = 0, completed_ = 0, in_system_sum_ = 0, waiting_sum_ = 0, delayed_ = 0,
                  delay_sum_ = 0, wait_sum_ = 0;
    std::vector<std::uint64_t> started_at_;  // by level
    std::uint64_t busy_sum_[2] = {0, 0};     // without data, with data
    std::uint64_t length_sum_ = 0;
    statistics::Histogram delay_, length_;
    statistics::Stream sampled_;
};

}  // namespace schedproof::simulation
