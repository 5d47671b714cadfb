/// The views of an engine as sources without templates (any_source.hpp), for the code of an added policy.
///
/// A source lives while the policy is asked once. What the code names must have been shown to it meanwhile: ids that it
/// kept from another time may be gone, and engines trust a policy type not to keep any.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <iterator>
#include <optional>
#include <utility>

#include "model/core/errors.hpp"
#include "model/sharing/policy_view.hpp"
#include "policies/sharing/any_source.hpp"

namespace schedproof::sharing::detail {

/// The jobs of a view in an order, as far as they were asked for. While a policy is asked, the order stands still, so
/// which jobs were shown is found out by walking again.
template <class V>
class WalkedJobs {
    using Jobs = decltype(std::declval<const V&>().jobs(Order::fair));

  public:
    WalkedJobs(const V& view, Order order) : jobs_(view.jobs(order)), at_(std::as_const(jobs_).begin()) {}
    WalkedJobs(const WalkedJobs&) = delete;
    WalkedJobs& operator=(const WalkedJobs&) = delete;
    /// Cost: constant for the position after the last one, linear in it for one before.
    [[nodiscard]] std::optional<JobId> at(std::size_t position) {
        if (position < position_) {
            at_ = std::as_const(jobs_).begin();
            position_ = 0;
        }
        for (; position_ < position && at_ != std::default_sentinel; ++position_) ++at_;
        if (at_ == std::default_sentinel) return {};
        shown_ = std::max(shown_, position + 1);
        return Disclosed::id(*at_);
    }
    [[nodiscard]] bool has_shown(JobRef job) const {
        auto at = jobs_.begin();
        for (std::size_t left = shown_; left > 0; --left, ++at)
            if (*at == job) return true;
        return false;
    }

  private:
    Jobs jobs_;
    typename Jobs::Iterator at_;
    std::size_t position_ = 0, shown_ = 0;
};

/// The jobs that were shown, each by itself.
class ShownJobs {
  public:
    [[nodiscard]] std::optional<JobId> show(std::optional<JobRef> job) {
        if (!job) return {};
        shown_.push_back(*job);
        return Disclosed::id(*job);
    }
    [[nodiscard]] bool has_shown(JobRef job) const {
        return std::find(shown_.rbegin(), shown_.rend(), job) != shown_.rend();
    }
    /// Throws ContractViolation for another job. Cost: linear in those shown.
    [[nodiscard]] JobRef operator[](JobId j) const {
        const JobRef job = Disclosed::of(j);
        require(has_shown(job), not_shown);
        return job;
    }
    static constexpr const char* not_shown = "a policy speaks of a job that it was shown";

  private:
    boost::container::small_vector<JobRef, 2> shown_;
};

/// The same of a view with orders. Most questions are about the job that was shown last.
template <class V>
class ShownInOrder {
  public:
    explicit ShownInOrder(const V& view) : view_(view) {}
    [[nodiscard]] std::optional<JobId> at(Order order, std::size_t position) {
        std::optional<WalkedJobs<V>>& walked = order == Order::fair ? fair_ : fifo_;
        if (!walked) walked.emplace(view_, order);
        const std::optional<JobId> job = walked->at(position);
        if (job) last_ = Disclosed::of(*job);
        return job;
    }
    [[nodiscard]] std::optional<JobId> show(std::optional<JobRef> job) { return alone_.show(job); }
    [[nodiscard]] JobRef operator[](JobId j) const {
        const JobRef job = Disclosed::of(j);
        require(last_ == job || alone_.has_shown(job) || (fair_ && fair_->has_shown(job)) ||
                    (fifo_ && fifo_->has_shown(job)),
                ShownJobs::not_shown);
        return job;
    }

  private:
    const V& view_;
    std::optional<WalkedJobs<V>> fair_, fifo_;
    std::optional<JobRef> last_;
    ShownJobs alone_;
};

/// The node of the offered slot, which is the only one that a policy is shown.
class ShownNode {
  public:
    explicit ShownNode(NodeRef node) : node_(node) {}
    [[nodiscard]] NodeRef operator[](NodeId n) const {
        require(Disclosed::of(n) == node_, "a policy speaks of the node that it was shown");
        return node_;
    }

