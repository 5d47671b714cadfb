/// Rules as data: an expression of the policy language is a tree of primitives in post-order.
///
/// A policy has no code. What it writes in the vocabulary of expressions.hpp becomes such a tree at compile time, and
/// every engine reads the same tree: the kernel on any number evaluates it, the simulators recognise the questions for
/// which they keep an index, and the theorems look up which questions it asks. Nothing but the primitives of the table
/// can be in a tree, so a policy cannot see an id, a count of servers, a number type or what happened before.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace schedproof::queueing::language {

/// The primitives, in the order of the table (operations.hpp). `a` and `b` are the node's two constants, children stand
/// in the order of their mention.
enum class Op : std::uint8_t {
#define OPERATION(sort, form, id, ...) id,
#include "model/queueing/language/operations.def"
#undef OPERATION
};

struct Node {
    Op op = Op::it;
    std::uint8_t children = 0;
    std::uint16_t span = 1;  ///< nodes of the subtree
    std::int64_t a = 0, b = 0;
    friend constexpr bool operator==(const Node&, const Node&) = default;
};

/// How many servers `ring(a, b)` names among so many: a turn at most, however far b is. Requires 0 <= a <= b.
[[nodiscard]] constexpr std::size_t ring_length(const Node& ring, std::size_t servers) {
    const auto apart = static_cast<std::size_t>(ring.b - ring.a);
    return apart < servers ? apart + 1 : servers;
}

/// An expression of at most `capacity` nodes. Its root is the last node.
class Tree {
  public:
    static constexpr std::size_t capacity = 64;

    constexpr Tree() = default;
    /// The root `op` with its constants over these children. Throws when the expression is too long.
    template <class... Trees>
    static constexpr Tree node(Op op, std::int64_t a, std::int64_t b, const Trees&... children) {
        return over(op, a, b, std::array<const Tree*, sizeof...(children)>{&children...});
    }
    /// The same over a list of pointers to children.
    template <class Children>
    static constexpr Tree over(Op op, std::int64_t a, std::int64_t b, const Children& children) {
        Tree tree;
        for (const Tree* child : children) tree.append(*child);
        tree.push(
            {op, static_cast<std::uint8_t>(std::size(children)), static_cast<std::uint16_t>(tree.size_ + 1), a, b});
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
