/// The idle servers, found near a server or anywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/simulators/core/index_set.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::simulation {

class IdleServers {
  public:
    static constexpr std::size_t none = IndexSet::none;

    /// All servers of the instance.
    explicit IdleServers(const queueing::Instance& instance)
        : groupings_(instance.groupings()),
          all_(instance.servers().size()),
          seats_(instance.servers().size() * groupings_),
          members_(groupings_),
          idle_(groupings_) {
        for (const ServerId m : instance.servers())
            for (std::size_t g = 0; g < groupings_; ++g) {
                const std::uint32_t group = instance.group(m, g);
                if (group >= members_[g].size()) members_[g].resize(group + 1);
                seats_[m.index() * groupings_ + g] = {group, static_cast<std::uint32_t>(members_[g][group].size())};
                members_[g][group].push_back(static_cast<std::uint32_t>(m.index()));
            }
        for (std::size_t g = 0; g < groupings_; ++g)
            for (const auto& group : members_[g]) idle_[g].emplace_back(group.size());
        for (const ServerId m : instance.servers()) insert(m.index());
    }

    void insert(std::size_t m) {
        all_.insert(m);
        for (std::size_t g = 0; g < groupings_; ++g) idle_[g][seat(m, g).group].insert(seat(m, g).place);
    }
    void erase(std::size_t m) {
        all_.erase(m);
        for (std::size_t g = 0; g < groupings_; ++g) idle_[g][seat(m, g).group].erase(seat(m, g).place);
    }
    /// The first one; `none` when there is none.
    [[nodiscard]] std::size_t any() const { return all_.next(0); }
    /// The first one of some servers, which are in ascending order. Cost: O(log) for each of the fewer, of these and of
    /// the idle ones up to there.
    [[nodiscard]] std::size_t first_of(std::span<const ServerId> servers) const {
        for (auto at = servers.begin(); at != servers.end();) {
            const std::size_t next = all_.next(at->index());
            if (next == none || next == at->index()) return next;
            at = std::lower_bound(at, servers.end(), ServerId(next));
        }
        return none;
    }
    [[nodiscard]] std::size_t groups(std::size_t grouping) const { return idle_[grouping].size(); }
    /// The first one in the group of server m at a grouping, or in a group by its number.
    [[nodiscard]] std::size_t near(ServerId m, std::size_t grouping) const {
        return in_group(grouping, seat(m.index(), grouping).group);
    }
    [[nodiscard]] std::size_t in_group(std::size_t grouping, std::size_t group) const {
        const std::size_t place = idle_[grouping][group].next(0);
        return place == IndexSet::none ? none : members_[grouping][group][place];
    }

  private:
    struct Seat {
        std::uint32_t group, place;
    };
    [[nodiscard]] const Seat& seat(std::size_t m, std::size_t g) const { return seats_[m * groupings_ + g]; }

    std::size_t groupings_;
    IndexSet all_;
    std::vector<Seat> seats_;                                       // server-major
    std::vector<std::vector<std::vector<std::uint32_t>>> members_;  // by grouping and group
    std::vector<std::vector<IndexSet>> idle_;                       // by grouping and group: places of idle members
};

}  // namespace schedproof::simulation
