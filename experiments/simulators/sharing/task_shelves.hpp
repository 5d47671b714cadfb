/// The unlaunched tasks of one job, by where their data is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/sharing/sharing_state.hpp"

namespace schedproof::simulation {

/// A shelf for every node, and every rack, that holds data of the job: its tasks there, ascending, and the first that
/// may be unlaunched. Launched tasks stay on their shelves and are passed over once.
/// Cost: building, linear in the replicas, which are sorted where they are fewer than the nodes; asking, constant where
/// they are not fewer, else a binary search over the shelves, and what is passed over; putting a task back, a search
/// on the shelf of each of its replicas.
class TaskShelves {
  public:
    /// A single rack tells nothing apart, and gets no shelf. Takes over a job's tasks; memory of the job before is used
    /// again. `times` holds one for all tasks, or one for each.
    void fill(const sharing::Cluster& cluster, std::size_t racks, const sharing::Job& job,
              std::span<const sharing::Ticks> times);
    /// Gives the memory of a job of many tasks back.
    void clear();

    /// The first of the unlaunched tasks at the nearest level.
    struct Nearest {
        std::uint32_t task;
        sharing::Locality level;
    };
    /// For a node. Requires an unlaunched task.
    [[nodiscard]] Nearest nearest(const sharing::Cluster& cluster, sharing::NodeId n) {
        if (const auto local = front(nodes_, n.index())) return {*local, sharing::Locality::local};
        if (const auto near = front(racks_, cluster.rack[n.index()].index()))
            return {*near, sharing::Locality::rack_local};
        while (is_launched(head_)) ++head_;
        return {head_, sharing::Locality::remote};
    }
    [[nodiscard]] bool has_local(sharing::NodeId n) { return front(nodes_, n.index()).has_value(); }
    void launch(std::uint32_t task) { launched_[task / 64] |= bit(task); }
    /// Makes a launched task unlaunched again.
    void put_back(const sharing::Cluster& cluster, std::uint32_t task);

    /// The nodes that hold a task's data, in the order of its replicas.
    [[nodiscard]] std::span<const sharing::NodeId> holders(std::uint32_t task) const {
        const std::size_t first = starts_.empty() ? width_ * task : starts_[task];
        return std::span(homes_).subspan(first, starts_.empty() ? width_ : starts_[task + 1] - first);
    }
    [[nodiscard]] sharing::Ticks time(std::uint32_t task) const { return times_[times_.size() == 1 ? 0 : task]; }
    /// Calls `visit(node)` for each node that holds data of the job, ascending.
    template <class Visit>
    void each_node(Visit&& visit) const {
        for (std::size_t i = 0; i < nodes_.shelves.size(); ++i)
            if (nodes_.shelves[i].first < nodes_.shelves[i].last)
                visit(sharing::NodeId(nodes_.direct() ? i : nodes_.places[i]));
    }

  private:
    struct Shelf {
        std::uint32_t first = 0, last = 0;  // of Shelves::tasks
        std::uint32_t head = 0;             // tasks before it are launched
    };
    struct Shelves {
        std::vector<Shelf> shelves;         // of all places, by number; or of some, ascending
        std::vector<std::uint32_t> places;  // of the shelves; empty when they are of all places
        std::vector<std::uint32_t> tasks;

        [[nodiscard]] bool direct() const { return places.empty(); }
        /// None where no task has data there.
        [[nodiscard]] Shelf* at(std::size_t place) {
            if (direct()) return place < shelves.size() ? &shelves[place] : nullptr;
            const auto found = std::lower_bound(places.begin(), places.end(), place);
            if (found == places.end() || *found != place) return nullptr;
            return &shelves[static_cast<std::size_t>(found - places.begin())];
        }
    };
    template <class PlaceOf>
    void build(Shelves& shelves, std::size_t places, PlaceOf&& place_of);
    template <class PlaceOf>
    void build_direct(Shelves& shelves, std::size_t places, PlaceOf&& place_of);
    template <class PlaceOf>
    void build_sorted(Shelves& shelves, PlaceOf&& place_of);
    [[nodiscard]] std::optional<std::uint32_t> front(Shelves& shelves, std::size_t place) {
        Shelf* const shelf = shelves.at(place);
        if (shelf == nullptr) return {};
        while (shelf->head < shelf->last && is_launched(shelves.tasks[shelf->head])) ++shelf->head;
        if (shelf->head == shelf->last) return {};
        return shelves.tasks[shelf->head];
    }
    static void put_back(Shelves& shelves, std::size_t place, std::uint32_t task);

    [[nodiscard]] static std::uint64_t bit(std::uint32_t task) { return std::uint64_t{1} << (task % 64); }
    [[nodiscard]] bool is_launched(std::uint32_t task) const { return (launched_[task / 64] & bit(task)) != 0; }

    std::uint32_t tasks_ = 0;
    std::vector<std::uint64_t> launched_;  // a bit for each task
    std::vector<sharing::Ticks> times_;
    std::vector<sharing::NodeId> homes_;  // of the replicas of task after task
    std::size_t width_ = 0;               // replicas of each task, when they are equally many
    std::vector<std::uint32_t> starts_;   // in homes_, of each task and the end, when they are not
    Shelves nodes_, racks_;
    std::uint32_t head_ = 0;  // tasks before it are launched
};

}  // namespace schedproof::simulation
