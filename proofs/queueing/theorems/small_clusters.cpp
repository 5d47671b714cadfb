/// Two kinds of small clusters: one that shows all pairs of distances at once, and one for each pattern of distances.
///
/// Decisions see of a server its queues, its level to the type that asks or its distance from the server that asks, and
/// nothing else. So a pattern is a number of servers for each level. Those of a type that are local or share a rack
/// with a local one stand in one rack, the remote ones in another; around a server likewise.
#include "proofs/queueing/theorems/small_clusters.hpp"

#include <numeric>
#include <string>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

/// Two levels: three servers. Three: racks {0,1,2} and {3}, so that some server sees itself and two of its rack and one
/// beyond, and another three beyond: every pair of distances at which two queues can stand.
std::vector<Server> servers_of(std::size_t levels) {
    const std::size_t count = levels == 2 ? 3 : 4;
    std::vector<Server> all;
    for (std::size_t i = 0; i < count; ++i) {
        Server server{"s" + std::to_string(i), {}};
        if (levels == 3) server.groups.push_back(i < 3 ? "r0" : "r1");
        all.push_back(std::move(server));
    }
    return all;
}

/// Replica sets, one per pattern of the servers up to renaming.
std::vector<TaskType> types(std::size_t servers, std::size_t levels) {
    std::vector<std::vector<std::size_t>> sets{{0}, {0, 1}};
    if (levels > 2) sets.push_back({0, 3});
    sets.push_back({0, 1, 2});
    if (servers > 3) {
        sets.push_back({3});
        sets.push_back({0, 1, 2, 3});
    }
    std::vector<TaskType> all;
    for (const auto& set : sets) {
        TaskType type;
        type.name = "t";
        for (const std::size_t m : set) {
            type.name += std::to_string(m);
            type.replicas.emplace_back(m);
        }
        all.push_back(std::move(type));
    }
    return all;
}

void require_levels(std::size_t levels) {
    if (levels < 2 || levels > 3) throw InputError::at_key("levels", "expected two or three levels");
}

std::shared_ptr<const Instance> cluster(std::string name, std::size_t levels, std::vector<Server> servers,
                                        std::vector<TaskType> types, const Rates& rates, Timing timing) {
    InstanceData data;
    data.name = std::move(name);
    for (std::size_t i = 0; i < levels; ++i)
        data.levels.push_back({"level" + std::to_string(i),
                               rates ? rates->at(i) : Rational(Integer(1), Integer(1) << static_cast<unsigned>(i))});
    data.servers = std::move(servers);
    data.types = std::move(types);
    const Rational each(Integer(1), Integer(static_cast<std::int64_t>(data.types.size() + 1)));
    const std::vector<Rational> arriving(data.types.size(), each);
    if (timing == Timing::slots)
        data.arrivals = ArrivalLaw::single(arriving);
    else
        data.time = ContinuousTime{}, data.rates = arriving;
    if (timing == Timing::interruptions) data.options.preemption = Preemption::resume;
    return std::make_shared<const Instance>(std::move(data));
}

/// So many servers of each level to the type whose data all of level 0 hold. The name lists the numbers.
std::shared_ptr<const Instance> pattern(const std::vector<std::size_t>& of_level, const Rates& rates, Timing timing) {
    const std::size_t levels = of_level.size();
    std::string name = "cluster";
    std::vector<Server> servers;
    TaskType type{"t", {}};
    for (std::size_t level = 0; level < levels; ++level) {
        name += "-" + std::to_string(of_level[level]);
        for (std::size_t i = 0; i < of_level[level]; ++i) {
            if (level == 0) type.replicas.emplace_back(servers.size());
            Server server{"s" + std::to_string(servers.size()), {}};
            if (levels == 3) server.groups.push_back(level + 1 < levels ? "r0" : "r1");
            servers.push_back(std::move(server));
        }
    }
    return cluster(name, levels, std::move(servers), {type}, rates, timing);
}

/// All ways to have `left` or fewer in the places from `at` on.
void each_choice(std::vector<std::size_t>& numbers, std::size_t at, std::size_t left,
                 std::vector<std::vector<std::size_t>>& all) {
    if (at == numbers.size()) {
        all.push_back(numbers);
        return;
    }
    for (numbers[at] = 0; numbers[at] <= left; ++numbers[at]) each_choice(numbers, at + 1, left - numbers[at], all);
    numbers[at] = 0;
}
std::vector<std::vector<std::size_t>> choices(std::size_t places, std::size_t most) {
    std::vector<std::vector<std::size_t>> all;
    std::vector<std::size_t> numbers(places, 0);
    each_choice(numbers, 0, most, all);
    return all;
}

}  // namespace

Timing timing_of(const Instance& instance) {
    if (!instance.continuous()) return Timing::slots;
    return instance.preemptive() ? Timing::interruptions : Timing::events;
}

std::shared_ptr<const Instance> small_cluster(std::size_t levels, const Rates& rates, Timing timing) {
    require_levels(levels);
    std::vector<Server> all = servers_of(levels);
    std::vector<TaskType> of = types(all.size(), levels);
    return cluster("small-" + std::to_string(levels), levels, std::move(all), std::move(of), rates, timing);
}

std::vector<std::shared_ptr<const Instance>> routing_clusters(std::size_t levels, std::size_t others,
                                                              const Rates& rates, Timing timing) {
    require_levels(levels);
    std::vector<std::shared_ptr<const Instance>> all;
    for (std::vector<std::size_t> numbers : choices(levels, others)) {
        // A local server is added where there is none; with fewer others that pattern is listed itself.
        if (numbers[0] == 0) {
            if (std::accumulate(numbers.begin(), numbers.end(), std::size_t{0}) < others) continue;
            numbers[0] = 1;
        }
        all.push_back(pattern(numbers, rates, timing));
    }
    return all;
}

std::vector<std::shared_ptr<const Instance>> serving_clusters(std::size_t levels, std::size_t others,
                                                              const Rates& rates, Timing timing) {
    require_levels(levels);
    std::vector<std::shared_ptr<const Instance>> all;
    for (std::vector<std::size_t> numbers : choices(levels - 1, others)) {
        numbers.insert(numbers.begin(), 1);
        all.push_back(pattern(numbers, rates, timing));
    }
    return all;
}

}  // namespace schedproof::queueing
