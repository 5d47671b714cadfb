/// Options that several commands share, one table each, so that a word means the same everywhere.
#include "experiments/command/core/options.hpp"

#include "policies/queueing/registry.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::cli {

std::vector<std::string> lyapunov_ids() {
    std::vector<std::string> ids;
    for (const auto& lyapunov : queueing::lyapunov_functions()) ids.emplace_back(lyapunov.id);
    return ids;
}

Option instance_argument(std::string& instance) {
    return {.names = "INSTANCE",
            .target = &instance,
            .meaning = "instance file (TOML or JSON), - for standard input",
            .required = true};
}

OptionTable destination_options(Destination& to) {
    return {{.names = "--format",
             .target = &to.format,
             .meaning = "text for people, json for programs",
             .show_default = true,
             .words = {"text", "json"}},
            {.names = "-o,--output",
             .value = "FILE",
             .target = &to.path,
             .meaning = "file for the answer, - for standard output",
             .show_default = true}};
}

OptionTable instance_and_policy(SystemRequest& system) {
    return {instance_argument(system.instance),
            {.names = "-p,--policy",
             .value = "POLICY",
             .target = &system.policy,
             .meaning = "policy to run; see `schedproof list policies`",
             .required = true,
             .offers = ids_of<queueing::policies>}};
}

OptionTable cap_options(std::optional<std::uint32_t>& total, std::optional<std::uint32_t>& queue) {
    return {{.names = "--cap-total",
             .value = "N",
             .target = &total,
             .meaning = "truncate: lose a slot's arrivals that would lift the sum of all queues above N"},
            {.names = "--cap-queue",
             .value = "N",
             .target = &queue,
             .meaning = "truncate: lose a task whose queue already holds N tasks"}};
}

OptionTable system_options(SystemRequest& system) {
    return joined({instance_and_policy(system), cap_options(system.cap_total, system.cap_queue)});
}

OptionTable state_options(StateRequest& state) {
    return {{.names = "--queues",
             .value = "LIST",
             .target = &state.queues,
             .meaning = "tasks in each queue, in order: 2,0,1 (A+B where a queue lists waiting types)"},
            {.names = "--serving",
             .value = "LIST",
             .target = &state.serving,
             .meaning = "what each server does, in order: idle,own,common (queue@level where needed)"},
            {.names = "--counters",
             .value = "LIST",
             .target = &state.counters,
             .meaning = "counters of a policy that keeps some, in order: 0,3,-2"}};
}

OptionTable budget_options(BudgetRequest& budget) {
    return {{.names = "--rlimit",
             .value = "N",
             .target = &budget.rlimit,
             .meaning = "resource units of the solver for one question"},
            {.names = "--max-cells",
             .value = "N",
             .target = &budget.max_cells,
             .meaning = "cells of one question; beyond any budget the verdict is Unknown"}};
}

Option max_states_option(std::uint64_t& states) {
    return {.names = "--max-states",
            .value = "N",
            .target = &states,
            .meaning = "stop with exit code 3 beyond this many states",
            .show_default = true};
}

}  // namespace schedproof::cli
