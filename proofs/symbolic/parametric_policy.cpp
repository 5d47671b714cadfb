#include "proofs/symbolic/parametric_policy.hpp"

namespace schedproof::queueing {

ParametricPolicy::ParametricPolicy(const AnyPolicy& policy)
    : ParametricPolicy(std::visit([](const auto& concrete) { return of(concrete); }, policy)) {}

}  // namespace schedproof::queueing
