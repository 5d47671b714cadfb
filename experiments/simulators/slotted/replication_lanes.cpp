/// The rows of the kernel, and what is recorded of them. The kernel counts in words of 32 bits, so it runs for a
/// stretch of slots at a time, after which the counts of each lane are added to its sums; at the end of a batch these
/// go to the replication's recorder, with the histograms. What happens too seldom to be done side by side is done here:
/// a draw that 16 bits do not decide, a value without a row in a histogram, a ring of stamps that is full.
#include "experiments/simulators/slotted/replication_lanes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/core/errors.hpp"
#include "model/queueing/language/decision_table.hpp"

namespace schedproof::simulation {

namespace {

/// Slots between two looks at sums that have 32 bits.
constexpr std::uint64_t stretch = 1024;

/// The least vector that has a lane for each.
SimdLevel narrowest(std::size_t replications, SimdLevel simd) {
    for (const SimdLevel level : {SimdLevel::none, SimdLevel::avx2})
        if (level < simd && lane_slot_loops(level).width >= replications) return level;
    return simd;
}

}  // namespace

std::size_t ReplicationLanes::most(SimdLevel simd) { return lane_slot_loops(simd).width; }

ReplicationLanes::ReplicationLanes(const LanePlan& plan, const SlottedSettings& settings,
                                   std::span<const statistics::Replication> replications, SimdLevel simd, bool wide)
    : plan_(plan),
      loops_(lane_slot_loops(narrowest(replications.size(), simd))),
      width_(loops_.width),
      used_(replications.size()),
      delays_(settings.delays),
      slots_(plan.slots()) {
    require(used_ >= 1 && used_ <= width_, "as many replications run side by side as there are lanes");
    const auto cap = static_cast<std::uint32_t>(std::min<std::uint64_t>(settings.truncation.cap, longest_length));
    slots_.recording_delays = delays_;
    slots_.recording_drift = settings.drift;
    if (settings.drift) drift_.emplace(plan.system());
    slots_.blocks_all = settings.truncation.rule == queueing::Truncation::Rule::total;
    slots_.blocks_queue = settings.truncation.rule == queueing::Truncation::Rule::queue;
    slots_.cap = cap;
    if (wide) slots_.narrow = -1;
    arrivals_.resize(4 * width_);
    others_.resize(4 * width_);
    // Lanes that are not needed do what the last replication does.
    for (std::size_t lane = 0; lane < width_; ++lane) {
        const statistics::Replication& replication = replications[std::min(lane, used_ - 1)];
        const auto of_arrivals = ArrivalWords::names(replication);
        statistics::Stream names(replication, "lane");
        for (std::size_t i = 0; i < 4; ++i) {
            arrivals_[i * width_ + lane] = of_arrivals[i];
            others_[i * width_ + lane] = names.half();
        }
        further_arrivals_.push_back(ArrivalWords::further(replication));
        further_.emplace_back(replication, "further bits of a lane");
    }
    for (const statistics::Replication& replication : replications)
        recorders_.emplace_back(plan.system(), settings, replication);
    sums_.resize(used_);
    for (SlottedSums& sums : sums_) sums.started_at.assign(plan.system().instance->levels().size(), 0);
    bind();
}

void ReplicationLanes::bind() {
    const std::size_t levels = plan_.system().instance->levels().size();
    const auto rows = [&](LaneWords& words, std::size_t count) {
        words.assign(count * width_, 0);
        return words.data();
    };
    slots_.arrivals = arrivals_.data();
    slots_.others = others_.data();
    slots_.words = rows(words_, std::size_t{4} * slots_.draws);
    slots_.masks = rows(masks_, plan_.rules().masks);
    std::fill_n(masks_.begin(), width_, all_ones);
    values_.assign(plan_.rules().values * width_, 0);
    keys_.assign(plan_.rules().longest_list * width_, 0);
    slots_.values = values_.data();
    slots_.keys = keys_.data();
    slots_.now = rows(now_, std::size_t{3} * slots_.queues);
    slots_.live = rows(live_, std::size_t{3} * slots_.queues);
    slots_.in_service = rows(in_service_, slots_.queues);
    slots_.in_system = rows(in_system_, 1);
    slots_.busy = rows(busy_, slots_.servers);
    slots_.serves = rows(serves_, slots_.servers);
    slots_.below = rows(below_, slots_.servers);
    slots_.executing = rows(executing_, slots_.servers);
    slots_.tasks = rows(tasks_, slots_.types);
    slots_.head = rows(head_, slots_.queues);
    slots_.tail = rows(tail_, slots_.queues);
    slots_.count = rows(count_, started_at_level + levels);
    sum_.assign(lane_sums * width_, 0);
    slots_.sum = sum_.data();
    slots_.rates = static_cast<std::uint32_t>(plan_.system().instance->rate_table().size());
    slots_.executing_at = rows(executing_at_, slots_.recording_drift ? slots_.rates : 0);
    arrived_before_.assign(width_, 0);
    slots_.lengths = rows(lengths_, tallied_values + 1);
    slots_.delays = rows(delays_seen_, tallied_values + 1);
    constexpr std::uint32_t bits = 3;
    for (std::uint32_t q = 0; delays_ && q < slots_.queues; ++q) {
        stamps_.emplace_back(width_ << bits);
        rings_.push_back({stamps_.back().data(), bits});
    }
    slots_.ring = rings_.data();
    slots_.events = this;
}

/// Numbers of tasks are compared as signed numbers, and with weights in 62 bits.
void ReplicationLanes::advance(std::uint64_t slots) {
    const std::uint32_t most = *std::max_element(in_system_.begin(), in_system_.end());
    if (most + slots * plan_.most_tasks() >= longest_length)
        throw LimitExceeded("tasks in system", "more than 2^31 - 2 might be there at once");
    loops_.run(slots_, slots);
}

std::vector<Observation> ReplicationLanes::run(const Done& done) {
    const std::uint64_t slots = recorders_.front().slots(), batch = recorders_.front().batch_slots();
    for (std::uint64_t slot = 0; slot < slots;) {
        if (slot % stretch == 0 && done) done(static_cast<double>(slot) / static_cast<double>(slots));
        const std::uint64_t end = std::min(slot / batch + 1, slots / batch) * batch;
        const std::uint64_t next = std::min(end, (slot / stretch + 1) * stretch);
        advance(next - slot);
        sum_up();
        slot = next;
        if (slot != end) continue;
        sum_up_histograms();
        for (std::size_t r = 0; r < used_; ++r) {
            const std::size_t levels = sums_[r].started_at.size();
            recorders_[r].add_batch(std::exchange(sums_[r], {}));
            sums_[r].started_at.assign(levels, 0);
        }
    }
    std::vector<Observation> observations;
    for (SlottedRecorder& recorder : recorders_) observations.push_back(recorder.take());
    return observations;
}

void ReplicationLanes::sum_up() {
    for (std::size_t lane = 0; lane < used_; ++lane) {
        SlottedSums& sums = sums_[lane];
        const auto counted = [&](std::size_t row) { return std::uint64_t{count_[row * width_ + lane]}; };
        const auto summed = [&](LaneSum row) {
            return sum_[row * width_ + lane % 2 * (width_ / 2) + lane / 2];  // even lanes first
        };
        sums.arrived += counted(arrived);
        sums.blocked += counted(blocked);
        sums.completed += counted(completed);
        sums.busy[0] += counted(busy_without_data);
        sums.busy[1] += counted(busy_with_data);
        sums.in_system += summed(tasks_in_system);
        sums.waiting += summed(tasks_in_system) - counted(busy_after);
        sums.length += summed(sampled_length);
        std::uint64_t started = 0;
        for (std::size_t l = 0; l < sums.started_at.size(); ++l) {
            sums.started_at[l] += counted(started_at_level + l);
            started += counted(started_at_level + l);
        }
        if (!delays_) continue;
        sums.waited += started;
        sums.wait += summed(waits);
        sums.delayed += counted(completed);
        sums.delay += summed(delays);
    }
    std::fill(arrived_before_.begin(), arrived_before_.end(), 0);
    std::fill(count_.begin(), count_.end(), 0);
    std::fill(sum_.begin(), sum_.end(), 0);
}

/// Rows beyond the largest value are empty, so they are not looked at.
void ReplicationLanes::sum_up_histograms() {
    const auto collect = [&](LaneWords& rows, statistics::Histogram SlottedSums::*histogram) {
        std::uint64_t left = 0;
        for (std::size_t lane = 0; lane < used_; ++lane) {
            const SlottedSums& sums = sums_[lane];
            const std::uint64_t all =
                histogram == &SlottedSums::lengths ? recorders_.front().batch_slots() : sums.delayed;
            left += all - (sums.*histogram).total();
        }
        for (std::uint32_t value = 0; left > 0; ++value) {
            require(value < tallied_values, "a histogram has fewer values than were counted");
            for (std::size_t lane = 0; lane < used_; ++lane) {
                const std::uint32_t times = rows[value * width_ + lane];
                if (times == 0) continue;
                (sums_[lane].*histogram).add(value, times);
                left -= times;
            }
        }
        std::fill(rows.begin(), rows.end(), 0);
    };
    collect(lengths_, &SlottedSums::lengths);
    if (delays_) collect(delays_seen_, &SlottedSums::delays);
}

std::vector<QueueCounts> ReplicationLanes::counts(std::size_t lane) const {
    std::vector<QueueCounts> counts(slots_.queues);
    for (std::size_t q = 0; q < counts.size(); ++q) {
        counts[q].live() = counts[q].settled() = now_[q * width_ + lane];
        counts[q].in_service = in_service_[q * width_ + lane];
    }
    return counts;
}

// ---- events ----

std::uint32_t ReplicationLanes::outcome(std::size_t lane, std::uint32_t factor, std::uint32_t bits) {
    return plan_.outcomes(factor).reached(bits, further_arrivals_[lane]);
}

std::uint32_t ReplicationLanes::ends(std::size_t lane, std::uint32_t rate, std::uint32_t bits) {
    return plan_.completion(rate).reached(bits, further_[lane]) == 0 ? 1 : 0;
}

/// Of 2^16 = k n + r values, those whose product with n is below r mod 2^16 would favour some results ([lemire2019]).
std::uint32_t ReplicationLanes::tied(std::size_t lane, std::uint32_t n, std::uint32_t bits) {
    const std::uint32_t product = bits * n;
    return (product & 0xFFFF) < 0x10000 % n ? further_[lane].below_half(n) : product >> 16;
}

std::uint32_t ReplicationLanes::named(std::size_t lane, std::uint32_t table, std::uint32_t server) {
    executing_in_lane_.resize(slots_.queues);
    waiting_in_lane_.resize(slots_.queues);
    for (std::size_t q = 0; q < slots_.queues; ++q) {
        waiting_in_lane_[q] = now_[(slots_.queues + q) * width_ + lane];
        executing_in_lane_[q] = now_[q * width_ + lane] - waiting_in_lane_[q];
    }
    const auto queue = queueing::language::DecisionTable::numbered(table).named(ServerId(server), executing_in_lane_,
                                                                                waiting_in_lane_);
    return queue ? static_cast<std::uint32_t>(queue->index()) : slots_.queues;
}

void ReplicationLanes::executing() {
    executing_in_lane_.resize(slots_.rates);
    for (std::size_t lane = 0; lane < used_; ++lane) {
        for (std::size_t r = 0; r < slots_.rates; ++r) executing_in_lane_[r] = executing_at_[r * width_ + lane];
        const std::uint32_t all = count_[arrived * width_ + lane];
        const std::uint32_t in_slot = all - std::exchange(arrived_before_[lane], all);
        drift_->add(in_system_[lane], in_slot, executing_in_lane_, sums_[lane].drift);
    }
    std::fill(executing_at_.begin(), executing_at_.end(), 0);
}

void ReplicationLanes::widen(std::uint32_t queue) {
    LaneRing& ring = rings_[queue];
    if (ring.bits >= 28)
        throw LimitExceeded("waiting tasks", "a queue is too long for the delays of replications side by side");
    LaneWords wider(width_ << (ring.bits + 1));
    const std::uint32_t before = (std::uint32_t{1} << ring.bits) - 1, after = 2 * before + 1;
    for (std::size_t lane = 0; lane < width_; ++lane)
        for (std::uint32_t i = head_[queue * width_ + lane]; i != tail_[queue * width_ + lane]; ++i)
            wider[(i & after) * width_ + lane] = ring.rows[(i & before) * width_ + lane];
    stamps_[queue].swap(wider);
    ring = {stamps_[queue].data(), ring.bits + 1};
}

void ReplicationLanes::far(std::size_t lane, bool delay, std::uint32_t value) {
    if (lane < used_) (delay ? sums_[lane].delays : sums_[lane].lengths).add(value);
}

}  // namespace schedproof::simulation
