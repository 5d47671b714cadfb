#include "proofs/queueing/symbolic/parametric_policy.hpp"

#include <utility>

#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::queueing {

ParametricPolicy::ParametricPolicy(AnyPolicy policy) : policy_(std::move(policy)) {
    if (rules().planned())
        throw InputError::at_key("policy",
                                 "expected a policy that follows no plan: rates are symbols here, and a plan "
                                 "is made for those of one cluster");
}

ParametricPolicy ParametricPolicy::registered(std::string_view id) { return ParametricPolicy(make_policy(id)); }

}  // namespace schedproof::queueing
