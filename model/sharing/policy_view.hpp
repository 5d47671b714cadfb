/// What a sharing policy is shown.
///
/// Whoever runs a policy answers questions about the ids of jobs, nodes and queues: the *sources* below, which scan a
/// small state or look into indexes. A policy is shown a source through a view, one and the same for every source: it
/// asks the same questions everywhere, by opaque values that it cannot order or count with, and a question that has no
/// answer (the time of a remote task where none runs, a job past the last one) ends in ContractViolation everywhere.
///
/// Counts of tasks, skips and ticks are of the view's type `Count`: 64-bit integers where a policy is simulated and
/// enumerated, affine forms where it is run on symbols. A policy adds, subtracts and compares them, in variables of
/// type `auto` or `typename V::Count`.
///
/// There are four views: of an offer, without queues (OfferView) and with them (QueueOfferView), of a task that joins a
/// queue (RouteView), and of a moment at which slots may be taken back (ReclaimView).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "model/sharing/jobs_view.hpp"
#include "model/sharing/policy_sources.hpp"

namespace schedproof::sharing {

using NodeRef = Opaque<NodeId>;
using QueueRef = Opaque<QueueId>;

/// Where a task's data is: what the view makes queues of.
class DataRef {
  public:
    constexpr explicit DataRef(const Replicas& data) : data_(&data) {}

  private:
    template <RouteSource>
    friend class RouteView;
    const Replicas* data_;
};

/// A policy's answer to an offer: a task of this job, at this level on the node of the offered slot.
struct Launch {
    JobRef job;
    Locality level;
    friend constexpr bool operator==(const Launch&, const Launch&) = default;
};

/// While a slot of a node is offered. A job is *ready* when it has an unlaunched task; j stands for a ready job.
template <OfferSource S>
class OfferView {
  public:
    using Count = CountOf<S>;
    constexpr explicit OfferView(S& source) : source_(source) {}

    /// The ready jobs.
    [[nodiscard]] constexpr auto jobs(Order order) const { return JobsView(std::as_const(source_).jobs(order)); }
    /// The first with an unlaunched task local to the node.
    [[nodiscard]] constexpr std::optional<JobRef> first_local(Order order, NodeRef n) const {
        return detail::opaque(std::as_const(source_).first_local(order, Disclosed::id(n)));
    }
    /// How far its nearest unlaunched task is from the node.
    [[nodiscard]] constexpr Locality nearest(JobRef j, NodeRef n) const {
        return source_.nearest(Disclosed::id(j), Disclosed::id(n));
    }
    [[nodiscard]] constexpr Count skips(JobRef j) const { return source_.skips(Disclosed::id(j)); }
    /// One more.
    constexpr void skip(JobRef j) { source_.skip(Disclosed::id(j)); }
    /// Range: 0 to 2^62.
    constexpr void set_skips(JobRef j, const Count& skips) {
        detail::expect(skips >= 0 && skips <= std::int64_t{1} << 62, "a policy sets a skip count out of range");
        source_.set_skips(Disclosed::id(j), skips);
    }
    /// Since the slot was free and the job there, both.
    [[nodiscard]] constexpr Count waited(JobRef j) const { return source_.waited(Disclosed::id(j)); }
    /// Since the job was submitted. Unit: ticks
    [[nodiscard]] constexpr Count since_submitted(JobRef j) const { return source_.since_submitted(Disclosed::id(j)); }
    /// The reservations that the job has left at the node: those that were drawn for it when it was submitted, less its
    /// launches there.
    [[nodiscard]] constexpr Count reserved(JobRef j, NodeRef n) const {
        return source_.reserved(Disclosed::id(j), Disclosed::id(n));
    }
    /// That the node runs.
    [[nodiscard]] constexpr Count remote_tasks(NodeRef n) const { return source_.remote_tasks(Disclosed::id(n)); }
    /// Of one of them. Requires one.
    [[nodiscard]] constexpr Count remote_time(NodeRef n) const {
        detail::expect(remote_tasks(n) > 0, "a policy asks how long remote tasks take on a node that runs none");
        return source_.remote_time(Disclosed::id(n));
    }
    /// Its running tasks.
    [[nodiscard]] constexpr Count running(JobRef j) const { return source_.running(Disclosed::id(j)); }

