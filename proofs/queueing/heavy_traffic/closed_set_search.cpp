#include "proofs/queueing/heavy_traffic/closed_set_search.hpp"

#include "model/core/errors.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/heavy_traffic/boundary_prices.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using explore::Affine;

namespace {

/// Marks the queues that tasks of these types join at states of a shape. True when one was not marked.
bool mark_joined(const SymbolicSystem& system, const Shape& shape, const std::vector<TaskTypeId>& types,
                 const std::vector<QueueId>& empty, std::vector<bool>& joined, const explore::Budget& budget) {
    bool grown = false;
    for (const TaskTypeId type : types) {
        const auto answers = explore::explore(
            space_without(system, shape, empty),
            [&](const std::vector<Affine>& symbols) { return system.route(system.state(shape, symbols), type); },
            budget);
        if (answers.ended) throw LimitExceeded("exploration", *answers.ended);
        for (const auto& answer : answers.leaves)
            for (const Candidate& candidate : answer) {
                grown = grown || !joined[candidate.queue.index()];
                joined[candidate.queue.index()] = true;
            }
    }
    return grown;
}

}  // namespace

ClosedSet find_closed_set(const SymbolicSystem& system, const explore::Budget& budget) {
    const std::vector<TaskTypeId> types = types_of_slack(system.instance());
    std::vector<bool> joined(system.layout().queues());
    for (;;) {
        ClosedSet closed;
        for (const QueueId q : IdRange<QueueId>(joined.size()))
            if (!joined[q.index()]) closed.empty.push_back(q);
        closed.statuses = find_statuses(system, budget, closed.empty);
        bool grown = false;
        for (const Shape& shape : shapes_of(closed.statuses))
            grown = mark_joined(system, shape, types, closed.empty, joined, budget) || grown;
        if (!grown) return closed;
    }
}

}  // namespace schedproof::heavy_traffic
