/// Queues where the rate of a task follows from queue and server, or from its type.
///
/// With levels by distance the queues are a grid: their numbers follow from server, row of rates and level by
/// arithmetic, which the simulators' loops rely on. Where types state their rates at servers most of that grid could
/// never hold a task, so the queues are those in use, listed with what they hold (`Place`). A queue whose types are
/// served at different rates by some server is refused: a status names a queue and a level, and must tell the rate.
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

namespace {
/// Throws InputError, unless every type has the rates of the levels, for an arrangement whose queues may hold tasks of
/// several rates at one level.
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
}  // namespace

Layout::Layout(const Instance& instance, Arrangement arrangement, Tracking own, Tracking shared, Joining joining)
    : arrangement_(arrangement),
      own_(own),
      shared_(shared),
      has_shared_(arrangement == Arrangement::per_server_and_common || arrangement == Arrangement::single),
      levels_(instance.levels().size()),
      rows_(instance.rate_rows()),
      row_of_type_(rows_of_types(instance)),
      queues_(queue_count(instance, arrangement)) {
    if (instance.rates_at_servers()) {
        place_queues(instance, joining);
        return;
    }
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

/// A queue of these types. Throws InputError when two have different rates at some server.
Layout::Place Layout::placed(const Instance& instance, ServerId owner, QueueId q, std::vector<TaskTypeId> held) const {
    for (const TaskTypeId type : held) {
        const TaskType &first = instance.type(held.front()), &other = instance.type(type);
        if (other.at_servers == first.at_servers) continue;
        const auto differs = std::mismatch(other.at_servers.begin(), other.at_servers.end(), first.at_servers.begin());
        throw InputError::at_path(
            {"types", other.name, "rates"},
            "expected the rates of type '" + first.name + "', which may wait in the queue '" + name(instance, q) +
                "' as well: at server '" +
                instance.server(ServerId(static_cast<std::size_t>(differs.first - other.at_servers.begin()))).name +
                "' they differ, and the queue would not tell the rate; policies that keep a queue per type, or per "
                "server and level, run it");
    }
    const std::size_t row = held.empty() ? 0 : instance.row(held.front());
    return {owner, row, std::nullopt, std::move(held)};
}

void Layout::place_queues(const Instance& instance, Joining joining) {
    own_ = shared_ = Tracking::counted;
    std::vector<TaskTypeId> all;
    for (const TaskTypeId type : instance.types()) all.push_back(type);
    if (arrangement_ == Arrangement::per_server_and_level) return place_levels(instance);
    if (arrangement_ == Arrangement::per_type) {
        for (const TaskTypeId type : all) places_.push_back(placed(instance, {}, queue(type), {type}));
        return;
    }
    if (arrangement_ != Arrangement::single)
        for (const ServerId m : instance.servers()) {
            std::vector<TaskTypeId> held;
            for (const TaskTypeId type : all) {
                const auto& replicas = instance.type(type).replicas;
                const bool holds_data = std::binary_search(replicas.begin(), replicas.end(), m);
                if (instance.can_serve(m, type) && (joining == Joining::anywhere || holds_data)) held.push_back(type);
            }
            places_.push_back(placed(instance, m, QueueId(m.index()), std::move(held)));
        }
    if (has_shared_) places_.push_back(placed(instance, {}, shared(), std::move(all)));
}

/// A queue for each server, row and level at which the server has a type of that row.
void Layout::place_levels(const Instance& instance) {
    constexpr std::size_t most_cells = 20'000'000;
    if (queues_ > most_cells)
        throw LimitExceeded("queues", "servers, lists of rates and levels with more than 20000000 combinations");
    place_at_.assign(queues_, none);
    std::vector<std::vector<TaskTypeId>> holds(queues_);
    for (const ServerId m : instance.servers())
        for (const TaskTypeId type : instance.types())
            if (instance.can_serve(m, type))
                holds[cell(m, instance.level(type, m), instance.row(type))].push_back(type);
    for (const ServerId m : instance.servers()) {
        first_of_server_.push_back(places_.size());
        for (std::size_t row = 0; row < rows_; ++row)
            for (const Level level : instance.levels()) {
                const std::size_t at = cell(m, level, row);
                if (holds[at].empty()) continue;
                place_at_[at] = static_cast<std::uint32_t>(places_.size());
                places_.push_back({m, row, level, std::move(holds[at])});
            }
    }
    first_of_server_.push_back(places_.size());
    queues_ = places_.size();
}

bool Layout::serves(const Instance& instance, ServerId m, QueueId q) const {
    if (places_.empty()) return true;
    const Place& place = places_[q.index()];
    if (place.level) return place.owner == m;
    return !place.holds.empty() && instance.can_serve(m, place.holds.front());
}

bool Layout::may_hold(QueueId q, TaskTypeId type) const {
    const std::vector<TaskTypeId>& holds = places_[q.index()].holds;
    return std::binary_search(holds.begin(), holds.end(), type);
}

Level Layout::service_level(const Instance& instance, QueueId q, ServerId m) const {
    if (!places_.empty()) {
        require(serves(instance, m, q), "a server has a level for the queues that it can serve");
        const Place& place = places_[q.index()];
        return place.level ? *place.level : instance.level(place.holds.front(), m);
    }
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
    const std::size_t at = places_.empty() ? q.index() % levels_ : places_[q.index()].level.value().index();
    const std::string& level = instance.data().levels[at].name;
    return rows_ == 1 ? level : level + "." + instance.type(instance.first_type(row(q))).name;
}

}  // namespace schedproof::queueing
