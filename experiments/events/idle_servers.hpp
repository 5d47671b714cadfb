/// The servers that have nothing to do, to be found near a server or anywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/simulation/index_set.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::simulation {

class IdleServers {
  public:
    static constexpr std::size_t none = IndexSet::none;

    /// All servers of the instance.
    explicit IdleServers(const queueing::Instance& instance)
        : instance_(instance), all_(instance.servers().size()), members_(instance.groupings()), in_(members_.size()) {
        for (const ServerId m : instance.servers())
            for (std::size_t g = 0; g < members_.size(); ++g) {
                const std::uint32_t group = instance.group(m, g);
                if (group >= members_[g].size()) members_[g].resize(group + 1);
                members_[g][group].push_back(static_cast<std::uint32_t>(m.index()));
            }
        for (std::size_t g = 0; g < members_.size(); ++g) in_[g].assign(members_[g].size(), 0);
        for (const ServerId m : instance.servers()) insert(m.index());
    }

    [[nodiscard]] bool contains(std::size_t m) const { return all_.contains(m); }
    [[nodiscard]] bool empty() const { return all_.empty(); }
    void insert(std::size_t m) {
        all_.insert(m);
        count(m, 1);
    }
    void erase(std::size_t m) {
        all_.erase(m);
        count(m, -1);
    }
    /// The first one; `none` when there is none.
    [[nodiscard]] std::size_t any() const { return all_.next(0); }
    /// The first one in the group of server m at a grouping. Cost: the group's servers, none when all are busy.
    [[nodiscard]] std::size_t near(ServerId m, std::size_t grouping) const {
        const std::uint32_t group = instance_.group(m, grouping);
        if (in_[grouping][group] == 0) return none;
        for (const std::uint32_t member : members_[grouping][group])
            if (all_.contains(member)) return member;
        return none;
    }

  private:
    void count(std::size_t m, int change) {
        for (std::size_t g = 0; g < in_.size(); ++g) in_[g][instance_.group(ServerId(m), g)] += change;
    }

    const queueing::Instance& instance_;
    IndexSet all_;
    std::vector<std::vector<std::vector<std::uint32_t>>> members_;  // by grouping and group
    std::vector<std::vector<std::int64_t>> in_;                     // by grouping and group: how many are idle
};

}  // namespace schedproof::simulation
