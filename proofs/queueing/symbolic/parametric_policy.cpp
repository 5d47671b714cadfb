#include "proofs/queueing/symbolic/parametric_policy.hpp"

#include "policies/queueing/registry.hpp"
#include "proofs/queueing/symbolic/symbolic_policies.hpp"

namespace schedproof::queueing {

ParametricPolicy ParametricPolicy::registered(std::string_view id) {
    return ParametricPolicy(on_parametric(make_policy(id)));
}

}  // namespace schedproof::queueing
