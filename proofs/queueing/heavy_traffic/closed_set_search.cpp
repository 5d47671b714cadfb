#include "proofs/queueing/heavy_traffic/closed_set_search.hpp"

#include "model/core/errors.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using explore::Affine;

namespace {

/// The queues that no task joins, however long the others are.
std::vector<QueueId> empty_queues(const SymbolicSystem& system, const explore::Budget& budget) {
    Shape idle;
    idle.serving.assign(system.instance().servers().size(), Service{});
    std::vector<bool> joined(system.layout().queues());
    for (;;) {
        std::vector<QueueId> empty;
        for (const QueueId q : IdRange<QueueId>(joined.size()))
            if (!joined[q.index()]) empty.push_back(q);
        bool grown = false;
        for (const TaskTypeId type : system.instance().types()) {
            if (system.instance().arrival_rate(type).sign() == 0) continue;
            const auto answers = explore::explore(
                space_without(system, idle, empty),
                [&](const std::vector<Affine>& symbols) { return system.route(system.state(idle, symbols), type); },
                budget);
            if (answers.ended) throw LimitExceeded("exploration", *answers.ended);
            for (const auto& answer : answers.leaves)
                for (const Candidate& candidate : answer) {
                    grown = grown || !joined[candidate.queue.index()];
                    joined[candidate.queue.index()] = true;
                }
        }
        if (!grown) return empty;
    }
}

}  // namespace

ClosedSet find_closed_set(const SymbolicSystem& system, const explore::Budget& budget) {
    std::vector<QueueId> empty = empty_queues(system, budget);
    return {find_statuses(system, budget, empty), empty};
}

}  // namespace schedproof::heavy_traffic
