/// The cluster that a simulation of queueing runs on: an instance, whose task types may be drawn anew for every task.
///
/// An instance lists its types. A large cluster has too many: with data anywhere, every set of three servers is one.
/// Such a cluster has one nominal type, and every task draws the servers of its replicas, each ordered choice of
/// different servers among the first `data_servers` equally likely.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/queueing/any_policy.hpp"

namespace schedproof::simulation {

struct RandomReplicas {
    std::uint32_t data_servers = 1;
    std::uint32_t replicas = 1;  ///< at most `max_random_replicas` and at most data_servers
};
inline constexpr std::uint32_t max_random_replicas = 16;

/// How many tasks come in a slot, of a cluster with random replicas.
struct PoissonArrivals {
    Rational rate;
};
struct FixedArrivals {
    std::uint64_t tasks = 0;
};

/// Of a policy under which a server takes its own tasks, the most local first: which of them it takes when it is idle.
/// Interpretation Q21. Under fcfs the law of the next slot depends on the order of all tasks of a server, which no
/// exact state holds; only simulators, whose tasks have a time of arrival, run it.
enum class Discipline : std::uint8_t {
    local_first,  ///< one of the most local level: the policy's serving rule as it stands
    fcfs,         ///< the oldest, of any level
};

struct SimulatedSystem {
    std::shared_ptr<const queueing::Instance> instance;
    std::optional<RandomReplicas> random = {};                   ///< of the only type; none: types as listed
    std::variant<PoissonArrivals, FixedArrivals> arrivals = {};  ///< with random replicas; else the instance's law
    Discipline discipline = Discipline::local_first;
    /// How old the queues are that tasks see when they are routed, in slots or units of time: at least 0, in slots
    /// whole. An idle server sees its own of now. Only simulators have it: the state would hold what has happened
    /// since.
    Rational view_age{};
    /// Mean number of tasks in a slot.
    [[nodiscard]] Rational arrival_rate() const;
    /// Mean of the square of that number.
    [[nodiscard]] Rational arrivals_squared() const;
};

/// Whether the policy's servers take their own tasks, the most local first, so that a discipline says something of it.
[[nodiscard]] bool takes_own_by_level(const queueing::AnyPolicy& policy);
/// Throws InputError that names `--discipline` when the discipline is fcfs and says nothing of the policy.
void require_discipline(const SimulatedSystem& system, const queueing::AnyPolicy& policy);

/// Throws InputError that names `--view-age` when it is not one that the system can have.
void require_view_age(const SimulatedSystem& system, bool continuous);

/// By server: whether data may lie there, 1 or 0.
[[nodiscard]] std::vector<std::uint8_t> servers_with_data(const SimulatedSystem& system);

/// A cluster of this many servers, in racks of this many when rates has a middle level, with random replicas.
struct RandomCluster {
    std::uint32_t servers = 1000, data_servers = 800, replicas = 3;
    std::uint32_t rack_size = 0;  ///< 0: no racks
    std::vector<Rational> rates;  ///< local first; with racks three, without two
    queueing::Options options = {.routing = queueing::Routing::sequential};
};
/// Throws InputError that names the field when a number is out of range or the rates are not strictly decreasing.
/// Cost: O(servers).
[[nodiscard]] SimulatedSystem random_cluster(const RandomCluster& cluster,
                                             std::variant<PoissonArrivals, FixedArrivals> arrivals);

}  // namespace schedproof::simulation
