/// Best values around every server: in its own set, in its groups from the rack outwards, and anywhere.
///
/// Items are the queues of the servers, one each, or the queues of the task types. For each group of servers there is a
/// tournament over the items at that distance or nearer, so a change costs O(log) per tournament that holds the item:
/// groupings + 1 of them for a server's queue, and for a type one per replica, rack, ... as well.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/simulators/slotted/nested_best.hpp"
#include "experiments/simulators/slotted/tournament.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::simulation {

template <Wanted wanted>
class ValueIndex {
  public:
    using Tree = Tournament<wanted>;
    /// Where an item stands in a tournament.
    struct Seat {
        std::uint32_t tree, place;
    };

    /// One item per server.
    [[nodiscard]] static ValueIndex of_servers(const queueing::Instance& instance);
    /// One item per task type; it is local to the servers of its replicas.
    [[nodiscard]] static ValueIndex of_types(const queueing::Instance& instance);

    void set(std::size_t item, std::int64_t value) {
        all_.set(item, value);
        for (std::size_t s = seats_from_[item]; s < seats_from_[item + 1]; ++s)
            trees_[seats_[s].tree].set(seats_[s].place, value);
    }
    [[nodiscard]] std::int64_t value(std::size_t item) const { return all_.value(item); }

    /// Within the own set of server m (items of types only), its group at a grouping, or anywhere.
    [[nodiscard]] LevelBest own(ServerId m) const { return best(trees_[own_[m.index()]]); }
    [[nodiscard]] LevelBest group(std::size_t grouping, std::uint32_t group) const {
        return best(trees_[group_[grouping][group]]);
    }
    [[nodiscard]] LevelBest anywhere() const { return best(all_); }

    /// The k-th holder of the best value there. Requires k below the number of holders.
    [[nodiscard]] std::size_t own_holder(ServerId m, std::uint64_t k) const { return holder(own_[m.index()], k); }
    [[nodiscard]] std::size_t group_holder(std::size_t grouping, std::uint32_t group, std::uint64_t k) const {
        return holder(group_[grouping][group], k);
    }
    [[nodiscard]] std::size_t any_holder(std::uint64_t k) const { return all_.holder(k); }

  private:
    /// `sets[t]`: the items of tree t; `own` and `group` name trees.
    ValueIndex(std::size_t items, std::vector<std::vector<std::uint32_t>> sets, std::vector<std::uint32_t> own,
               std::vector<std::vector<std::uint32_t>> group);
    [[nodiscard]] static LevelBest best(const Tree& tree) { return {tree.best(), tree.holders()}; }
    [[nodiscard]] std::size_t holder(std::uint32_t tree, std::uint64_t k) const {
        return members_[tree][trees_[tree].holder(k)];
    }

    Tree all_;
    std::vector<Tree> trees_;
    std::vector<std::vector<std::uint32_t>> members_;  // by tree: its items
    std::vector<std::size_t> seats_from_;              // by item
    std::vector<Seat> seats_;
    std::vector<std::uint32_t> own_;                 // by server: a tree; empty when items are servers
    std::vector<std::vector<std::uint32_t>> group_;  // by grouping and group: a tree
};

extern template class ValueIndex<Wanted::smallest>;
extern template class ValueIndex<Wanted::largest>;

}  // namespace schedproof::simulation
