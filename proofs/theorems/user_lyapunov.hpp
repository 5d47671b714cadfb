/// Lyapunov functions of an instance file, once the policy and so the queues are known.
#pragma once

#include "model/queueing/lyapunov_text.hpp"
#include "proofs/theorems/lyapunov_form.hpp"

namespace schedproof::queueing {

/// The function on the queues of a layout.
/// Throws InputError, with the nearest name, when it mentions a queue, server or level that is not there, or a queue
/// twice in one form.
[[nodiscard]] LyapunovForm resolve(const LyapunovText& text, const Instance& instance, const Layout& layout);

/// `V` in words, in the order of its data: `(5/4 s0.local)^2 + [s0 busy with common] 2 max(s0, 2 s1)`.
[[nodiscard]] std::string to_string(const LyapunovForm& v, const Instance& instance, const Layout& layout);

/// A form over queues in words.
[[nodiscard]] std::string to_string(const LyapunovForm::Linear& form, const Instance& instance, const Layout& layout);

}  // namespace schedproof::queueing
