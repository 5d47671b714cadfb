/// What the struct of a policy file says of itself, whatever its family.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "model/core/policy_info.hpp"

namespace schedproof::command::policy_header {

template <class P>
concept Introduced = requires {
    typename std::bool_constant<(static_cast<void>(PolicyInfo(P::info)), true)>;
};

/// The ids of its member `hopes`, if it has one: claims of which its author hopes that they hold.
template <class P>
[[nodiscard]] std::vector<std::string> hopes_of() {
    std::vector<std::string> ids;
    if constexpr (requires { P::hopes; })
        for (const char* id : P::hopes) ids.emplace_back(id);
    return ids;
}

}  // namespace schedproof::command::policy_header
