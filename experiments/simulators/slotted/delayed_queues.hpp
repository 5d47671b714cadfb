/// The queues as they were some time ago, which is what a router sees whose news of its servers travel or are polled.
#pragma once

#include <deque>
#include <vector>

#include "experiments/simulators/slotted/indexed_view.hpp"

namespace schedproof::simulation {

class DelayedQueues {
  public:
    /// Borrows system and layout. Before the first news is `view_age` old, the queues are those of the start.
    DelayedQueues(const SimulatedSystem& system, const queueing::Layout& layout, const std::vector<QueueCounts>& start,
                  Moment moment, const queueing::PlanData* plan)
        : age_(system.view_age.approximate()), counts_(start), view_(system, layout, counts_, moment, plan) {}
    DelayedQueues(const DelayedQueues&) = delete;
    DelayedQueues& operator=(const DelayedQueues&) = delete;

    /// From then on the queue has these counts. Requires: no news is later.
    void changed(double when, QueueId q, const QueueCounts& counts) { news_.push_back({when, q, counts}); }
    /// The view at this time. Requires: it was asked for no later one.
    [[nodiscard]] IndexedView& at(double now) {
        for (; !news_.empty() && news_.front().when <= now - age_; news_.pop_front()) {
            counts_[news_.front().queue.index()] = news_.front().counts;
            view_.changed(news_.front().queue);
        }
        return view_;
    }

  private:
    struct News {
        double when;
        QueueId queue;
        QueueCounts counts;
    };
    const double age_;
    std::vector<QueueCounts> counts_;
    IndexedView view_;
    std::deque<News> news_;
};

}  // namespace schedproof::simulation
