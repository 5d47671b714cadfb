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

Layout AnyPolicy::layout(const Instance& instance) const {
    if (instance.continuous() && !deficit_counters().empty())
        throw InputError::at_key(
            "policy", std::string(info_.id) + " counts slots, and time is continuous in '" + instance.name() + "'");
    Layout layout = rules_->layout(instance);
    for (std::size_t q = 0; q < layout.queues(); ++q)
        if (instance.preemptive() && layout.tracking(QueueId(q)) != Tracking::counted)
            throw InputError::at_path({"options", "preemption"},
                                      "expected none for " + std::string(info_.id) +
                                          ": its queues do not tell the types of their tasks apart, and an "
                                          "interrupted task would have lost its own");
    return layout;
}

AnyPolicy AnyPolicy::held_to(const DecisionClass& stated) const {
    AnyPolicy policy = *this;
    policy.decisions_ = stated;
    return policy;
}

}  // namespace schedproof::queueing
