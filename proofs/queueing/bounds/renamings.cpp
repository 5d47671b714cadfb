/// Every permutation of the servers is tried that those kept do not generate yet. It moves queues with their servers;
/// queues of types go to types that the renamed servers hold at the same levels.
#include "proofs/queueing/bounds/renamings.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace schedproof::queueing {

namespace {

using Permutation = std::vector<std::uint32_t>;

/// By type, one that the renamed servers hold at the levels of this one; no type twice.
std::optional<Permutation> types_that_match(const Instance& instance, const Permutation& server) {
    const std::size_t types = instance.types().size();
    std::vector<bool> taken(types, false);
    Permutation to;
    const auto matches = [&](TaskTypeId old, TaskTypeId type) {
        if (instance.rates_at_servers() && instance.row(old) != instance.row(type)) return false;
        for (std::size_t m = 0; m < server.size(); ++m) {
            const ServerId from(m), image(server[m]);
            if (instance.can_serve(from, old) != instance.can_serve(image, type)) return false;
            if (instance.can_serve(from, old) && instance.level(old, from) != instance.level(type, image)) return false;
        }
        return true;
    };
    for (std::size_t old = 0; old < types; ++old) {
        std::size_t type = 0;
        while (type < types && (taken[type] || !matches(TaskTypeId(old), TaskTypeId(type)))) ++type;
        if (type == types) return {};
        taken[type] = true;
        to.push_back(static_cast<std::uint32_t>(type));
    }
    return to;
}

std::optional<Renaming> renaming(const ExactSystem& system, const Permutation& server) {
    const Layout& layout = system.layout();
    const std::optional<Permutation> types = types_that_match(system.instance(), server);
    if (!types) return {};
    Renaming result{server, {}};
    for (std::size_t q = 0; q < layout.queues(); ++q) {
        const QueueId queue(q);
        if (layout.is_shared(queue)) {
            result.queue.push_back(static_cast<std::uint32_t>(q));
        } else if (layout.arrangement() == Arrangement::per_type) {
            result.queue.push_back((*types)[q]);
        } else {
            const ServerId owner = layout.owner(queue);
            const auto first = [&](ServerId m) { return (*layout.queues_of(m).begin()).index(); };
            result.queue.push_back(
                static_cast<std::uint32_t>(q - first(owner) + first(ServerId(server[owner.index()]))));
        }
    }
    return result;
}

Permutation after(const Permutation& first, const Permutation& second) {
    Permutation both;
    for (const std::uint32_t m : first) both.push_back(second[m]);
    return both;
}

/// What the members and one more generate.
void close_with(std::set<Permutation>& group, const Permutation& more) {
    std::vector<Permutation> work{more};
    while (!work.empty()) {
        const Permutation next = std::move(work.back());
        work.pop_back();
        if (!group.insert(next).second) continue;
        const std::vector<Permutation> members(group.begin(), group.end());
        for (const Permutation& member : members) {
            work.push_back(after(member, next));
            work.push_back(after(next, member));
        }
    }
}

}  // namespace

std::vector<Renaming> unnoticed_renamings(const ExactSystem& system, const StateFunction& of, const FarForm& w,
                                          const std::vector<std::vector<Service>>& statuses,
                                          const std::vector<std::uint32_t>& weights, const StateBox& samples) {
    std::vector<Renaming> kept;
    if (statuses.size() > most_renamed_servers) return kept;
    const FarFunction far(w, Rational(1), Rational(0), integral_scale(w, Rational(1)));
    const auto unnoticed_at = [&](const ExactState& state, const Renaming& by) {
        const ExactState image = renamed(state, by);
        if (of.count(state) != of.count(image) || far(state) != far(image)) return false;
        return system.kernel(state).map([&](const ExactState& next) { return renamed(next, by); }) ==
               system.kernel(image);
    };
    const auto unnoticed = [&](const Renaming& by) {
        bool everywhere = true;
        samples.each(0, samples.size(), [&](std::uint64_t, const ExactState& state) {
            everywhere = everywhere && unnoticed_at(state, by);
        });
        return everywhere;
    };
    Permutation servers(statuses.size());
    std::iota(servers.begin(), servers.end(), 0U);
    std::set<Permutation> group{servers};
    while (std::next_permutation(servers.begin(), servers.end())) {
        if (group.contains(servers)) continue;
        std::optional<Renaming> by = renaming(system, servers);
        if (!by || !renaming_rejection(*by, statuses, weights).empty()) continue;
        if (!unnoticed(*by)) continue;
        close_with(group, servers);
        kept.push_back(std::move(*by));
    }
    return kept;
}

}  // namespace schedproof::queueing
