#include "proofs/queueing/symbolic/parametric_policy.hpp"

#include "policies/queueing/registry.hpp"

namespace schedproof::queueing {

ParametricPolicy ParametricPolicy::registered(std::string_view id) { return ParametricPolicy(make_policy(id)); }

}  // namespace schedproof::queueing
