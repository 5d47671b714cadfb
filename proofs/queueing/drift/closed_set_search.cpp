#include "proofs/queueing/drift/closed_set_search.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"

namespace schedproof::queueing {

using explore::Affine;

namespace {

/// The queues that tasks have been seen to join.
class Joined {
  public:
    Joined(const SymbolicSystem& system, const std::vector<TaskTypeId>& types, const explore::Budget& budget)
        : system_(system), types_(types), budget_(budget), joined_(system.layout().queues()) {}

    [[nodiscard]] bool all() const { return std::find(joined_.begin(), joined_.end(), false) == joined_.end(); }
    [[nodiscard]] std::vector<QueueId> others() const {
        std::vector<QueueId> empty;
        for (const QueueId q : IdRange<QueueId>(joined_.size()))
            if (!joined_[q.index()]) empty.push_back(q);
        return empty;
    }
    /// Marks the queues that tasks join at states of a shape. Whether one was not marked.
    bool mark(const Shape& shape, const std::vector<QueueId>& empty) {
        bool grown = false;
        for (const TaskTypeId type : types_) {
            const auto answers = explore::explore(
                space_without(system_, shape, empty),
                [&](const std::vector<Affine>& symbols) { return system_.route(system_.state(shape, symbols), type); },
                budget_);
            if (answers.ended) throw LimitExceeded("exploration", *answers.ended);
            for (const auto& answer : answers.leaves)
                for (const Candidate& candidate : answer) {
                    grown = grown || !joined_[candidate.queue.index()];
                    joined_[candidate.queue.index()] = true;
                }
        }
        return grown;
    }

  private:
    const SymbolicSystem& system_;
    const std::vector<TaskTypeId>& types_;
    const explore::Budget& budget_;
    std::vector<bool> joined_;
};

}  // namespace

ClosedSet find_closed_set(const SymbolicSystem& system, const std::vector<TaskTypeId>& types,
                          const explore::Budget& budget) {
    Joined joined(system, types, budget);
    for (;;) {
        ClosedSet closed;
        closed.empty = joined.others();
        closed.statuses = find_statuses(system, budget, closed.empty);
        bool grown = false;
        for (const Shape& shape : shapes_of(closed.statuses))
            if (!joined.all()) grown = joined.mark(shape, closed.empty) || grown;
        if (!grown) return closed;
    }
}

ClosedSet find_closed_set(const SymbolicSystem& system, const explore::Budget& budget) {
    const Instance& instance = system.instance();
    if (!instance.rates_at_servers() || instance.preemptive() || system.layout().lists_tasks())
        return {find_statuses(system, budget)};
    std::vector<TaskTypeId> arriving;
    for (const TaskTypeId type : instance.types())
        if (instance.arrival_rate(type).sign() > 0) arriving.push_back(type);
    return find_closed_set(system, arriving, budget);
}

}  // namespace schedproof::queueing
