/// Which servers complete in which slot: a ring of the next slots, each with a list.
///
/// A completion further away than the ring is long waits in its slot of the ring for as many turns as it takes. So an
/// entry costs O(1) for each turn.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace schedproof::simulation {

class Calendar {
  public:
    /// Requires slot > now. A slot more than 2^38 away is as good as never.
    void put(std::uint32_t entry, std::uint64_t now, std::uint64_t slot) {
        const std::uint64_t turns = std::min<std::uint64_t>((slot - now - 1) / length, 0xFFFFFFFFU);
        ring_[slot % length].push_back({entry, static_cast<std::uint32_t>(turns)});
    }
    /// The entries of the slot `now`, valid until the next call. Requires that each slot is asked in turn.
    [[nodiscard]] std::span<const std::uint32_t> take(std::uint64_t now) {
        std::vector<Waiting>& list = ring_[now % length];
        taken_.resize(list.size());
        std::size_t taken = 0, left = 0;
        for (Waiting& waiting : list) {
            taken_[taken] = waiting.entry;
            if (waiting.turns == 0) {
                ++taken;
            } else {
                --waiting.turns;
                list[left++] = waiting;
            }
        }
        list.resize(left);
        return {taken_.data(), taken};
    }

  private:
    static constexpr std::uint64_t length = 64;
    struct Waiting {
        std::uint32_t entry = 0, turns = 0;
    };
    std::vector<std::vector<Waiting>> ring_{length};
    std::vector<std::uint32_t> taken_;
};

}  // namespace schedproof::simulation
