/// Mutants of a slot, whatever the policy: its outcomes, altered.
#pragma once

#include <vector>

#include "checks/queueing/family.hpp"

namespace schedproof::checks::mutants {

/// Alters the outcomes of a slot from a state.
using Alter = void (*)(const ExactSystem&, const ExactState&, std::vector<queueing::Move>&);

/// The system with every slot altered, in exact enumeration alone.
[[nodiscard]] System altered_slot(System system, Alter alter);

void loses_a_task(const ExactSystem& system, const ExactState& from, std::vector<queueing::Move>& outcomes);
void executes_nothing(const ExactSystem& system, const ExactState& from, std::vector<queueing::Move>& outcomes);
void empties_a_queue(const ExactSystem& system, const ExactState& from, std::vector<queueing::Move>& outcomes);
void changes_a_task(const ExactSystem& system, const ExactState& from, std::vector<queueing::Move>& outcomes);
void leaves_an_outcome_out(const ExactSystem& system, const ExactState& from, std::vector<queueing::Move>& outcomes);

}  // namespace schedproof::checks::mutants
