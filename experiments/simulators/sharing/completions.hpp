/// When running tasks end.
///
/// Time is cut into blocks of 512 ticks. The block that time has reached is a row of buckets, one for each tick; each
/// of the 511 blocks after it is one bucket, which is dealt out when time reaches it; what ends later still waits in a
/// heap. So an end costs one push and pop, or two, whether tasks run for a few slots or for minutes of milliseconds. A
/// task that is killed or slowed down leaves its entry behind, so the owner checks for each entry whether the slot's
/// task really ends then.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "model/sharing/cluster.hpp"

namespace schedproof::simulation {

class Completions {
  public:
    static constexpr sharing::Ticks never = std::numeric_limits<sharing::Ticks>::max();

    /// Requires finish to lie after the time taken last.
    void add(sharing::Ticks finish, sharing::SlotId s) {
        if (finish < block_end_)
            tick_.add(place(finish), s);
        else
            add_later({finish, s});
    }
    /// The earliest time of an entry; `never` without one.
    [[nodiscard]] sharing::Ticks next() const {
        const sharing::Ticks top = later_.empty() ? never : later_.top().first;
        if (const std::size_t at = tick_.next(place(now_)); at < width)
            return std::min(top, block_end_ - width + static_cast<sharing::Ticks>(at));
        const std::size_t here = place(block(now_));
        std::size_t at = block_.next(here);
        if (at == width) at = block_.next(0);
        return at == width ? top : std::min(top, least_[at]);
    }
    /// Hands every entry of time `t` to `sink`, which may add entries of later times.
    /// Requires t to be at least the time taken last and at most next().
    template <class Sink>
    void take(sharing::Ticks t, Sink&& sink) {
        now_ = t;
        if (t >= block_end_) {
            block_end_ = (block(t) + 1) * width;
            for (const auto& [finish, s] : block_.emptied(place(block(t)), dealt_)) tick_.add(place(finish), s);
        }
        for (const sharing::SlotId s : tick_.emptied(place(t), taken_)) sink(s);
        while (!later_.empty() && later_.top().first == t) {
            const sharing::SlotId s = later_.top().second;
            later_.pop();
            sink(s);
        }
    }

  private:
    using Entry = std::pair<sharing::Ticks, sharing::SlotId>;
    static constexpr sharing::Ticks width = 512;  // of a block, and of the row of blocks
    static constexpr std::size_t words = width / 64;
    [[nodiscard]] static std::size_t place(sharing::Ticks t) { return static_cast<std::size_t>(t) % width; }
    [[nodiscard]] static sharing::Ticks block(sharing::Ticks t) {
        return static_cast<sharing::Ticks>(static_cast<std::uint64_t>(t) / width);
    }

    /// Buckets, and a bit for each that holds something.
    template <class Item>
    class Row {
      public:
        void add(std::size_t at, const Item& item) {
            bucket_[at].push_back(item);
            filled_[at / 64] |= std::uint64_t{1} << (at % 64);
        }
        [[nodiscard]] bool holds(std::size_t at) const { return !bucket_[at].empty(); }
        /// The first bucket from `at` on that holds something; `width` when there is none.
        [[nodiscard]] std::size_t next(std::size_t at) const {
            std::uint64_t bits = filled_[at / 64] & ~std::uint64_t{0} << (at % 64);
            for (std::size_t w = at / 64;; bits = filled_[w]) {
                if (bits != 0) return w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                if (++w == words) return width;
            }
        }
        /// What the bucket held, in `into`.
        [[nodiscard]] const std::vector<Item>& emptied(std::size_t at, std::vector<Item>& into) {
            into.clear();
            into.swap(bucket_[at]);
            filled_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
            return into;
        }

      private:
        std::array<std::vector<Item>, width> bucket_;
        std::array<std::uint64_t, words> filled_{};
    };

    void add_later(const Entry& entry) {
        if (block(entry.first) - block(now_) >= width) return later_.push(entry);
        const std::size_t at = place(block(entry.first));
        least_[at] = block_.holds(at) ? std::min(least_[at], entry.first) : entry.first;
        block_.add(at, entry);
    }

    sharing::Ticks now_ = 0, block_end_ = width;
    Row<sharing::SlotId> tick_;                // of the block of now_, by tick
    Row<Entry> block_;                         // of the blocks after it, by block
    std::array<sharing::Ticks, width> least_;  // time of a block that holds something
    std::vector<sharing::SlotId> taken_;
    std::vector<Entry> dealt_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> later_;
};

}  // namespace schedproof::simulation
