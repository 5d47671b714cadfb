/// Named functions of the state, and their exact drift at one state.
///
/// The drift of V at a state s is E[V(next) - V(s)], over the exact law of the next slot.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "policies/queueing/exact.hpp"

namespace schedproof::queueing {

/// A function of the state that a user can name.
struct Lyapunov {
    std::string_view id;
    std::string_view formula;
    /// Value at a state of the system. Throws InputError when it is not defined for the system's policy.
    Rational (*value)(const ExactSystem& system, const ExactState& state);
};

/// `total`, `squares`, `workload-squares` and `regret`; see the formulas.
[[nodiscard]] std::span<const Lyapunov> lyapunov_functions();

/// Throws InputError for an unknown name.
[[nodiscard]] const Lyapunov& find_lyapunov(std::string_view id);

/// E[V(next) - V(state)]. Exact. Cost: one enumeration of the slot.
[[nodiscard]] Rational drift(const ExactSystem& system, const ExactState& state, const Lyapunov& lyapunov);

}  // namespace schedproof::queueing
