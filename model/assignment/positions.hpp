/// Positions: where a server's local tasks finish when they are spread evenly over its cores.
///
/// The positions of a server are the finish times Linit(p) + j local of its cores p, j >= 1, in ascending order, ties
/// by core. A server whose n local tasks are balanced among its cores occupies exactly its first n positions. So a
/// whole server is one sorted sequence, and balancing servers against each other compares position n of one with
/// position n+1 of another. A sequence is infinite: positions are made when first asked for, from a heap of each core's
/// next one.
/// Source: [jin2018], Section 5.1 (MAX and MIN of a server are position n and position n+1 less one local task).
#pragma once

#include <algorithm>
#include <memory_resource>
#include <vector>

#include "model/assignment/problem.hpp"

namespace schedproof::assignment {

template <Number N>
struct Position {
    N finish;
    CoreId core;
};

/// The order of positions on a server.
template <Number N>
[[nodiscard]] bool before(const Position<N>& a, const Position<N>& b) {
    return a.finish < b.finish || (!(b.finish < a.finish) && a.core < b.core);
}

template <Number N>
class Positions {
  public:
    /// Keeps a reference to the problem.
    explicit Positions(const Problem<N>& problem)
        : problem_(problem),
          usual_(problem.shape->tasks().size() * 5 / 4 / std::max<std::size_t>(1, problem.shape->servers().size()) + 4),
          next_(problem.shape->cores().size()) {
        made_.reserve(problem.shape->servers().size());
        for (std::size_t s = 0; s < problem.shape->servers().size(); ++s) made_.emplace_back(&memory_);
    }

    /// Position k of server s, k >= 1. The reference lives until the next call for the same server.
    /// Cost: O(log cores) the first time, per position up to k; O(cores) once per server.
    [[nodiscard]] const Position<N>& operator()(ServerId s, std::size_t k) {
        auto& made = made_[s.index()];
        if (made.empty()) start(s);
        while (made.size() < k) made.push_back(take(s));
        return made[k - 1];
    }

  private:
    void start(ServerId s) {
        const Shape& shape = *problem_.shape;
        made_[s.index()].reserve(usual_);
        for (std::size_t i = 0; i < shape.cores_of(s); ++i) {
            const CoreId p = shape.core(s, i);
            next_[p.index()] = {problem_.load(p) + problem_.local, p};
        }
        for (std::size_t i = shape.cores_of(s) / 2; i-- > 0;) sink(s, i);
    }

    /// Moves the earliest next position of the server's cores one local task on, and returns it.
    [[nodiscard]] Position<N> take(ServerId s) {
        Position<N>& top = next_[problem_.shape->core(s, 0).index()];
        Position<N> taken = top;
        top.finish = top.finish + problem_.local;
        sink(s, 0);
        return taken;
    }

    /// Restores the heap of server s below its position `hole`, whose position may be later than those under it. The
    /// next position of a core seldom sinks deep, which is why this is not std::pop_heap.
    void sink(ServerId s, std::size_t hole) {
        Position<N>* const heap = &next_[problem_.shape->core(s, 0).index()];
        const std::size_t size = problem_.shape->cores_of(s);
        const Position<N> position = heap[hole];
        for (std::size_t child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && before(heap[child + 1], heap[child])) ++child;
            if (!before(heap[child], position)) break;
            heap[hole] = heap[child];
            hole = child;
        }
        heap[hole] = position;
    }

    const Problem<N>& problem_;
    std::size_t usual_;  // positions that a server is likely to need
    std::pmr::monotonic_buffer_resource memory_;
    std::vector<std::pmr::vector<Position<N>>> made_;  // by server
    std::vector<Position<N>> next_;                    // by server a heap, earliest first, of its cores' next positions
};

}  // namespace schedproof::assignment
