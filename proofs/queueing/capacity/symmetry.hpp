/// Symmetry of a pooled problem: classes of interchangeable servers, found by colour refinement.
/// The method stands at the head of symmetry.cpp.
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
