#include "model/queueing/any_policy.hpp"

#include "model/core/errors.hpp"

namespace schedproof::queueing {

AnyPolicy::AnyPolicy(const PolicyInfo& info, const Rules& rules, std::shared_ptr<const PlanData> plan)
    : info_(info),
      rules_(std::make_shared<const Rules>(rules)),
      decisions_(decision_class(rules)),
      plan_(std::move(plan)) {
    require(!rules.planned() || plan_ != nullptr, "a policy whose rules name a plan needs one");
}

AnyPolicy AnyPolicy::held_to(const DecisionClass& stated) const {
    AnyPolicy policy = *this;
    policy.decisions_ = stated;
    return policy;
}

}  // namespace schedproof::queueing
