/// A family as the reader of policy files sees it.
#pragma once

#include <any>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedproof::cli {

class CodeFamily {
  public:
    virtual ~CodeFamily() = default;
    [[nodiscard]] virtual std::string_view family() const = 0;

    /// A family whose policies are code: the header that their files include, and the one of added<P>().
    struct PolicyHeaders {
        std::string_view policy, added;
    };
    /// None in a family whose policies are data.
    [[nodiscard]] virtual std::optional<PolicyHeaders> policy_headers() const { return {}; }
    /// Makes a policy of the user known for the rest of the run; returns its id. `added` is what added<P>() of the
    /// family makes, or queueing::AddedPolicy. Throws InputError when its id is no plain name, or that of a policy.
    virtual std::string add_policy(const std::any& added) const = 0;
    /// Why nothing may be said of a policy of the family: what the family says (checks::Family::refusal), or its
    /// simulators, which the family does not know.
    [[nodiscard]] virtual std::string refusal(const std::string& policy) const = 0;
};

/// Those whose policies are code and may be given to a command.
using CodeFamilies = std::vector<const CodeFamily*>;

}  // namespace schedproof::cli
