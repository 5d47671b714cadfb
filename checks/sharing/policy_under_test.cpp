#include "checks/sharing/policy_under_test.hpp"

#include <variant>

#include "checks/sharing/case.hpp"

namespace schedproof::checks {

SharingPolicyUnderTest policy_under_test(const sharing::AnyPolicy& policy, const sharing::Parameters& parameters,
                                         const std::string& id) {
    return std::visit([&](const auto& made) { return policy_under_test(made, parameters, id); }, policy);
}

SharingPolicyUnderTest policy_under_test(const std::string& policy, const sharing::Parameters& parameters) {
    return policy_under_test(sharing::make_policy(policy, parameters), parameters, policy);
}

std::string describe(const SharingCase& c) {
    std::string text = std::to_string(c.setting.jobs.size()) + " jobs on " + std::to_string(c.setting.cluster.nodes()) +
                       " nodes, slots per node " + std::to_string(c.setting.cluster.slots);
    if (!c.state.slots.empty()) text += ", slot " + std::to_string(c.slot.index()) + " offered";
    if (c.setting.cluster.nodes() == 0)
        text = std::to_string(c.of.tasks) + " tasks on " + std::to_string(c.of.nodes) + " nodes, " +
               std::to_string(c.of.replicas) + " replicas, goal " + c.goal.to_string();
    return text;
}

}  // namespace schedproof::checks
