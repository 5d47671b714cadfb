#include "experiments/command/families/held_to.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "experiments/command/families/instance_file.hpp"
#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

checks::VerdictKind verdict_named(const std::string& name) {
    using Kind = checks::VerdictKind;
    constexpr std::array kinds{Kind::proved, Kind::exhausted, Kind::survived, Kind::refuted, Kind::unknown};
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&](Kind one) { return checks::to_string(one) == name; });
    if (kind == kinds.end()) throw ContractViolation("no verdict: " + name);
    return *kind;
}

/// Throws when the claim is none of the policy's family.
void require_claim(const PolicyFile& file, const char* key, const std::string& id,
                   const std::vector<checks::Claim>& claims) {
    std::vector<std::string> known;
    for (const checks::Claim& claim : claims)
        if (claim.family().id() == file.family) known.push_back(claim.id);
    if (std::find(known.begin(), known.end(), id) == known.end())
        throw InputError::at_line(
            file.path, line_naming(file, key, id), key,
            fmt::format("expected claims of the {} family, not '{}'{}; see `schedproof list claims`", file.family, id,
                        base::did_you_mean(id, known)));
}

}  // namespace

checks::HeldTo held_to(const PolicyFile& file, const std::vector<checks::Claim>& claims, const NamedInstances& named) {
    checks::HeldTo held;
    for (const std::string& claim : file.hopes) require_claim(file, "hopes", claim, claims);
    held.hopes = file.hopes;
    for (const auto& [claim, verdict] : file.expects) {
        require_claim(file, "expect", claim, claims);
        held.expects[claim] = verdict_named(verdict);
    }
    require_instances(file);
    for (const std::string& instance : file.stable_on) {
        const auto same = named.find(std::filesystem::weakly_canonical(instance).string());
        held.stable_on.push_back(same != named.end() ? same->second : read_any_instance(instance)->domain());
    }
    return held;
}

}  // namespace schedproof::cli
