#include "experiments/simulators/slotted/start.hpp"

#include <fmt/core.h>

#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::simulation {

namespace {

void require_listed(const queueing::Layout& layout, const queueing::State<CheckedInt>& start,
                    const std::vector<QueueCounts>& counts) {
    require(start.waiting.size() == (layout.lists_tasks() ? layout.queues() : 0),
            "a start lists tasks where the layout does");
    for (const QueueId q : IdRange<QueueId>(counts.size()))
        require(layout.tracking(q) != queueing::Tracking::listed ||
                    counts[q.index()].waiting() == start.waiting[q.index()].size(),
                "a listed queue must list the tasks that wait at the start");
}

}  // namespace

std::vector<QueueCounts> counts_at_start(const SimulatedSystem& system, const queueing::Layout& layout,
                                         const StartState& start) {
    std::vector<QueueCounts> counts(layout.queues());
    if (!start) return counts;
    if (system.random)
        throw InputError::at_key("--queues", "expected listed task types: a state does not say where random data lie");
    require(start->length.size() == counts.size(), "a start needs one length per queue");
    require(start->serving.size() == system.instance->servers().size(), "a start needs one status per server");
    std::uint64_t tasks = 0;
    for (std::size_t q = 0; q < counts.size(); ++q) {
        const std::int64_t length = start->length[q].value();
        require(length >= 0, "a queue at the start holds at least no task");
        if ((tasks += static_cast<std::uint64_t>(length)) > most_tasks_at_start)
            throw InputError::at_key("--queues", fmt::format("expected at most {} tasks in all", most_tasks_at_start));
        counts[q].settled() = counts[q].live() = static_cast<std::uint32_t>(length);
    }
    for (const queueing::Service& service : start->serving) {
        if (service.status == queueing::Service::Status::idle) continue;
        require(service.queue.index() < counts.size(), "a server serves an unknown queue at the start");
        QueueCounts& queue = counts[service.queue.index()];
        if (service.status == queueing::Service::Status::phantom) continue;
        require(queue.waiting() > 0, "a queue at the start is shorter than its tasks in execution");
        ++queue.in_service;
    }
    require_listed(layout, *start, counts);
    return counts;
}

std::vector<std::uint32_t> waiting_in_order(const queueing::Layout& layout, std::span<const QueueCounts> counts,
                                            ServerId m, statistics::Stream& stream) {
    std::vector<std::uint32_t> queues;
    for (const QueueId q : layout.queues_of(m))
        queues.insert(queues.end(), counts[q.index()].waiting(), static_cast<std::uint32_t>(q.index()));
    for (std::size_t i = queues.size(); i > 1; --i) std::swap(queues[i - 1], queues[stream.below(i)]);
    return queues;
}

}  // namespace schedproof::simulation
