/// What the author of a policy hopes of it.
#pragma once

#include <string>
#include <vector>

namespace schedproof {

/// The policy's member `lyapunov`, if it has one: a function of the state, such as `regret + 2 * total`, of which its
/// author hopes that the drift is negative when queues are long. Empty without one.
template <class P>
[[nodiscard]] std::string lyapunov_of() {
    if constexpr (requires { P::lyapunov; }) return P::lyapunov;
    return "";
}

/// The ids of the policy's member `hopes`, if it has one: claims of which its author hopes that they hold.
template <class P>
[[nodiscard]] std::vector<std::string> hopes_of() {
    std::vector<std::string> ids;
    if constexpr (requires { P::hopes; })
        for (const char* id : P::hopes) ids.emplace_back(id);
    return ids;
}

}  // namespace schedproof
