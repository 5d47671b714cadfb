/// Shifting tasks from servers with too many to servers with too few, along replicas.
///
/// A blocking-flow maximum flow (Dinic 1970) in a graph that is never built: the arcs out of a server are the tasks it
/// runs, each leading to the task's other replicas, and sending a unit along one moves the task. Layers are searched
/// from all servers with too many at once, up to the first that has one with too few; then disjoint shortest paths
/// are shifted until none is left, with a cursor per server that never goes back.
/// Tasks lie with the server that runs them, replicas inline: a search reads memory in order, but for one word per
/// server met.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/assignment/shape.hpp"
#include "policies/assignment/balanced_assignment.hpp"

namespace schedproof::assignment {

class TaskFlow {
  public:
    /// `server_of[t]` runs task t and holds a replica of it.
    TaskFlow(const Shape& shape, const std::vector<ServerId>& server_of, Counters& counters);

    /// Shifts tasks among the servers of `part` until no path leads from one of positive excess to one of negative
    /// excess. `excess` is by server, over the part its sum is 0; each shift takes one from a source and adds one to a
    /// sink. Returns how many servers can be reached from those still in excess; they stand first in `part` then.
    std::size_t settle(std::span<ServerId> part, std::vector<std::int64_t>& excess);

    /// Who runs each task now.
    [[nodiscard]] std::vector<ServerId> server_of() const;

  private:
    using Word = std::uint32_t;

    /// Calls f(server) for the replicas of a task, its own server included; stops when f says true, and says so.
    template <class F>
    bool any_replica(const Word* task, F&& f);
    [[nodiscard]] bool search(std::span<const ServerId> part, const std::vector<std::int64_t>& excess);
    void shift_from(Word source, std::vector<std::int64_t>& excess);
    [[nodiscard]] bool advance(Word server);
    void move_along_path();

    const Shape& shape_;
    Counters& counters_;
    std::size_t width_;                  // replicas kept inline
    std::vector<std::vector<Word>> on_;  // by server: its tasks, each an id and `width_` replicas
    std::vector<Word> layer_;            // by server
    std::vector<Word> cursor_;           // by server: offset in on_ of the task whose replicas come next
    std::vector<Word> open_;             // servers in the order of the search
    std::vector<Word> path_;
    Word last_layer_ = 0;
};

}  // namespace schedproof::assignment
