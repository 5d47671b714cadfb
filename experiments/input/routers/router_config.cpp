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

/// Of d draws j are different with probability S(d, j) n! / (n - j)! / n^d, and then each set of j workers is as likely
/// as any other. `mix` takes two, so the probabilities are those given that there are no fewer.
std::string shortest_of_draws(std::size_t draws, std::size_t workers) {
    const Rational n(static_cast<std::int64_t>(workers));
    std::vector<Rational> different(draws + 1);  // by the number of different workers so far
    different[0] = 1;
    for (std::size_t draw = 0; draw < draws; ++draw)
        for (std::size_t j = draw + 1; j-- > 0;) {
            const Rational known(static_cast<std::int64_t>(j));
            const Rational p = different[j];
            different[j] = p * known / n;
            different[j + 1] += p * (n - known) / n;
        }
    const auto best_of = [](std::size_t j) {
        return j == 1 ? std::string("servers") : fmt::format("argmin(sample({}, servers), server_length)", j);
    };
    const std::size_t most = std::min(draws, workers);
    std::string route = most == workers ? "argmin(servers, server_length)" : best_of(most);
    Rational beyond = different[most];
    for (std::size_t j = most; j-- > 1;) {
        beyond += different[j];
        if (different[j].sign() > 0)
            route = fmt::format("mix({}, {}, {})", (different[j] / beyond).to_string(), best_of(j), route);
    }
    return route;
}

}  // namespace schedproof::input
