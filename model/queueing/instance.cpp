/// What makes a queueing instance valid, checked once when it is made.
///
/// An instance is data as written in a file; the constructor checks each part in an order in which later checks may
/// rely on earlier ones: levels (strictly decreasing rates in (0, 1]), servers with their groups, task types with
/// replicas on existing servers, arrivals whose means are the stated rates, batches, Lyapunov functions. Then it
/// computes what every engine asks for: the level of a server to a task type is the innermost group that the server
/// shares with a replica. A failed check names the key, so that a reader can add the file and line.
///
/// The rates of a type decrease strictly as those of the levels do: the nearest replica is then the fastest, on which
/// the definition of a level and the pooling of the capacity problem rest. A type that runs equally fast everywhere has
/// a replica on every server.
/// Long: every part of an instance is checked here, in this order.
#include "model/queueing/instance.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

template <class Things>
void require_names(const Things& things, const std::string& kind) {
    std::set<std::string> seen;
    for (const auto& thing : things) {
        if (thing.name.empty()) throw InputError::at_path({kind}, "expected a name that is not empty");
        if (!seen.insert(thing.name).second)
            throw InputError::at_path({kind}, "expected different names, but '" + thing.name + "' stands twice");
    }
}

/// The rate of a level, which lies further than one called `nearer` of rate `above`, if there is one.
void require_rate(const InstanceData& data, const KeyPath& key, const Rational& rate, const Rational* above,
                  const std::string& nearer) {
    if (rate.sign() <= 0 || (rate > 1 && !data.time))
        throw InputError::at_path(key, std::string("expected a rate above 0") +
                                           (data.time ? ", not " : " and at most 1, not ") + rate.to_string());
    if (above && rate >= *above)
        throw InputError::at_path(key, "expected a rate below that of '" + nearer + "' (" + above->to_string() +
                                           "), not " + rate.to_string());
}

}  // namespace

Instance::Instance(InstanceData data) : data_(std::move(data)) {
    check_rates_at_servers();
    check_levels();
    check_servers();
    check_types();
    check_time();
    check_arrivals();
    check_slack();
    check_lyapunov();
}

void Instance::check_rates_at_servers() {
    std::size_t stated = 0;
    for (const TaskType& type : data_.types) stated += type.at_servers.empty() ? 0 : 1;
    if (stated == 0) return;
    for (const TaskType& type : data_.types) {
        const KeyPath key{"types", type.name, "rates"};
        if (type.at_servers.empty())
            throw InputError::at_path({"types", type.name},
                                      "expected 'rates' with a rate at each server that can serve it, as another type "
                                      "states its rates at servers");
        if (type.at_servers.size() != data_.servers.size())
            throw InputError::at_path(key, "expected one entry per server");
        bool served = false;
        for (std::size_t m = 0; m < type.at_servers.size(); ++m) {
            if (!type.at_servers[m]) continue;
            served = true;
            require_rate(data_, {"types", type.name, "rates", data_.servers[m].name}, *type.at_servers[m], nullptr, "");
        }
        if (!served) throw InputError::at_path(key, "expected a server that can serve the type");
    }
    rank_rates();
}

/// Levels, rates per level and places of rates; replicas where a type states none.
void Instance::rank_rates() {
    std::size_t most = 0;
    for (TaskType& type : data_.types) {
        std::set<Rational, std::greater<>> different;
        for (const auto& rate : type.at_servers)
            if (rate) different.insert(*rate);
        type.rates.assign(different.begin(), different.end());
        most = std::max(most, type.rates.size());
        for (const auto& rate : type.at_servers)
            place_.push_back(rate ? static_cast<std::uint32_t>(std::find(type.rates.begin(), type.rates.end(), *rate) -
                                                               type.rates.begin())
                                  : cannot_serve);
        if (!type.replicas.empty()) continue;
        for (std::size_t m = 0; m < type.at_servers.size(); ++m)
            if (type.at_servers[m] == type.rates.front()) type.replicas.emplace_back(m);
    }
    data_.levels.clear();
    for (TaskType& type : data_.types) type.rates.resize(most, Rational(type.rates.back()));
    for (std::size_t l = 0; l < most; ++l)
        data_.levels.push_back({"rate" + std::to_string(l + 1), data_.types.front().rates[l]});
    for (const TaskType& type : data_.types) rates_by_type_ = rates_by_type_ || type.rates != data_.types.front().rates;
    if (!rates_by_type_)
        for (TaskType& type : data_.types) type.rates.clear();
}

