/// Flows without cycles: vertices of a transportation polytope.
///
/// A flow with given balances at the nodes is a vertex of the polytope of all such flows iff the support, seen as an
/// undirected graph, is a forest. Arcs are inserted one by one into a rooted forest, kept as one parent arc per node.
/// One that closes a cycle is lowered around it until some arc of the cycle is empty; that arc leaves. Re-rooting
/// reverses a path, so every step costs the depth of the forest, which in practice is far below its size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "proofs/queueing/capacity/flow.hpp"

namespace schedproof::capacity {

/// The forest of the arcs inserted so far; used through `cancel_cycles`.
template <class Value>
class CycleCanceller {
  public:
    CycleCanceller(std::size_t nodes, const std::vector<Arc>& arcs, std::vector<Value>& flow)
        : arcs_(arcs), flow_(flow), up_(nodes, none), mark_(nodes, none) {}

    void run() {
        for (std::uint32_t arc = 0; arc < arcs_.size(); ++arc) {
            if (flow_[arc] == 0) continue;
            if (closes_cycle(arc)) lower(arc);
            if (flow_[arc] == 0) continue;
            make_root(arcs_[arc].from);
            up_[arcs_[arc].from] = arc;
        }
    }

  private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    [[nodiscard]] std::uint32_t across(std::uint32_t arc, std::uint32_t node) const {
        return arcs_[arc].from == node ? arcs_[arc].to : arcs_[arc].from;
    }
    [[nodiscard]] std::uint32_t parent(std::uint32_t node) const { return across(up_[node], node); }

    // Reverses the parent arcs from the node to its root.
    void make_root(std::uint32_t node) {
        for (std::uint32_t carried = none; node != none;) {
            std::swap(up_[node], carried);
            node = carried == none ? none : across(carried, node);
        }
    }

    // Whether the ends of the arc are in one tree; if so, `cycle_` is the path between them: (node whose parent arc is
    // passed, whether lowering the arc lowers that one too). Lowering the arc raises the net flow over the path.
    bool closes_cycle(std::uint32_t arc) {
        const std::uint32_t from = arcs_[arc].from, to = arcs_[arc].to;
        for (std::uint32_t node = from;; node = parent(node)) {
            mark_[node] = arc;
            if (up_[node] == none) break;
        }
        cycle_.clear();
        std::uint32_t meet = to;
        for (; mark_[meet] != arc && up_[meet] != none; meet = parent(meet))
            cycle_.emplace_back(meet, arcs_[up_[meet]].from == meet);
        if (mark_[meet] != arc) return false;
        for (std::uint32_t node = from; node != meet; node = parent(node))
            cycle_.emplace_back(node, arcs_[up_[node]].from != node);
        return true;
    }

    // Lowers the arc until it, or another arc of the cycle, is empty; empty arcs leave the forest.
    void lower(std::uint32_t arc) {
        Value amount = flow_[arc];
        for (const auto& [node, lowered] : cycle_)
            if (lowered) amount = std::min(amount, flow_[up_[node]]);
        flow_[arc] -= amount;
        for (const auto& [node, lowered] : cycle_) {
            Value& value = flow_[up_[node]];
            if (lowered)
                value -= amount;
            else
                value += amount;
        }
        for (const auto& [node, lowered] : cycle_)
            if (flow_[up_[node]] == 0) up_[node] = none;
    }

    const std::vector<Arc>& arcs_;
    std::vector<Value>& flow_;
    std::vector<std::uint32_t> up_;    // the arc to the parent in the forest
    std::vector<std::uint32_t> mark_;  // the last arc from whose tail the node was passed
    std::vector<std::pair<std::uint32_t, bool>> cycle_;
};

/// Makes the support of a flow a forest; what enters and leaves each node stays as it was. The result is a vertex of
/// the polytope of flows with these balances.
/// Shape: one amount >= 0 per arc. Cost: number of arcs times depth of the forest.
template <class Value>
void cancel_cycles(std::size_t nodes, const std::vector<Arc>& arcs, std::vector<Value>& flow) {
    CycleCanceller<Value>(nodes, arcs, flow).run();
}

}  // namespace schedproof::capacity
