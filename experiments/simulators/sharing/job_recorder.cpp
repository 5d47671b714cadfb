#include "experiments/simulators/sharing/job_recorder.hpp"

namespace schedproof::simulation {

std::vector<Quantity> SharingRecorder::quantities(const std::string& unit, double tick) {
    const auto time = [&](const char* name) { return Quantity{name, unit, true, tick, {}}; };
    const auto part = [](const char* name) { return Quantity{name, "1", false, 1, {}}; };
    return {time("job delay"),
            time("small job delay"),
            time("medium job delay"),
            time("large job delay"),
            time("task wait"),
            time("task delay"),
            part("local tasks"),
            part("rack-local tasks"),
            part("remote tasks"),
            part("local tasks of small jobs"),
            part("busy slots"),
            part("killed work"),
            part("declined offers"),
            part("sticky launches"),
            {"jobs", "job", false, 1, {}},
            {"waiting tasks", "task", false, 1, {}}};
}

SharingRecorder::SharingRecorder(double tick, Cut cut, std::size_t slots, SizeClasses classes)
    : tick_(tick), cut_(cut), slots_(static_cast<double>(slots)), classes_(classes) {
    seen_.batch_length = static_cast<double>(cut.length) * tick;
    seen_.batches.reserve(cut.batches);
    open_batch();
}

void SharingRecorder::open_batch() {
    Batch& batch = seen_.batches.emplace_back();
    batch.tallies.resize(count);
    batch.histograms.resize(count);
    batch_ = &batch;
    if (seen_.batches.size() < cut_.batches)
        batch_end_ += cut_.length;
    else
        batch_end_ = std::numeric_limits<sharing::Ticks>::max();
}

void SharingRecorder::pass(sharing::Ticks to, std::size_t busy_slots, std::size_t present, std::uint64_t unlaunched) {
    if (to == now_) return;
    const auto time = static_cast<double>(to - now_);
    tally(busy).add(static_cast<double>(busy_slots) * time, slots_ * time);
    tally(killed).weight += static_cast<double>(busy_slots) * time;
    tally(jobs).add(static_cast<double>(present) * time, time);
    tally(waiting).add(static_cast<double>(unlaunched) * time, time);
    now_ = to;
}

Observation SharingRecorder::finish() {
    while (seen_.batches.size() < cut_.batches) open_batch();
    for (Batch& batch : seen_.batches) {
        for (const std::size_t q :
             {job_delay, small_job_delay, medium_job_delay, large_job_delay, task_wait, task_delay})
            batch.tallies[q].sum *= tick_;
        for (const std::size_t q : {rack_local, remote, sticky}) batch.tallies[q].weight = batch.tallies[local].weight;
        for (const std::size_t q : {busy, killed, jobs, waiting}) {
            batch.tallies[q].sum *= tick_;
            batch.tallies[q].weight *= tick_;
        }
    }
    seen_.work = work_;
    return std::move(seen_);
}

}  // namespace schedproof::simulation