void Instance::check_levels() const {
    if (data_.levels.size() < 2 && !rates_at_servers())
        throw InputError::at_path({"levels"}, "expected at least two levels, local first and remote last");
    require_names(data_.levels, "levels");
    for (std::size_t i = 0; i < data_.levels.size(); ++i) {
        const LevelInfo* nearer = i > 0 ? &data_.levels[i - 1] : nullptr;
        if (rates_at_servers()) continue;
        require_rate(data_, {"levels", data_.levels[i].name, "rate"}, data_.levels[i].rate,
                     nearer ? &nearer->rate : nullptr, nearer ? nearer->name : "");
    }
}

void Instance::check_type_rates(TaskType& type) {
    std::vector<Rational>& rates = type.rates;
    if (rates.empty() || rates_at_servers()) return;
    const KeyPath key{"types", type.name, "rates"};
    if (rates.size() != data_.levels.size())
        throw InputError::at_path(
            key, "expected one rate per locality level, " + std::to_string(data_.levels.size()) + " in all");
    bool differs = false;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        require_rate(data_, key, rates[i], i > 0 ? &rates[i - 1] : nullptr, i > 0 ? data_.levels[i - 1].name : "");
        differs = differs || rates[i] != data_.levels[i].rate;
    }
    if (!differs) rates.clear();
    rates_by_type_ = rates_by_type_ || differs;
}

void Instance::number_rows() {
    first_of_row_ = {TaskTypeId(0)};
    if (!rates_by_type_) return;
    first_of_row_.clear();
    std::map<std::vector<Rational>, std::uint32_t> known;  // by the rates of a type's own
    for (const TaskTypeId type : types()) {
        const auto [row, fresh] =
            known.try_emplace(data_.types[type.index()].rates, static_cast<std::uint32_t>(known.size()));
        row_.push_back(row->second);
        if (fresh) first_of_row_.push_back(type);
    }
}

void Instance::check_lyapunov() const {
    require_names(data_.lyapunov, "lyapunov");
    for (const LyapunovText& v : data_.lyapunov)
        for (const LyapunovText::Piece& piece : v.pieces)
            if (piece.largest_of.empty())
                throw InputError::at_path({"lyapunov", v.name}, "expected a maximum of at least one form");
}

void Instance::check_servers() {
    if (data_.servers.empty()) throw InputError::at_path({"servers"}, "expected at least one server");
    require_names(data_.servers, "servers");
    groupings_ = rates_at_servers() ? 0 : data_.levels.size() - 2;
    // A group is known by the path down to it, so equal rack names in two data centres are two racks.
    std::map<std::vector<std::string>, std::uint32_t> numbers;
    group_.resize(data_.servers.size() * groupings_);
    for (const ServerId m : servers()) {
        const Server& server = data_.servers[m.index()];
        if (server.groups.size() < groupings_)
            throw InputError::at_path({"servers", server.name}, "expected " + std::to_string(groupings_) +
                                                                    " group name(s), innermost first, for " +
                                                                    std::to_string(data_.levels.size()) +
                                                                    " locality levels");
        for (std::size_t g = 0; g < groupings_; ++g) {
            const std::vector<std::string> path(server.groups.begin() + static_cast<std::ptrdiff_t>(g),
                                                server.groups.end());
            group_[m.index() * groupings_ + g] =
                numbers.try_emplace(path, static_cast<std::uint32_t>(numbers.size())).first->second;
        }
    }
}

