/// What an exploration proves, in a form that is checked by multiplication, addition and comparison.
///
/// A proof consists of a decision tree over symbolic inputs and, per leaf, obligations: lists of constraints that no
/// input of the leaf's cell satisfies. "The drift is at most -1 wherever the queues hold 312 tasks" is, on one cell,
/// the obligation {sum of queues >= 312, drift > -1}; "routing picks a shortest queue" is {Q_chosen > Q_other}.
/// This file knows nothing of what the tree and the obligations mean; that they belong to the code that they are about
/// is checked by certifier/binding.hpp.
/// Where the space has symbols for products of others, an obligation is refuted with the products of any two
/// constraints besides: what is forbidden may be quadratic.
/// Depends on model/core alone.
#pragma once

#include <string>
#include <vector>

#include "proofs/certificate/linear.hpp"
#include "proofs/certificate/tree.hpp"

namespace schedproof::proof {

/// No input on the leaf's path satisfies all of `against`: the multipliers refute the constraints of the space, those
/// of the path, and these, in this order, then their products (see with_products).
struct Obligation {
    std::vector<Constraint> against;
    Multipliers multipliers;
    friend bool operator==(const Obligation&, const Obligation&) = default;
};

struct ExploredProof {
    std::string name;
    Space space;
    Tree tree;
    std::vector<std::vector<Obligation>> leaves;  ///< by leaf
};

/// Empty when the tree covers the space and every obligation is refuted on its leaf, otherwise the first reason to
/// reject it. Cost: linear in the entries of the proof times the depth of the tree.
[[nodiscard]] std::string rejection(const ExploredProof& proof);

/// The same proof with every refutation in its canonical form (see linear.hpp), and nodes and leaves numbered in the
/// order of the tree, the side where the atom holds first. Requires a proof that is accepted.
[[nodiscard]] ExploredProof canonical(const ExploredProof& proof);

}  // namespace schedproof::proof
