/// What the sentence of a theorem is about: an instance, a policy, and the interpretations of the slot.
#pragma once

#include <string>
#include <string_view>

#include "model/queueing/instance.hpp"

namespace schedproof::queueing {

/// A name in a sentence: in quotes, so that it reads as a name and as nothing else.
[[nodiscard]] std::string in_quotes(std::string_view name);

/// `the default interpretations of the slot`, or `routing sequential and otherwise the default interpretations of the
/// slot`: every option of the instance that is not the default. In continuous time those of an event.
[[nodiscard]] std::string interpretations_text(const Instance& instance);

/// What the chain does in a step: `slot` or `event`.
[[nodiscard]] std::string step_of(const Instance& instance);

/// `a slot`, or `per unit of time` or the unit that the instance names; and `slots`, or `units of time` or that unit.
[[nodiscard]] std::string per_time(const Instance& instance);
[[nodiscard]] std::string units_of_time(const Instance& instance);

/// ` in an event (9/5 per unit of time on average)` in continuous time; empty in slots, where a drift is one of a slot.
[[nodiscard]] std::string in_an_event(const Instance& instance);

/// `'m2-half' under balanced-pandas with the default interpretations of the slot`, or `'mm2-jsq' in continuous time
/// under ...`.
[[nodiscard]] std::string about(const Instance& instance, std::string_view policy);

}  // namespace schedproof::queueing
