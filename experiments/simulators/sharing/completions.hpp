/// When running tasks end.
///
/// The next few hundred ticks are a ring of buckets, so that a task that ends in a few slots costs a push and a pop;
/// what ends later waits in a heap. A task that is killed or slowed down leaves its entry behind, so the owner checks
/// for each entry whether the slot's task really ends then.
#pragma once

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
        if (finish - now_ >= ring) {
            later_.emplace(finish, s);
            return;
        }
        const std::size_t at = bucket(finish);
        soon_[at].push_back(s);
        filled_[at / 64] |= std::uint64_t{1} << (at % 64);
    }
    /// The earliest time of an entry; `never` without one.
    [[nodiscard]] sharing::Ticks next() const {
        const sharing::Ticks top = later_.empty() ? never : later_.top().first;
        const std::size_t start = bucket(now_);
        for (std::size_t i = 0; i <= filled_.size(); ++i) {
            const std::size_t w = (start / 64 + i) % filled_.size();
            std::uint64_t bits = filled_[w];
            if (i == 0) bits &= ~std::uint64_t{0} << (start % 64);
            if (i == filled_.size()) bits &= ~(~std::uint64_t{0} << (start % 64));
            if (bits == 0) continue;
            const std::size_t at = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
            return std::min(top, now_ + static_cast<sharing::Ticks>((at + buckets - start) % buckets));
        }
        return top;
    }
    /// Hands every entry of time `t` to `sink`, which may add entries of later times.
    /// Requires t to be at least the time taken last and at most next().
    template <class Sink>
    void take(sharing::Ticks t, Sink&& sink) {
        now_ = t;
        const std::size_t at = bucket(t);
        taken_.clear();
        taken_.swap(soon_[at]);
        filled_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
        for (const sharing::SlotId s : taken_) sink(s);
        while (!later_.empty() && later_.top().first == t) {
            const sharing::SlotId s = later_.top().second;
            later_.pop();
            sink(s);
        }
    }

  private:
    using Entry = std::pair<sharing::Ticks, sharing::SlotId>;
    static constexpr std::size_t buckets = 512;
    static constexpr auto ring = static_cast<sharing::Ticks>(buckets);
    [[nodiscard]] static std::size_t bucket(sharing::Ticks t) { return static_cast<std::size_t>(t) % buckets; }

    sharing::Ticks now_ = 0;
    std::array<std::vector<sharing::SlotId>, buckets> soon_;
    std::array<std::uint64_t, buckets / 64> filled_{};
    std::vector<sharing::SlotId> taken_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> later_;
};

}  // namespace schedproof::simulation
