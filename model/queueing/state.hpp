/// The state of a cluster at the start of a slot, and what one slot does to it.
#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/container_hash/hash.hpp>
#include <compare>
#include <cstdint>
#include <tuple>
#include <vector>

#include "model/core/ids.hpp"
#include "model/core/number.hpp"

namespace schedproof::queueing {

/// The states of small clusters, which exact modes enumerate, are kept without an allocation.
template <class T>
using Vector = boost::container::small_vector<T, 8>;

/// What a server is doing: the status f_m.
struct Service {
    enum class Status : std::uint8_t {
        idle,
        busy,     ///< executing a task of `queue` at `level`
        phantom,  ///< committed to `queue` without a task (option unmatched = phantom)
    };
    Status status = Status::idle;
    Level level;
    QueueId queue;
    friend auto operator<=>(const Service&, const Service&) = default;
};

/// (Q, f) and what else a policy's law depends on.
/// Shape: `length` per queue, `serving` per server, `waiting` per queue that lists its tasks (else empty),
/// `memory` as many entries as the policy asks for.
template <Number N>
struct State {
    Vector<N> length;                              ///< tasks of each queue, those in execution included
    Vector<Service> serving;                       ///< status of each server
    std::vector<std::vector<TaskTypeId>> waiting;  ///< types of the waiting tasks in FIFO order, of listing queues
    std::vector<N> memory;                         ///< counters of the policy

    friend bool operator==(const State&, const State&) = default;
    friend bool operator<(const State& a, const State& b) {
        return std::tie(a.length, a.serving, a.waiting, a.memory) < std::tie(b.length, b.serving, b.waiting, b.memory);
    }
};

template <Number N>
struct StateHash {
    std::size_t operator()(const State<N>& state) const {
        std::size_t seed = 0;
        for (const N& n : state.length) boost::hash_combine(seed, std::hash<N>{}(n));
        for (const Service& s : state.serving)
            boost::hash_combine(seed,
                                (static_cast<std::size_t>(s.status) << 40) ^ (s.level.index() << 32) ^ s.queue.index());
        for (const auto& queue : state.waiting)
            for (const TaskTypeId type : queue) boost::hash_combine(seed, type.index() + 1);
        for (const N& n : state.memory) boost::hash_combine(seed, std::hash<N>{}(n));
        return seed;
    }
};

/// One slot: the next state and what happened on the way. Unit: tasks.
template <Number N>
struct Slot {
    State<N> next;
    std::uint32_t arrived = 0;    ///< tasks that the arrival law brought
    std::uint32_t blocked = 0;    ///< of these, turned away by the truncation
    std::uint32_t completed = 0;  ///< tasks that left
    bool tied = false;            ///< whether a tie among a policy's choices was broken on the way
};

/// A finite version of the model: arrivals that would lead outside are turned away.
/// Truncated chains say nothing about stability; the rule is printed with every result.
struct Truncation {
    enum class Rule : std::uint8_t {
        none,
        total,  ///< the whole arrival vector of the slot is lost if it would lift the sum of all queues above `cap`
        queue,  ///< a task is lost if its queue holds `cap` tasks already, earlier tasks of the slot included
    };
    Rule rule = Rule::none;
    std::uint32_t cap = 0;
};

}  // namespace schedproof::queueing
