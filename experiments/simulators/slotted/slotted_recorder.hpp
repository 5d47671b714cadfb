/// What is recorded in a simulation in slots.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "experiments/simulators/core/observation.hpp"
#include "experiments/simulators/slotted/queue_counts.hpp"
#include "experiments/simulators/slotted/start.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "experiments/simulators/slotted/task_drift.hpp"
#include "model/queueing/state.hpp"

namespace schedproof::simulation {

struct SlottedSettings {
    std::uint64_t slots = 100'000;
    std::uint64_t batches = 200;  ///< at most slots
    bool delays = true;           ///< record the delay and wait of every task that arrives
    queueing::Truncation truncation = {};
    StartState start = {};
    bool drift = false;  ///< record the quantities of task_drift.hpp, as controls; with no truncation only
    bool costs = false;  ///< record the holding cost; of policies with a queue per type only
};

/// In place of the slot of arrival: of a task that is there at the start.
inline constexpr std::uint32_t at_start = static_cast<std::uint32_t>(-1);

/// The quantities, in the order of a batch's tallies.
[[nodiscard]] std::vector<Quantity> slotted_quantities(const SimulatedSystem& system, const SlottedSettings& settings);

/// What is summed up over the slots of a batch.
struct SlottedSums {
    std::uint64_t arrived = 0, blocked = 0, completed = 0, in_system = 0, waiting = 0, delayed = 0, delay = 0,
                  waited = 0, wait = 0, length = 0;
    std::uint64_t busy[2] = {0, 0};         ///< without data, with data
    std::vector<std::uint64_t> started_at;  ///< by level
    statistics::Histogram delays, lengths;
    TaskDrift::Sums drift;
    double growth_of_squares = 0;  ///< of the number of tasks; where drift is recorded
    double cost = 0;               ///< of holding the tasks; where costs are recorded
};

/// A quantity with what a batch's sums tell of it.
struct SlottedQuantity {
    Quantity quantity;
    std::function<Tally(const SlottedSums&, double slots)> tally;
    statistics::Histogram SlottedSums::*histogram = nullptr;
};

class SlottedRecorder {
  public:
    /// Throws InputError unless 1 <= batches <= slots < 2^32, and when drift is asked for with truncation, under which
    /// the tasks that join depend on those that are there.
    SlottedRecorder(const SimulatedSystem& system, const SlottedSettings& settings,
                    const statistics::Replication& replication);

    /// Calls `step` for each slot, and says now and then how much is done.
    template <class Step>
    [[nodiscard]] Observation run(const Done& done, Step&& step) {
        for (std::uint64_t slot = 0; slot < slots_; ++slot) {
            if (slot % 1024 == 0 && done) done(static_cast<double>(slot) / static_cast<double>(slots_));
            step();
        }
        return std::move(observation_);
    }

    /// A batch that was summed up elsewhere.
    void add_batch(SlottedSums sums) {
        sums_ = std::move(sums);
        end_of_batch();
    }
    [[nodiscard]] Observation take() { return std::move(observation_); }
    [[nodiscard]] std::uint64_t slots() const { return slots_; }
    [[nodiscard]] std::uint64_t batch_slots() const { return batch_slots_; }

    void arrived(std::uint64_t tasks) {
        sums_.arrived += tasks;
        arrived_in_slot_ = tasks;
    }
    void blocked(std::uint64_t tasks) { sums_.blocked += tasks; }
    void started_at(Level level, std::uint64_t tasks) { sums_.started_at[level.index()] += tasks; }
    /// A task that arrived in the slot `arrived`, or was there `at_start`.
    void started(Level level, std::uint32_t arrived, std::uint64_t slot, std::uint64_t slots) {
        started_at(level, 1);
        if (!delays_ || arrived == at_start) return;
        waited(1, slot - arrived);
        delayed(slot + slots - arrived);
    }
    /// Tasks that arrived in the run and start, and the sum of their waits.
    void waited(std::uint64_t tasks, std::uint64_t sum) {
        sums_.waited += tasks;
        sums_.wait += sum;
    }
    /// A task that arrived in the run.
    void delayed(std::uint64_t delay) {
        ++sums_.delayed;
        sums_.delays.add(delay);
        sums_.delay += delay;
    }
    void completed(std::uint64_t tasks) { sums_.completed += tasks; }
    /// Delays of the tasks of these servers, by server the slot in which its task arrived and a mask, not zero where it
    /// is done. `slots` have passed.
    void completed_by(std::span<const std::uint32_t> arrived, std::span<const std::uint32_t> done, std::uint64_t slots);
    /// Servers that are busy before the completions of a slot.
    void served(std::uint64_t busy, std::uint64_t with_data) {
        sums_.busy[0] += busy - with_data;
        sums_.busy[1] += with_data;
    }
    [[nodiscard]] bool records_drift() const { return drift_.has_value(); }
    /// In each slot, after those that arrived: tasks in the system before any service ends, and by entry of the table
    /// of rates how many are in execution. Requires: records_drift.
    void executing(std::uint64_t there, std::span<const std::uint32_t> by_rate) {
        drift_->add(there, arrived_in_slot_, by_rate, sums_.drift);
    }
    [[nodiscard]] bool records_costs() const { return costs_; }
    /// The holding cost at the end of a slot. Requires: records_costs.
    void held(double cost) { sums_.cost += cost; }
    /// Which of so many queues stands for all at the end of a slot, drawn at random.
    [[nodiscard]] std::size_t sampled(std::size_t queues) { return static_cast<std::size_t>(sampled_.below(queues)); }
    /// After them: `slots` have passed. `length`: of the sampled queue.
    void end_of_slot(std::uint64_t slots, std::uint64_t in_system, std::uint64_t busy, std::uint32_t length) {
        sums_.lengths.add(length);
        sums_.length += length;
        sums_.in_system += in_system;
        sums_.waiting += in_system - busy;
        if (slots == next_end_) end_of_batch();
    }

  private:
    void end_of_batch();

    const std::uint64_t slots_, batch_slots_;
    const bool delays_, costs_;
    const std::vector<SlottedQuantity> recorded_;
    Observation observation_;
    std::uint64_t next_end_;

    SlottedSums sums_;  // of the batch
    std::optional<TaskDrift> drift_;
    std::uint64_t arrived_in_slot_ = 0;
    double tasks_ = 0;  // where drift is recorded: in the system at the start of the batch
    statistics::Stream sampled_;
    std::vector<std::uint32_t> arrivals_of_done_;  // to be used again
};

}  // namespace schedproof::simulation
