/// Who answers a sharing policy's questions: a scan of a state, or the simulator's indexes.
///
/// The answers are in ids; a policy sees them through the views of policy_view.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/sharing/cluster.hpp"

namespace schedproof::sharing {

/// In which order jobs are asked.
enum class Order : std::uint8_t {
    fair,  ///< fewest running tasks first, ties by submission
    fifo   ///< by priority, then by submission
};

/// Tied queues, ascending.
using Queues = boost::container::small_vector<QueueId, 4>;

/// A policy's launch, as the environment carries it out: a task of this job, at this level on the offered slot's node.
struct JobLaunch {
    JobId job;
    Locality level = Locality::local;
    friend bool operator==(const JobLaunch&, const JobLaunch&) = default;
};

/// The meaning of each answer is that of OfferView.
template <class S>
concept OfferSource = requires(S& now, const S& seen, Order order, JobId j, NodeId n) {
    { *seen.jobs(order).begin() } -> std::convertible_to<JobId>;
    { seen.first_local(order, n) } -> std::same_as<std::optional<JobId>>;
    { seen.nearest(j, n) } -> std::same_as<Locality>;
    { seen.skips(j) } -> std::same_as<std::int64_t>;
    now.skip(j);
    now.set_skips(j, std::int64_t{});
    { seen.waited(j) } -> std::same_as<Ticks>;
    { seen.remote_tasks(n) } -> std::same_as<std::size_t>;
    { seen.remote_time(n) } -> std::same_as<Ticks>;
    { seen.running(j) } -> std::same_as<std::int64_t>;
};

/// As ReclaimView.
template <class S>
concept ReclaimSource = requires(const S& seen, Order order, JobId j) {
    { *seen.jobs(order).begin() } -> std::convertible_to<JobId>;
    { seen.running(j) } -> std::same_as<std::int64_t>;
    { seen.unlaunched(j) } -> std::same_as<std::int64_t>;
    { seen.free_slots() } -> std::same_as<std::int64_t>;
    { seen.most_running() } -> std::same_as<std::optional<JobId>>;
    { seen.fair_share() } -> std::same_as<std::int64_t>;
};

/// As QueueOfferView.
template <class S>
concept QueueSource = requires(const S& seen, NodeId n, QueueId q) {
    { seen.own(n) } -> std::same_as<QueueId>;
    { seen.common() } -> std::same_as<QueueId>;
    { seen.weight(q) } -> std::same_as<std::int64_t>;
    { seen.level(q) } -> std::same_as<Locality>;
    { seen.fewest_running(q) } -> std::same_as<std::optional<JobId>>;
};

/// As RouteView: sets of queues are of one type, and the shortest of a set are ascending ids, at least one.
template <class S>
concept RouteSource = requires(const S& seen, const Replicas& data) {
    { seen.own(data) } -> std::same_as<decltype(seen.own_and_common(data))>;
    *seen.shortest(seen.own_and_common(data)).begin();
};

}  // namespace schedproof::sharing
