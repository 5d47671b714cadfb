/// Named Lyapunov functions, and the exact value and drift of any at one state.
///
/// The drift of V at a state s is E[V(next) - V(s)], over the exact law of the next slot.
#pragma once

#include <span>
#include <string_view>

#include "policies/queueing/exact.hpp"
#include "proofs/queueing/theorems/lyapunov_form.hpp"

namespace schedproof::queueing {

/// A function of the state that a user can name.
struct LyapunovInfo {
    std::string_view id;
    std::string_view formula;
};

/// `total`, `squares`, `workload-squares` and `regret`; see the formulas.
[[nodiscard]] std::span<const LyapunovInfo> lyapunov_functions();

/// Whether V has the name of one of these and is another function: a sentence about it would be misread.
inline constexpr const char* misnamed = "the function has the name of another one";
[[nodiscard]] bool is_misnamed(const LyapunovForm& v, const Instance& instance, const Layout& layout);

/// V(state). Exact.
[[nodiscard]] Rational value(const LyapunovForm& v, const ExactState& state);

/// E[V(next) - V(state)]. Exact. Cost: one enumeration of the slot.
[[nodiscard]] Rational drift(const ExactSystem& system, const ExactState& state, const LyapunovForm& v);

}  // namespace schedproof::queueing
