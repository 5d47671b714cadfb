/// Small clusters with few and simple numbers, in which nevertheless everything differs that a rule may overlook.
///
/// Rules break in few ways. They ask types the same question that should answer differently, which takes two types with
/// one home and remote rates of their own. They move all types at once, which takes a hot home beside one that is not.
/// They hold a majority of hot servers for normal, which takes most servers hot. They mistake the nearer server for the
/// better one, which takes three levels, or the shorter queue, which takes servers of unlike speed. So placements are
/// all there are on two and three servers, and beyond that one home a type; rates are few and of simple ratios;
/// arrivals are in proportions of 1, 2 and 3, scaled to the load that is asked for.
///
/// At most one task comes in a slot, so that the order in which tasks are routed does not matter. The local rate is one
/// over the number of servers: arrivals that a cluster can serve are then at most one a slot.
///
/// Clusters that differ by names alone are one: of all renamings of servers and types the least stands for them.
#include "checks/queueing/hunted_clusters.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::checks {

using namespace queueing;

namespace {

/// Remote rates, and speeds of slower servers, as parts of the local one and of the speed of others.
const std::array<Rational, 3>& remote_parts() {
    static const std::array<Rational, 3> parts{Rational(1, 2), Rational(1, 4), Rational(1, 10)};
    return parts;
}
const std::array<Rational, 3>& speeds() {
    static const std::array<Rational, 3> all{Rational(1), Rational(1, 2), Rational(1, 5)};
    return all;
}
const Rational& rack_part() {
    static const Rational part(4, 5);
    return part;
}

/// Every placement on so many servers; beyond it each type has one home.
constexpr std::size_t all_placements = 3;

/// Proportions of the arrivals without a common factor; beyond two types one of them at most is twice the others.
std::vector<std::vector<int>> proportions(std::size_t types) {
    std::vector<std::vector<int>> all{std::vector<int>(types, 1)};
    if (types == 2) return {{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 3}, {3, 2}};
    for (std::size_t t = 0; types > 1 && t < types; ++t) {
        all.push_back(all.front());
        all.back()[t] = 2;
    }
    return all;
}

/// Calls visit with every tuple of `length` numbers below `below`, in order.
void for_each_tuple(std::size_t length, std::size_t below,
                    const std::function<void(const std::vector<std::size_t>&)>& visit) {
    std::vector<std::size_t> tuple(length, 0);
    for (;;) {
        visit(tuple);
        std::size_t i = length;
        while (i > 0 && ++tuple[i - 1] == below) tuple[--i] = 0;
        if (i == 0) return;
    }
}

/// A cluster's types, in order, and what tells its servers apart.
using Key = std::pair<std::vector<std::size_t>, std::vector<HuntedType>>;

Key renamed(const HuntStage& stage, const HuntedCluster& cluster, const std::vector<std::size_t>& to) {
    Key key{std::vector<std::size_t>(stage.servers, 0), cluster.types};
    for (std::size_t m = 0; m < stage.servers; ++m) {
        if (!cluster.speeds.empty()) key.first[to[m]] = cluster.speeds[m];
        if (stage.form == RateForm::racks) key.first[to[m]] = m + 1 == stage.servers ? 1 : 0;
    }
    for (HuntedType& type : key.second) {
        std::uint32_t homes = 0;
        for (std::size_t m = 0; m < stage.servers; ++m)
            if ((type.homes >> m) % 2 == 1) homes |= 1U << to[m];
        type.homes = homes;
    }
    std::sort(key.second.begin(), key.second.end());
    return key;
}

/// The least of all renamings of the servers.
Key canonical(const HuntStage& stage, const HuntedCluster& cluster) {
    std::vector<std::size_t> to(stage.servers);
    std::iota(to.begin(), to.end(), std::size_t{0});
    Key least = renamed(stage, cluster, to);
    while (std::next_permutation(to.begin(), to.end())) least = std::min(least, renamed(stage, cluster, to));
    return least;
}

/// Placements of types: any, or with many servers one home each, from the first server on without a gap.
std::vector<std::vector<std::uint32_t>> placements(const HuntStage& stage) {
    std::vector<std::vector<std::uint32_t>> all;
    const bool any = stage.servers <= all_placements;
    const std::size_t choices = any ? (std::size_t{1} << stage.servers) - 1 : stage.servers;
    for_each_tuple(stage.types, choices, [&](const std::vector<std::size_t>& tuple) {
        std::vector<std::uint32_t> homes;
        std::size_t next = 0;
        for (const std::size_t choice : tuple) {
            if (!any && choice > next) return;
            next = std::max(next, choice + 1);
            homes.push_back(any ? static_cast<std::uint32_t>(choice + 1) : 1U << choice);
        }
        all.push_back(std::move(homes));
    });
    return all;
}

/// Remote rates of the types, as places in the list: the same of all, or not.
std::vector<std::vector<std::size_t>> remote_rates(const HuntStage& stage) {
    std::vector<std::vector<std::size_t>> all;
    for_each_tuple(stage.types, remote_parts().size(), [&](const std::vector<std::size_t>& tuple) {
        const bool alike = std::all_of(tuple.begin(), tuple.end(), [&](std::size_t r) { return r == tuple.front(); });
        if (alike != (stage.form == RateForm::by_type)) all.push_back(tuple);
    });
    return all;
}

/// Speeds of the servers: two, the greater one first.
std::vector<std::vector<std::size_t>> server_speeds(const HuntStage& stage) {
    if (stage.form != RateForm::by_speed) return {{}};
    std::vector<std::vector<std::size_t>> all;
    for (std::size_t slow = 1; slow < stage.servers; ++slow)
        for (std::size_t speed = 1; speed < speeds().size(); ++speed) {
            std::vector<std::size_t> one(stage.servers, 0);
            std::fill(one.end() - static_cast<std::ptrdiff_t>(slow), one.end(), speed);
            all.push_back(std::move(one));
        }
    return all;
}

/// One over the number of servers.
Rational rate_at_home(const HuntStage& stage) { return Rational(1) / Rational(static_cast<int>(stage.servers)); }

/// Levels and servers.
InstanceData frame(const HuntStage& stage, const HuntedCluster& cluster) {
    InstanceData data;
    data.name = "hunted";
    const Rational local = rate_at_home(stage);
    data.levels.push_back({"local", local});
    if (stage.form == RateForm::racks) data.levels.push_back({"rack", local * rack_part()});
    data.levels.push_back({"remote", local * remote_parts()[cluster.types.front().remote]});
    for (std::size_t m = 0; m < stage.servers; ++m) {
        data.servers.push_back({fmt::format("s{}", m), {}});
        if (stage.form == RateForm::racks)
            data.servers.back().groups.emplace_back(m + 1 == stage.servers ? "r1" : "r0");
    }
    if (stage.form == RateForm::by_speed) data.levels.clear();
    return data;
}

TaskType type_of(const HuntStage& stage, const HuntedCluster& cluster, std::size_t t) {
    const HuntedType& hunted = cluster.types[t];
    const Rational local = rate_at_home(stage), remote = local * remote_parts()[hunted.remote];
    TaskType type;
    type.name = std::string(1, static_cast<char>('A' + t));
    for (std::size_t m = 0; m < stage.servers; ++m) {
        const bool home = (hunted.homes >> m) % 2 == 1;
        if (stage.form == RateForm::by_speed)
            type.at_servers.emplace_back((home ? local : remote) * speeds()[cluster.speeds[m]]);
        else if (home)
            type.replicas.emplace_back(m);
    }
    if (stage.form == RateForm::by_type) type.rates = {local, remote};
    return type;
}

}  // namespace

