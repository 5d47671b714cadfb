#include "model/queueing/layout.hpp"

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {
std::size_t queue_count(const Instance& instance, Arrangement arrangement) {
    switch (arrangement) {
        case Arrangement::per_server:
            return instance.servers().size();
        case Arrangement::per_server_and_common:
            return instance.servers().size() + 1;
        case Arrangement::per_server_and_level:
            return instance.servers().size() * instance.levels().size();
        case Arrangement::per_type:
            return instance.types().size();
        case Arrangement::single:
            return 1;
    }
    throw ContractViolation("unknown arrangement of queues");
}
}  // namespace

Layout::Layout(const Instance& instance, Arrangement arrangement, Tracking own, Tracking shared)
    : arrangement_(arrangement),
      own_(own),
      shared_(shared),
      has_shared_(arrangement == Arrangement::per_server_and_common || arrangement == Arrangement::single),
      levels_(instance.levels().size()),
      queues_(queue_count(instance, arrangement)) {
    const bool counted = (arrangement == Arrangement::single || own == Tracking::counted) &&
                         (!has_shared_ || shared == Tracking::counted);
    if (instance.options().unmatched == Unmatched::phantom && !counted)
        throw InputError::at_key(
            "options.unmatched",
            "expected 'idle' for a policy whose tasks carry their own rate: a phantom service has no task");
    if (has_shared_ && shared == Tracking::revealed && instance.arrivals().largest_total() > 1)
        throw InputError::at_key("options.reveal", "expected 'on-arrival' when a slot may bring more than one task");
    if (has_shared_ && shared == Tracking::revealed && instance.total_arrival_rate().sign() == 0)
        throw InputError::at_key("options.reveal", "expected 'on-arrival' when no task ever arrives");
}

Level Layout::service_level(const Instance& instance, QueueId q, ServerId m) const {
    if (arrangement_ == Arrangement::per_type) return instance.level(TaskTypeId(q.index()), m);
    if (is_shared(q)) return instance.remote();
    if (arrangement_ == Arrangement::per_server_and_level) return Level(q.index() % levels_);
    return instance.distance(m, owner(q));
}

std::string Layout::name(const Instance& instance, QueueId q) const {
    switch (arrangement_) {
        case Arrangement::per_type:
            return "type " + instance.type(TaskTypeId(q.index())).name;
        case Arrangement::single:
            return "queue";
        case Arrangement::per_server_and_level:
            return instance.server(owner(q)).name + "." + instance.data().levels[q.index() % levels_].name;
        default:
            return is_shared(q) ? "common" : instance.server(owner(q)).name;
    }
}

}  // namespace schedproof::queueing
