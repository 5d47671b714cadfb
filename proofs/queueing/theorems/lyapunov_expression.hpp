/// Lyapunov functions as users write them: `regret`, `2 * squares + 1/2 * total`.
#pragma once

#include <string>

#include "proofs/queueing/theorems/lyapunov_form.hpp"

namespace schedproof::queueing {

/// A function of the state that a user may name.
struct NamedLyapunov {
    std::string id;       ///< as it was written
    std::string formula;  ///< for people
    LyapunovForm form;
};

/// The function of an expression: a name, or a sum of names with perhaps a number above 0 and `*` before each. A name
/// is one of `list lyapunov`, or of a function of the instance's own.
/// Throws InputError with the nearest name when there is none, when an own function has the name of a listed one, and
/// where a function is not defined for the layout.
[[nodiscard]] NamedLyapunov find_lyapunov(const std::string& expression, const Instance& instance,
                                          const Layout& layout);

}  // namespace schedproof::queueing
