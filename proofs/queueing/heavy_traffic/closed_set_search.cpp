#include "proofs/queueing/heavy_traffic/closed_set_search.hpp"

#include <algorithm>
#include <set>

#include "model/core/errors.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using explore::Affine;

namespace {

Shape idle_shape(const SymbolicSystem& system) {
    Shape idle;
    idle.serving.assign(system.instance().servers().size(), Service{});
    return idle;
}

/// The results of a body on all cells of the lengths, where some queues are empty.
template <class Body>
auto on_all_lengths(const SymbolicSystem& system, const std::vector<QueueId>& empty, const explore::Budget& budget,
                    const Body& body) {
    auto cells = explore::explore(space_without(system, idle_shape(system), empty), body, budget);
    if (cells.ended) throw LimitExceeded("exploration", *cells.ended);
    return std::move(cells.leaves);
}

/// The queues that no task joins, however long the others are.
std::vector<QueueId> empty_queues(const SymbolicSystem& system, const explore::Budget& budget) {
    std::vector<bool> joined(system.layout().queues());
    for (;;) {
        std::vector<QueueId> empty;
        for (const QueueId q : IdRange<QueueId>(joined.size()))
            if (!joined[q.index()]) empty.push_back(q);
        bool grown = false;
        for (const TaskTypeId type : system.instance().types()) {
            if (system.instance().arrival_rate(type).sign() == 0) continue;
            const auto answers = on_all_lengths(system, empty, budget, [&](const std::vector<Affine>& symbols) {
                return system.route(system.state(idle_shape(system), symbols), type);
            });
            for (const auto& answer : answers)
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
    ClosedSet closed{{}, empty_queues(system, budget)};
    closed.statuses.assign(system.instance().servers().size(), {Service{}});
    // What the others execute may change what a policy sees, so until nothing new is found.
    for (bool grown = true; grown;) {
        grown = false;
        const std::vector<std::vector<Service>> before = closed.statuses;
        for (const ServerId m : system.instance().servers()) {
            const std::vector<Shape> shapes = shapes_with_idle(system, m, before);
            const auto answers = on_all_lengths(system, closed.empty, budget, [&](const std::vector<Affine>& symbols) {
                return statuses_led_to(system, m, shapes, symbols);
            });
            std::set<Service> found(before[m.index()].begin(), before[m.index()].end());
            for (const std::vector<Service>& some : answers)
                for (const Service& status : some)
                    // A server that turns to a queue without tasks stays idle.
                    if (status.status != Service::Status::busy ||
                        !std::binary_search(closed.empty.begin(), closed.empty.end(), status.queue))
                        found.insert(status);
            grown = grown || found.size() > before[m.index()].size();
            closed.statuses[m.index()].assign(found.begin(), found.end());
        }
    }
    return closed;
}

}  // namespace schedproof::heavy_traffic
