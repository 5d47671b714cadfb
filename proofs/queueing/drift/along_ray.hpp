/// The drift of a function far out along one ray of states, without a solver.
///
/// One run of the slot on the state start + k direction, k a symbol, settles every comparison as it comes out for all
/// large k: an affine form in k has in the end the sign of its slope. So from some k on the code does one fixed thing
/// and the drift is one affine form in k. Where that form does not fall below a bound, no threshold helps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policies/queueing/exact.hpp"
#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/lyapunov_form.hpp"

namespace schedproof::queueing {

/// Steps along a ray, per queue and then per counter, as in SymbolicSystem::point.
using Direction = std::vector<std::int64_t>;

/// The drift at start + k direction is `constant + slope k` for every k >= `from`.
struct RayDrift {
    Rational constant, slope;
    std::int64_t from = 0;
    /// Whether it is above the bound at every k from some on.
    [[nodiscard]] bool stays_above(const Rational& bound) const {
        return slope.sign() > 0 || (slope.sign() == 0 && constant > bound);
    }
    /// `stays 11/18`, or `is 1/2 + 3 k from k = 4 on`.
    [[nodiscard]] std::string text() const;
};

/// Requires queues that list no tasks, and a direction with an entry per symbol, none of a queue negative, not all
/// zero. Two states of the ray are enumerated besides: throws OracleConflict when their drift is another.
/// Throws LimitExceeded where lengths pass 64 bits. Cost: one symbolic slot and two exact ones.
[[nodiscard]] RayDrift drift_along(const SymbolicSystem& system, const ExactSystem& exact, const ExactState& start,
                                   const Direction& direction, const LyapunovForm& v);

/// The state start + k direction.
[[nodiscard]] ExactState along(const ExactState& start, const Direction& direction, std::int64_t k);

}  // namespace schedproof::queueing