void Instance::check_types() {
    if (data_.types.empty()) throw InputError::at_path({"types"}, "expected at least one task type");
    require_names(data_.types, "types");
    for (TaskType& type : data_.types) {
        if (type.replicas.empty())
            throw InputError::at_path({"types", type.name, "replicas"},
                                      "expected at least one server that holds a replica");
        std::sort(type.replicas.begin(), type.replicas.end());
        if (std::adjacent_find(type.replicas.begin(), type.replicas.end()) != type.replicas.end())
            throw InputError::at_path({"types", type.name, "replicas"}, "expected each server once");
        if (type.replicas.back().index() >= data_.servers.size())
            throw InputError::at_path({"types", type.name, "replicas"}, "expected known servers");
        if (type.cost.sign() <= 0)
            throw InputError::at_path({"types", type.name, "cost"},
                                      "expected a cost above 0, not " + type.cost.to_string());
        if (type.exponent < 1 || type.exponent > 16)
            throw InputError::at_path({"types", type.name, "exponent"}, "expected an exponent from 1 to 16");
        check_type_rates(type);
    }
    number_rows();
    number_preferences();
}

void Instance::number_preferences() {
    if (std::all_of(data_.types.begin(), data_.types.end(), [](const auto& type) { return type.preference.empty(); }))
        return;  // so that millions of types have no list each
    for (const TaskType& type : data_.types) {
        auto& places = preference_.emplace_back();
        for (std::size_t place = 0; place < type.preference.size(); ++place)
            places.emplace_back(type.preference[place], place);
        std::sort(places.begin(), places.end());
        const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
        if (std::adjacent_find(places.begin(), places.end(), same) != places.end())
            throw InputError::at_path({"types", type.name, "preference"}, "expected each server once");
        if (!places.empty() && places.back().first.index() >= data_.servers.size())
            throw InputError::at_path({"types", type.name, "preference"}, "expected known servers");
    }
}

std::size_t Instance::place_in_order(TaskTypeId type, ServerId m) const {
    if (data_.types[type.index()].preference.empty()) return level(type, m).index();
    const auto& places = preference_[type.index()];
    const auto found = std::lower_bound(places.begin(), places.end(), std::pair(m, std::size_t{0}));
    return found != places.end() && found->first == m ? found->second : places.size();
}

void Instance::check_arrivals() {
    if (data_.arrivals && !continuous()) {
        for (const ArrivalFactor& factor : data_.arrivals->factors())
            for (const TaskTypeId type : factor.types())
                if (type.index() >= data_.types.size())
                    throw InputError::at_path({"arrivals"}, "expected known task types");
        data_.rates = data_.arrivals->means(data_.types.size());
    }
    if (data_.rates.size() != data_.types.size())
        throw InputError::at_path({"arrivals"}, "expected one rate per task type");
    for (std::size_t i = 0; i < data_.rates.size(); ++i)
        if (data_.rates[i].sign() < 0)
            throw InputError::at_path({"arrivals", data_.types[i].name},
                                      "expected a rate of at least 0, not " + data_.rates[i].to_string());
    check_batches();
    if (!continuous()) return;
    for (std::size_t i = 0; i < data_.rates.size(); ++i)
        if (data_.rates[i].sign() == 0)
            throw InputError::at_path({"arrivals", data_.types[i].name},
                                      "expected a rate above 0: leave a task type out that never arrives");
    fill_law_of_events();
}

