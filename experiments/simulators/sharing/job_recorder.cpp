/// The books of a run of sharing: each quantity is a sum and a weight by batch, of which a mean is the quotient.
///
/// Sums stay in ticks and slots, which are whole numbers, until the run ends, so that they are exact; only then are
/// they scaled to the unit of time. One table says of every quantity how it is summed up.
#include "experiments/simulators/sharing/job_recorder.hpp"

#include <algorithm>
#include <array>

namespace schedproof::simulation {

namespace {

/// How a quantity is summed up, in ticks, until the run is finished.
enum class SummedAs : std::uint8_t {
    times,     ///< a sum of times, with a histogram
    launches,  ///< how many of the launches, which `local` counts
    count,     ///< how many of what is counted with it
    over_time  ///< sum and weight over time
};
struct JobQuantity {
    std::size_t place;
    const char* name;
    const char* unit;  ///< empty: that of time
    SummedAs sum;
};
constexpr std::array job_quantities{
    JobQuantity{SharingRecorder::job_delay, "job delay", "", SummedAs::times},
    JobQuantity{SharingRecorder::small_job_delay, "small job delay", "", SummedAs::times},
    JobQuantity{SharingRecorder::medium_job_delay, "medium job delay", "", SummedAs::times},
    JobQuantity{SharingRecorder::large_job_delay, "large job delay", "", SummedAs::times},
    JobQuantity{SharingRecorder::task_wait, "task wait", "", SummedAs::times},
    JobQuantity{SharingRecorder::task_delay, "task delay", "", SummedAs::times},
    JobQuantity{SharingRecorder::local, "local tasks", "1", SummedAs::launches},
    JobQuantity{SharingRecorder::rack_local, "rack-local tasks", "1", SummedAs::launches},
    JobQuantity{SharingRecorder::remote, "remote tasks", "1", SummedAs::launches},
    JobQuantity{SharingRecorder::small_local, "local tasks of small jobs", "1", SummedAs::count},
    JobQuantity{SharingRecorder::busy, "busy slots", "1", SummedAs::over_time},
    JobQuantity{SharingRecorder::killed, "killed work", "1", SummedAs::over_time},
    JobQuantity{SharingRecorder::declined, "declined offers", "1", SummedAs::count},
    JobQuantity{SharingRecorder::sticky, "sticky launches", "1", SummedAs::launches},
    JobQuantity{SharingRecorder::jobs, "jobs", "job", SummedAs::over_time},
    JobQuantity{SharingRecorder::waiting, "waiting tasks", "task", SummedAs::over_time},
    JobQuantity{SharingRecorder::unfair, "below fair share", "1", SummedAs::count}};
constexpr bool in_order() {
    for (std::size_t q = 0; q < job_quantities.size(); ++q)
        if (job_quantities[q].place != q) return false;
    return job_quantities.size() == SharingRecorder::count;
}
static_assert(in_order());

}  // namespace

std::vector<Quantity> SharingRecorder::quantities(const std::string& unit, double tick) {
    std::vector<Quantity> list;
    for (const JobQuantity& row : job_quantities) {
        const bool times = row.sum == SummedAs::times;
        list.push_back({row.name, times ? unit : row.unit, times, times ? tick : 1});
    }
    return list;
}

SharingRecorder::SharingRecorder(double tick, Cut cut, std::size_t slots, SizeClasses classes)
    : tick_(tick),
      cut_(cut),
      look_every_(std::max<sharing::Ticks>(1, cut.length / 4)),
      last_look_(cut.length * static_cast<sharing::Ticks>(cut.batches)),
      next_look_(look_every_),
      slots_(static_cast<double>(slots)),
      classes_(classes) {
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
        for (std::size_t q = 0; q < job_quantities.size(); ++q) {
            Tally& of = batch.tallies[q];
            if (job_quantities[q].sum == SummedAs::launches) of.weight = batch.tallies[local].weight;
            if (job_quantities[q].sum == SummedAs::times || job_quantities[q].sum == SummedAs::over_time)
                of.sum *= tick_;
            if (job_quantities[q].sum == SummedAs::over_time) of.weight *= tick_;
        }
    }
    seen_.work = work_;
    return std::move(seen_);
}

}  // namespace schedproof::simulation
