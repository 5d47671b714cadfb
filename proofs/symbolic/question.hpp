/// A question about code: for all symbolic inputs, does this body leave nothing that its obligations forbid?
///
/// The body runs code under test, a policy or the kernel, on symbolic numbers, and returns lists of constraints, none
/// of which may be satisfiable together with the path that led there. The explorer answers a question with a proof or
/// a point where it fails (explore/ask.hpp); the certifier runs the body again along the tree of a given proof
/// (certifier/binding.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "proofs/certificate/linear.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::explore {

/// Constraints that must have no common point on the path. Empty list: the path itself must be impossible.
using Forbidden = std::vector<proof::Constraint>;

struct Question {
    std::string name;
    proof::Space space;
    std::function<std::vector<Forbidden>(const std::vector<Affine>&)> body;  ///< a function of its comparisons alone
};

}  // namespace schedproof::explore
