/// A cluster that jobs share: nodes with equal numbers of slots, in racks.
///
/// A slot runs one task at a time. A task reads one block, of which some nodes hold a replica; how fast it runs depends
/// on how far the node is from the nearest one. With a single rack there are two levels, local and remote.
/// Source: [zaharia2010]; docs/models/sharing.md, Model.
#pragma once

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/core/errors.hpp"
#include "model/core/ids.hpp"

namespace schedproof::sharing {

using NodeId = ServerId;
using RackId = Id<struct RackTag>;
/// Slot i of node n is number n L + i.
using SlotId = Id<struct SlotTag>;
/// Time in whole numbers of a unit that the owner chooses: slots, milliseconds.
using Ticks = std::int64_t;

/// The nodes that hold a task's block; at least one, each once.
using Replicas = boost::container::small_vector<NodeId, 4>;

/// How far a task's data is, nearest first.
enum class Locality : std::uint8_t { local, rack_local, remote };
/// In words of text and files: `rack-local`.
[[nodiscard]] constexpr std::string_view name(Locality level) {
    return level == Locality::local ? "local" : level == Locality::rack_local ? "rack-local" : "remote";
}
inline constexpr std::size_t localities = 3;
[[nodiscard]] constexpr std::size_t index(Locality level) { return static_cast<std::size_t>(level); }

/// What a task sees of the queues that it may join: those of its slot of time, or tick, that were routed before it too,
/// or none of them. Source: [wang2013], Sections II-B and II-C; docs/models/sharing.md, Interpretation S9.
enum class Routing : std::uint8_t { sequential, batch };
/// What the length of a queue counts: its running tasks too, or only those that wait. Source:
/// docs/models/sharing.md, Interpretation S10.
enum class Counting : std::uint8_t { in_system, waiting };

struct Cluster {
    std::vector<RackId> rack;  ///< of each node
    std::size_t slots = 1;     ///< L, of each node
    /// Rates at which tasks are worked on, by locality, times a common factor. Range: at least 1, falling.
    /// jsq-maxweight weights its queues with them.
    std::array<std::int64_t, localities> rate{1, 1, 1};
    /// How long a remote task takes on a node that runs r of them, it included, for r = 1, 2, ...; the last holds for
    /// more. Shape: not empty. Only dyndlon uses it.
    std::vector<Ticks> remote_time{1};
    Routing routing = Routing::sequential;  ///< under policies that route, as is the next
    Counting counting = Counting::in_system;

    /// All on one rack: two levels.
    [[nodiscard]] static Cluster one_rack(std::size_t nodes, std::size_t slots) {
        return {std::vector<RackId>(nodes), slots, {1, 1, 1}, {1}, {}, {}};
    }

    [[nodiscard]] std::size_t nodes() const { return rack.size(); }
    [[nodiscard]] std::size_t all_slots() const { return nodes() * slots; }
    [[nodiscard]] NodeId node_of(SlotId s) const { return NodeId(s.index() / slots); }
    [[nodiscard]] SlotId slot(NodeId n, std::size_t i) const { return SlotId(n.index() * slots + i); }
    /// Number of racks: one more than the largest id.
    [[nodiscard]] std::size_t racks() const {
        return rack.empty() ? 0 : std::max_element(rack.begin(), rack.end())->index() + 1;
    }
    [[nodiscard]] Locality locality(NodeId n, const Replicas& data) const {
        if (std::find(data.begin(), data.end(), n) != data.end()) return Locality::local;
        const auto near = [&](NodeId m) { return rack[m.index()] == rack[n.index()]; };
        return racks() > 1 && std::any_of(data.begin(), data.end(), near) ? Locality::rack_local : Locality::remote;
    }
    /// Requires r >= 1.
    [[nodiscard]] Ticks remote_time_among(std::size_t r) const {
        return remote_time[std::min(r, remote_time.size()) - 1];
    }
};

}  // namespace schedproof::sharing
