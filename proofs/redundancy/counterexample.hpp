/// From a point where a statement about whole runs fails to a problem on which it fails, replayed without a solver.
#pragma once

#include <optional>

#include "proofs/explore/ask.hpp"
#include "proofs/redundancy/theorems/statements.hpp"

namespace schedproof::redundancy {

/// A problem, to be run at speed 1, on which the statement fails; nothing when none is found. The point itself may lie
/// where several things happen at one instant and an interval that breaks eq. 8 has length 0; a point inside of all
/// constraints then does.
[[nodiscard]] std::optional<Problem<Rational>> counterexample(const StatementInfo& statement, const AnyPolicy& policy,
                                                              const Shape& shape, const Rational& bound,
                                                              const proof::Space& space,
                                                              const explore::Counterpoint& point);

}  // namespace schedproof::redundancy
