/// Who answers a sharing policy's questions: a scan of a state, or the simulator's indexes.
///
/// The answers are in ids and in counts; a policy sees them through the views of policy_view.hpp. A count is a 64-bit
/// integer, or an AffineCount where a policy is run for all inputs at once: what `running`, or `weight`, answers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

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

namespace detail {

template <class S>
auto count_of(const S& seen) {
    if constexpr (requires { seen.running(JobId()); })
        return seen.running(JobId());
    else
        return seen.weight(QueueId());
}

}  // namespace detail

/// The type of a source's counts.
template <class S>
using CountOf = decltype(detail::count_of(std::declval<const S&>()));

/// The meaning of each answer is that of OfferView.
template <class S>
concept OfferSource = requires(S& now, const S& seen, Order order, JobId j, NodeId n, const CountOf<S>& count) {
    { *seen.jobs(order).begin() } -> std::convertible_to<JobId>;
    { seen.first_local(order, n) } -> std::same_as<std::optional<JobId>>;
    { seen.nearest(j, n) } -> std::same_as<Locality>;
    { seen.skips(j) } -> std::same_as<CountOf<S>>;
    now.skip(j);
    now.set_skips(j, count);
    { seen.waited(j) } -> std::same_as<CountOf<S>>;
    { seen.since_submitted(j) } -> std::same_as<CountOf<S>>;
    { seen.reserved(j, n) } -> std::same_as<CountOf<S>>;
    { seen.remote_tasks(n) } -> std::same_as<CountOf<S>>;
    { seen.remote_time(n) } -> std::same_as<CountOf<S>>;
    { seen.running(j) } -> std::same_as<CountOf<S>>;
};

/// As ReclaimView.
template <class S>
concept ReclaimSource = requires(const S& seen, Order order, JobId j) {
    { *seen.jobs(order).begin() } -> std::convertible_to<JobId>;
    { seen.running(j) } -> std::same_as<CountOf<S>>;
    { seen.unlaunched(j) } -> std::same_as<CountOf<S>>;
    { seen.free_slots() } -> std::same_as<CountOf<S>>;
    { seen.most_running() } -> std::same_as<std::optional<JobId>>;
    { seen.fair_share() } -> std::same_as<CountOf<S>>;
};

/// As QueueOfferView.
template <class S>
concept QueueSource = requires(const S& seen, NodeId n, QueueId q) {
    { seen.own(n) } -> std::same_as<QueueId>;
    { seen.common() } -> std::same_as<QueueId>;
    { seen.weight(q) } -> std::same_as<CountOf<S>>;
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
