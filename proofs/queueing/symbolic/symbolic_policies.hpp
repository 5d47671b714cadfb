/// The registered policies on the numbers of symbolic execution.
#pragma once

#include "policies/queueing/any_policy.hpp"
#include "proofs/symbolic/affine.hpp"
#include "proofs/symbolic/parametric.hpp"

namespace schedproof::queueing {

/// The policy on symbolic lengths, and on symbolic lengths and rates. Throws InputError when it is not registered.
[[nodiscard]] PolicyOn<explore::Affine> on_affine(const AnyPolicy& policy);
[[nodiscard]] PolicyOn<explore::Parametric> on_parametric(const AnyPolicy& policy);

}  // namespace schedproof::queueing

/// Defines the row of one policy of registry.def in the tables of symbolic_policies.cpp.
#define SCHEDPROOF_ON_SYMBOLS(Name)                                                    \
    namespace schedproof::queueing::detail {                                           \
    PolicyOn<explore::Affine> affine_##Name(const AnyPolicy& policy) {                 \
        return PolicyOn<explore::Affine>(policy.as<schedproof::queueing::Name>());     \
    }                                                                                  \
    PolicyOn<explore::Parametric> parametric_##Name(const AnyPolicy& policy) {         \
        return PolicyOn<explore::Parametric>(policy.as<schedproof::queueing::Name>()); \
    }                                                                                  \
    }
