/// What a table asks of a bound state by state: where it is not yet the solution, for those who improve it.
#pragma once

#include "proofs/queueing/theorems/mean_table.hpp"

namespace schedproof::queueing {

/// (f + PT - T)(x) at the first state of every entry of the box, T being the table on it and kappa W + offset beyond,
/// its negative in the lower bound; nothing at a state that is not settled. Nothing is glued, so that what a table
/// falls short by is linear in it. Rounded as by `bounds_on_box`, throws as it does.
[[nodiscard]] std::vector<std::optional<FixedBounds>> asked_by_table(const ExactSystem& system,
                                                                     const MeanSetting& setting, const FoldedBox& box,
                                                                     const MeanTable& table, unsigned threads);

}  // namespace schedproof::queueing
