/// The states of a cluster whose weighted sum of queues is at most a radius, numbered.
///
/// A state is valid when no queue is shorter than the number of its tasks in execution. All valid states with given
/// lists of statuses are numbered, reachable or not: by the combination of statuses, then by the lengths beyond the
/// tasks in execution, in lexicographic order. The number of a state follows from counts of lattice points, so nothing
/// is looked up in a table of states.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/queueing/chain.hpp"

namespace schedproof::queueing {

class StateBox {
  public:
    /// `statuses`: per server, what it can be doing. `weights`: per queue, at least 1.
    /// Throws LimitExceeded past `most` states: said before anything is kept for each of them.
    StateBox(std::vector<std::vector<Service>> statuses, std::vector<std::uint32_t> weights, std::uint32_t radius,
             std::uint64_t most = max_states);
    static constexpr std::uint64_t max_states = 100'000'000;
    /// The largest radius, up to `limit`, of a box of at most `most` states; 0 if there is none. Cost: one sum per
    /// queue and radius, as counts of lattice points for one radius follow from those for smaller ones.
    [[nodiscard]] static std::uint32_t largest_radius(const std::vector<std::vector<Service>>& statuses,
                                                      const std::vector<std::uint32_t>& weights, std::uint64_t most,
                                                      std::uint32_t limit);

    [[nodiscard]] std::uint64_t size() const { return shapes_.empty() ? 0 : shapes_.back().end; }
    /// The weighted sum of the queues.
    [[nodiscard]] std::uint64_t measure(const ExactState& state) const;
    /// The number of a state; nothing for one outside. Requires a valid state of non-negative lengths.
    /// Throws InputError for a status that is not among the server's.
    [[nodiscard]] std::optional<std::uint64_t> index(const ExactState& state) const;
    /// Calls `visit(index, state)` for the states numbered from `begin` to before `end`, in their order.
    template <class Visit>
    void each(std::uint64_t begin, std::uint64_t end, Visit&& visit) const {
        for (std::uint64_t i = begin; i < end;) {
            const Shape& shape = shape_of(i);
            Walk walk = start(shape, i);
            for (const std::uint64_t last = std::min(end, shape.end); i < last; ++i) {
                visit(i, static_cast<const ExactState&>(walk.state));
                if (i + 1 < last) advance(walk);
            }
        }
    }

  private:
    struct Shape {
        Vector<Service> serving;
        Vector<std::uint32_t> executing;  ///< per queue, tasks in execution
        std::uint32_t room = 0;           ///< what the radius leaves for the other tasks
        std::uint64_t begin = 0, end = 0;
    };
    /// A state, with what the radius leaves for the queues from each one on.
    struct Walk {
        ExactState state;
        const Shape* shape;
        Vector<std::uint32_t> room;
    };

    [[nodiscard]] const Shape& shape_of(std::uint64_t index) const;
    [[nodiscard]] Walk start(const Shape& shape, std::uint64_t index) const;
    void advance(Walk& walk) const;
    /// Lengths of the queues from `queue` on whose weighted sum is at most `room`.
    [[nodiscard]] std::uint64_t points(std::size_t queue, std::uint32_t room) const {
        return points_[queue * (radius_ + std::size_t{1}) + room];
    }

    std::vector<std::vector<Service>> statuses_;
    std::vector<std::uint32_t> weights_;
    std::uint32_t radius_;
    std::vector<std::uint64_t> points_;
    std::vector<Shape> shapes_;        // those that have a state, in order
    std::vector<std::int64_t> place_;  // by combination of statuses, in mixed radix: the shape, or -1 for none
};

}  // namespace schedproof::queueing
