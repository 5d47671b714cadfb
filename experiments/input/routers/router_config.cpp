#include "experiments/input/routers/router_config.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include "model/base/nearest.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

/// A line of a policy of Dynamo's router, a deployment, a command, or the JSON of the settings.
bool is_of_dynamo(std::string_view line) {
    for (const char* key : {"worker_selection:", "policy_classes:", "default_policy_family:", "request_classifier:",
                            "kind: DynamoGraphDeployment"})
        if (line.starts_with(key)) return true;
    const std::vector<std::string_view> words = base::split_words(line);
    if (std::find(words.begin(), words.end(), "dynamo.frontend") != words.end()) return true;
    for (const char* word : {"\"overlap_score_", "\"router_temperature\"", "\"use_kv_events\""})
        if (line.find(word) != std::string_view::npos) return true;
    return false;
}

}  // namespace

std::string kind_of_config(std::string_view text, const std::string& file) {
    for (std::string_view line : base::split(text, '\n')) {
        line = base::trimmed(line);
        if (line.starts_with("kind:") && line.find("EndpointPickerConfig") != std::string_view::npos) return "epp";
        if (!line.starts_with("#") && is_of_dynamo(line)) return "dynamo";
        const std::vector<std::string_view> words = base::split_words(line);
        if (words.size() > 1 && (words[0] == "backend" || words[0] == "listen")) return "haproxy";
        for (const char* key : {"lb_policy:", "load_assignment:", "static_resources:", "clusters:"})
            if (line.starts_with(key) || line.starts_with("- " + std::string(key))) return "envoy";
    }
    throw InputError::in_file(
        file,
        "expected a configuration of HAProxy (a backend), Envoy (a cluster, in YAML), an endpoint "
        "picker (kind: EndpointPickerConfig) or Dynamo (a policy of its router, a deployment, or "
        "commands)");
}

std::vector<std::string> quoted_words(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool open = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
            word += line[++i];
            open = true;
        } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
            quote = quote != 0 ? 0 : c;
            open = true;
        } else if (quote == 0 && c == '#') {
            break;
        } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\r')) {
            if (open || !word.empty()) words.push_back(std::move(word));
            word.clear();
            open = false;
        } else {
            word += c;
        }
    }
    if (open || !word.empty()) words.push_back(std::move(word));
    return words;
}

std::size_t place_of_name(const std::vector<std::string>& names, const std::string& name) {
    if (name.empty() && names.size() == 1) return 0;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    throw InputError::at_key("--name", fmt::format("expected one of {}{}", fmt::join(names, ", "),
                                                   name.empty() ? std::string()
                                                                : fmt::format(", not {}{}", base::shown(name),
                                                                              base::did_you_mean(name, names))));
}

bool are_alike(const std::vector<Backend>& backends) {
    return std::all_of(backends.begin(), backends.end(),
                       [&](const Backend& one) { return one.weight == backends.front().weight; });
}

}  // namespace schedproof::input