  private:
    NodeRef node_;
};

/// An OfferView as a source.
template <class V>
class SourceOfOffer final : public AnyOfferSourceOf<typename V::Count> {
    using Count = typename V::Count;

  public:
    SourceOfOffer(V& view, NodeRef node) : view_(view), node_(node), shown_(view) {}
    [[nodiscard]] const ShownInOrder<V>& shown() const { return shown_; }

    [[nodiscard]] std::optional<JobId> first_local(Order order, NodeId n) const override {
        return shown_.show(view_.first_local(order, node_[n]));
    }
    [[nodiscard]] Locality nearest(JobId j, NodeId n) const override { return view_.nearest(shown_[j], node_[n]); }
    [[nodiscard]] Count skips(JobId j) const override { return view_.skips(shown_[j]); }
    void skip(JobId j) override { view_.skip(shown_[j]); }
    void set_skips(JobId j, const Count& skips) override { view_.set_skips(shown_[j], skips); }
    [[nodiscard]] Count waited(JobId j) const override { return view_.waited(shown_[j]); }
    [[nodiscard]] Count since_submitted(JobId j) const override { return view_.since_submitted(shown_[j]); }
    [[nodiscard]] Count reserved(JobId j, NodeId n) const override { return view_.reserved(shown_[j], node_[n]); }
    [[nodiscard]] Count remote_tasks(NodeId n) const override { return view_.remote_tasks(node_[n]); }
    [[nodiscard]] Count remote_time(NodeId n) const override { return view_.remote_time(node_[n]); }
    [[nodiscard]] Count running(JobId j) const override { return view_.running(shown_[j]); }

  private:
    [[nodiscard]] std::optional<JobId> job(Order order, std::size_t position) const override {
        return shown_.at(order, position);
    }
    V& view_;
    ShownNode node_;
    mutable ShownInOrder<V> shown_;
};

/// A ReclaimView as a source.
template <class V>
class SourceOfReclaim final : public AnyReclaimSourceOf<typename V::Count> {
    using Count = typename V::Count;

  public:
    explicit SourceOfReclaim(const V& view) : view_(view), shown_(view) {}
    [[nodiscard]] const ShownInOrder<V>& shown() const { return shown_; }

    [[nodiscard]] Count running(JobId j) const override { return view_.running(shown_[j]); }
    [[nodiscard]] Count unlaunched(JobId j) const override { return view_.unlaunched(shown_[j]); }
    [[nodiscard]] Count free_slots() const override { return view_.free_slots(); }
    [[nodiscard]] std::optional<JobId> most_running() const override { return shown_.show(view_.most_running()); }
    [[nodiscard]] Count fair_share() const override { return view_.fair_share(); }

  private:
    [[nodiscard]] std::optional<JobId> job(Order order, std::size_t position) const override {
        return shown_.at(order, position);
    }
    const V& view_;
    mutable ShownInOrder<V> shown_;
};

/// A QueueOfferView as a source.
template <class V>
class SourceOfQueues final : public AnyQueueSourceOf<typename V::Count> {
    using Count = typename V::Count;

  public:
    SourceOfQueues(const V& view, NodeRef node)
        : AnyQueueSourceOf<Count>(Disclosed::id(node), weighed(view, view.own(node)), weighed(view, view.common())),
          view_(view) {}
    [[nodiscard]] const ShownJobs& shown() const { return shown_; }

    [[nodiscard]] std::optional<JobId> fewest_running(QueueId q) const override {
        static_cast<void>(this->is_common(q));
        return shown_.show(view_.fewest_running(Disclosed::of(q)));
    }

  private:
    [[nodiscard]] static typename AnyQueueSourceOf<Count>::Weighed weighed(const V& view, QueueRef queue) {
        return {Disclosed::id(queue), view.weight(queue)};
    }
    const V& view_;
    mutable ShownJobs shown_;
};

}  // namespace schedproof::sharing::detail