void Instance::check_batches() {
    if (std::all_of(data_.batches.begin(), data_.batches.end(), [](const auto& sizes) { return sizes.empty(); }))
        return data_.batches.clear();
    if (!continuous())
        throw InputError::at_path({"arrivals", "batches"},
                                  "expected none in slots, where the law of a slot has several tasks in an outcome");
    if (data_.batches.size() != data_.types.size())
        throw InputError::at_path({"arrivals", "batches"}, "expected one list per task type");
    for (std::size_t i = 0; i < data_.batches.size(); ++i) try {
            queueing::check_batches(data_.batches[i]);
        } catch (const InputError& error) {
            throw InputError::at_path({"arrivals", "batches", data_.types[i].name}, error.expected());
        }
}

/// Gamma, and what one event brings.
void Instance::fill_law_of_events() {
    event_rate_ = total_batch_rate();
    for (const ServerId m : servers()) event_rate_ += fastest(m);
    if (!batches()) {
        std::vector<Rational> of_an_event;
        for (const Rational& rate : data_.rates) of_an_event.push_back(rate / event_rate_);
        data_.arrivals = ArrivalLaw::single(of_an_event);
        return;
    }
    std::vector<TaskTypeId> all;
    std::vector<ArrivalOutcome> outcomes;
    Rational none(1);
    for (const TaskTypeId type : types()) {
        all.push_back(type);
        const Rational share = batch_rate(type) / event_rate_;
        for (const auto& [tasks, probability] : arriving_together(type)) {
            ArrivalOutcome outcome{std::vector<std::uint32_t>(data_.types.size(), 0), share * probability};
            outcome.count[type.index()] = tasks;
            outcomes.push_back(std::move(outcome));
        }
        none -= share;
    }
    // A server that works has a rate, so that some events bring nothing.
    outcomes.push_back({std::vector<std::uint32_t>(data_.types.size(), 0), none});
    data_.arrivals = ArrivalLaw({ArrivalFactor(std::move(all), std::move(outcomes))});
}

/// What continuous time leaves no choice of.
void Instance::check_time() {
    if (!continuous()) {
        if (preemptive())
            throw InputError::at_path({"options", "preemption"},
                                      "expected none in slots, where a task in execution runs to its end; "
                                      "time = \"continuous\" has preemption");
        return;
    }
    data_.options.routing = Routing::sequential;
    data_.options.empty_target = EmptyTarget::conserved;
    data_.options.unmatched = Options{}.unmatched;
    data_.options.scarcity = Options{}.scarcity;
}

void Instance::check_slack() const {
    if (!data_.slack) return;
    if (continuous())
        throw InputError::at_path({"slack"}, "expected none in continuous time: families of loads are laws of a slot");
    if (!data_.arrivals)
        throw InputError::at_path({"slack"}, "expected none beside arrivals of kind rates, which have no law");
    if (data_.slack->up_to.sign() <= 0)
        throw InputError::at_path({"slack", "up-to"},
                                  "expected a slack above 0, not " + data_.slack->up_to.to_string());
    const auto same_types = [](const ArrivalFactor& a, const ArrivalFactor& b) {
        return std::equal(a.types().begin(), a.types().end(), b.types().begin(), b.types().end());
    };
    const auto from = data_.arrivals->factors(), to = data_.slack->end.factors();
    const auto in_order = [](const ArrivalFactor& factor) {
        std::vector<ArrivalOutcome> outcomes(factor.outcomes().begin(), factor.outcomes().end());
        std::sort(outcomes.begin(), outcomes.end(), [](const auto& a, const auto& b) { return a.count < b.count; });
        return outcomes;
    };
    std::size_t different = 0;
    bool alike = from.size() == to.size();
    for (std::size_t i = 0; alike && i < from.size(); ++i) {
        alike = same_types(from[i], to[i]);
        different += in_order(from[i]) == in_order(to[i]) ? 0 : 1;
    }
    if (!alike)
        throw InputError::at_path({"slack", "arrivals"},
                                  "expected a law of as many factors as that of 'arrivals', over the same task types");
    if (different != 1)
        throw InputError::at_path(
            {"slack", "arrivals"},
            "expected a law that differs from that of 'arrivals' in one factor, not in " + std::to_string(different) +
                ": the probabilities of a slot must be affine in the slack; laws of several types that change together "
                "are one table of kind joint");
}

