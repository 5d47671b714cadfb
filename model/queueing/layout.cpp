#include "model/queueing/layout.hpp"

#include <algorithm>

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
            return instance.servers().size() * instance.rate_rows() * instance.levels().size();
        case Arrangement::per_type:
            return instance.types().size();
        case Arrangement::single:
            return 1;
    }
    throw ContractViolation("unknown arrangement of queues");
}

std::vector<std::size_t> rows_of_types(const Instance& instance) {
    std::vector<std::size_t> rows;
    if (instance.rate_rows() > 1)
        for (const TaskTypeId type : instance.types()) rows.push_back(instance.row(type));
    return rows;
}
}  // namespace

void require_known_rates(const Instance& instance, Arrangement arrangement) {
    if (arrangement == Arrangement::per_type || arrangement == Arrangement::per_server_and_level) return;
    if (!instance.rates_by_type()) return;
    const auto& types = instance.data().types;
    const auto own = std::find_if(types.begin(), types.end(), [](const TaskType& type) { return !type.rates.empty(); });
    throw InputError::at_path({"types", own->name, "rates"},
                              "expected no rates of its own under a policy whose queues may hold tasks of several "
                              "types: the rate of a task in execution would not be known; policies that keep a queue "
                              "per type, or per server and level, run it");
}

Layout::Layout(const Instance& instance, Arrangement arrangement, Tracking own, Tracking shared)
    : arrangement_(arrangement),
      own_(own),
      shared_(shared),
      has_shared_(arrangement == Arrangement::per_server_and_common || arrangement == Arrangement::single),
      levels_(instance.levels().size()),
      rows_(instance.rate_rows()),
      row_of_type_(rows_of_types(instance)),
      queues_(queue_count(instance, arrangement)) {
    require_known_rates(instance, arrangement);
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
            return instance.server(owner(q)).name + "." + name_at_server(instance, q);
        default:
            return is_shared(q) ? "common" : instance.server(owner(q)).name;
    }
}

std::string Layout::name_at_server(const Instance& instance, QueueId q) const {
    const std::string& level = instance.data().levels[q.index() % levels_].name;
    return rows_ == 1 ? level : level + "." + instance.type(instance.first_type(row(q))).name;
}

}  // namespace schedproof::queueing
