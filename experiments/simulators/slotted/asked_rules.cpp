#include "experiments/simulators/slotted/asked_rules.hpp"

#include <fmt/core.h>

namespace schedproof::simulation {

std::string why_slow(const queueing::AnyPolicy& policy) {
    const queueing::DecisionClass& decisions = queueing::decision_class(policy.rules());
    if (decisions.serving == queueing::ServingRule::unspecified)
        return fmt::format("no index fits serve({}): every idle server is asked, and goes over its queues, each time",
                           queueing::to_string(policy.rules().serve()));
    if (decisions.routing == queueing::RoutingRule::unspecified)
        return fmt::format("no index fits route({}): each task goes over its queues",
                           queueing::to_string(policy.rules().route()));
    return {};
}

}  // namespace schedproof::simulation
