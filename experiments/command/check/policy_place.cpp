#include "experiments/command/check/policy_place.hpp"

#include <charconv>

#include "experiments/command/core/policy_file.hpp"
#include "model/base/split.hpp"

namespace schedproof::cli {

namespace {

/// Lines FILE:LINE:"NAME", which the build has taken from the sources.
constexpr std::string_view policy_names =
#include "experiments/policy_names.inc"
    ;

}  // namespace

PolicyPlace policy_place(std::string_view family, std::string_view policy, std::string_view decision) {
    if (const PolicyFile* own = find_policy_file(policy))
        return {own->path, decision.starts_with("turns to") ? own->serve_line : own->route_line};
    const std::string folder = "policies/" + std::string(family) + "/", quoted = '"' + std::string(policy) + '"';
    for (const std::string_view entry : base::split(policy_names, '\n')) {
        if (!entry.starts_with(folder) || !entry.ends_with(':' + quoted)) continue;
        const std::size_t colon = entry.find(':');
        PolicyPlace place{std::string(entry.substr(0, colon))};
        std::from_chars(entry.data() + colon + 1, entry.data() + entry.size(), place.line);
        return place;
    }
    return {};
}

}  // namespace schedproof::cli
