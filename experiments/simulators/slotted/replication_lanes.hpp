/// Replications of a small cluster side by side, a lane each, to the same results as alone.
///
/// A small cluster has little to do in a slot, so most of a simulator's time goes into finding out what. Side by side
/// the replications share that: all go through the same instructions (lane_slots.hpp), which were worked out of the
/// policy's rules beforehand (lane_rules.hpp). The words of a replication are those of its own streams, at places that
/// depend on the slot alone, and its arrivals those of arrival_words.hpp; so its path depends neither on the other
/// lanes nor on how many there are, and alone it runs in one lane of the narrowest vector. The instructions of the
/// machine and whether delays are recorded change no count.
///
/// The law is that of slotted.hpp, but the paths of one seed are not. The delay of a task runs from the slot in which
/// it arrives to the end of the slot in which it completes, both included, and is counted in the batch in which the
/// task completes; its wait where it starts. Cost: O(servers) a slot, and the queues that each may turn to, for as many
/// replications as a vector has lanes.
#pragma once

#include <span>
#include <vector>

#include "experiments/simulators/slotted/lane_plan.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"

namespace schedproof::simulation {

class ReplicationLanes final : private LaneEvents {
  public:
    /// How many replications run side by side on these instructions.
    [[nodiscard]] static std::size_t most(SimdLevel simd = available_simd());

    /// Borrows the plan. `wide` has all numbers of rules in 64 bits, which changes no result.
    /// Requires: 1 <= replications.size() <= most(simd); a plan of these settings.
    ReplicationLanes(const LanePlan& plan, const SlottedSettings& settings,
                     std::span<const statistics::Replication> replications, SimdLevel simd = available_simd(),
                     bool wide = false);

    /// Of each replication in turn.
    [[nodiscard]] std::vector<Observation> run(const Done& done);
    /// One slot.
    void step() { advance(1); }
    /// By queue, between slots. Cost: O(queues).
    [[nodiscard]] std::vector<QueueCounts> counts(std::size_t lane) const;

  private:
    [[nodiscard]] std::uint32_t outcome(std::size_t lane, std::uint32_t factor, std::uint32_t bits) override;
    [[nodiscard]] std::uint32_t ends(std::size_t lane, std::uint32_t rate, std::uint32_t bits) override;
    [[nodiscard]] std::uint32_t tied(std::size_t lane, std::uint32_t n, std::uint32_t bits) override;
    [[nodiscard]] std::uint32_t named(std::size_t lane, std::uint32_t table, std::uint32_t server) override;
    void executing() override;
    void widen(std::uint32_t queue) override;
    void far(std::size_t lane, bool delay, std::uint32_t value) override;

    void bind();
    void advance(std::uint64_t slots);
    void sum_up();
    void sum_up_histograms();

    const LanePlan& plan_;
    const LaneSlotLoops& loops_;
    const std::size_t width_, used_;
    const bool delays_;
    LaneSlots slots_;
    LaneWords arrivals_, others_, words_, masks_, now_, live_, in_service_, in_system_, busy_, serves_, below_,
        executing_, tasks_, head_, tail_, count_, lengths_, delays_seen_;
    std::vector<std::int64_t, boost::alignment::aligned_allocator<std::int64_t, 64>> values_, keys_;
    std::vector<std::uint64_t, boost::alignment::aligned_allocator<std::uint64_t, 64>> sum_;
    std::vector<LaneWords> stamps_;  // by queue
    std::vector<LaneRing> rings_;
    std::vector<statistics::Stream> further_arrivals_, further_;  // by lane: bits where 16 do not decide
    std::vector<SlottedRecorder> recorders_;                      // by replication, and the batch that it is in
    std::vector<SlottedSums> sums_;
    std::optional<TaskDrift> drift_;
    LaneWords executing_at_;
    std::vector<std::uint32_t> arrived_before_;  // by lane, where drift is recorded: in this stretch before this slot
    std::vector<std::uint32_t> executing_in_lane_, waiting_in_lane_;  // by queue: what a decision table is asked
};

}  // namespace schedproof::simulation
