/// Lyapunov functions in words that people read.
#pragma once

#include <string>

#include "proofs/queueing/theorems/lyapunov_form.hpp"

namespace schedproof::queueing {

/// A sum such as `Q[s0]^2 + 1/2 Q[s0] Q[s1] + 9 [s0 runs s1] Q[s0]`: brackets around a condition are one where it holds
/// and zero elsewhere. Requires a function that fits the layout.
[[nodiscard]] std::string formula(const LyapunovForm& v, const Instance& instance, const Layout& layout);

}  // namespace schedproof::queueing
