/// A policy of a program's own, of any family, by id.
///
/// It stands here because the code of an assignment policy is compiled on symbols too (proofs/assignment/added.hpp).
#pragma once

#include <string>
#include <string_view>

#include "policies/core/known.hpp"
#include "policies/queueing/registry.hpp"
#include "policies/redundancy/registry.hpp"
#include "policies/sharing/registry.hpp"
#include "proofs/assignment/added.hpp"

namespace schedproof {

/// The family of P, by what it has. A struct that is no policy is taken for one of the assignment family, whose
/// `added` then says which rule it breaks.
template <class P>
[[nodiscard]] constexpr std::string_view family_of_policy() {
    if constexpr (queueing::QueueingPolicy<P>) return "queueing";
    if constexpr (sharing::SharingPolicy<P>) return "sharing";
    if constexpr (redundancy::Policy<P>) return "redundancy";
    return "assignment";
}

/// The id of P, which the first call makes known: see known.hpp.
template <class P>
const std::string& known_policy() {
    if constexpr (family_of_policy<P>() == "queueing")
        return known<P>(&queueing::added<P>);
    else if constexpr (family_of_policy<P>() == "sharing")
        return known<P>(&sharing::added<P>);
    else if constexpr (family_of_policy<P>() == "redundancy")
        return known<P>(&redundancy::added<P>);
    else
        return known<P>(&assignment::added<P>);
}

}  // namespace schedproof
