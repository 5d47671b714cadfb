#include "checks/core/about_policy.hpp"

#include <algorithm>
#include <utility>

namespace schedproof::checks {

bool speaks_against(const Claim& claim, Expectation expectation) {
    if (expectation == Expectation::fails || expectation == Expectation::open) return false;
    return expectation == Expectation::holds ||
           std::none_of(claim.lines.begin(), claim.lines.end(),
                        [](const Line& other) { return other.expectation == Expectation::fails; });
}

namespace {

/// `pandas:plain and fifo`, or how many they are.
std::string policies_of(const Claim& claim) {
    std::vector<std::string> names;
    for (const Line& line : claim.lines)
        if (std::find(names.begin(), names.end(), line.policy) == names.end()) names.push_back(line.policy);
    if (names.size() > 2) return std::to_string(names.size()) + " other policies";
    return names.size() == 2 ? names[0] + " and " + names[1] : names.empty() ? "no other policy" : names[0];
}

}  // namespace

std::string statement_about(const std::string& policy, const Claim& claim) {
    const bool speaks =
        std::any_of(claim.lines.begin(), claim.lines.end(), [&](const Line& line) { return line.policy == policy; });
    return speaks ? claim.statement : "Of " + policy + " in place of " + policies_of(claim) + ": " + claim.statement;
}

Claim about_policy(const std::string& policy, Claim claim) {
    claim.statement = statement_about(policy, claim);
    Line line;
    line.policy = policy;
    for (const Line& other : claim.lines)
        for (const std::string& instance : other.instances)
            if (std::find(line.instances.begin(), line.instances.end(), instance) == line.instances.end())
                line.instances.push_back(instance);
    claim.lines = {std::move(line)};
    return claim;
}

}  // namespace schedproof::checks
