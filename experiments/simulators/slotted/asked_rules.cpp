#include "experiments/simulators/slotted/asked_rules.hpp"

#include <fmt/core.h>

namespace schedproof::simulation {

namespace {

/// As it is written; of a long one, as with a decision table, the beginning.
std::string rule_text(const queueing::language::Tree& rule) {
    constexpr std::size_t most = 120;
    std::string text = queueing::to_string(rule);
    if (text.size() > most) text.replace(most, std::string::npos, "...");
    return text;
}

}  // namespace

std::string why_slow(const queueing::AnyPolicy& policy) {
    const queueing::DecisionClass& decisions = queueing::decision_class(policy.rules());
    if (decisions.serving == queueing::ServingRule::unspecified)
        return fmt::format("no index fits serve({}): every idle server is asked, and goes over its queues, each time",
                           rule_text(policy.rules().serve()));
    if (decisions.routing == queueing::RoutingRule::unspecified)
        return fmt::format("no index fits route({}): each task goes over its queues",
                           rule_text(policy.rules().route()));
    return {};
}

}  // namespace schedproof::simulation
