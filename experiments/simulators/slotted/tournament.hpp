/// The best of n values and who holds it, kept while single values change: a tree of winners.
///
/// Inner node i has the better of the best values of nodes 2i and 2i+1, and how many leaves below hold it. A change
/// and a draw among the tied take O(log n); the best value and its number of holders are at the root.
/// Values are whole numbers that the owner has checked against overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace schedproof::simulation {

enum class Wanted : std::uint8_t { smallest, largest };

template <Wanted wanted>
class Tournament {
  public:
    /// A value that never wins while another item has any other value.
    static constexpr std::int64_t never = wanted == Wanted::smallest ? std::numeric_limits<std::int64_t>::max()
                                                                     : std::numeric_limits<std::int64_t>::min();

    explicit Tournament(std::size_t items, std::int64_t value = never)
        : items_(items), nodes_(2 * (items == 0 ? 1 : items), Node{never, 0}) {
        for (std::size_t i = 0; i < items; ++i) nodes_[items + i] = {value, 1};
        for (std::size_t i = items; i-- > 1;) nodes_[i] = better(nodes_[2 * i], nodes_[2 * i + 1]);
    }

    [[nodiscard]] std::size_t size() const { return items_; }
    [[nodiscard]] std::int64_t value(std::size_t item) const { return nodes_[items_ + item].best; }
    [[nodiscard]] std::int64_t best() const { return nodes_[1].best; }
    [[nodiscard]] std::uint64_t holders() const { return nodes_[1].holders; }

    void set(std::size_t item, std::int64_t value) {
        std::size_t i = items_ + item;
        nodes_[i].best = value;
        while (i > 1) {
            i /= 2;
            const Node now = better(nodes_[2 * i], nodes_[2 * i + 1]);
            if (now.best == nodes_[i].best && now.holders == nodes_[i].holders) return;
            nodes_[i] = now;
        }
    }

    /// The k-th holder of the best value. Requires k < holders().
    [[nodiscard]] std::size_t holder(std::uint64_t k) const {
        const std::int64_t best = nodes_[1].best;
        std::size_t i = 1;
        while (i < items_) {
            i *= 2;
            if (nodes_[i].best != best) {
                ++i;
            } else if (k >= nodes_[i].holders) {
                k -= nodes_[i + 1].best == best ? nodes_[i].holders : 0;
                ++i;
            }
        }
        return i - items_;
    }

  private:
    struct Node {
        std::int64_t best;
        std::uint64_t holders;
    };
    static Node better(const Node& a, const Node& b) {
        if (a.best == b.best) return {a.best, a.holders + b.holders};
        return (wanted == Wanted::smallest ? a.best < b.best : a.best > b.best) ? a : b;
    }

    std::size_t items_;
    std::vector<Node> nodes_;  // leaves from items_ on
};

}  // namespace schedproof::simulation
