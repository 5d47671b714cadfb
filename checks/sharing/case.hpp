/// What a claim of the sharing family is decided on.
///
/// Claims of this family speak of different things: one offer at a state, a whole trajectory of jobs, one job among
/// nodes that are alike, a cluster's numbers. A case holds what any of them needs; a property looks at its part.
#pragma once

#include <string>

#include "model/core/rational.hpp"
#include "model/sharing/delay_analysis.hpp"
#include "model/sharing/sharing_state.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof::checks {

struct SharingCase {
    sharing::Setting setting;
    sharing::Parameters parameters;
    sharing::State state;      ///< at which `slot` is offered
    sharing::SlotId slot;      ///< free in the state
    sharing::Ticks run = 1;    ///< of each task, in trajectories. Unit: ticks
    sharing::DelaySetting of;  ///< of the analysis: M, R, N
    Rational goal;             ///< of locality
};

/// In a line: what is special about it.
[[nodiscard]] std::string describe(const SharingCase& c);

}  // namespace schedproof::checks
