/// At most one value for each of a fixed number of owners, the least first, ties by owner: a list of future events.
///
/// A heap that knows where each owner's value stands, so that setting it anew moves it instead of adding another, and
/// the heap never holds more values than owners. The order is total, so what comes first does not depend on how the
/// values came to be where they are.
/// Machine numbers are kept four to a node: half the levels of a binary heap, and the children of a node share a line of
/// the cache. Numbers whose comparison is a computation are kept two to a node, where the fewest are compared.
/// Online courses of events keep their alarm clocks in it, the event simulator the ends of services, the offline
/// schedulers the loads of cores and servers.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace schedproof {

template <class N>
class LeastFirst {
  public:
    explicit LeastFirst(std::size_t owners) : place_(owners, absent) { heap_.reserve(owners); }
    /// Owner i has values[i]. Cost: linear.
    explicit LeastFirst(const std::vector<N>& values) : place_(values.size()) {
        heap_.reserve(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            heap_.push_back({values[i], static_cast<std::uint32_t>(i)});
            place_[i] = static_cast<std::uint32_t>(i);
        }
        for (std::size_t at = heap_.size() / arity + 1; at-- > 0;)
            if (at < heap_.size()) sift_down(at, std::move(heap_[at]));
    }

    [[nodiscard]] bool empty() const { return heap_.empty(); }
    [[nodiscard]] std::size_t size() const { return heap_.size(); }
    [[nodiscard]] bool has(std::size_t owner) const { return place_[owner] != absent; }
    /// The least value, and whose it is. Requires a value.
    [[nodiscard]] const N& least() const { return heap_.front().value; }
    [[nodiscard]] std::size_t owner() const { return heap_.front().owner; }

    /// The owner's value is this one from now on. Cost: O(log n).
    void set(std::size_t owner, N value) {
        Entry entry{std::move(value), static_cast<std::uint32_t>(owner)};
        std::size_t at = place_[owner];
        if (at == absent) {
            at = heap_.size();
            heap_.emplace_back();
        } else if (before(heap_[at], entry)) {
            return sift_down(at, std::move(entry));
        }
        sift_up(at, std::move(entry));
    }
    /// The owner of the least value has this one instead: `pop` and `set` at the cost of one. Requires a value.
    void replace_least(N value) { sift_down(0, {std::move(value), heap_.front().owner}); }
    /// Takes the least value away and says whose it was. Requires a value.
    std::size_t pop() {
        const std::size_t first = owner();
        remove(0);
        return first;
    }
    /// Takes away what the owner has, if anything.
    void cancel(std::size_t owner) {
        if (place_[owner] != absent) remove(place_[owner]);
    }
    /// Takes all values away. Cost: linear in their number.
    void clear() {
        for (const Entry& entry : heap_) place_[entry.owner] = absent;
        heap_.clear();
    }

  private:
    struct Entry {
        N value;
        std::uint32_t owner;
    };
    static constexpr std::size_t arity = std::is_trivially_copyable_v<N> ? 4 : 2;
    static constexpr std::uint32_t absent = static_cast<std::uint32_t>(-1);

    static bool before(const Entry& a, const Entry& b) {
        return a.value < b.value || (a.owner < b.owner && !(b.value < a.value));
    }
    void put(std::size_t at, Entry entry) {
        place_[entry.owner] = static_cast<std::uint32_t>(at);
        heap_[at] = std::move(entry);
    }
    /// Place `at` is free, and `entry` belongs there or above.
    void sift_up(std::size_t at, Entry entry) {
        while (at > 0) {
            const std::size_t parent = (at - 1) / arity;
            if (!before(entry, heap_[parent])) break;
            put(at, std::move(heap_[parent]));
            at = parent;
        }
        put(at, std::move(entry));
    }
    /// Place `at` is free, and `entry` belongs there or below.
    void sift_down(std::size_t at, Entry entry) {
        for (std::size_t child = arity * at + 1; child < heap_.size(); child = arity * at + 1) {
            const std::size_t least = least_child(child);
            if (!before(heap_[least], entry)) break;
            put(at, std::move(heap_[least]));
            at = least;
        }
        put(at, std::move(entry));
    }
    [[nodiscard]] std::size_t least_child(std::size_t first) const {
        std::size_t least = first;
        const std::size_t end = first + arity < heap_.size() ? first + arity : heap_.size();
        for (std::size_t child = first + 1; child < end; ++child)
            if (before(heap_[child], heap_[least])) least = child;
        return least;
    }
    void remove(std::size_t at) {
        place_[heap_[at].owner] = absent;
        Entry last = std::move(heap_.back());
        heap_.pop_back();
        if (at == heap_.size()) return;
        if (at > 0 && before(last, heap_[(at - 1) / arity]))
            sift_up(at, std::move(last));
        else
            sift_down(at, std::move(last));
    }

    std::vector<Entry> heap_;
    std::vector<std::uint32_t> place_;  // by owner: in the heap
};

}  // namespace schedproof
