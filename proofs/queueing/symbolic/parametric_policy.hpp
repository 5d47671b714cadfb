/// The decisions of any policy on symbolic rates and symbolic queue lengths.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "policies/queueing/any_policy.hpp"
#include "proofs/symbolic/parametric.hpp"

namespace schedproof::queueing {

/// `route` and `serve` of one policy on Parametric.
class ParametricPolicy {
  public:
    /// A policy of the registry that needs no plan. Throws InputError for any other name.
    [[nodiscard]] static ParametricPolicy registered(std::string_view id);
    /// For a policy that need not be registered.
    template <class P>
    static ParametricPolicy of(const P& policy) {
        return ParametricPolicy(PolicyOn<explore::Parametric>(policy));
    }

    using View = queueing::View<explore::Parametric>;
    [[nodiscard]] const PolicyInfo& info() const { return policy_.info; }
    [[nodiscard]] Layout layout(const Instance& instance) const { return policy_.layout(instance); }
    [[nodiscard]] std::vector<Candidate> route(const View& now, TaskTypeId type) const {
        return candidates(policy_.route(now, type));
    }
    [[nodiscard]] std::vector<Candidate> serve(const View& now, ServerId m) const {
        return candidates(policy_.serve(now, m));
    }

  private:
    explicit ParametricPolicy(PolicyOn<explore::Parametric> policy) : policy_(std::move(policy)) {}

    PolicyOn<explore::Parametric> policy_;
};

}  // namespace schedproof::queueing
