/// A set of nodes that tells the next member at or after a given one, whatever the number of nodes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedproof::simulation {

/// Bits in words, and a bit for each word that is not zero.
/// Cost: insert and erase constant; `next` a step per 4,096 nodes that are passed over.
class NodeSet {
  public:
    explicit NodeSet(std::size_t nodes) : size_(nodes), word_((nodes + 63) / 64), full_((word_.size() + 63) / 64) {}

    void insert(std::size_t n) {
        word_[n / 64] |= bit(n);
        full_[n / 4096] |= bit(n / 64);
    }
    void erase(std::size_t n) {
        word_[n / 64] &= ~bit(n);
        if (word_[n / 64] == 0) full_[n / 4096] &= ~bit(n / 64);
    }
    /// The least member that is at least n; the number of nodes when there is none.
    [[nodiscard]] std::size_t next(std::size_t n) const {
        if (n >= size_) return size_;
        if (const std::uint64_t here = word_[n / 64] & from(n); here != 0) return first(n / 64, here);
        const std::size_t w = n / 64 + 1;
        if (w >= word_.size()) return size_;
        std::size_t f = w / 64;
        std::uint64_t words = full_[f] & from(w);
        while (words == 0)
            if (++f == full_.size())
                return size_;
            else
                words = full_[f];
        const std::size_t found = f * 64 + static_cast<std::size_t>(std::countr_zero(words));
        return first(found, word_[found]);
    }
    /// The first member at or after n, going round; the number of nodes when there is none. Requires n below it.
    [[nodiscard]] std::size_t next_round(std::size_t n) const {
        const std::size_t found = next(n);
        return found < size_ ? found : next(0);
    }

  private:
    static std::uint64_t bit(std::size_t n) { return std::uint64_t{1} << (n % 64); }
    static std::uint64_t from(std::size_t n) { return ~std::uint64_t{0} << (n % 64); }
    static std::size_t first(std::size_t word, std::uint64_t bits) {
        return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    }

    std::size_t size_;
    std::vector<std::uint64_t> word_, full_;
};

}  // namespace schedproof::simulation
