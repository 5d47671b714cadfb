#include "experiments/command/families/policy_ids.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "checks/families.hpp"
#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

std::function<std::vector<std::string>()> policy_ids(std::vector<std::string> families) {
    return [families = std::move(families)] {
        std::vector<std::string> ids;
        for (const checks::Family* family : checks::families()) {
            if (!families.empty() && std::find(families.begin(), families.end(), family->id()) == families.end())
                continue;
            for (const checks::PolicyEntry& policy : family->policies()) ids.emplace_back(policy.id);
        }
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        return ids;
    };
}

std::string any_policy_id(const std::string& name, const char* option) {
    std::vector<std::string_view> ids;
    for (const checks::Family* family : checks::families()) {
        if (std::string id = family->resolve_policy(name); !id.empty()) return id;
        for (const checks::PolicyEntry& policy : family->policies()) {
            ids.push_back(policy.id);
            ids.push_back(policy.id.substr(0, policy.id.find(':')));
        }
    }
    throw InputError::at_key(
        option, fmt::format("expected a registered policy, not '{}'{}; see `schedproof list policies`", name,
                            base::did_you_mean(name, ids)));
}

}  // namespace schedproof::cli
