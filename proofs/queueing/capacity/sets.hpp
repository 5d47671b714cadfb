/// Disjoint sets over 0 .. n-1, with path halving.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace schedproof::capacity {

class Sets {
  public:
    explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }

    /// The set of an element, named by one of its elements.
    std::uint32_t find(std::uint32_t a) {
        while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
        return a;
    }
    /// False when both were in one set already.
    bool join(std::uint32_t a, std::uint32_t b) {
        a = find(a), b = find(b);
        parent_[a] = b;
        return a != b;
    }

  private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace schedproof::capacity
