/// `added<P>()`: a policy of any type on every number on which an engine runs it.
///
/// It stands here because policies/ may not know symbolic numbers: this is the lowest folder that knows them all. A
/// policy made by it lacks no mode, and whoever compiles a user's policy includes this header.
#pragma once

#include "policies/assignment/any_policy.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::assignment {

/// P with the parameters that it has by default.
template <class P>
[[nodiscard]] AnyPolicy added() {
    return added_on<P, CheckedInt, Rational, explore::Affine>();
}

}  // namespace schedproof::assignment