std::string HuntStage::in_words() const {
    const char* rates = form == RateForm::shared     ? "two levels"
                        : form == RateForm::by_type  ? "rates by type"
                        : form == RateForm::by_speed ? "two speeds"
                                                     : "three levels";
    return fmt::format("{} servers, {} type{}, {}", servers, types, types == 1 ? "" : "s", rates);
}

const std::vector<HuntStage>& hunt_stages() {
    using enum RateForm;
    static const std::vector<HuntStage> stages{
        {2, 1, shared}, {2, 2, shared},  {2, 2, by_type}, {2, 2, by_speed}, {3, 1, shared}, {3, 1, by_speed},
        {3, 2, shared}, {3, 2, by_type}, {3, 2, racks},   {3, 3, shared},   {4, 1, shared}, {4, 2, shared},
        {4, 3, shared}, {4, 4, shared},  {5, 1, shared},  {5, 2, shared},   {5, 3, shared}, {5, 4, shared},
        {6, 1, shared}, {6, 2, shared},  {6, 3, shared},  {6, 4, shared},   {6, 5, shared}};
    return stages;
}

std::size_t smallest_hunted() { return hunt_stages().front().servers; }
std::size_t largest_hunted() { return hunt_stages().back().servers; }

std::vector<HuntedCluster> clusters_of(const HuntStage& stage) {
    std::vector<HuntedCluster> all;
    std::set<Key> seen;
    const auto shares = proportions(stage.types);
    const auto remotes = remote_rates(stage);
    const auto speeds_of = server_speeds(stage);
    for (const auto& share : shares)
        for (const auto& remote : remotes)
            for (const auto& speed : speeds_of)
                for (const auto& homes : placements(stage)) {
                    HuntedCluster cluster{{}, speed};
                    for (std::size_t t = 0; t < stage.types; ++t)
                        cluster.types.push_back({homes[t], remote[t], share[t]});
                    if (seen.insert(canonical(stage, cluster)).second) all.push_back(std::move(cluster));
                }
    return all;
}

Rational simplest_between(const Rational& low, const Rational& high) {
    for (Integer q(1);; ++q) {
        const Rational nearest = Rational(floor(high * Rational(q))) / Rational(q);
        if (nearest >= low) return nearest;
    }
}

std::shared_ptr<const Instance> at_load(const HuntStage& stage, const HuntedCluster& cluster, const Rational& load) {
    InstanceData data = frame(stage, cluster);
    std::vector<Rational> rates;
    for (std::size_t t = 0; t < stage.types; ++t) {
        data.types.push_back(type_of(stage, cluster, t));
        // All together come with probability 1/4 at first: of shares of at most 3.
        rates.push_back(Rational(cluster.types[t].share, static_cast<int>(12 * stage.types)));
    }
    data.arrivals = ArrivalLaw::single(rates);
    const auto certificate = capacity::solve(Instance(data));
    if (!certificate.exact()) return nullptr;
    const Rational factor = load / certificate.load();
    Rational total;
    for (Rational& rate : rates) {
        rate = simplest_between(factor * rate * Rational(49, 50), factor * rate);
        total += rate;
    }
    if (total > Rational(1)) return nullptr;
    data.arrivals = ArrivalLaw::single(rates);
    data.rates.clear();
    return std::make_shared<const Instance>(std::move(data));
}

}  // namespace schedproof::checks
