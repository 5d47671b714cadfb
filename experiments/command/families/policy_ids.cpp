#include "experiments/command/families/policy_ids.hpp"

#include <algorithm>

#include "checks/families.hpp"

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

}  // namespace schedproof::cli