  private:
    S& source_;
};

/// While a slot of a node is offered, under a policy with queues. Each node has a queue of its own, of tasks local to
/// it, and there is a common one; a task stays counted in its queue until it is done.
template <QueueSource S>
class QueueOfferView {
  public:
    using Count = CountOf<S>;
    constexpr explicit QueueOfferView(const S& source) : source_(source) {}

    [[nodiscard]] constexpr QueueRef own(NodeRef n) const { return Disclosed::of(source_.own(Disclosed::id(n))); }
    [[nodiscard]] constexpr QueueRef common() const { return Disclosed::of(source_.common()); }
    /// Rate times length: alpha Q or gamma Q.
    [[nodiscard]] constexpr Count weight(QueueRef q) const { return source_.weight(Disclosed::id(q)); }
    /// Of its tasks: own local, common remote.
    [[nodiscard]] constexpr Locality level(QueueRef q) const { return source_.level(Disclosed::id(q)); }
    /// Among jobs waiting there; ties by submission.
    [[nodiscard]] constexpr std::optional<JobRef> fewest_running(QueueRef q) const {
        return detail::opaque(source_.fewest_running(Disclosed::id(q)));
    }

  private:
    const S& source_;
};

/// While a task joins a queue: one of the nodes' that hold its data, or the common one.
template <RouteSource S>
class RouteView {
    using Set = decltype(std::declval<const S&>().own_and_common(std::declval<const Replicas&>()));
    using Chosen = decltype(std::declval<const S&>().shortest(std::declval<const Set&>()));

  public:
    constexpr explicit RouteView(const S& source) : source_(source) {}

    /// Queues that a task may join; never empty.
    class Queues {
        friend class RouteView;
        constexpr explicit Queues(Set set) : set_(std::move(set)) {}
        Set set_;
    };
    /// Tied queues, one of which the task joins at random; never empty.
    class Tied {
      public:
        [[nodiscard]] constexpr const Chosen& disclosed() const { return chosen_; }  ///< for the environment

      private:
        friend class RouteView;
        constexpr explicit Tied(Chosen chosen) : chosen_(std::move(chosen)) {}
        Chosen chosen_;
    };
    [[nodiscard]] constexpr Queues own(DataRef data) const { return Queues(source_.own(*data.data_)); }
    [[nodiscard]] constexpr Queues own_and_common(DataRef data) const {
        return Queues(source_.own_and_common(*data.data_));
    }
    [[nodiscard]] constexpr Tied shortest(const Queues& queues) const { return Tied(source_.shortest(queues.set_)); }

  private:
    const S& source_;
};

/// After an event, for a policy that kills; no slot is offered.
template <ReclaimSource S>
class ReclaimView {
  public:
    using Count = CountOf<S>;
    constexpr explicit ReclaimView(const S& source) : source_(source) {}

    /// The ready jobs.
    [[nodiscard]] constexpr auto jobs(Order order) const { return JobsView(source_.jobs(order)); }
    [[nodiscard]] constexpr Count running(JobRef j) const { return source_.running(Disclosed::id(j)); }
    [[nodiscard]] constexpr Count unlaunched(JobRef j) const { return source_.unlaunched(Disclosed::id(j)); }
    [[nodiscard]] constexpr Count free_slots() const { return source_.free_slots(); }
    /// Ties: submitted last. None when no task runs.
    [[nodiscard]] constexpr std::optional<JobRef> most_running() const {
        return detail::opaque(source_.most_running());
    }
    /// floor(slots / jobs that are not done). Requires such a job.
    [[nodiscard]] constexpr Count fair_share() const { return source_.fair_share(); }

  private:
    const S& source_;
};

}  // namespace schedproof::sharing
