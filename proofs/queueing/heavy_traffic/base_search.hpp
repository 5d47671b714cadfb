/// The base of the exponentials of a collapse, with rho and b.
#pragma once

#include <optional>
#include <string>

#include "proofs/explore/explorer.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_collapse.hpp"

namespace schedproof::heavy_traffic {

/// Chooses base, rate and bound for the forms of a theorem, so that log_base(`factor` b / rho) is small: on a grid with
/// doubles, then exactly, rounded to the safe side. Returns why it cannot; nothing when it did.
/// Cost: an exploration of every shape at both ends.
[[nodiscard]] std::optional<std::string> choose_base(queueing::CollapseTheorem& theorem,
                                                     const queueing::SymbolicSystem& system,
                                                     const queueing::SlackEnds& ends, double factor,
                                                     const explore::Budget& budget);

}  // namespace schedproof::heavy_traffic
