/// Options that several subcommands share, and the parts of their requests that these fill.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/command/core/requests.hpp"
#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

/// The ids of a registry's policies, sorted, to be offered: `ids_of<queueing::policies>`.
template <auto policies>
[[nodiscard]] std::vector<std::string> ids_of() {
    std::vector<std::string> ids;
    for (const auto& info : policies()) ids.emplace_back(info.id);
    std::sort(ids.begin(), ids.end());
    return ids;
}

/// The named Lyapunov functions, to be offered.
[[nodiscard]] std::vector<std::string> lyapunov_ids();

/// `INSTANCE`, a file or standard input.
[[nodiscard]] Option instance_argument(std::string& instance);

/// `--format` and `-o`.
[[nodiscard]] OptionTable destination_options(Destination& to);
/// `INSTANCE` and `-p`.
[[nodiscard]] OptionTable instance_and_policy(SystemRequest& system);
/// `--cap-total` and `--cap-queue`.
[[nodiscard]] OptionTable cap_options(std::optional<std::uint32_t>& total, std::optional<std::uint32_t>& queue);
/// All of a SystemRequest.
[[nodiscard]] OptionTable system_options(SystemRequest& system);
[[nodiscard]] OptionTable state_options(StateRequest& state);
[[nodiscard]] OptionTable budget_options(BudgetRequest& budget);
/// `--max-states`.
[[nodiscard]] Option max_states_option(std::uint64_t& states);

}  // namespace schedproof::cli
