/// The waiting tasks of every queue in order of arrival: one pool of nodes, a linked list per queue.
///
/// Nodes that were freed last are used first, so the pool stays as compact as the waiting tasks. The next free nodes
/// are listed, so that they can be prefetched.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/simulators/core/fetch_ahead.hpp"
#include "model/core/errors.hpp"

namespace schedproof::simulation {

/// A task of the simulator in slots.
struct WaitingTask {
    std::uint32_t arrived = 0;  ///< slot
    std::uint32_t type = 0;     ///< under fcfs, which runs on queues that hold counts: place among those of its slot
};

template <class Task>
class ListsOf {
  public:
    explicit ListsOf(std::size_t queues) : ends_(queues) {}

    /// Throws LimitExceeded when 2^32 - 1 tasks wait.
    void push(std::size_t queue, const Task& task) {
        std::uint32_t node;
        if (!free_.empty()) {
            node = free_.back();
            free_.pop_back();
            nodes_[node] = {task, none};
        } else {
            if (nodes_.size() == none) throw LimitExceeded("waiting tasks", "more than 2^32 - 1 wait at once");
            node = static_cast<std::uint32_t>(nodes_.size());
            nodes_.push_back({task, none});
        }
        Ends& ends = ends_[queue];
        (ends.first == none ? ends.first : nodes_[ends.last].next) = node;
        ends.last = node;
    }
    /// Requires that a task waits there.
    Task pop(std::size_t queue) {
        Ends& ends = ends_[queue];
        const std::uint32_t node = ends.first;
        ends.first = nodes_[node].next;
        free_.push_back(node);
        return nodes_[node].task;
    }

    /// The task that `pop` takes next. Requires that a task waits there.
    [[nodiscard]] const Task& first(std::size_t queue) const { return nodes_[ends_[queue].first].task; }

    /// What a push or pop there is going to touch; `fetch_first` and `fetch_last` after `fetch_ends`.
    void fetch_ends(std::size_t queue) const { fetch(&ends_[queue]); }
    void fetch_first(std::size_t queue) const { fetch_node(ends_[queue].first); }
    void fetch_last(std::size_t queue) const { fetch_node(ends_[queue].last); }
    void fetch_free(std::size_t pushes_ahead) const {
        if (free_.size() > pushes_ahead) fetch(&nodes_[free_[free_.size() - 1 - pushes_ahead]]);
    }

  private:
    static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
    void fetch_node(std::uint32_t node) const {
        if (node < nodes_.size()) fetch(&nodes_[node]);
    }
    struct Node {
        Task task;
        std::uint32_t next;
    };
    struct Ends {
        std::uint32_t first = none, last = none;
    };
    std::vector<Ends> ends_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> free_;
};

using TaskLists = ListsOf<WaitingTask>;

}  // namespace schedproof::simulation
