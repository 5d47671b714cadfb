/// What is recorded in a simulation in slots.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
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

    /// Calls `step` for each slot, and says now and then how much is done.
    template <class Step>
    [[nodiscard]] Observation run(const Done& done, Step&& step) {
        for (std::uint64_t slot = 0; slot < slots_; ++slot) {
            if (slot % 1024 == 0 && done) done(static_cast<double>(slot) / static_cast<double>(slots_));
            step();
        }
        return std::move(observation_);
    }

    void arrived(std::uint64_t tasks) { arrived_ += tasks; }
    void blocked(std::uint64_t tasks) { blocked_ += tasks; }
    void started_at(Level level, std::uint64_t tasks) { started_at_[level.index()] += tasks; }
    /// A task that arrived in the slot `arrived`, or was there `at_start`.
    void started(Level level, std::uint32_t arrived, std::uint64_t slot, std::uint64_t slots) {
        started_at(level, 1);
        if (!delays_ || arrived == at_start) return;
        waited(1, slot - arrived);
        delayed(slot + slots - arrived);
    }
    /// Tasks that arrived in the run and start, and the sum of their waits.
    void waited(std::uint64_t tasks, std::uint64_t sum) {
        waited_ += tasks;
        wait_sum_ += sum;
    }
    /// A task that arrived in the run.
    void delayed(std::uint64_t delay) {
        ++delayed_;
        delay_.add(delay);
        delay_sum_ += delay;
    }
    void completed(std::uint64_t tasks) { completed_ += tasks; }
    /// Delays of the tasks of these servers, by server the slot in which its task arrived and a mask, not zero where it
    /// is done. `slots` have passed.
    void completed_by(std::span<const std::uint32_t> arrived, std::span<const std::uint32_t> done, std::uint64_t slots);
    /// Servers that are busy before the completions of a slot.
    void served(std::uint64_t busy, std::uint64_t with_data) {
        busy_sum_[0] += busy - with_data;
        busy_sum_[1] += with_data;
    }
    /// Which of so many queues stands for all at the end of a slot, drawn at random.
    [[nodiscard]] std::size_t sampled(std::size_t queues) { return static_cast<std::size_t>(sampled_.below(queues)); }
    /// After them: `slots` have passed. `length`: of the sampled queue.
    void end_of_slot(std::uint64_t slots, std::uint64_t in_system, std::uint64_t busy, std::uint32_t length) {
        length_.add(length);
        length_sum_ += length;
        in_system_sum_ += in_system;
        waiting_sum_ += in_system - busy;
        if (slots == next_end_) end_of_batch();
    }

  private:
    void end_of_batch();

    const std::uint64_t slots_, batch_slots_;
    const bool delays_;
    std::uint64_t servers_[2] = {0, 0};  // without data, with data
    Observation observation_;
    std::uint64_t next_end_;

    // Of the batch.
    std::uint64_t arrived_ = 0, blocked_ = 0, completed_ = 0, in_system_sum_ = 0, waiting_sum_ = 0, delayed_ = 0,
                  delay_sum_ = 0, waited_ = 0, wait_sum_ = 0;
    std::vector<std::uint64_t> started_at_;  // by level
    std::uint64_t busy_sum_[2] = {0, 0};     // without data, with data
    std::uint64_t length_sum_ = 0;
    statistics::Histogram delay_, length_;
    statistics::Stream sampled_;
    std::vector<std::uint32_t> arrivals_of_done_;  // to be used again
};

}  // namespace schedproof::simulation
