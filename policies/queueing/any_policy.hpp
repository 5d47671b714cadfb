/// Any queueing policy as a value, without its type in the interface.
#pragma once

#include <memory>
#include <optional>
#include <typeinfo>
#include <utility>

#include "model/core/errors.hpp"
#include "policies/queueing/descriptor.hpp"
#include "policies/queueing/policy_on.hpp"

namespace schedproof::queueing {

/// Copies share the policy, which has no state. Default-constructed it holds none and may only be assigned to.
class AnyPolicy {
  public:
    AnyPolicy() = default;
    template <class P>
    requires(!std::same_as<P, AnyPolicy> && QueueingPolicy<P>)
        AnyPolicy(P policy)  // NOLINT(google-explicit-constructor): every policy is one
        : descriptor_(queueing::descriptor<P>()),
          type_(&typeid(P)),
          policy_(std::make_shared<const P>(policy)),
          integers_(policy),
          rationals_(policy) {}

    [[nodiscard]] const PolicyDescriptor& descriptor() const { return descriptor_; }
    [[nodiscard]] const PolicyInfo& info() const { return descriptor_.info; }
    /// Throws InputError when the policy cannot run on the instance.
    [[nodiscard]] Layout layout(const Instance& instance) const { return integers_->layout(instance); }

    [[nodiscard]] const PolicyOn<CheckedInt>& on_integers() const { return *integers_; }
    [[nodiscard]] const PolicyOn<Rational>& on_rationals() const { return *rationals_; }
    /// The policy as what it is. Throws ContractViolation when it is not a P.
    template <class P>
    [[nodiscard]] const P& as() const {
        require(type_ != nullptr && *type_ == typeid(P), "a policy is asked for as another type than its own");
        return *static_cast<const P*>(policy_.get());
    }

  private:
    PolicyDescriptor descriptor_;
    const std::type_info* type_ = nullptr;
    std::shared_ptr<const void> policy_;
    std::optional<PolicyOn<CheckedInt>> integers_;
    std::optional<PolicyOn<Rational>> rationals_;
};

}  // namespace schedproof::queueing
