#include "experiments/simulators/slotted/slotted_recorder.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::simulation {

std::vector<Quantity> slotted_quantities(const System& system, bool delays) {
    std::vector<Quantity> list{{"tasks in system", "task"},
                               {"tasks waiting", "task"},
                               {"arrivals", "task/slot", false, 1, system.arrival_rate().approximate()},
                               {"completions", "task/slot"},
                               {"tasks blocked", "task/slot"},
                               {"growth of tasks in system", "task/slot"}};
    for (const auto& level : system.instance->data().levels) list.push_back({"share started " + level.name, "1"});
    list.push_back({"utilisation of servers with data", "1"});
    list.push_back({"utilisation of servers without data", "1"});
    list.push_back({"length of a queue", "task", true});
    if (delays) {
        list.push_back({"task delay", "slot", true});
        list.push_back({"task wait", "slot"});
    }
    return list;
}

namespace {

std::uint64_t checked(std::uint64_t slots, std::uint64_t batches) {
    if (slots < 1 || slots > std::numeric_limits<std::uint32_t>::max())
        throw InputError::at_key("--horizon", "expected 1 to 2^32 - 1 slots");
    if (batches < 1 || batches > slots)
        throw InputError::at_key("--batches", "expected at least one batch and no more than slots");
    return slots / batches;
}

}  // namespace

SlottedRecorder::SlottedRecorder(const System& system, const SlottedSettings& settings,
                                 const statistics::Replication& replication)
    : slots_(checked(settings.slots, settings.batches) * settings.batches),
      batch_slots_(checked(settings.slots, settings.batches)),
      delays_(settings.delays),
      next_end_(batch_slots_),
      started_at_(system.instance->levels().size(), 0),
      sampled_(replication, "sampled queues") {
    for (const std::uint8_t with : servers_with_data(system)) ++servers_[with];
    observation_.batch_length = static_cast<double>(batch_slots_);
}

void SlottedRecorder::end_of_batch() {
    const auto slots = static_cast<double>(batch_slots_);
    Batch batch;
    const auto tally = [&](std::uint64_t sum, double weight) {
        batch.tallies.push_back({static_cast<double>(sum), weight});
        batch.histograms.emplace_back();
    };
    tally(in_system_sum_, slots);
    tally(waiting_sum_, slots);
    tally(arrived_, slots);
    tally(completed_, slots);
    tally(blocked_, slots);
    tally(0, slots);
    batch.tallies.back().sum =
        static_cast<double>(arrived_) - static_cast<double>(blocked_) - static_cast<double>(completed_);
    std::uint64_t started = 0;
    for (const std::uint64_t at_level : started_at_) started += at_level;
    for (const std::uint64_t at_level : started_at_) tally(at_level, static_cast<double>(started));
    for (const int with : {1, 0}) tally(busy_sum_[with], slots * static_cast<double>(servers_[with]));
    tally(std::exchange(length_sum_, 0), slots);
    batch.histograms.back() = std::exchange(length_, {});
    if (delays_) {
        tally(delay_sum_, static_cast<double>(delayed_));
        batch.histograms.back() = std::exchange(delay_, {});
        tally(wait_sum_, static_cast<double>(waited_));
    }
    observation_.batches.push_back(std::move(batch));
    observation_.work += completed_;
    arrived_ = completed_ = blocked_ = in_system_sum_ = waiting_sum_ = delayed_ = delay_sum_ = waited_ = wait_sum_ = 0;
    std::fill(started_at_.begin(), started_at_.end(), 0);
    busy_sum_[0] = busy_sum_[1] = 0;
    next_end_ += batch_slots_;
}

/// Which servers are done is unpredictable, so they are listed without a branch.
void SlottedRecorder::completed_by(std::span<const std::uint32_t> arrived, std::span<const std::uint32_t> done,
                                   std::uint64_t slots) {
    arrivals_of_done_.resize(arrived.size());
    std::size_t count = 0;
    for (std::size_t m = 0; m < arrived.size(); ++m) {
        arrivals_of_done_[count] = arrived[m];
        count += done[m] != 0 ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i)
        if (arrivals_of_done_[i] != at_start) delayed(slots - arrivals_of_done_[i]);
}

}  // namespace schedproof::simulation
