/// Lyapunov functions of an instance file, once the policy and so the queues are known.
#pragma once

#include "model/queueing/lyapunov_text.hpp"
#include "proofs/queueing/theorems/lyapunov_form.hpp"

namespace schedproof::queueing {

/// The function on the queues of a layout.
/// Throws InputError, with the nearest name, when it mentions a queue, server or level that is not there, or a queue
/// twice in one form.
[[nodiscard]] LyapunovForm resolve(const LyapunovText& text, const Instance& instance, const Layout& layout);

/// A form over queues in words.
[[nodiscard]] std::string to_string(const LyapunovForm::Linear& form, const Instance& instance, const Layout& layout);

}  // namespace schedproof::queueing
