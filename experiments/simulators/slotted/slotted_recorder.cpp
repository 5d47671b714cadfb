#include "experiments/simulators/slotted/slotted_recorder.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::simulation {

std::vector<Quantity> slotted_quantities(const SimulatedSystem& system, const SlottedSettings& settings) {
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
    if (settings.delays) {
        list.push_back({"task delay", "slot", true});
        list.push_back({"task wait", "slot"});
    }
    if (settings.drift) {
        list.push_back({"drift of tasks^2", "task^2/slot", false, 1, 0, "growth of tasks^2"});
        list.push_back({"drift of tasks", "task/slot", false, 1, 0, "growth of tasks in system"});
        list.push_back({"growth of tasks^2", "task^2/slot"});
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

SlottedRecorder::SlottedRecorder(const SimulatedSystem& system, const SlottedSettings& settings,
                                 const statistics::Replication& replication)
    : slots_(checked(settings.slots, settings.batches) * settings.batches),
      batch_slots_(checked(settings.slots, settings.batches)),
      delays_(settings.delays),
      next_end_(batch_slots_),
      sampled_(replication, "sampled queues") {
    sums_.started_at.assign(system.instance->levels().size(), 0);
    for (const std::uint8_t with : servers_with_data(system)) ++servers_[with];
    observation_.batch_length = static_cast<double>(batch_slots_);
    if (!settings.drift) return;
    if (settings.truncation.rule != queueing::Truncation::Rule::none)
        throw InputError::at_key(
            "--variance",
            "expected plain with --cap-total or --cap-queue: how many tasks join is then no draw of "
            "known mean");
    drift_.emplace(system);
    if (settings.start)
        for (const CheckedInt length : settings.start->length) tasks_ += static_cast<double>(length.value());
}

void SlottedRecorder::end_of_batch() {
    const auto slots = static_cast<double>(batch_slots_);
    Batch batch;
    const auto tally = [&](std::uint64_t sum, double weight) {
        batch.tallies.push_back({static_cast<double>(sum), weight});
        batch.histograms.emplace_back();
    };
    tally(sums_.in_system, slots);
    tally(sums_.waiting, slots);
    tally(sums_.arrived, slots);
    tally(sums_.completed, slots);
    tally(sums_.blocked, slots);
    tally(0, slots);
    batch.tallies.back().sum =
        static_cast<double>(sums_.arrived) - static_cast<double>(sums_.blocked) - static_cast<double>(sums_.completed);
    std::uint64_t started = 0;
    for (const std::uint64_t at_level : sums_.started_at) started += at_level;
    for (const std::uint64_t at_level : sums_.started_at) tally(at_level, static_cast<double>(started));
    for (const int with : {1, 0}) tally(sums_.busy[with], slots * static_cast<double>(servers_[with]));
    tally(sums_.length, slots);
    batch.histograms.back() = std::move(sums_.lengths);
    if (delays_) {
        tally(sums_.delay, static_cast<double>(sums_.delayed));
        batch.histograms.back() = std::move(sums_.delays);
        tally(sums_.wait, static_cast<double>(sums_.waited));
    }
    if (drift_) {
        const double after = tasks_ + static_cast<double>(sums_.arrived) - static_cast<double>(sums_.completed);
        for (const double sum : {sums_.drift.squares, sums_.drift.tasks, after * after - tasks_ * tasks_}) {
            tally(0, slots);
            batch.tallies.back().sum = sum;
        }
        tasks_ = after;
    }
    observation_.batches.push_back(std::move(batch));
    observation_.work += sums_.completed;
    SlottedSums next;
    next.started_at.assign(sums_.started_at.size(), 0);
    sums_ = std::move(next);
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
