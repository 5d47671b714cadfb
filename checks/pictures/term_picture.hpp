/// A proof by summands as a picture: what each decision adds to the drift at most, queue by queue.
#pragma once

#include <string>
#include <vector>

#include "proofs/queueing/theorems/drift.hpp"

namespace schedproof::graph {

/// A table in the DOT language, UTF-8: a row per term of the drift that is summed, a column per queue and one for the
/// constant, and the sum below. `title`: lines above it. Numbers are rounded to a few digits.
/// Requires a theorem by summands that `summands_rejection` accepts.
[[nodiscard]] std::string term_picture(const queueing::SymbolicSystem& system, const queueing::DriftTheorem& theorem,
                                       const std::vector<std::string>& title);

}  // namespace schedproof::graph
