#include "proofs/queueing/heavy_traffic/closed_set_search.hpp"

#include <set>

#include "model/core/errors.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using explore::Affine;

ClosedSet find_closed_set(const SymbolicSystem& system, const explore::Budget& budget) {
    const Instance& instance = system.instance();
    const std::size_t queues = system.layout().queues();
    Shape idle;
    idle.serving.assign(instance.servers().size(), Service{});
    std::vector<bool> joined(queues);
    ClosedSet closed;
    const auto set_empty = [&] {
        closed.empty.clear();
        for (const QueueId q : IdRange<QueueId>(queues))
            if (!joined[q.index()]) closed.empty.push_back(q);
    };
    const auto all_of = [&](const auto& body) {
        auto cells = explore::explore(space_without(system, idle, closed.empty), body, budget);
        if (cells.ended) throw LimitExceeded("exploration", *cells.ended);
        return std::move(cells.leaves);
    };
    for (bool grown = true; grown;) {
        grown = false;
        set_empty();
        for (const TaskTypeId type : instance.types()) {
            if (instance.arrival_rate(type).sign() == 0) continue;
            const auto leaves = all_of([&](const std::vector<Affine>& symbols) {
                std::vector<std::size_t> found;
                for (const Candidate& candidate : system.route(system.state(idle, symbols), type))
                    found.push_back(candidate.queue.index());
                return found;
            });
            for (const auto& found : leaves)
                for (const std::size_t q : found) {
                    grown = grown || !joined[q];
                    joined[q] = true;
                }
        }
    }
    closed.statuses.assign(instance.servers().size(), {Service{}});
    for (bool grown = true; grown;) {
        grown = false;
        const std::vector<std::vector<Service>> before = closed.statuses;
        for (const ServerId m : instance.servers()) {
            const std::vector<Shape> shapes = shapes_with_idle(system, m, before);
            const auto leaves =
                all_of([&](const std::vector<Affine>& symbols) { return statuses_led_to(system, m, shapes, symbols); });
            std::set<Service> found(before[m.index()].begin(), before[m.index()].end());
            for (const std::vector<Service>& some : leaves)
                for (const Service& status : some)
                    // A server that turns to a queue without tasks stays idle.
                    if (status.status != Service::Status::busy || joined[status.queue.index()]) found.insert(status);
            grown = grown || found.size() > before[m.index()].size();
            closed.statuses[m.index()].assign(found.begin(), found.end());
        }
    }
    return closed;
}

}  // namespace schedproof::heavy_traffic
