/// Bounds that are sums of largest values of what is linear in V: what several decisions of one step do together.
///
/// A bound is computed where V is known, by the checker, and stated of a V that is looked for, as rows of a linear
/// program. So it is kept as data: nodes, each the largest of some multiples of slopes of V or of earlier nodes.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/lyapunov_form.hpp"

namespace schedproof::queueing {

class Summands;

/// How much a task more in `queue` adds to: what a task more in another queue (or the same) adds to V's part without
/// statuses, or the part of V of a server at a status.
struct Slope {
    QueueId queue;
    std::variant<QueueId, std::pair<ServerId, Service>> of;
    friend auto operator<=>(const Slope&, const Slope&) = default;
};
/// Those that are not 0.
using Slopes = std::map<Slope, Rational>;
/// Of a V without maxima.
[[nodiscard]] Slopes slopes_of(const SymbolicSystem& system, const Summands& summands, const LyapunovForm& v);

struct Maxima {
    struct Entry {
        Rational factor;
        std::variant<Slope, std::size_t> of;  ///< a slope, or the number of an earlier node
    };
    struct Node {
        std::vector<Entry> entries;
        bool or_nothing = false;  ///< it is at least 0, too
    };
    std::vector<Node> nodes;
    std::vector<std::pair<Rational, std::size_t>> sum;  ///< multiples of nodes, none negative

    /// Returns the number of the new node.
    std::size_t add(Node node);
};
[[nodiscard]] Rational value_of(const Maxima& bound, const Slopes& slopes);

/// In continuous time: the expected change of the part of server x at a status, by arrivals and by the ends of others'
/// tasks in an event.
[[nodiscard]] Maxima moved_by_others(const SymbolicSystem& system, const Summands& summands, ServerId x,
                                     const Service& status);
/// In slots: what pairs of tasks that arrive, pairs of tasks that end, and tasks of both kinds add to V's part without
/// statuses beyond what each does alone; and how the parts of servers change by what arrives, and what ends elsewhere.
[[nodiscard]] Maxima done_together(const SymbolicSystem& system, const Summands& summands);

}  // namespace schedproof::queueing
