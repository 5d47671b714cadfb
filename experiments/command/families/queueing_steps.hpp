/// The way to the state of a counterexample, slot by slot.
#pragma once

#include <string>

#include "checks/queueing/family.hpp"
#include "model/base/form.hpp"
#include "policies/queueing/exact.hpp"

namespace schedproof::cli {

/// Writes steps.json (schema `counterexample-steps`) and a picture of the path, path.dot and path.svg, into the folder:
/// a way from the empty state to the one at which the claim fails, and up to `slots_beyond` slots after it, each the
/// most probable one that changes something. Where a search that enumerates `max_searched` slots does not meet the
/// state, the way begins at it. `violation` says what fails. Throws InputError when a file cannot be written.
void write_steps(const std::string& folder, const queueing::ExactSystem& system, const queueing::ExactState& failing,
                 const std::string& violation);
[[nodiscard]] base::Form steps_form();
inline constexpr std::size_t max_searched = 2'000;
inline constexpr std::size_t slots_beyond = 3;

}  // namespace schedproof::cli
