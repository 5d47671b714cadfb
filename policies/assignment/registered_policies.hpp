/// The types of the registered policies, for the few sources that must know them all.
#pragma once

#include <tuple>

#include "policies/assignment/any_policy.hpp"
#include "policies/assignment/bar.hpp"
#include "policies/assignment/delay_scheduling.hpp"
#include "policies/assignment/dyndloff.hpp"
#include "policies/assignment/dyndlon.hpp"
#include "policies/assignment/hadoop.hpp"
#include "policies/assignment/hta.hpp"
#include "policies/assignment/list_scheduling.hpp"
#include "policies/assignment/ltfpa.hpp"

namespace schedproof::assignment {

using RegisteredPolicies =
    std::tuple<Hadoop, DelayScheduling, DynDlOn, List, Ltfpa, LtfpaLoadAware, Hta, Bar, DynDlOff>;

/// Calls `visit` with the policy as what it is; whether it is one of these.
template <class Visit>
bool visit_registered(const AnyPolicy& policy, Visit&& visit) {
    const auto visited = [&]<class P>(const P* one) {
        if (one != nullptr) visit(*one);
        return one != nullptr;
    };
    return [&]<class... P>(const std::tuple<P...>*) {
        return (visited(policy.as<P>()) || ...);
    }(static_cast<const RegisteredPolicies*>(nullptr));
}

}  // namespace schedproof::assignment
