/// The waiting tasks of every queue in order of arrival: one pool of nodes, a linked list per queue.
///
/// Nodes that were freed last are used first, so the pool stays as small, and as near, as the tasks that wait.
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::simulation {

/// A task of the simulator in slots.
struct WaitingTask {
    std::uint32_t arrived = 0;  ///< slot
    std::uint32_t type = 0;
};

template <class Task>
class ListsOf {
  public:
    explicit ListsOf(std::size_t queues) : ends_(queues) {}

    /// Throws LimitExceeded when 2^32 - 1 tasks wait.
    void push(std::size_t queue, const Task& task) {
        std::uint32_t node = free_;
        if (node != none) {
            free_ = nodes_[node].next;
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
        nodes_[node].next = free_;
        free_ = node;
        return nodes_[node].task;
    }

  private:
    static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
    struct Node {
        Task task;
        std::uint32_t next;
    };
    struct Ends {
        std::uint32_t first = none, last = none;
    };
    std::vector<Ends> ends_;
    std::vector<Node> nodes_;
    std::uint32_t free_ = none;
};

using TaskLists = ListsOf<WaitingTask>;

}  // namespace schedproof::simulation
