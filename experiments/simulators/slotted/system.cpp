#include "experiments/simulators/slotted/system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "model/core/errors.hpp"
#include "model/queueing/arrival_moments.hpp"

namespace schedproof::simulation {

using queueing::Instance;
using queueing::InstanceData;

Rational SimulatedSystem::arrival_rate() const {
    if (!random) return instance->total_arrival_rate();
    if (const auto* poisson = std::get_if<PoissonArrivals>(&arrivals)) return poisson->rate;
    return Rational(static_cast<std::int64_t>(std::get<FixedArrivals>(arrivals).tasks));
}

Rational SimulatedSystem::arrivals_squared() const {
    if (!random) return queueing::arrival_moments(instance->arrivals()).second();
    const Rational rate = arrival_rate();
    return std::holds_alternative<PoissonArrivals>(arrivals) ? rate * rate + rate : rate * rate;
}

bool takes_own_by_level(const queueing::AnyPolicy& policy) {
    using namespace queueing::language;
    constexpr auto nearest = most_local(nonempty(own_levels));
    const Tree& serve = policy.rules().serve();
    return serve == nearest.tree || serve == first_of(nearest, own).tree;
}

void require_discipline(const SimulatedSystem& system, const queueing::AnyPolicy& policy) {
    if (system.discipline == Discipline::local_first || takes_own_by_level(policy)) return;
    throw InputError::at_key(
        "--discipline",
        fmt::format("expected local-first under {}, whose rule says which queue an idle server turns to; fcfs is for "
                    "servers that take their own tasks, the most local first, as under balanced-pandas",
                    policy.info().id));
}

void require_view_age(const SimulatedSystem& system, bool continuous) {
    const Rational& age = system.view_age;
    if (age.sign() < 0 || age > Rational(1'000'000))
        throw InputError::at_key("--view-age", "expected an age from 0 to 1000000, not " + age.to_string());
    if (!continuous && age.denominator() != Integer(1))
        throw InputError::at_key("--view-age", "expected a whole number of slots, not " + age.to_string());
    if (age.sign() > 0 && system.instance->preemptive())
        throw InputError::at_key("--view-age",
                                 "expected 0 where tasks may be interrupted: servers then decide anew at each event");
}

SimulatedSystem random_cluster(const RandomCluster& cluster, std::variant<PoissonArrivals, FixedArrivals> arrivals) {
    const auto expect = [](bool holds, const char* key, const std::string& what) {
        if (!holds) throw InputError::at_key(key, "expected " + what);
    };
    expect(cluster.servers >= 1, "--servers", "at least one server");
    expect(cluster.data_servers >= 1 && cluster.data_servers <= cluster.servers, "--data-servers",
           fmt::format("1 to {} servers with data", cluster.servers));
    expect(cluster.replicas >= 1 && cluster.replicas <= std::min(cluster.data_servers, max_random_replicas),
           "--replicas", fmt::format("1 to {} replicas", std::min(cluster.data_servers, max_random_replicas)));
    expect(cluster.rates.size() == (cluster.rack_size == 0 ? 2U : 3U), "--service-rates",
           cluster.rack_size == 0 ? "two rates, local and remote" : "three rates, local, rack and remote");
    if (const auto* poisson = std::get_if<PoissonArrivals>(&arrivals))
        expect(poisson->rate.sign() > 0 && poisson->rate <= Rational(1'000'000'000), "--rate",
               "a rate above 0 and at most 10^9 tasks a slot");

    InstanceData data;
    data.name = "random-cluster";
    const char* names[] = {"local", cluster.rack_size == 0 ? "remote" : "rack", "remote"};
    for (std::size_t l = 0; l < cluster.rates.size(); ++l) data.levels.push_back({names[l], cluster.rates[l]});
    data.servers.reserve(cluster.servers);
    for (std::uint32_t m = 0; m < cluster.servers; ++m) {
        data.servers.push_back({fmt::format("s{}", m), {}});
        if (cluster.rack_size > 0) data.servers.back().groups.push_back(fmt::format("r{}", m / cluster.rack_size));
    }
    queueing::TaskType type{"chunk", {}};
    for (std::uint32_t r = 0; r < cluster.replicas; ++r) type.replicas.emplace_back(r);
    data.types.push_back(std::move(type));
    data.options = cluster.options;
    SimulatedSystem system{nullptr, RandomReplicas{cluster.data_servers, cluster.replicas}, std::move(arrivals)};
    data.rates = {system.arrival_rate()};
    system.instance = std::make_shared<const Instance>(std::move(data));
    return system;
}

std::vector<std::uint8_t> servers_with_data(const SimulatedSystem& system) {
    std::vector<std::uint8_t> with(system.instance->servers().size(), 0);
    if (system.random) {
        std::fill_n(with.begin(), system.random->data_servers, std::uint8_t{1});
    } else {
        for (const TaskTypeId type : system.instance->types())
            for (const ServerId m : system.instance->type(type).replicas) with[m.index()] = 1;
    }
    return with;
}

}  // namespace schedproof::simulation
