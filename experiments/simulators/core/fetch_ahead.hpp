/// Prefetching for a walk through a list whose items refer to scattered memory.
#pragma once

#include <cstddef>
#include <span>

namespace schedproof::simulation {

/// Prefetches the memory at an address; it changes no result.
inline void fetch(const void* there) { __builtin_prefetch(there); }

/// A walk through lists of items; where it pays, what the items name is fetched some items ahead.
class FetchingWalk {
  public:
    explicit FetchingWalk(bool pays) : pays_(pays) {}
    [[nodiscard]] bool pays() const { return pays_; }

    /// Calls `visit` with every item in turn, `first` with it sixteen items earlier, and `second` eight earlier:
    /// `first` fetches what the item names, `second` what that names in turn.
    template <class Item, class First, class Second, class Visit>
    void operator()(std::span<const Item> items, First&& first, Second&& second, Visit&& visit) const {
        constexpr std::size_t near = 8, far = 2 * near;
        if (!pays_) {
            for (const Item& item : items) visit(item);
            return;
        }
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i + far < items.size()) first(items[i + far]);
            if (i + near < items.size()) second(items[i + near]);
            visit(items[i]);
        }
    }
    template <class Item, class First, class Visit>
    void operator()(std::span<const Item> items, First&& first, Visit&& visit) const {
        (*this)(
            items, first, [](const Item&) {}, visit);
    }

  private:
    bool pays_;
};

}  // namespace schedproof::simulation
