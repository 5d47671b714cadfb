#include "experiments/command/core/policy_place.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <vector>

#include "experiments/command/core/policy_file.hpp"
#include "model/base/split.hpp"

namespace schedproof::cli {

namespace {

/// Lines FILE:LINE:"NAME", and FILE:LINE:rules, route( and serve(, which the build has taken from the sources.
constexpr std::string_view policy_names =
#include "experiments/policy_names.inc"
    ;

struct NamedLine {
    std::string_view file, what;
    std::size_t line = 0;
};

std::vector<NamedLine> named_lines() {
    std::vector<NamedLine> all;
    for (const std::string_view entry : base::split(policy_names, '\n')) {
        const std::size_t file = entry.find(':');
        if (file == std::string_view::npos) continue;
        const std::size_t line = entry.find(':', file + 1);
        NamedLine named{entry.substr(0, file), entry.substr(line + 1)};
        std::from_chars(entry.data() + file + 1, entry.data() + line, named.line);
        all.push_back(named);
    }
    return all;
}

/// From the name on, the line of the rule in the first rules that follow in the same file; that of the name where none
/// do.
std::size_t line_of_rule(std::span<const NamedLine> from_name, std::string_view rule) {
    bool in_rules = false;
    for (const NamedLine& named : from_name) {
        if (named.file != from_name.front().file) break;
        if (in_rules && named.what == "rules") break;
        in_rules = in_rules || named.what == "rules";
        if (in_rules && named.what == rule) return named.line;
    }
    return from_name.front().line;
}

}  // namespace

PolicyPlace policy_place(std::string_view family, std::string_view policy, std::string_view decision) {
    if (const PolicyFile* own = find_policy_file(policy))
        return {own->path, decision.starts_with("turns to") ? own->serve_line : own->route_line};
    const std::string_view rule = decision.starts_with("turns to") ? "serve("
                                  : decision.starts_with("joins")  ? "route("
                                                                   : "";
    const std::string folder = "policies/" + std::string(family) + "/", quoted = '"' + std::string(policy) + '"';
    const std::vector<NamedLine> all = named_lines();
    const auto name = std::find_if(all.begin(), all.end(), [&](const NamedLine& named) {
        return named.file.starts_with(folder) && named.what == quoted;
    });
    if (name == all.end()) return {};
    return {std::string(name->file), rule.empty() ? name->line : line_of_rule({name, all.end()}, rule)};
}

}  // namespace schedproof::cli
