/// Every permutation of the servers is tried that those kept do not generate yet.
#include "proofs/queueing/bounds/renamings.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace schedproof::queueing {

namespace {

using Permutation = std::vector<std::uint32_t>;

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
        std::optional<Renaming> by = renaming_of(system.instance(), system.layout(), servers);
        if (!by || !renaming_rejection(*by, statuses, weights).empty()) continue;
        if (!unnoticed(*by)) continue;
        close_with(group, servers);
        kept.push_back(std::move(*by));
    }
    return kept;
}

}  // namespace schedproof::queueing
