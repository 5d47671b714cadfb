/// The simulator in slots for busy clusters where tasks join a server of least weighted workload, and each server has a
/// queue for its local and one for its remote tasks: every server of a slot side by side, as in dense_run.hpp.
///
/// A task of one slot sees those before it. Of its few local servers the one of least workload is chosen in batches, as
/// there. The least workload of all servers is needed only when the local ones are so long that a remote one may be as
/// good; then the servers of least workload are listed. While tasks are routed workloads only grow, so the list only
/// loses members until it is empty, and then a larger least value is looked for. A member is drawn by its place in the
/// list; one that has grown since is struck off, and another is drawn: each that is left is drawn with the same
/// probability.
///
/// A gate asks no rates: tasks join a shortest server of all, or of those with their data, as the shortest and the
/// longest of all say (join_by_length.hpp). Then every task is work 1, and the rest is as above.
///
/// The law is that of slotted.hpp, but the paths of one seed are not. Neither the instructions of the machine nor
/// whether delays are recorded changes a count. Delays and waits are as in dense_run.hpp. Cost: O(servers) a slot, with
/// a small constant, and as much for each value that the least workload passes.
#pragma once

#include <optional>
#include <vector>

#include "experiments/simulators/slotted/arrival_source.hpp"
#include "experiments/simulators/slotted/candidate_source.hpp"
#include "experiments/simulators/slotted/join_by_length.hpp"
#include "experiments/simulators/slotted/service_words.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/stamp_rings.hpp"
#include "model/queueing/any_policy.hpp"

namespace schedproof::simulation {

/// Whether DenseWorkloads can run this; `dense_pays` says whether it is faster.
[[nodiscard]] bool dense_workloads_suit(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                                        const SlottedSettings& settings);

class DenseWorkloads {
  public:
    /// Borrows the system. Requires: dense_workloads_suit.
    DenseWorkloads(const SimulatedSystem& system, const queueing::AnyPolicy& policy, const SlottedSettings& settings,
                   const statistics::Replication& replication, SimdLevel simd = available_simd());
    DenseWorkloads(const DenseWorkloads&) = delete;
    DenseWorkloads& operator=(const DenseWorkloads&) = delete;

    [[nodiscard]] Observation run(const Done& done) {
        return recorder_.run(done, [this] { step(); });
    }
    /// One slot.
    void step();
    /// By queue, between slots. Cost: O(queues).
    [[nodiscard]] std::vector<QueueCounts> counts() const;

  private:
    [[nodiscard]] LaneLevels view(std::size_t first, std::size_t count);
    void route(const std::vector<std::uint32_t>& types);
    template <bool gated>
    void join_in_order(std::size_t from, std::size_t end);
    [[nodiscard]] bool joins_local(std::size_t task, std::uint32_t workload);
    void list_least();
    [[nodiscard]] std::uint32_t take_any_least(std::size_t task);
    [[nodiscard]] bool is_local(std::size_t task, std::uint32_t m) const;
    void serve();
    void decide_services(LaneServed& served);
    void record_drift(std::uint64_t busy);

    const queueing::Instance& instance_;
    const LaneLoops& loops_;
    const std::uint32_t servers_, padded_;
    const bool delays_;
    const std::optional<JoinByLength> gate_;
    const std::uint32_t or_none_;  // mask: a server without tasks turns to no queue, so it takes none in this slot
    std::uint32_t local_work_ = 0,
                  remote_work_ = 0;  // what a task adds to a workload, and what a workload is weighted by
    SlottedRecorder recorder_;
    ArrivalSource arrivals_;
    CandidateSource tasks_;
    ServiceWords services_;
    statistics::Stream ties_;

    LaneWords length_;  // of the local queues, then of the remote ones
    // By server.
    LaneWords workload_, mark_, idle_, chose_local_, chose_remote_, on_remote_, done_, local_starts_, remote_starts_,
        data_;

    StampRings stamps_;  // of the queues, as their lengths
    LaneWords executing_;

    std::uint64_t slot_ = 0, in_system_ = 0, in_service_ = 0;
    std::uint32_t batch_ = 0;
    // Of this slot.
    LaneWords chosen_, tied_;  // of the local servers of each task; of those routed `chosen_` is their queue
    LaneWords least_;          // the first listed_: servers, among them all of workload least_work_
    std::uint32_t listed_ = 0;
    std::uint32_t least_work_ = 0;  // no workload is less
    std::uint32_t most_work_ = 0;   // the greatest workload, where there is a gate
    std::uint32_t have_least_ = 0;  // servers of workload least_work_; 0: it is not known that there is one
};

}  // namespace schedproof::simulation
