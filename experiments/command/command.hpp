/// The whole command as a function, for a program of one's own that has policies of its own, of any family:
///
///     #include "experiments/command/command.hpp"
///     #include "my_policy.hpp"
///
///     int main(int argc, char** argv) { return schedproof::run_command<MyPolicy>(argc, argv); }
///
/// The policies are known to every subcommand by the ids of their `info`, as those of `schedproof list policies` are.
/// In CMake: find_package(schedproof COMPONENTS command), and link schedproof::command.
#pragma once

#include <any>
#include <initializer_list>
#include <string_view>

#include "policies/queueing/added_policy.hpp"
#include "policies/redundancy/added_policy.hpp"
#include "policies/sharing/added_policy.hpp"
#include "proofs/assignment/added.hpp"

namespace schedproof {

namespace command {

/// A policy that a program brings.
struct LinkedPolicy {
    std::string_view family;
    std::any policy;  ///< what added<P>() of its family makes
};

template <class P>
[[nodiscard]] LinkedPolicy linked() {
    if constexpr (queueing::QueueingPolicy<P>)
        return {"queueing", queueing::added<P>()};
    else if constexpr (sharing::SharingPolicy<P>)
        return {"sharing", sharing::added<P>()};
    else if constexpr (redundancy::Policy<P>)
        return {"redundancy", redundancy::added<P>()};
    else
        return {"assignment", assignment::added<P>()};
}

/// As run_command. `header` is the path of this file when the program was compiled: where the library's headers are.
[[nodiscard]] int run_with(std::initializer_list<LinkedPolicy> policies, const char* header, int argc, char** argv);

}  // namespace command

/// What the program `schedproof` does with the arguments of `main`, the policies P being known besides. Returns the
/// exit code: 2, after a line on standard error, also when an id of a policy is taken. To be called once.
template <class... P>
[[nodiscard]] int run_command(int argc, char** argv) {
    return command::run_with({command::linked<P>()...}, __FILE__, argc, argv);
}

}  // namespace schedproof
