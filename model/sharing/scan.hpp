/// What a policy is told of many jobs and queues, found by scanning what is known of each.
///
/// A source that knows single jobs and queues derives from `Scan` and has the questions about all of them answered: who
/// comes first, who runs most, which queues are shortest. So these mean the same on a state, on jobs without end, and
/// on symbols, where each comparison goes both ways.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/sharing/policy_sources.hpp"

namespace schedproof::sharing {

/// `Source` has, as far as it is asked:
///     all_jobs()                        in order of submission
///     is_ready(j), running(j), priority(j), nearest(j, n)
///     waits_in(j, q), own(n), common(), seen_length(q)
template <class Source>
class Scan {
  public:
    [[nodiscard]] std::vector<JobId> jobs(Order order) const {
        std::vector<JobId> ready;
        for (const JobId j : its().all_jobs())
            if (its().is_ready(j)) ready.push_back(j);
        std::stable_sort(ready.begin(), ready.end(), [&](JobId a, JobId b) {
            return order == Order::fair ? its().running(a) < its().running(b) : its().priority(a) < its().priority(b);
        });
        return ready;
    }
    [[nodiscard]] std::optional<JobId> first_local(Order order, NodeId n) const {
        for (const JobId j : jobs(order))
            if (its().nearest(j, n) == Locality::local) return j;
        return {};
    }
    [[nodiscard]] std::optional<JobId> most_running() const {
        std::optional<JobId> most;
        for (const JobId j : its().all_jobs())
            if (its().running(j) > 0 && (!most || its().running(j) >= its().running(*most))) most = j;
        return most;
    }

    [[nodiscard]] Queues own(const Replicas& data) const {
        Queues queues;
        for (const NodeId n : data) queues.push_back(its().own(n));
        std::sort(queues.begin(), queues.end());
        return queues;
    }
    [[nodiscard]] Queues own_and_common(const Replicas& data) const {
        Queues queues = own(data);
        queues.push_back(its().common());
        return queues;
    }
    [[nodiscard]] Queues shortest(const Queues& queues) const {
        Queues tied;
        for (const QueueId q : queues) {
            if (!tied.empty() && its().seen_length(q) > its().seen_length(tied.front())) continue;
            if (!tied.empty() && its().seen_length(q) < its().seen_length(tied.front())) tied.clear();
            tied.push_back(q);
        }
        return tied;
    }
    [[nodiscard]] std::optional<JobId> fewest_running(QueueId q) const {
        std::optional<JobId> fewest;
        for (const JobId j : its().all_jobs())
            if (its().waits_in(j, q) && (!fewest || its().running(j) < its().running(*fewest))) fewest = j;
        return fewest;
    }

  private:
    [[nodiscard]] const Source& its() const { return static_cast<const Source&>(*this); }
};

}  // namespace schedproof::sharing
