/// Rules as data: an expression of the policy language is a tree of primitives in post-order.
///
/// A policy has no code. What it writes in the vocabulary of expressions.hpp becomes such a tree at compile time, and
/// every engine reads the same tree: the kernel on any number evaluates it, the simulators recognise the questions for
/// which they keep an index, and the theorems look up which questions it asks. Nothing but the primitives below can be
/// in a tree, so a policy cannot see an id, a count of servers, a number type or what happened before.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace schedproof::queueing::language {

/// The primitives. `a` and `b` are the node's two constants, children stand in the order of their mention.
enum class Op : std::uint8_t {
    // Sets of an arriving task.
    local,     ///< queues of the servers that hold a replica of the task's data
    servers,   ///< queues of all servers, each the one for the server's level to the task
    own_type,  ///< the queue of the task's type
    // Sets of an idle server.
    own,         ///< the server's queue for its local tasks
    own_levels,  ///< the server's queues, one for each level
    reachable,   ///< all queues, with the level at which the server would run their tasks
    // Of both.
    common,  ///< the queue that belongs to no server
    it,      ///< the set that the nearest enclosing `among` has drawn
    // Sets that depend on the numbers of servers or types, hence are not kept by renaming.
    lowest,     ///< the first `a` members of a set in the order of their queues
    ring,       ///< of an idle server m: the queues of servers m + a, ..., m + b, counted in a circle
    partner,    ///< of an idle server m: the queue of its partner, servers 0 and 1, 2 and 3, ... being partners
    tabulated,  ///< of an idle server: the queue that decision table number `a` names, beyond the table the set
    // Sets made of sets.
    unite,       ///< members of either
    intersect,   ///< members of both
    where,       ///< members of a set for which a test holds
    argmin,      ///< members of least key
    argmax,      ///< members of greatest key
    most_local,  ///< members of the least level
    first_of,    ///< the first set unless it is empty, else the second
    when,        ///< the first set if a condition holds, else the second
    among,       ///< the second set, in which `it` is the first
    // Random sets.
    sample,  ///< `a` members of a set, each subset of that size equally likely; all when there are fewer
    best,    ///< the `a` members of least key; which of those tied for the last places, equally likely
    mix,     ///< the first set with probability a/b, else the second
    // Answers of a plan.
    planned,          ///< a candidate of the task's type, by the plan's probabilities
    furthest_behind,  ///< of an idle server: its planned queues that have work and stand highest in its counters
    // Keys of a candidate.
    length,           ///< tasks in its queue, with or without those in execution as the option `counting` says
    servable,         ///< the same, or 0 where an idle server may not choose the queue
    server_length,    ///< tasks in all queues of the server that owns it
    server_workload,  ///< sum over the levels of that server of length / mu
    marginal_cost,    ///< C'(Q) of the queue of a type
    distance,         ///< its level, 0 the most local
    constant,         ///< a
    times_rate,       ///< a key times the candidate's mu
    over_rate,        ///< a key over the candidate's mu
    times_local,      ///< a key times mu of the most local level
    times_remote,     ///< a key times mu of the least local level
    multiple,         ///< a key times a/b
    plus,             ///< sum of two keys
    minus,            ///< difference of two keys
    // Values of a key over a set.
    least,
    greatest,
    total,
    mean,
    // Tests of a candidate, and conditions.
    has_work,  ///< an idle server may choose the queue
    less,
    less_equal,
    equal,
    both,
    either,
    negation,
};

struct Node {
    Op op = Op::it;
    std::uint8_t children = 0;
    std::uint16_t span = 1;  ///< nodes of the subtree
    std::int64_t a = 0, b = 0;
    friend constexpr bool operator==(const Node&, const Node&) = default;
};

/// An expression of at most `capacity` nodes. Its root is the last node.
class Tree {
  public:
    static constexpr std::size_t capacity = 64;

    constexpr Tree() = default;
    /// The root `op` with its constants over these children. Throws when the expression is too long.
    template <class... Trees>
    static constexpr Tree node(Op op, std::int64_t a, std::int64_t b, const Trees&... children) {
        Tree tree;
        (tree.append(children), ...);
        tree.push({op, sizeof...(children), static_cast<std::uint16_t>(tree.size_ + 1), a, b});
        return tree;
    }

    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr const Node& operator[](std::size_t i) const { return nodes_[i]; }
    [[nodiscard]] constexpr std::size_t root() const { return size_ - 1; }
    /// Where child k of the node at i stands.
    [[nodiscard]] constexpr std::size_t child(std::size_t i, std::size_t k) const {
        std::size_t at = i - 1;
        for (std::size_t later = nodes_[i].children - 1U; later > k; --later) at -= nodes_[at].span;
        return at;
    }
    /// The subtree of the node at i.
    [[nodiscard]] constexpr Tree subtree(std::size_t i) const {
        Tree tree;
        for (std::size_t from = i + 1 - nodes_[i].span; from <= i; ++from) tree.push(nodes_[from]);
        return tree;
    }
    /// Whether `holds` of some node's op.
    template <class Predicate>
    [[nodiscard]] constexpr bool any(Predicate&& holds) const {
        for (std::size_t i = 0; i < size_; ++i)
            if (holds(nodes_[i].op)) return true;
        return false;
    }
    friend constexpr bool operator==(const Tree&, const Tree&) = default;

  private:
    constexpr void push(const Node& node) {
        if (size_ == capacity) throw "an expression of a policy has at most 64 primitives";
        nodes_[size_++] = node;
    }
    constexpr void append(const Tree& other) {
        for (std::size_t i = 0; i < other.size_; ++i) push(other.nodes_[i]);
    }

    std::array<Node, capacity> nodes_{};
    std::size_t size_ = 0;
};

}  // namespace schedproof::queueing::language
