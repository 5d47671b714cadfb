/// Transience by modes: weights whose growth in the worst mode of arrivals exceeds what all servers take away.
///
/// The terms of W's drift (theorems/summands/terms.hpp, kind `together`) depend on the rules alone. One linear program
/// finds W and the bound of each term, for any number of statuses.
#pragma once

#include "proofs/queueing/transience/transience_search.hpp"

namespace schedproof::queueing {

/// A proof, or the reason why there is none: then modes say nothing about the policy. Exact.
/// Throws InputError where the terms are not defined, and LimitExceeded where nothing is derived from a rule.
/// Cost: a linear program of a variable per queue and term and a row per alternative.
[[nodiscard]] TransienceOutcome prove_by_modes(const SymbolicSystem& system);

}  // namespace schedproof::queueing
