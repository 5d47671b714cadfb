/// Shifting tasks from servers with too many to servers with too few, along replicas.
///
/// A blocking-flow maximum flow ([dinic1970]) in a graph that is never built: the arcs out of a server are the tasks it
/// runs, each leading to the task's other replicas, and sending a unit along one moves the task. Layers are searched
/// from all servers with too many at once, up to the first that has one with too few; then disjoint shortest paths
/// are shifted until none is left, with a cursor per server that never goes back.
/// Tasks lie with the server that runs them, replicas inline: a search reads memory in order, but for one word per
/// server met.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "model/assignment/shape.hpp"
#include "policies/assignment/balanced_assignment.hpp"

namespace schedproof::assignment {

class TaskFlow {
  public:
    /// `server_of[t]` runs task t and holds a replica of it.
    TaskFlow(const Shape& shape, const std::vector<ServerId>& server_of, Counters& counters);

    /// Shifts tasks among the servers of `part` until no path inside it leads from one of positive excess to one of
    /// negative excess. `excess` is by server, over the part its sum is 0; each shift takes one from a source and adds
    /// one to a sink. Returns how many servers can be reached from those still in excess; they stand first in `part`
    /// then.
    std::size_t settle(std::span<ServerId> part, std::vector<std::int64_t>& excess);

    /// Shifts one task away from `source` along a shortest path to a server that `wanted` accepts, and returns that.
    /// If none is reached, `reached` has all that are, and no later call enters them.
    template <class Wanted>
    std::optional<ServerId> shift_one(ServerId source, Wanted&& wanted, std::vector<ServerId>& reached);

    /// Who runs each task now.
    [[nodiscard]] std::vector<ServerId> server_of() const;

  private:
    using Word = std::uint32_t;
    // Layers that are none.
    static constexpr Word nowhere = std::numeric_limits<Word>::max();
    static constexpr Word unseen = nowhere - 1;     // not reached by the current search
    static constexpr Word elsewhere = nowhere - 2;  // not to be entered, or with no way on

    /// Calls f(server) for the replicas of a task, its own server included; stops when f says true, and says so.
    template <class F>
    bool any_replica(const Word* task, F&& f);
    [[nodiscard]] bool search(std::span<const ServerId> part, const std::vector<std::int64_t>& excess);
    void shift_from(Word source, std::vector<std::int64_t>& excess);
    [[nodiscard]] bool advance(Word server);
    void move_along_path();
    void append(Word server, std::size_t task);

    const Shape& shape_;
    Counters& counters_;
    /// The tasks of a server in `pool_`, each an id and `width_` replicas.
    struct Range {
        std::size_t begin = 0, size = 0, capacity = 0;  // in words
        [[nodiscard]] std::size_t end() const { return begin + size; }
    };

    std::size_t width_;                // replicas kept inline
    std::vector<Word> pool_;           // a range that outgrows its place is copied to the end
    std::vector<Range> on_;            // by server
    std::vector<Word> layer_;          // by server
    std::vector<std::size_t> cursor_;  // by server: position in pool_ of the task whose replicas come next
    std::vector<Word> parent_;         // by server: the one before it on a path of shift_one
    std::vector<std::size_t> via_;     // by server: position in pool_ of the task that leads there
    std::vector<Word> open_;           // servers in the order of the search
    std::vector<Word> path_;
    std::vector<ServerId> rest_;  // scratch
    Word last_layer_ = 0;
};

template <class F>
inline bool TaskFlow::any_replica(const Word* task, F&& f) {
    counters_.edge_scans += width_;
    if (task[1] != nowhere) [[likely]] {
        for (std::size_t i = 1; i <= width_; ++i)
            if (f(task[i])) return true;
        return false;
    }
    for (const ServerId s : shape_.replicas(TaskId(task[0])))
        if (f(static_cast<Word>(s.index()))) return true;
    return false;
}

template <class Wanted>
std::optional<ServerId> TaskFlow::shift_one(ServerId source, Wanted&& wanted, std::vector<ServerId>& reached) {
    ++counters_.searches;
    open_.assign(1, static_cast<Word>(source.index()));
    layer_[open_[0]] = 0;
    Word sink = nowhere;
    for (std::size_t head = 0; head < open_.size() && sink == nowhere; ++head) {
        const Word s = open_[head];
        for (std::size_t at = on_[s].begin; at < on_[s].end() && sink == nowhere; at += width_ + 1)
            any_replica(&pool_[at], [&](Word other) {
                if (layer_[other] != unseen) return false;
                layer_[other] = 0;
                open_.push_back(other);
                parent_[other] = s;
                via_[other] = at;
                if (wanted(ServerId(other))) sink = other;
                return sink != nowhere;
            });
    }
    for (const Word s : open_) layer_[s] = sink == nowhere ? elsewhere : unseen;
    reached.clear();
    if (sink == nowhere) {
        for (const Word s : open_) reached.push_back(ServerId(s));
        return std::nullopt;
    }
    path_.assign(1, sink);
    while (path_.back() != open_[0]) {
        cursor_[parent_[path_.back()]] = via_[path_.back()];
        path_.push_back(parent_[path_.back()]);
    }
    std::reverse(path_.begin(), path_.end());
    move_along_path();
    return ServerId(sink);
}

}  // namespace schedproof::assignment
