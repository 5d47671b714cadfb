#include "experiments/command/core/options.hpp"

#include <algorithm>

#include "model/base/nearest.hpp"

namespace schedproof::command {

CLI::Validator one_of(std::vector<std::string> words) {
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
    return CLI::Validator(
        [words, list](std::string& value) {
            if (std::find(words.begin(), words.end(), value) != words.end()) return std::string();
            return "expected one of " + list + ", not '" + value + "'" + base::did_you_mean(value, words);
        },
        "{" + list + "}");
}

void add_general_checks(CLI::App& app) {
    for (CLI::Option* option : app.get_options([](const CLI::Option* o) { return o->get_items_expected_max() > 0; })) {
        const bool counts = option->get_type_name().starts_with("UINT");
        option->check(CLI::Validator(
            [counts](std::string& value) -> std::string {
                if (value.empty()) return "expected a value, not ''";
                return counts && value.front() == '-' ? "expected a number of at least 0, not " + value : "";
            },
            ""));
    }
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) add_general_checks(*command);
}

void add_destination(CLI::App& command, Destination& to) {
    command.add_option("--format", to.format, "text for people, json for programs")
        ->check(one_of({"text", "json"}))
        ->capture_default_str();
    command.add_option("-o,--output", to.path, "file for the answer, - for standard output")->capture_default_str();
}

void add_instance_and_policy(CLI::App& command, SystemRequest& system) {
    command.add_option("INSTANCE", system.instance, "instance file (TOML or JSON), - for standard input")->required();
    command.add_option("-p,--policy", system.policy, "policy to run; see `schedproof list policies`")->required();
}

void add_budget(CLI::App& command, BudgetRequest& budget) {
    command.add_option("--rlimit", budget.rlimit, "resource units of the solver for one question");
    command.add_option("--max-cells", budget.max_cells,
                       "cells of one question; beyond any budget the verdict is Unknown");
}

}  // namespace schedproof::command
