/// Decision trees: every question that a piece of code asked about its symbolic inputs, and both answers.
///
/// A node asks one atom, `form >= bound` (or `>`), and has two sides, on one of which every input lies. So the leaves
/// cover the space by construction; what remains to be checked is that a side called closed is empty.
/// Where every variable of an atom is an integer and its coefficients are integral, the atom is tightened: `form > b`
/// is `form >= floor(b) + 1`, and its other side `form <= floor(b)`. The sides are then polyhedra without strict
/// bounds, and what is proved of all real points in them holds for the integers.
/// Depends on model/core alone, for the checker of certificates is built on this file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "proofs/certificate/linear.hpp"

namespace schedproof::proof {

/// form >= bound, or > when strict. Normalised: no constant, coprime integer coefficients, the first one positive.
struct Atom {
    LinearForm form;
    Rational bound;
    bool strict = false;
    bool integer = false;  ///< tightened: `bound` is an integer, and the other side is form <= bound - 1

    /// The constraint of one side.
    [[nodiscard]] Constraint side(bool holds) const;
    friend bool operator==(const Atom&, const Atom&) = default;
};

/// A comparison as an atom and its polarity: the comparison holds iff the atom's truth equals `positive`.
struct Question {
    Atom atom;
    bool positive = true;
};

/// The question whether d > 0 (strict) or d >= 0. Requires: d is not constant.
[[nodiscard]] Question normalise(const Space& space, const LinearForm& d, bool strict);

/// Empty when the atom has the normal form that `normalise` gives in this space, otherwise what is wrong with it.
[[nodiscard]] std::string rejection(const Space& space, const Atom& atom);

/// A side of a node: another node, a leaf, or nothing at all.
struct ToNode {
    std::uint32_t node = 0;
    friend bool operator==(const ToNode&, const ToNode&) = default;
};
struct ToLeaf {
    std::uint32_t leaf = 0;
    friend bool operator==(const ToLeaf&, const ToLeaf&) = default;
};
/// No input lies here: the multipliers refute the space's constraints and those of the path, this side's last.
struct Closed {
    Multipliers multipliers;
    friend bool operator==(const Closed&, const Closed&) = default;
};
using Side = std::variant<ToNode, ToLeaf, Closed>;

struct Tree {
    struct Node {
        Atom atom;
        Side yes;
        Side no;
        friend bool operator==(const Node&, const Node&) = default;
    };
    Side root;                ///< a leaf when nothing was asked
    std::vector<Node> nodes;  ///< a side leads to a later node only
    std::uint32_t leaves = 0;

    friend bool operator==(const Tree&, const Tree&) = default;
};

/// Longest path from the root that is accepted; walks along the tree are recursive, on the stack of a worker thread.
inline constexpr std::size_t max_depth = 2'000;

/// Empty when the tree is a proof that its leaves cover the space: its shape is a tree of at most `max_depth`, every
/// node is met once, every leaf once, every atom is normal and every closed side refuted. Otherwise the first thing
/// that is wrong.
[[nodiscard]] std::string rejection(const Space& space, const Tree& tree);

/// Calls `visit(leaf, constraints)` for every leaf, in the order of the tree: the constraints are those of the space,
/// then of the path from the root; what `visit` appends to them it takes away again. Requires a tree whose shape is
/// sound.
template <class Visit>
void for_each_leaf(const Space& space, const Tree& tree, Visit&& visit);

/// The same for closed sides: `visit(side, constraints)`, with the side's own constraint last. The side may be changed.
template <class AnyTree, class Visit>
void for_each_closed(const Space& space, AnyTree& tree, Visit&& visit);

namespace detail {
template <class T, class OnLeaf, class OnClosed>
void walk(T& tree, std::vector<Constraint>& path, std::conditional_t<std::is_const_v<T>, const Side, Side>& side,
          OnLeaf& on_leaf, OnClosed& on_closed) {
    if (const auto* leaf = std::get_if<ToLeaf>(&side)) return on_leaf(leaf->leaf, path);
    if (auto* closed = std::get_if<Closed>(&side)) return on_closed(*closed, path);
    auto& node = tree.nodes[std::get<ToNode>(side).node];
    for (const bool holds : {true, false}) {
        path.push_back(node.atom.side(holds));
        walk(tree, path, holds ? node.yes : node.no, on_leaf, on_closed);
        path.pop_back();
    }
}
}  // namespace detail

template <class Visit>
void for_each_leaf(const Space& space, const Tree& tree, Visit&& visit) {
    std::vector<Constraint> path = space.constraints();
    const auto nothing = [](const Closed&, const std::vector<Constraint>&) {};
    detail::walk(tree, path, tree.root, visit, nothing);
}

template <class AnyTree, class Visit>
void for_each_closed(const Space& space, AnyTree& tree, Visit&& visit) {
    std::vector<Constraint> path = space.constraints();
    const auto nothing = [](std::uint32_t, const std::vector<Constraint>&) {};
    detail::walk(tree, path, tree.root, nothing, visit);
}

}  // namespace schedproof::proof
