/// At most one value for each of a fixed number of owners, the least first, ties by owner.
///
/// A heap whose values can be replaced: setting an owner's value again makes the older one void. Void values stay in
/// the heap until they come to its top, so it grows with the number of settings, and setting costs no search.
/// The course of events keeps its alarm clocks in it, the offline schedulers the loads of cores and servers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/core/number.hpp"

namespace schedproof::assignment {

template <Number N>
class LeastFirst {
  public:
    explicit LeastFirst(std::size_t owners) : version_(owners, 0) {}
    /// Owner i has values[i]. Cost: linear.
    explicit LeastFirst(const std::vector<N>& values) : version_(values.size(), 0) {
        heap_.reserve(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) heap_.push_back({values[i], static_cast<std::uint32_t>(i), 0});
        std::make_heap(heap_.begin(), heap_.end(), after);
    }
    /// Cost: O(log n), n being the settings since they came to the top.
    void set(std::size_t owner, N value) {
        heap_.push_back({std::move(value), static_cast<std::uint32_t>(owner), ++version_[owner]});
        std::push_heap(heap_.begin(), heap_.end(), after);
    }
    /// Takes all values away. Cost: none per value.
    void clear() { heap_.clear(); }
    /// Takes away what the owner has, if anything.
    void cancel(std::size_t owner) { ++version_[owner]; }

    /// Whether nobody has a value.
    [[nodiscard]] bool empty() {
        while (!heap_.empty() && heap_.front().version != version_[heap_.front().owner]) drop();
        return heap_.empty();
    }
    /// The least value, and whose it is. Requires that `empty()` was asked since the last change, and false.
    [[nodiscard]] const N& least() const { return heap_.front().value; }
    [[nodiscard]] std::size_t owner() const { return heap_.front().owner; }
    /// Takes the least value away and says whose it was. Requires the same.
    std::size_t pop() {
        const std::size_t first = owner();
        drop();
        return first;
    }

  private:
    struct Entry {
        N value;
        std::uint32_t owner;
        std::uint32_t version;  // of the owner's value: an older one is void
    };
    static bool after(const Entry& a, const Entry& b) {
        return b.value < a.value || (b.owner < a.owner && !(a.value < b.value));
    }
    void drop() {
        std::pop_heap(heap_.begin(), heap_.end(), after);
        heap_.pop_back();
    }

    std::vector<Entry> heap_;
    std::vector<std::uint32_t> version_;  // by owner
};

}  // namespace schedproof::assignment
