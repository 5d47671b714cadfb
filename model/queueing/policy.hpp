/// What a queueing policy is: a name and rules.
///
/// The rules say which queue an arriving task joins and which one an idle server turns to, in the language of
/// language/expressions.hpp. They are data, so simulators, the exact enumeration and the proofs all read the same
/// policy, and a policy has nothing in which it could keep a state or treat one mode unlike another.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "model/core/policy_info.hpp"
#include "model/queueing/decision_class.hpp"
#include "model/queueing/language/rules.hpp"
#include "model/queueing/ties.hpp"

namespace schedproof::queueing {

using schedproof::PolicyInfo;

/// A policy as it is written: members `info` and `rules`.
template <class P>
concept QueueingPolicy = requires(const P& policy) {
    { policy.info } -> std::convertible_to<PolicyInfo>;
    { policy.rules } -> std::convertible_to<Rules>;
};
/// A policy that follows a plan: its member `plan`.
template <class P>
concept WithPlan = requires(const P& policy) {
    { policy.plan } -> std::convertible_to<std::shared_ptr<const PlanData>>;
};

/// Any policy as a value. Copies share the plan, which never changes. Default-constructed it holds none and may only be
/// assigned to.
class AnyPolicy {
  public:
    AnyPolicy() = default;
    /// Throws ContractViolation when the rules name a plan and there is none.
    AnyPolicy(const PolicyInfo& info, const Rules& rules, std::shared_ptr<const PlanData> plan = nullptr);
    template <QueueingPolicy P>
    AnyPolicy(const P& policy)  // NOLINT(google-explicit-constructor): every policy is one
        : AnyPolicy(policy.info, policy.rules, plan_of(policy)) {}

    [[nodiscard]] const PolicyInfo& info() const { return info_; }
    [[nodiscard]] const Rules& rules() const { return *rules_; }
    [[nodiscard]] const DecisionClass& decisions() const { return decisions_; }
    /// Null for a policy without.
    [[nodiscard]] const PlanData* plan() const { return plan_.get(); }
    [[nodiscard]] std::span<const DeficitCounter> deficit_counters() const {
        return plan_ ? std::span<const DeficitCounter>(plan_->counters) : std::span<const DeficitCounter>();
    }
    /// Throws InputError when the policy cannot run on the instance.
    [[nodiscard]] Layout layout(const Instance& instance) const { return rules_->layout(instance); }

    /// The same policy, held to the rules of another: what proofs about `stated` ask of its answers.
    [[nodiscard]] AnyPolicy held_to(const DecisionClass& stated) const;

  private:
    template <class P>
    [[nodiscard]] static std::shared_ptr<const PlanData> plan_of(const P& policy) {
        if constexpr (WithPlan<P>)
            return policy.plan;
        else
            return nullptr;
    }

    PolicyInfo info_;
    std::shared_ptr<const Rules> rules_;
    DecisionClass decisions_;
    std::shared_ptr<const PlanData> plan_;
};

}  // namespace schedproof::queueing
