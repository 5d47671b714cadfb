/// Which tournaments there are, and which of them hold an item.
///
/// For items that are servers there is one tournament per group at each level of grouping, and one of all. For items
/// that are task types a tournament belongs to a server (the types that it holds) or to a group (the types with a
/// replica in it), so a type stands in one per replica and one per group that it touches. The seats of an item are
/// stored side by side: a change visits exactly the tournaments concerned.
#include "experiments/simulators/slotted/value_index.hpp"

#include <algorithm>
#include <set>

namespace schedproof::simulation {

namespace {

/// Number of groups at each grouping.
std::vector<std::size_t> group_counts(const queueing::Instance& instance) {
    std::vector<std::size_t> counts(instance.groupings(), 0);
    for (std::size_t g = 0; g < counts.size(); ++g)
        for (const ServerId m : instance.servers())
            counts[g] = std::max<std::size_t>(counts[g], instance.group(m, g) + 1);
    return counts;
}

}  // namespace

template <Wanted wanted>
ValueIndex<wanted>::ValueIndex(std::size_t items, std::vector<std::vector<std::uint32_t>> sets,
                               std::vector<std::uint32_t> own, std::vector<std::vector<std::uint32_t>> group)
    : all_(items),
      members_(std::move(sets)),
      seats_from_(items + 1, 0),
      own_(std::move(own)),
      group_(std::move(group)) {
    for (const auto& set : members_) {
        trees_.emplace_back(set.size());
        for (const std::uint32_t item : set) ++seats_from_[item + 1];
    }
    for (std::size_t i = 0; i < items; ++i) seats_from_[i + 1] += seats_from_[i];
    seats_.resize(seats_from_[items]);
    std::vector<std::size_t> next = seats_from_;
    for (std::uint32_t t = 0; t < members_.size(); ++t)
        for (std::uint32_t place = 0; place < members_[t].size(); ++place)
            seats_[next[members_[t][place]]++] = {t, place};
}

template <Wanted wanted>
ValueIndex<wanted> ValueIndex<wanted>::of_servers(const queueing::Instance& instance) {
    std::vector<std::vector<std::uint32_t>> sets, group;
    for (const std::size_t groups : group_counts(instance)) {
        const std::size_t grouping = group.size(), first = sets.size();
        group.emplace_back();
        for (std::size_t i = 0; i < groups; ++i) group.back().push_back(static_cast<std::uint32_t>(first + i));
        sets.resize(first + groups);
        for (const ServerId m : instance.servers())
            sets[first + instance.group(m, grouping)].push_back(static_cast<std::uint32_t>(m.index()));
    }
    return ValueIndex(instance.servers().size(), std::move(sets), {}, std::move(group));
}

template <Wanted wanted>
ValueIndex<wanted> ValueIndex<wanted>::of_types(const queueing::Instance& instance) {
    std::vector<std::vector<std::uint32_t>> sets(instance.servers().size()), group;
    std::vector<std::uint32_t> own;
    for (const ServerId m : instance.servers()) own.push_back(static_cast<std::uint32_t>(m.index()));
    for (const TaskTypeId type : instance.types())
        for (const ServerId m : instance.type(type).replicas)
            sets[m.index()].push_back(static_cast<std::uint32_t>(type.index()));
    for (const std::size_t groups : group_counts(instance)) {
        const std::size_t grouping = group.size(), first = sets.size();
        group.emplace_back();
        for (std::size_t i = 0; i < groups; ++i) group.back().push_back(static_cast<std::uint32_t>(first + i));
        sets.resize(first + groups);
        for (const TaskTypeId type : instance.types()) {
            std::set<std::uint32_t> near;
            for (const ServerId m : instance.type(type).replicas) near.insert(instance.group(m, grouping));
            for (const std::uint32_t i : near) sets[first + i].push_back(static_cast<std::uint32_t>(type.index()));
        }
    }
    return ValueIndex(instance.types().size(), std::move(sets), std::move(own), std::move(group));
}

template class ValueIndex<Wanted::smallest>;
template class ValueIndex<Wanted::largest>;

}  // namespace schedproof::simulation
