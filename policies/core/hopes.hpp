/// What the author of a policy hopes of it.
#pragma once

#include <iterator>
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
    if constexpr (requires { P::hopes; }) return {std::begin(P::hopes), std::end(P::hopes)};
    return {};
}

/// The policy's member `stable_on`, if it has one: instance files, as seen from its own, or `every-cluster`, on which
/// it is held to be stable.
template <class P>
[[nodiscard]] std::vector<std::string> stable_on_of() {
    if constexpr (requires { P::stable_on; }) return {std::begin(P::stable_on), std::end(P::stable_on)};
    return {};
}

/// The policy's member `expects`, if it has one: claims with the verdicts that are expected of them, `CLAIM VERDICT`.
template <class P>
[[nodiscard]] std::vector<std::string> expects_of() {
    if constexpr (requires { P::expects; }) return {std::begin(P::expects), std::end(P::expects)};
    return {};
}

}  // namespace schedproof
