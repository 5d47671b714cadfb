/// The sources of a sharing policy's answers without templates: what a policy asks that was compiled apart from the
/// program that runs it.
///
/// Each class models one concept of model/sharing/policy_sources.hpp, in the same words, by virtual functions where an
/// answer is looked up. Whoever
/// runs the policy implements them over its own source, so that the questions and their meaning stay those of the
/// views.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "model/core/errors.hpp"
#include "model/sharing/affine_count.hpp"
#include "model/sharing/policy_sources.hpp"

namespace schedproof::sharing {

/// Ready jobs in their orders, one after another; only as many are looked up as are asked for.
class AnyJobs {
  public:
    /// In an order.
    class Line {
      public:
        class Iterator {
          public:
            Iterator(const AnyJobs* jobs, Order order) : jobs_(jobs), order_(order), job_(jobs->job(order, 0)) {}
            Iterator() = default;
            [[nodiscard]] JobId operator*() const { return *job_; }
            Iterator& operator++() {
                job_ = jobs_->job(order_, ++position_);
                return *this;
            }
            /// Of one line: a job stands in it once.
            friend bool operator==(const Iterator& a, const Iterator& b) { return a.job_ == b.job_; }

          private:
            const AnyJobs* jobs_ = nullptr;
            Order order_ = Order::fair;
            std::size_t position_ = 0;
            std::optional<JobId> job_;  // none: past the last one
        };
        Line(const AnyJobs& jobs, Order order) : jobs_(&jobs), order_(order) {}
        [[nodiscard]] Iterator begin() const { return {jobs_, order_}; }
        [[nodiscard]] Iterator end() const { return {}; }

      private:
        const AnyJobs* jobs_;
        Order order_;
    };
    [[nodiscard]] Line jobs(Order order) const { return {*this, order}; }

  protected:
    ~AnyJobs() = default;
    /// The job at a position, from 0; none past the last one.
    [[nodiscard]] virtual std::optional<JobId> job(Order order, std::size_t position) const = 0;
};

/// `Count` as in policy_sources.hpp.
template <class Count>
class AnyOfferSourceOf : public AnyJobs {
  public:
    [[nodiscard]] virtual std::optional<JobId> first_local(Order order, NodeId n) const = 0;
    [[nodiscard]] virtual Locality nearest(JobId j, NodeId n) const = 0;
    [[nodiscard]] virtual Count skips(JobId j) const = 0;
    virtual void skip(JobId j) = 0;
    virtual void set_skips(JobId j, const Count& skips) = 0;
    [[nodiscard]] virtual Count waited(JobId j) const = 0;
    [[nodiscard]] virtual Count since_submitted(JobId j) const = 0;
    [[nodiscard]] virtual Count reserved(JobId j, NodeId n) const = 0;
    [[nodiscard]] virtual Count remote_tasks(NodeId n) const = 0;
    [[nodiscard]] virtual Count remote_time(NodeId n) const = 0;
    [[nodiscard]] virtual Count running(JobId j) const = 0;

  protected:
    ~AnyOfferSourceOf() = default;
};

template <class Count>
class AnyReclaimSourceOf : public AnyJobs {
  public:
    [[nodiscard]] virtual Count running(JobId j) const = 0;
    [[nodiscard]] virtual Count unlaunched(JobId j) const = 0;
    [[nodiscard]] virtual Count free_slots() const = 0;
    [[nodiscard]] virtual std::optional<JobId> most_running() const = 0;
    [[nodiscard]] virtual Count fair_share() const = 0;

  protected:
    ~AnyReclaimSourceOf() = default;
};

/// There are two queues to ask about, so what they weigh is told at once.
template <class Count>
class AnyQueueSourceOf {
  public:
    struct Weighed {
        QueueId queue;
        Count weight;
    };
    [[nodiscard]] QueueId own(NodeId n) const {
        require(n == node_, "a policy speaks of the node that it was shown");
        return own_.queue;
    }
    [[nodiscard]] QueueId common() const { return common_.queue; }
    [[nodiscard]] Count weight(QueueId q) const { return is_common(q) ? common_.weight : own_.weight; }
    [[nodiscard]] Locality level(QueueId q) const { return is_common(q) ? Locality::remote : Locality::local; }
    [[nodiscard]] virtual std::optional<JobId> fewest_running(QueueId q) const = 0;

  protected:
    AnyQueueSourceOf(NodeId node, Weighed own, Weighed common)
        : node_(node), own_(std::move(own)), common_(std::move(common)) {}
    ~AnyQueueSourceOf() = default;
    /// Throws ContractViolation for another queue than those two.
    [[nodiscard]] bool is_common(QueueId q) const {
        require(q == own_.queue || q == common_.queue, "a policy speaks of a queue that it was shown");
        return q == common_.queue;
    }

  private:
    NodeId node_;
    Weighed own_, common_;
};

using AnyOfferSource = AnyOfferSourceOf<std::int64_t>;
using AnyReclaimSource = AnyReclaimSourceOf<std::int64_t>;
using AnyQueueSource = AnyQueueSourceOf<std::int64_t>;

/// The sets of queues of which a task may join the shortest: all that a policy's `route` can tell apart.
enum class QueueSet : std::uint8_t { own, own_and_common };

/// A source whose sets are names, so that a policy's answer is a name too, and the shortest are found by whoever runs
/// it.
struct NamedQueueSets {
    using Named = std::array<QueueSet, 1>;
    [[nodiscard]] static Named own(const Replicas&) { return {QueueSet::own}; }
    [[nodiscard]] static Named own_and_common(const Replicas&) { return {QueueSet::own_and_common}; }
    [[nodiscard]] static Named shortest(const Named& queues) { return queues; }
};

static_assert(OfferSource<AnyOfferSource> && ReclaimSource<AnyReclaimSource> && QueueSource<AnyQueueSource> &&
              RouteSource<NamedQueueSets>);

}  // namespace schedproof::sharing
