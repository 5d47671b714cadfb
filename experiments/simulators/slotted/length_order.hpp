/// Queues in the order of their lengths, where lengths change by one: the shortest or longest in constant time.
///
/// The queues stand in an array sorted by length; `first_[l]` is where length l begins. A queue that grows by one
/// trades places with the last of its length and the border moves by one. So the tied shortest, and the tied longest,
/// are a stretch of the array.
#pragma once

#include <algorithm>
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
    explicit LengthOrder(std::uint32_t queues) : order_(queues), queues_(queues), first_{0, queues} {
        std::iota(order_.begin(), order_.end(), 0U);
        for (std::uint32_t q = 0; q < queues; ++q) queues_[q].place = q;
    }

    [[nodiscard]] std::uint32_t length(std::size_t queue) const { return queues_[queue].length; }
    /// Makes a queue as long as this. Cost: O(change).
    void set(std::size_t queue, std::uint32_t length) {
        while (queues_[queue].length < length) grow(queue);
        while (queues_[queue].length > length) shrink(queue);
    }

    [[nodiscard]] std::uint32_t least() const { return shortest_; }
    [[nodiscard]] std::uint32_t greatest() const { return queues_[order_.back()].length; }
    [[nodiscard]] std::span<const std::uint32_t> shortest() const { return of_length(shortest_); }
    [[nodiscard]] std::span<const std::uint32_t> longest() const { return of_length(greatest()); }

  private:
    [[nodiscard]] std::span<const std::uint32_t> of_length(std::uint32_t length) const {
        return {order_.data() + first_[length], first_[length + 1] - first_[length]};
    }
    /// The queue, of length l so far, joins those of length l + 1, as their first.
    void grow(std::size_t queue) {
        const std::uint32_t l = queues_[queue].length++;
        const std::uint32_t place = --first_[l + 1];
        move_to(queue, place);
        if (l + 2 == first_.size()) first_.push_back(static_cast<std::uint32_t>(order_.size()));
        // Length l was the shortest, and its last queue has left it.
        if (l == shortest_ && first_[l] == place) ++shortest_;
    }
    /// The queue, of length l so far, joins those of length l - 1, as their last.
    void shrink(std::size_t queue) {
        const std::uint32_t l = queues_[queue].length--;
        move_to(queue, first_[l]++);
        shortest_ = std::min(shortest_, l - 1);
    }

    struct Queue {
        std::uint32_t length = 0, place = 0;
    };
    void move_to(std::size_t queue, std::uint32_t place) {
        std::uint32_t* const order = order_.data();
        Queue* const queues = queues_.data();
        const std::uint32_t other = order[place], left = queues[queue].place;
        order[left] = other;
        queues[other].place = left;
        order[place] = static_cast<std::uint32_t>(queue);
        queues[queue].place = place;
    }

    std::vector<std::uint32_t> order_;  // queues, the shortest first
    std::vector<Queue> queues_;
    std::vector<std::uint32_t> first_;  // by length; one more than the longest ever seen, which is the end
    std::uint32_t shortest_ = 0;
};

}  // namespace schedproof::simulation
