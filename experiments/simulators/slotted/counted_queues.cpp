#include "experiments/simulators/slotted/counted_queues.hpp"

namespace schedproof::simulation {

CountedQueues::CountedQueues(const SimulatedSystem& system, const queueing::Layout& layout,
                             const std::vector<QueueCounts>& counts, Moment moment)
    : instance_(*system.instance),
      layout_(layout),
      counts_(counts),
      moment_(static_cast<std::size_t>(moment)),
      random_(system.random.has_value()),
      counting_waiting_(instance_.options().counting == queueing::Counting::waiting),
      conserved_(instance_.options().empty_target == queueing::EmptyTarget::conserved),
      levels_(instance_.levels().size()),
      weights_(instance_) {}

Level CountedQueues::level(TaskTypeId type, ServerId m) const {
    if (!random_) return instance_.level(type, m);
    Level nearest = instance_.remote();
    for (const ServerId n : random_replicas_) nearest = std::min(nearest, instance_.distance(m, n));
    return nearest;
}

CheckedInt CountedQueues::workload(ServerId m) const {
    CheckedInt sum(0);
    for (const QueueId own : layout_.queues_of(m)) sum += slowness(reached(own, m)) * length(own);
    return sum;
}

CheckedInt CountedQueues::server_length(QueueId q) const {
    if (layout_.arrangement() != queueing::Arrangement::per_server_and_level) return length(q);
    CheckedInt sum(0);
    for (const QueueId own : layout_.queues_of(layout_.owner(q))) sum += length(own);
    return sum;
}

CheckedInt CountedQueues::slope(QueueId q) const {
    return weights_.cost[q.index()] * power(length(q), instance_.data().types[q.index()].exponent);
}

}  // namespace schedproof::simulation
