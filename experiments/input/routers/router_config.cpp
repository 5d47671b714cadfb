#include "experiments/input/routers/router_config.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include "model/base/nearest.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

std::string kind_of_config(std::string_view text, const std::string& file) {
    for (std::string_view line : base::split(text, '\n')) {
        line = base::trimmed(line);
        if (line.starts_with("kind:") && line.find("EndpointPickerConfig") != std::string_view::npos) return "epp";
        const std::vector<std::string_view> words = base::split_words(line);
        if (words.size() > 1 && (words[0] == "backend" || words[0] == "listen")) return "haproxy";
        for (const char* key : {"lb_policy:", "load_assignment:", "static_resources:", "clusters:"})
            if (line.starts_with(key) || line.starts_with("- " + std::string(key))) return "envoy";
    }
    throw InputError::in_file(file,
                              "expected a configuration of HAProxy (a backend), Envoy (a cluster, in YAML) or an "
                              "endpoint picker (kind: EndpointPickerConfig)");
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
