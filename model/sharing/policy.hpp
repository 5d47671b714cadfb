/// What a sharing policy is.
///
/// Whenever a free slot is offered, a policy says which job launches a task there, or that none does: `offer`. Some
/// policies also send each task of a new job to a queue (`route`), or take slots back by killing (`reclaim`).
/// A policy sees the cluster through a view and asks it for named things; it neither scans nodes and tasks nor draws.
/// So one text serves the exact enumeration, where the view scans a small state, and the simulator, where it looks into
/// indices. Of a job's equally near tasks the environment launches the first, and of tied queues it chooses by lot.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/core/policy_info.hpp"
#include "model/sharing/cluster.hpp"

namespace schedproof::sharing {

using schedproof::PolicyInfo;

/// A task of this job, at this level on the node of the offered slot.
struct Launch {
    JobId job;
    Locality level = Locality::local;
    friend bool operator==(const Launch&, const Launch&) = default;
};

/// In which order jobs are asked.
enum class Order : std::uint8_t {
    fair,  ///< fewest running tasks first, ties by submission
    fifo   ///< by priority, then by submission
};

/// Tied queues, ascending.
using Queues = boost::container::small_vector<QueueId, 4>;

/// What a policy may ask and change while a slot of node n is offered. A job is *ready* when it has an unlaunched task;
/// j stands for a ready job. Skip counts and times may be of any type that compares with integers.
template <class V>
concept SharingView = requires(V& now, const V& seen, Order order, JobId j, NodeId n, Ticks t) {
    { *seen.jobs(order).begin() } -> std::convertible_to<JobId>;           // the ready jobs
    { seen.first_local(order, n) } -> std::same_as<std::optional<JobId>>;  // first with an unlaunched task local to n
    { seen.nearest(j, n) } -> std::same_as<Locality>;                      // its nearest unlaunched task from n
    {
        seen.skips(j) >= std::int64_t {}
        } -> std::convertible_to<bool>;
    now.skip(j);  // one more
    now.set_skips(j, std::int64_t{});
    { seen.waited(j) >= t } -> std::convertible_to<bool>;          // since slot was free and j there, both
    { seen.remote_tasks(n) } -> std::convertible_to<std::size_t>;  // that n runs
    { seen.remote_time(n) >= t } -> std::convertible_to<bool>;     // of one of them; requires one
    {
        seen.running(j) >= std::int64_t {}
        } -> std::convertible_to<bool>;  // its running tasks
};

/// What a policy that kills may ask besides, at a moment when no slot is offered.
template <class V>
concept ReclaimingView = SharingView<V> && requires(const V& seen, JobId j) {
    { seen.free_slots() } -> std::convertible_to<std::int64_t>;
    { seen.unlaunched(j) } -> std::convertible_to<std::int64_t>;    // its unlaunched tasks
    { seen.most_running() } -> std::same_as<std::optional<JobId>>;  // ties: submitted last
    { seen.fair_share() } -> std::convertible_to<std::int64_t>;     // floor(slots / jobs that are not done)
};

/// What a policy with queues may ask besides. Each node has a queue of its own, of tasks local to it, and there is a
/// common one; a task stays counted in its queue until it is done.
template <class V>
concept QueueView = requires(const V& seen, NodeId n, QueueId q, const Replicas& data) {
    { seen.own(n) } -> std::same_as<QueueId>;
    { seen.common() } -> std::same_as<QueueId>;
    // the shortest of: the queues of the nodes that hold the data, and the common one; all tied
    { seen.shortest(seen.own_and_common(data)) } -> std::same_as<Queues>;
    { seen.weight(q) >= seen.weight(q) } -> std::convertible_to<bool>;  // rate times length: alpha Q or gamma Q
    { seen.level(q) } -> std::same_as<Locality>;                        // of its tasks: own local, common remote
    { seen.fewest_running(q) } -> std::same_as<std::optional<JobId>>;   // among jobs waiting there; by submission
};

/// The smallest thing that satisfies all three, for checking policies before there is a view. Never run.
struct ViewArchetype {
    [[nodiscard]] IdRange<JobId> jobs(Order) const { return IdRange<JobId>(0); }
    [[nodiscard]] std::optional<JobId> first_local(Order, NodeId) const { return {}; }
    [[nodiscard]] Locality nearest(JobId, NodeId) const { return Locality::local; }
    [[nodiscard]] std::int64_t skips(JobId) const { return 0; }
    void skip(JobId) {}
    void set_skips(JobId, std::int64_t) {}
    [[nodiscard]] Ticks waited(JobId) const { return 0; }
    [[nodiscard]] std::size_t remote_tasks(NodeId) const { return 0; }
    [[nodiscard]] Ticks remote_time(NodeId) const { return 0; }
    [[nodiscard]] std::int64_t running(JobId) const { return 0; }
    [[nodiscard]] std::int64_t free_slots() const { return 0; }
    [[nodiscard]] std::int64_t unlaunched(JobId) const { return 0; }
    [[nodiscard]] std::optional<JobId> most_running() const { return {}; }
    [[nodiscard]] std::int64_t fair_share() const { return 0; }
    [[nodiscard]] QueueId own(NodeId) const { return {}; }
    [[nodiscard]] QueueId common() const { return {}; }
    [[nodiscard]] Queues own_and_common(const Replicas&) const { return {}; }
    [[nodiscard]] Queues shortest(const Queues& queues) const { return queues; }
    [[nodiscard]] std::int64_t weight(QueueId) const { return 0; }
    [[nodiscard]] Locality level(QueueId) const { return {}; }
    [[nodiscard]] std::optional<JobId> fewest_running(QueueId) const { return {}; }
};
static_assert(SharingView<ViewArchetype> && ReclaimingView<ViewArchetype> && QueueView<ViewArchetype>);

template <class P>
concept SharingPolicy = std::copyable<P> && requires(const P& policy, ViewArchetype& now, NodeId n) {
    { P::info } -> std::convertible_to<PolicyInfo>;
    { policy.offer(now, n) } -> std::same_as<std::optional<Launch>>;
};
/// Every task joins a queue when its job is submitted.
template <class P>
concept RoutingPolicy = SharingPolicy<P> && requires(const P& policy, const ViewArchetype& now, const Replicas& data) {
    { policy.route(now, data) } -> std::same_as<Queues>;
};
/// Asked after every event: of which job the task launched last is to die, if any. Its slot is offered at once.
template <class P>
concept ReclaimingPolicy = SharingPolicy<P> && requires(const P& policy, const ViewArchetype& now) {
    { policy.reclaim(now) } -> std::same_as<std::optional<JobId>>;
};

}  // namespace schedproof::sharing
