#include "experiments/simulators/slotted/slotted_recorder.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::simulation {

namespace {

double real(std::uint64_t count) { return static_cast<double>(count); }

/// What is recorded, in the order of a batch's tallies.
std::vector<SlottedQuantity> recorded(const SimulatedSystem& system, const SlottedSettings& settings) {
    using Sums = SlottedSums;
    const auto per_slot = [](std::uint64_t Sums::*count) {
        return [count](const Sums& sums, double slots) { return Tally{real(sums.*count), slots}; };
    };
    std::vector<SlottedQuantity> list{
        {{"tasks in system", "task"}, per_slot(&Sums::in_system)},
        {{"tasks waiting", "task"}, per_slot(&Sums::waiting)},
        {{"arrivals", "task/slot", false, 1, system.arrival_rate().approximate()}, per_slot(&Sums::arrived)},
        {{"completions", "task/slot"}, per_slot(&Sums::completed)},
        {{"tasks blocked", "task/slot"}, per_slot(&Sums::blocked)},
        {{"growth of tasks in system", "task/slot"}, [](const Sums& sums, double slots) {
             return Tally{real(sums.arrived) - real(sums.blocked) - real(sums.completed), slots};
         }}};
    const auto& levels = system.instance->data().levels;
    for (std::size_t level = 0; level < levels.size(); ++level)
        list.push_back({{"share started " + levels[level].name, "1"}, [level](const Sums& sums, double) {
                            const auto& at = sums.started_at;
                            return Tally{real(at[level]), real(std::reduce(at.begin(), at.end()))};
                        }});
    double servers[2] = {0, 0};
    for (const std::uint8_t with : servers_with_data(system)) ++servers[with];
    for (const int with : {1, 0})
        list.push_back({{with != 0 ? "utilisation of servers with data" : "utilisation of servers without data", "1"},
                        [with, all = servers[with]](const Sums& sums, double slots) {
                            return Tally{real(sums.busy[with]), slots * all};
                        }});
    list.push_back({{"length of a queue", "task", true}, per_slot(&Sums::length), &Sums::lengths});
    if (settings.delays) {
        list.push_back({{"task delay", "slot", true},
                        [](const Sums& sums, double) {
                            return Tally{real(sums.delay), real(sums.delayed)};
                        },
                        &Sums::delays});
        list.push_back({{"task wait", "slot"}, [](const Sums& sums, double) {
                            return Tally{real(sums.wait), real(sums.waited)};
                        }});
    }
    if (settings.costs)
        list.push_back({{"holding cost", "cost"}, [](const Sums& sums, double slots) {
                            return Tally{sums.cost, slots};
                        }});
    if (settings.drift) {
        list.push_back(
            {{"drift of tasks^2", "task^2/slot", false, 1, 0, "growth of tasks^2"}, [](const Sums& sums, double slots) {
                 return Tally{sums.drift.squares, slots};
             }});
        list.push_back({{"drift of tasks", "task/slot", false, 1, 0, "growth of tasks in system"},
                        [](const Sums& sums, double slots) {
                            return Tally{sums.drift.tasks, slots};
                        }});
        list.push_back({{"growth of tasks^2", "task^2/slot"}, [](const Sums& sums, double slots) {
                            return Tally{sums.growth_of_squares, slots};
                        }});
    }
    return list;
}

}  // namespace

std::vector<Quantity> slotted_quantities(const SimulatedSystem& system, const SlottedSettings& settings) {
    std::vector<Quantity> list;
    for (SlottedQuantity& one : recorded(system, settings)) list.push_back(std::move(one.quantity));
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
      costs_(settings.costs),
      recorded_(recorded(system, settings)),
      next_end_(batch_slots_),
      sampled_(replication, "sampled queues") {
    sums_.started_at.assign(system.instance->levels().size(), 0);
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
    if (drift_) {
        const double after = tasks_ + real(sums_.arrived) - real(sums_.completed);
        sums_.growth_of_squares = after * after - tasks_ * tasks_;
        tasks_ = after;
    }
    Batch batch;
    for (const SlottedQuantity& one : recorded_) {
        batch.tallies.push_back(one.tally(sums_, real(batch_slots_)));
        batch.histograms.emplace_back();
        if (one.histogram != nullptr) batch.histograms.back() = std::move(sums_.*one.histogram);
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
