/// The unlaunched tasks of one job, by where their data is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/sharing/sharing_state.hpp"

namespace schedproof::simulation {

/// A shelf for every node, and every rack, that holds data of the job: its tasks there, ascending, and the first that
/// may be unlaunched. Launched tasks stay on their shelves and are passed over once.
/// Cost: building, sorting the replicas; asking, a binary search over the shelves and what is passed over; putting a
/// task back, or asking who holds it, a binary search on every shelf.
class TaskShelves {
  public:
    /// A single rack tells nothing apart, and gets no shelf. Takes over a job's tasks; memory of the job before is used
    /// again. `times` holds one for all tasks, or one for each.
    void fill(const sharing::Cluster& cluster, bool one_rack, const sharing::Job& job,
              std::span<const sharing::Ticks> times);

    /// The nearest level at which there is an unlaunched task for a node. Requires one.
    [[nodiscard]] sharing::Locality nearest(const sharing::Cluster& cluster, sharing::NodeId n) {
        if (front(nodes_, n.index())) return sharing::Locality::local;
        return front(racks_, cluster.rack[n.index()].index()) ? sharing::Locality::rack_local
                                                              : sharing::Locality::remote;
    }
    [[nodiscard]] bool has_local(sharing::NodeId n) { return front(nodes_, n.index()).has_value(); }
    /// Launches the first of the tasks at the nearest level. Requires an unlaunched one.
    std::uint32_t launch(const sharing::Cluster& cluster, sharing::NodeId n);
    /// Makes a launched task unlaunched again.
    void put_back(std::uint32_t task);

    /// The nodes that hold a task's data, ascending.
    [[nodiscard]] std::vector<sharing::NodeId> holders(std::uint32_t task) const;
    [[nodiscard]] sharing::Ticks time(std::uint32_t task) const { return times_[times_.size() == 1 ? 0 : task]; }
    /// Calls `visit(node)` for each node that holds data of the job, ascending.
    template <class Visit>
    void each_node(Visit&& visit) const {
        for (const Shelf& shelf : nodes_.shelves) visit(sharing::NodeId(shelf.place));
    }

  private:
    struct Shelf {
        std::uint32_t place;        // node or rack
        std::uint32_t first, last;  // of Shelves::tasks
        std::uint32_t head;         // tasks before it are launched
    };
    struct Shelves {
        std::vector<Shelf> shelves;  // ascending by place
        std::vector<std::uint32_t> tasks;
    };
    void build(Shelves& shelves);
    [[nodiscard]] std::optional<std::uint32_t> front(Shelves& shelves, std::size_t place);
    void put_back(Shelves& shelves, std::uint32_t task);

    std::vector<std::uint8_t> launched_;
    std::vector<sharing::Ticks> times_;
    Shelves nodes_, racks_;
    std::uint32_t head_ = 0;             // tasks before it are launched
    std::vector<std::uint64_t> places_;  // place and task of each replica, while building
};

}  // namespace schedproof::simulation
