/// Slots: where a server's local tasks finish when they are spread evenly over its cores.
///
/// The slots of a server are the finish times Linit(p) + j local of its cores p, j >= 1, in ascending order, ties by
/// core. A server whose n local tasks are balanced among its cores occupies exactly its first n slots. So a whole
/// server is one sorted sequence, and balancing servers against each other compares slot n of one with slot n+1 of
/// another. A sequence is infinite: slots are made when first asked for, from a heap of each core's next one.
/// Source: Jin et al. 2018, section 5.1 (MAX and MIN of a server are slot n and slot n+1 less one local task).
#pragma once

#include <algorithm>
#include <vector>

#include "model/assignment/problem.hpp"

namespace schedproof::assignment {

template <Number N>
struct Slot {
    N finish;
    CoreId core;
};

/// The order of slots on a server.
template <Number N>
[[nodiscard]] bool before(const Slot<N>& a, const Slot<N>& b) {
    return a.finish < b.finish || (!(b.finish < a.finish) && a.core < b.core);
}

template <Number N>
class Slots {
  public:
    /// Keeps a reference to the problem.
    explicit Slots(const Problem<N>& problem)
        : problem_(problem), made_(problem.shape->servers().size()), next_(problem.shape->cores().size()) {}

    /// Slot k of server s, k >= 1. The reference lives until the next call for the same server.
    /// Cost: O(log cores) the first time, per slot up to k; O(cores) once per server.
    [[nodiscard]] const Slot<N>& operator()(ServerId s, std::size_t k) {
        std::vector<Slot<N>>& made = made_[s.index()];
        while (made.size() < k) made.push_back(take(s));
        return made[k - 1];
    }

  private:
    /// Moves the earliest next slot of the server's cores one local task on, and returns it.
    [[nodiscard]] Slot<N> take(ServerId s) {
        const Shape& shape = *problem_.shape;
        const auto begin = next_.begin() + static_cast<std::ptrdiff_t>(shape.core(s, 0).index());
        const auto end = begin + static_cast<std::ptrdiff_t>(shape.cores_of(s));
        const auto later = [](const Slot<N>& a, const Slot<N>& b) { return before(b, a); };
        if (made_[s.index()].empty()) {
            for (std::size_t i = 0; i < shape.cores_of(s); ++i) {
                const CoreId p = shape.core(s, i);
                next_[p.index()] = {problem_.load(p) + problem_.local, p};
            }
            std::make_heap(begin, end, later);
        }
        std::pop_heap(begin, end, later);
        Slot<N>& slot = *(end - 1);
        const Slot<N> taken = slot;
        slot.finish = slot.finish + problem_.local;
        std::push_heap(begin, end, later);
        return taken;
    }

    const Problem<N>& problem_;
    std::vector<std::vector<Slot<N>>> made_;  // by server
    std::vector<Slot<N>> next_;               // by server a heap, earliest first, of its cores' next slots
};

}  // namespace schedproof::assignment
