/// A queueing policy as engines hold it: one type for all, with the plan that it follows and the rules of the
/// literature that it has.
#pragma once

#include <concepts>
#include <memory>
#include <span>

#include "model/queueing/decision_class.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/policy.hpp"
#include "model/queueing/ties.hpp"

namespace schedproof::queueing {

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
    [[nodiscard]] Layout layout(const Instance& instance) const;

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
