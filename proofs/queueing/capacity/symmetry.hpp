/// Symmetry of a pooled problem: classes of interchangeable servers, found by colour refinement.
///
/// Colour the nodes by height and multiplicity and the types by demand; then split colours until any two vertices of
/// one colour see the same number of neighbours of each colour, where a type is a neighbour of the nodes that hold its
/// replicas and a node of its parent and children. The result, the coarsest equitable partition of that graph, is
/// equitable for the linear program as well: the number of servers of class C at level <= l of a type is the sum over
/// the touched nodes of height l of the number of servers of C below them, which the colours determine.
///
/// Averaging over an equitable partition maps feasible solutions to feasible solutions of the same value (it is a
/// fractional automorphism; Grohe, Kersting, Mladenov, Selman, "Dimension reduction via colour refinement", 2014). So
/// prices that are constant on the classes reach the optimum, and they are the prices of the quotient: one leaf per
/// class with its multiplicity, one type per class with the sum of the demands. Being finer than the orbits of the
/// automorphism group is never needed: every automorphism respects the colours.
///
/// Only prices are carried back. The decomposition is computed on the full problem at these prices, and the whole
/// certificate is verified there, so nothing rests on this file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/core/rational.hpp"
#include "proofs/queueing/capacity/pooled.hpp"

namespace schedproof::capacity {

struct Quotient {
    Pooled problem;                         ///< leaves, nodes and types are classes
    std::vector<std::uint32_t> leaf_class;  ///< per leaf of the original problem

    /// Prices of the original leaves from those of the classes.
    [[nodiscard]] std::vector<Rational> spread(const std::vector<Rational>& class_price) const;
};

/// The quotient by the coarsest equitable partition, or nothing as soon as more than `most_classes` classes of nodes
/// and types are needed. Cost: number of refinement rounds times edges times their logarithm.
[[nodiscard]] std::optional<Quotient> quotient(const Pooled& problem, std::size_t most_classes);

}  // namespace schedproof::capacity
