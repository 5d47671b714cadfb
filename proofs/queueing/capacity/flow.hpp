/// Transport through a network with unbounded arcs: maximum flow and minimum cut.
///
/// Nodes offer (supply) or take (room) a commodity; arcs have no capacity. This is what the capacity problem becomes
/// once prices are fixed (price_ascent.hpp), and it is solved there for hundreds of thousands of arcs at a time.
///
/// Dinic's algorithm from all supplies at once. Levels come from a breadth-first search; a blocking flow is found by
/// depth-first search with current-arc pointers. A node with room is accepted at whatever level it is met, not only at
/// the nearest: after a blocking flow no augmenting path of the level graph is left, so the shortest one grows, which
/// is all that termination needs. When the search meets no room, the nodes that it did reach are the source side of a
/// minimum cut, the smallest one.
///
/// `Value` is an exact integer type: 64 bits, 128 bits or unbounded. The caller picks one that holds the sum of all
/// supplies, and no intermediate value exceeds it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace schedproof::capacity {

struct Arc {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

template <class Value>
class TransportFlow {
  public:
    /// Shape: `supply` and `room` have one entry >= 0 per node.
    TransportFlow(std::vector<Arc> arcs, std::vector<Value> supply, std::vector<Value> room)
        : arcs_(std::move(arcs)), supply_(std::move(supply)), room_(std::move(room)), flow_(arcs_.size()) {
        begin_.assign(supply_.size() + 1, 0);
        for (const Arc& arc : arcs_) ++begin_[arc.from + 1], ++begin_[arc.to + 1];
        for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        incident_.resize(2 * arcs_.size());
        std::vector<std::uint32_t> fill(begin_.begin(), begin_.end() - 1);
        for (std::uint32_t a = 0; a < arcs_.size(); ++a) {
            incident_[fill[arcs_[a].from]++] = 2 * a;
            incident_[fill[arcs_[a].to]++] = 2 * a + 1;
        }
    }

    void maximise() {
        while (label()) {
            next_.assign(begin_.begin(), begin_.end() - 1);
            for (std::uint32_t node = 0; node < supply_.size(); ++node)
                if (supply_[node] > 0 && level_[node] == 0) drain(node);
        }
    }

    [[nodiscard]] const std::vector<Arc>& arcs() const { return arcs_; }
    [[nodiscard]] const std::vector<Value>& flow() const { return flow_; }
    /// What could not be sent. All zero: the flow saturates every supply.
    [[nodiscard]] const std::vector<Value>& left() const { return supply_; }
    /// Whether the node is on the source side of the smallest minimum cut. Requires `maximise`.
    [[nodiscard]] bool in_cut(std::size_t node) const { return level_[node] != unreached; }

  private:
    static constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

    // An incidence is an arc and a direction: even along the arc, odd against it, which undoes flow.
    [[nodiscard]] std::uint32_t head(std::uint32_t incidence) const {
        return incidence % 2 == 0 ? arcs_[incidence / 2].to : arcs_[incidence / 2].from;
    }
    [[nodiscard]] bool open(std::uint32_t incidence) const { return incidence % 2 == 0 || flow_[incidence / 2] > 0; }

    bool label() {
        level_.assign(supply_.size(), unreached);
        queue_.clear();
        for (std::uint32_t node = 0; node < supply_.size(); ++node)
            if (supply_[node] > 0) level_[node] = 0, queue_.push_back(node);
        bool found = false;
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const std::uint32_t node = queue_[i];
            found = found || room_[node] > 0;
            for (std::uint32_t k = begin_[node]; k < begin_[node + 1]; ++k) {
                const std::uint32_t other = head(incident_[k]);
                if (level_[other] != unreached || !open(incident_[k])) continue;
                level_[other] = level_[node] + 1;
                queue_.push_back(other);
            }
        }
        return found;
    }

    void drain(std::uint32_t source) {
        path_.clear();
        for (std::uint32_t node = source;;) {
            if (room_[node] > 0) {
                node = augment(source, node);
                if (supply_[source] == 0) return;
                continue;
            }
            std::uint32_t& k = next_[node];
            while (k < begin_[node + 1] && (level_[head(incident_[k])] != level_[node] + 1 || !open(incident_[k]))) ++k;
            if (k < begin_[node + 1]) {
                path_.push_back(incident_[k]);
                node = head(incident_[k]);
            } else {
                if (path_.empty()) return;
                node = head(path_.back() ^ 1U);
                path_.pop_back();
                ++next_[node];
            }
        }
    }

    // Sends what the path carries, and returns the node up to which the path is still open.
    std::uint32_t augment(std::uint32_t source, std::uint32_t sink) {
        Value amount = std::min(supply_[source], room_[sink]);
        for (const std::uint32_t incidence : path_)
            if (incidence % 2 == 1) amount = std::min(amount, flow_[incidence / 2]);
        supply_[source] -= amount;
        room_[sink] -= amount;
        std::size_t keep = path_.size();
        for (std::size_t i = path_.size(); i-- > 0;) {
            Value& flow = flow_[path_[i] / 2];
            if (path_[i] % 2 == 0) {
                flow += amount;
            } else {
                flow -= amount;
                if (flow == 0) keep = i;
            }
        }
        path_.resize(keep);
        return keep == 0 ? source : head(path_.back());
    }

    std::vector<Arc> arcs_;
    std::vector<Value> supply_, room_, flow_;
    std::vector<std::uint32_t> begin_, incident_;  // compressed rows of incidences per node
    std::vector<std::uint32_t> level_, next_, queue_, path_;
};

}  // namespace schedproof::capacity
