/// The simulator in slots for busy clusters of queues per server: every task and every server of a slot side by side.
///
/// Where most servers complete a task in a slot, going over all of them in SIMD instructions costs less than a calendar
/// and lists of those that act. What runs are the loops of lane_loops.hpp, on arrays by server:
///   schedule   An idle server stays with its own queue from a threshold on, which follows from the length of the
///              common queue, or of the longest one; below it, it helps there.
///   route      Tasks choose in batches. Queues only grow while tasks are routed, so what a task has chosen still holds
///              unless an earlier task of the batch joined the same queue: then it chooses anew. So each sees the tasks
///              before it, in exact order.
///   match      Helpers, in index order, until the queues that they chose have no task left.
///   serve      Own tasks start, and each busy server of rate p completes with probability p (service_words.hpp).
///
/// The phases are those of model/queueing/phases.hpp. The policy's rules are recognised, not run: queues per server,
/// with or without a common one, that hold counts; tasks join a shortest or any queue of at most four candidates; an
/// idle server serves its own queue, or the heavier of it and the common one, or the heaviest of all, from some length
/// on and, if the rule says so, only while its own is empty. The law is that of slotted.hpp, but the paths of one seed
/// are not. Neither the instructions of the machine nor whether delays are recorded changes a count.
///
/// The delay of a task runs from the slot in which it arrives to the end of the slot in which it completes, both
/// included, and is counted in the batch in which the task completes; its wait where it starts. Cost: O(servers) a
/// slot, with a small constant.
#pragma once

#include <deque>
#include <vector>

#include "experiments/simulators/core/fetch_ahead.hpp"
#include "experiments/simulators/slotted/arrival_source.hpp"
#include "experiments/simulators/slotted/candidate_source.hpp"
#include "experiments/simulators/slotted/question_plan.hpp"
#include "experiments/simulators/slotted/service_words.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/stamp_rings.hpp"
#include "model/queueing/any_policy.hpp"

namespace schedproof::simulation {

/// Whether DenseRun can run this; `dense_pays` says whether it is faster.
[[nodiscard]] bool dense_suits(const SimulatedSystem& system, const queueing::AnyPolicy& policy);

class DenseRun {
  public:
    /// Borrows the system. Requires: dense_suits.
    DenseRun(const SimulatedSystem& system, const queueing::AnyPolicy& policy, const SlottedSettings& settings,
             const statistics::Replication& replication, SimdLevel simd = available_simd());
    DenseRun(const DenseRun&) = delete;
    DenseRun& operator=(const DenseRun&) = delete;

    [[nodiscard]] Observation run(const Done& done) {
        return recorder_.run(done, [this] { step(); });
    }
    /// One slot.
    void step();
    /// By queue, between slots. Cost: O(queues).
    [[nodiscard]] std::vector<QueueCounts> counts() const;

  private:
    /// Which queue an idle server turns to rather than its own.
    enum class Help : std::uint8_t {
        none,
        common,   ///< the common one, if remote rate times its length is more than local rate times its own's
        longest,  ///< a longest one, if remote rate times its length is as much or more; ties are drawn
    };
    struct Helping {
        Help help = Help::none;
        bool own_first = false;                        ///< a server whose own queue is not empty stays with it
        std::uint64_t least_own = 0, least_other = 0;  ///< lengths below which a longest one, or its own, is no choice
    };
    /// The policy's rules, as far as they are of the kinds above.
    struct DenseRules {
        Helping helping;
        bool to_common = false;     ///< the common queue is a candidate of every task
        std::uint32_t by_length{};  ///< mask: tasks join a shortest queue
    };
    [[nodiscard]] static std::optional<Helping> helping(const queueing::Instance& instance, const RulePlan& serve);
    [[nodiscard]] static std::optional<DenseRules> rules(const SimulatedSystem& system,
                                                         const queueing::AnyPolicy& policy);
    friend bool dense_suits(const SimulatedSystem&, const queueing::AnyPolicy&);

    void place(const queueing::State<CheckedInt>& start);
    [[nodiscard]] LaneServers view(std::size_t first, std::size_t count);

    void schedule();
    void draw_ties(std::uint32_t threshold);
    void route(const std::vector<std::uint32_t>& types);
    [[nodiscard]] std::uint32_t decide(std::size_t task);
    [[nodiscard]] LaneChoice choice(std::size_t from) const;
    void choose(std::size_t from);
    void join_in_order(std::size_t from, std::size_t end);
    void join(std::size_t task);
    void list_joined(std::size_t tasks);
    void match();
    void help_common();
    void help_longest();
    void start_elsewhere(std::uint32_t m, std::uint32_t q);
    void serve();
    void decide_services(LaneServed& served);
    void depart();

    [[nodiscard]] std::size_t queues() const { return servers_ + (rules_.helping.help == Help::common ? 1U : 0U); }
    /// Where the layout's i-th queue stands: the common one after the padding.
    [[nodiscard]] std::uint32_t place_of(std::size_t i) const {
        return i == servers_ ? common_ : static_cast<std::uint32_t>(i);
    }
    [[nodiscard]] std::uint32_t waiting(std::uint32_t q) const {
        const bool own = q < servers_ && idle_[q] == 0 && elsewhere_[q] == 0;
        return length_[q] - helped_[q] - (own ? 1U : 0U);
    }
    void push_stamp(std::uint32_t q, std::uint32_t stamp);
    [[nodiscard]] std::uint32_t pop_stamp(std::uint32_t q);

    const queueing::Instance& instance_;
    const LaneLoops& loops_;
    const std::uint32_t servers_, common_, nowhere_;  // the last is a queue longer than any, that no task joins
    const DenseRules rules_;
    const bool sequential_, delays_;
    const queueing::Truncation truncation_;
    const FetchingWalk walk_;
    std::int64_t local_weight_ = 0, remote_weight_ = 0;
    SlottedRecorder recorder_;
    ArrivalSource arrivals_;
    CandidateSource tasks_;
    ServiceWords services_;
    statistics::Stream ties_;

    // By queue.
    LaneWords length_, helped_, mark_;
    // By server.
    LaneWords idle_, own_, help_mask_, elsewhere_, below_of_, done_, started_, data_;
    std::vector<std::uint8_t> level_;    // of a task of another queue
    std::vector<std::uint32_t> serves_;  // that queue
    std::vector<std::uint32_t> busy_elsewhere_;
    std::vector<std::uint32_t> executing_at_;  // by level: of these; local: of all others, where drift is recorded

    // Stamps of waiting tasks and of those in execution.
    StampRings stamps_;
    std::deque<std::uint32_t> common_stamps_;
    LaneWords executing_;

    std::uint64_t slot_ = 0, in_system_ = 0, in_service_ = 0;
    std::uint32_t batch_ = 0;
    // Of this slot.
    LaneWords chosen_, tied_;
    std::vector<std::uint32_t> longest_, left_;
};

}  // namespace schedproof::simulation