Level Instance::distance(ServerId m, ServerId n) const {
    require(!rates_at_servers(), "servers have distances only where levels are distances");
    if (m == n) return local();
    for (std::size_t g = 0; g < groupings_; ++g)
        if (group(m, g) == group(n, g)) return Level(g + 1);
    return remote();
}

Level Instance::level(TaskTypeId type, ServerId m) const {
    if (rates_at_servers()) {
        require(can_serve(m, type), "a server has a level for the types that it can serve");
        return Level(place(type, m));
    }
    Level best = remote();
    for (const ServerId n : data_.types[type.index()].replicas) best = std::min(best, distance(m, n));
    return best;
}

std::vector<Rational> Instance::rate_table() const {
    std::vector<Rational> table;
    for (const TaskTypeId type : first_of_row_)
        for (const Level level : levels()) table.push_back(rate(type, level));
    return table;
}

Rational Instance::total_arrival_rate() const {
    Rational sum;
    for (const Rational& rate : data_.rates) sum += rate;
    return sum;
}

std::vector<BatchSize> Instance::arriving_together(TaskTypeId type) const {
    return batches() ? with_single_tasks(data_.batches[type.index()]) : with_single_tasks({});
}

Rational Instance::batch_rate(TaskTypeId type) const {
    if (!batches()) return arrival_rate(type);
    Rational tasks;
    for (const BatchSize& size : arriving_together(type)) tasks += Rational(size.tasks) * size.probability;
    return arrival_rate(type) / tasks;
}

Rational Instance::total_batch_rate() const {
    Rational sum;
    for (const TaskTypeId type : types()) sum += batch_rate(type);
    return sum;
}

const Rational& Instance::fastest(ServerId m) const {
    const Rational* best = &no_rate_;
    for (const TaskTypeId type : types())
        best = &std::max(*best, rates_at_servers() ? rate(type, m) : rate(type, local()));
    return *best;
}

const ArrivalLaw& Instance::arrivals() const {
    if (!data_.arrivals)
        throw InputError::at_path({"arrivals", "kind"},
                                  "expected an arrival law (bernoulli, single, joint or product): '" + name() +
                                      "' has rates only, which is enough for the capacity region but not for a slot");
    return *data_.arrivals;
}

std::vector<ServerId> nearest_first(const Instance& instance, std::span<const ServerId> centre) {
    std::vector<ServerId> order;
    std::vector<bool> listed(instance.servers().size());
    const auto add = [&](ServerId m) {
        if (!listed[m.index()]) order.push_back(m);
        listed[m.index()] = true;
    };
    for (const ServerId m : centre) add(m);
    for (std::size_t g = 0; g < instance.groupings(); ++g)
        for (std::size_t i = 0; i < centre.size(); ++i)
            if (i == 0 || instance.group(centre[i], g) != instance.group(centre[i - 1], g))
                for (const ServerId m : instance.servers())
                    if (instance.group(m, g) == instance.group(centre[i], g)) add(m);
    for (const ServerId m : instance.servers()) add(m);
    return order;
}

void require_slots(const Instance& instance, std::string_view what) {
    if (instance.continuous())
        throw InputError::at_path({"time"}, "expected slots: " + std::string(what) +
                                                " is about slots, and time is continuous in '" + instance.name() + "'");
}

const ArrivalSlack& Instance::slack() const {
    if (!data_.slack)
        throw InputError::at_path({"slack"}, "expected a family of loads, such as slack = {type = \"" +
                                                 data_.types.front().name + "\", up-to = \"1/10\"}: '" + name() +
                                                 "' states one load");
    return *data_.slack;
}

}  // namespace schedproof::queueing
