/// What a statement about whole runs leaves on a path.
#pragma once

#include <string_view>
#include <vector>

#include "proofs/redundancy/theorems/statements.hpp"

namespace schedproof::redundancy {

/// The rule in `srpt-dual-...` and `fair-dual-...-RULE`.
[[nodiscard]] DualRule rule_of(std::string_view statement);

/// What must not be, of the statement's policy on symbolic arrivals and sizes, at speed 1. Where jobs wait for ever,
/// the path itself.
[[nodiscard]] std::vector<explore::Forbidden> left_of_run(std::string_view statement, const AnyPolicy& policy,
                                                          const Problem<explore::Affine>& problem,
                                                          const Rational& bound);

}  // namespace schedproof::redundancy
