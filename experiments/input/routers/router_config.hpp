/// Configurations of load balancers and routers, as a rule and the workers that they name.
///
/// A reader takes what decides where a request goes, and names every other key that could: what the policy language
/// cannot say is a note with its line, or an error where nothing would be left of the rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/input/routers/imported_rule.hpp"
#include "model/core/rational.hpp"

namespace schedproof::input {

struct Backend {
    std::string name;
    Rational weight = 1;
    std::size_t line = 0;
};

struct RouterConfig : ImportedRule {
    std::vector<Backend> backends;  ///< none where workers come and go
};

/// What a file is: `haproxy`, `envoy`, `epp` (the endpoint picker of llm-d and of the Gateway API inference
/// extension) or `dynamo` (NVIDIA Dynamo). Throws InputError when it is none of them.
[[nodiscard]] std::string kind_of_config(std::string_view text, const std::string& file);

/// `name`: of the backend, the cluster or the profile; empty where there is one alone. Throws InputError with file,
/// line and key, and where the rule cannot be said in the policy language.
[[nodiscard]] RouterConfig read_haproxy(std::string_view text, const std::string& file, const std::string& name);
[[nodiscard]] RouterConfig read_envoy(std::string_view text, const std::string& file, const std::string& name);
[[nodiscard]] RouterConfig read_endpoint_picker(std::string_view text, const std::string& file,
                                                const std::string& name);
/// A policy of Dynamo's router, a deployment or commands that start its frontend, or the JSON of its router's settings.
/// `name`: of the instance or the frontend. `tokens`: those of a request that a worker has to compute, where thresholds
/// count tokens. Range: tokens at least 1.
[[nodiscard]] RouterConfig read_dynamo(std::string_view text, const std::string& file, const std::string& name,
                                       std::uint64_t tokens);

/// The words of a line, with the quotes, the backslashes and the comments that HAProxy and shells have.
[[nodiscard]] std::vector<std::string> quoted_words(std::string_view line);

/// The place of the name among those of a file, the only one where `name` is empty. Throws InputError at `--name`.
/// Requires: not empty.
[[nodiscard]] std::size_t place_of_name(const std::vector<std::string>& names, const std::string& name);

/// Whether all weights are the same.
[[nodiscard]] bool are_alike(const std::vector<Backend>& backends);

}  // namespace schedproof::input
