/// Policies that a shared object hands over: included by the source that `--policy-file FILE.hpp` compiles for a family
/// whose policies are code, and by whoever loads the object.
#pragma once

#include <any>
#include <cstddef>
#include <string>
#include <vector>

#include "experiments/command/policy_header/introduced.hpp"

namespace schedproof::cli::policy_header {

/// A policy of a file.
struct HandedOver {
    std::string type;      ///< name of its struct from the global namespace
    std::size_t line = 0;  ///< where that begins
    PolicyInfo info;
    std::any policy;                          ///< what added<P>() of its family makes
    std::vector<std::string> hopes, expects;  ///< as in policies/core/hopes.hpp
};

/// Hands over a struct with an `info`.
template <class P, class Make>
void hand_over(std::vector<HandedOver>& to, const char* type, std::size_t line, const Make& make) {
    if constexpr (Introduced<P>)
        to.push_back({type, line, P::info, make.template operator()<P>(), hopes_of<P>(), expects_of<P>()});
}

}  // namespace schedproof::cli::policy_header
