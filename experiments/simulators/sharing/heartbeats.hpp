/// Heartbeats: in every period h each of M nodes beats once, node n at the phase floor(n h / M).
///
/// Beats are numbered through, node by node and round by round, so that the next one that matters, of a node with a
/// free slot, is found without going through the others.
#pragma once

#include <cstdint>
#include <optional>

#include "experiments/simulators/core/index_set.hpp"
#include "model/sharing/cluster.hpp"

namespace schedproof::simulation {

class Heartbeats {
  public:
    struct Beat {
        sharing::Ticks time;
        std::size_t node;
        std::uint64_t number;
    };
    /// Requires both to be at least 1.
    Heartbeats(std::size_t nodes, sharing::Ticks period) : nodes_(nodes), period_(period) {}

    /// The first beat from `now` on, after the one served last, of a node of the set; none when the set is empty.
    [[nodiscard]] std::optional<Beat> next(sharing::Ticks now, const IndexSet& nodes) const {
        const std::uint64_t from = std::max(next_, first_at(now));
        const std::size_t start = from % nodes_, found = nodes.next_round(start);
        if (found == IndexSet::none) return {};
        const std::uint64_t number = from + (found >= start ? found - start : found + nodes_ - start);
        return Beat{time(number), found, number};
    }
    void served(const Beat& beat) { next_ = beat.number + 1; }

  private:
    __extension__ using Wide = unsigned __int128;
    [[nodiscard]] sharing::Ticks time(std::uint64_t number) const {
        const std::uint64_t round = number / nodes_, node = number % nodes_;
        return static_cast<sharing::Ticks>(round) * period_ +
               static_cast<sharing::Ticks>(Wide{node} * static_cast<std::uint64_t>(period_) / nodes_);
    }
    /// The least number whose time is at least t.
    [[nodiscard]] std::uint64_t first_at(sharing::Ticks t) const {
        const auto round = static_cast<std::uint64_t>(t / period_);
        const auto period = static_cast<std::uint64_t>(period_);
        const Wide node = (Wide{static_cast<std::uint64_t>(t % period_)} * nodes_ + period - 1) / period;
        return round * nodes_ + static_cast<std::uint64_t>(node);
    }

    std::uint64_t nodes_;
    sharing::Ticks period_;
    std::uint64_t next_ = 0;
};

}  // namespace schedproof::simulation
