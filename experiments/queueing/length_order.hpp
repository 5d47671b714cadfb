/// Queues in the order of their lengths, where lengths change by one: the shortest or longest in constant time.
///
/// The queues stand in an array sorted by length; `first_[l]` is where length l begins. A queue that grows by one
/// trades places with the last of its length and the border moves by one. So the tied shortest, and the tied longest,
/// are a stretch of the array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace schedproof::simulation {

class LengthOrder {
  public:
    /// All of length 0.
    explicit LengthOrder(std::size_t queues) : order_(queues), place_(queues), length_(queues, 0), first_{0, queues} {
        std::iota(order_.begin(), order_.end(), 0U);
        std::iota(place_.begin(), place_.end(), 0U);
    }

    [[nodiscard]] std::uint32_t length(std::size_t queue) const { return length_[queue]; }
    void grow(std::size_t queue) {
        const std::uint32_t l = length_[queue]++;
        move_to(queue, --first_[l + 1]);
        if (l + 2 == first_.size()) first_.push_back(order_.size());
        // Length l was the shortest, and its last queue has left it.
        if (l == shortest_ && first_[l] == first_[l + 1]) ++shortest_;
    }
    /// Requires a length above 0.
    void shrink(std::size_t queue) {
        const std::uint32_t l = length_[queue]--;
        move_to(queue, first_[l]++);
        if (l == shortest_) shortest_ = l - 1;
    }

    [[nodiscard]] std::uint32_t least() const { return shortest_; }
    [[nodiscard]] std::span<const std::uint32_t> shortest() const {
        return {order_.data() + first_[shortest_], first_[shortest_ + 1] - first_[shortest_]};
    }

  private:
    void move_to(std::size_t queue, std::size_t place) {
        const std::uint32_t other = order_[place];
        std::swap(order_[place], order_[place_[queue]]);
        std::swap(place_[other], place_[queue]);
    }

    std::vector<std::uint32_t> order_, place_, length_;
    std::vector<std::size_t> first_;  // by length; one more than the longest ever seen, which is the end
    std::uint32_t shortest_ = 0;
};

}  // namespace schedproof::simulation
