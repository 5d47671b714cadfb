/// At most one value for each of a fixed number of owners, the least first, ties by owner: a list of future events.
///
/// A tree of winners: its leaves are the owners in order, an inner node names the better of its two children's winners,
/// so the root names the least value. A change goes the way from the leaf to the root and asks one comparison a level,
/// and where it goes is known beforehand: for machine numbers there is nothing to mispredict, which is what a heap
/// loses its time with. Doubles are kept as integers in the same order, which are compared and selected in fewer steps
/// that wait for each other. Numbers whose comparison is a computation are compared least often so, too. Event
/// loops keep their alarm clocks in it, the event simulator the ends of services, the offline policies the loads
/// of cores and servers.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace schedproof {

/// Doubles are finite: infinity stands for an owner without a number.
template <class N>
class LeastFirst {
    /// Whether a number without end stands for no value, so that every node has a winner.
    static constexpr bool unbounded = std::same_as<N, double>;
    using Key = std::conditional_t<unbounded, std::int64_t, N>;

  public:
    explicit LeastFirst(std::size_t owners)
        : leaves_(std::bit_ceil(owners == 0 ? 1 : owners)), key_(leaves_, never()), winner_(2 * leaves_, none) {
        if constexpr (unbounded) name_all();
    }
    /// Owner i has values[i]. Cost: linear.
    explicit LeastFirst(const std::vector<N>& values) : LeastFirst(values.size()) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            key_[i] = key_of(values[i]);
            winner_[leaves_ + i] = static_cast<std::uint32_t>(i);
        }
        for (std::size_t node = leaves_; node-- > 1;) winner_[node] = better(winner_[2 * node], winner_[2 * node + 1]);
        if constexpr (unbounded) least_ = key_[winner_[1]];
    }

    [[nodiscard]] bool empty() const {
        if constexpr (unbounded)
            return least_ == never();
        else
            return winner_[1] == none;
    }
    [[nodiscard]] bool has(std::size_t owner) const {
        if constexpr (unbounded)
            return key_[owner] < never();
        else
            return winner_[leaves_ + owner] != none;
    }
    /// The least value, and whose it is. Requires a value; of doubles, infinity without one.
    [[nodiscard]] std::conditional_t<unbounded, N, const N&> least() const {
        if constexpr (unbounded)
            return std::bit_cast<double>(mirrored(least_));
        else
            return key_[winner_[1]];
    }
    [[nodiscard]] std::size_t owner() const { return winner_[1]; }

    /// The owner's value is this one from now on. Cost: O(log owners), as for all that follow.
    void set(std::size_t owner, N value) {
        key_[owner] = key_of(std::move(value));
        winner_[leaves_ + owner] = static_cast<std::uint32_t>(owner);
        update(owner);
    }
    /// Takes the least value away and says whose it was. Requires a value.
    std::size_t pop() {
        const std::size_t first = owner();
        cancel(first);
        return first;
    }
    /// Takes away what the owner has, if anything.
    void cancel(std::size_t owner) {
        key_[owner] = never();
        if constexpr (!unbounded) winner_[leaves_ + owner] = none;
        update(owner);
    }
    /// Takes all values away. Cost: linear in the owners.
    void clear() {
        key_.assign(leaves_, never());
        winner_.assign(2 * leaves_, none);
        if constexpr (unbounded) name_all();
    }

  private:
    static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
    static Key never() {
        if constexpr (unbounded)
            return key_of(std::numeric_limits<double>::infinity());
        else
            return N();
    }
    /// IEEE 754: of positive numbers the representations are in the numbers' order, of negative ones in reverse.
    static constexpr std::int64_t mirrored(std::int64_t bits) {
        return bits ^ ((bits >> 63) & std::numeric_limits<std::int64_t>::max());
    }
    static Key key_of(N value) {
        if constexpr (unbounded)
            return mirrored(std::bit_cast<std::int64_t>(value + 0.0));  // the two zeros are one
        else
            return value;
    }

    void name_all() {
        for (std::size_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = static_cast<std::uint32_t>(i);
        for (std::size_t node = leaves_; node-- > 1;) winner_[node] = winner_[2 * node];
        least_ = never();
    }
    /// Of two winners, the first of an owner before the second's.
    [[nodiscard]] std::uint32_t better(std::uint32_t a, std::uint32_t b) const {
        if constexpr (!unbounded) {
            if (b == none) return a;
            if (a == none) return b;
        }
        return key_[b] < key_[a] ? b : a;
    }
    void update(std::size_t owner) {
        std::size_t node = leaves_ + owner;
        if constexpr (unbounded) {
            std::uint32_t* const winner = winner_.data();
            const Key* const keys = key_.data();
            auto best = static_cast<std::uint32_t>(owner);
            Key key = keys[owner];
            for (; node > 1; node /= 2) {
                const std::uint32_t other = winner[node ^ 1];
                const Key its = keys[other];
                // Ties go to the left one, which is the other if this node is odd.
                best = its - static_cast<Key>(node & 1) < key ? other : best;
                key = std::min(key, its);
                winner[node / 2] = best;
            }
            least_ = key;
        } else {
            for (; node > 1; node /= 2) {
                const std::uint32_t best = better(winner_[node & ~std::size_t{1}], winner_[node | 1]);
                // The owner was not the winner here and is not now, so nobody above is concerned.
                if (best == winner_[node / 2] && best != owner) return;
                winner_[node / 2] = best;
            }
        }
    }

    std::size_t leaves_;
    std::vector<Key> key_;               // by owner
    std::vector<std::uint32_t> winner_;  // by node, the root 1, the children of i 2i and 2i + 1; the leaves last
    Key least_{};                        // of doubles the root's, at hand without a search
};

}  // namespace schedproof
