/// Whether a Lyapunov function is bounded below on all states: what Foster's theorem asks of it.
/// Also whether it is nowhere negative. The method stands at the head of boundedness.cpp.
#pragma once

#include <string>

#include "proofs/queueing/theorems/lyapunov_form.hpp"

namespace schedproof::queueing {

/// Empty when V is bounded below over all lengths >= 0 and all statuses; otherwise what could not be shown, in words
/// that follow "V is not shown to be bounded below: ". Sufficient, not necessary.
/// Requires `v` to fit the layout. Cost: the cube of the number of queues.
[[nodiscard]] std::string boundedness_gap(const LyapunovForm& v, const Instance& instance, const Layout& layout);

/// Empty when V >= 0 at all lengths >= 0 and all statuses; otherwise what could not be shown. As above.
[[nodiscard]] std::string negativity_gap(const LyapunovForm& v, const Instance& instance, const Layout& layout);

}  // namespace schedproof::queueing
