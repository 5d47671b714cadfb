/// Who completes in which slot: a ring of the next slots, each with its list.
///
/// A completion further away than the ring is long waits in the last slot of the ring and is put off again from there.
/// So an entry costs O(1) for each time round.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace schedproof::simulation {

class Calendar {
  public:
    explicit Calendar(std::size_t entries) : ring_(length), due_(entries, 0) {}

    /// Requires slot > now, and that the entry is not in the calendar.
    void put(std::uint32_t entry, std::uint64_t now, std::uint64_t slot) {
        due_[entry] = slot;
        ring_[(slot - now < length ? slot : now + length - 1) % length].push_back(entry);
    }
    /// Calls `visit` with every entry of the slot `now`. Requires that each slot is asked in turn.
    template <class Visit>
    void take(std::uint64_t now, Visit&& visit) {
        std::swap(taken_, ring_[now % length]);
        for (const std::uint32_t entry : taken_) {
            if (due_[entry] == now)
                visit(entry);
            else
                put(entry, now, due_[entry]);
        }
        taken_.clear();
    }

  private:
    static constexpr std::uint64_t length = 64;
    std::vector<std::vector<std::uint32_t>> ring_;
    std::vector<std::uint32_t> taken_;
    std::vector<std::uint64_t> due_;
};

}  // namespace schedproof::simulation
