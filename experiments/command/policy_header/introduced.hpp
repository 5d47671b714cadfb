/// What the struct of a policy file says of itself, whatever its family.
#pragma once

#include <type_traits>

#include "model/core/policy_info.hpp"
#include "policies/core/hopes.hpp"

namespace schedproof::cli::policy_header {

template <class P>
concept Introduced = requires {
    typename std::bool_constant<(static_cast<void>(PolicyInfo(P::info)), true)>;
};

}  // namespace schedproof::cli::policy_header
