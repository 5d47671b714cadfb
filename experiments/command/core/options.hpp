/// The options of the command, group by group: what main.cpp and the options_*.cpp share.
///
/// They alone know the command-line library; each fills the plain structs of requests.hpp.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "experiments/command/core/requests.hpp"

namespace schedproof::command {

/// One of some words; the complaint names the nearest.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> words);

/// What holds for the options of every command: a value that is given is not empty (an unset variable of a script must
/// not pass for an absent option), and counts are not negative (the library would wrap them around).
void add_general_checks(CLI::App& app);

void add_destination(CLI::App& command, Destination& to);
void add_instance_and_policy(CLI::App& command, SystemRequest& system);
void add_budget(CLI::App& command, BudgetRequest& budget);

/// One subcommand: its request lives as long as the parser.
template <class Request>
CLI::App& add_command(CLI::App& app, Request& request, int& exit_code, const char* name, const char* summary,
                      const char* example) {
    CLI::App& command = *app.add_subcommand(name, summary);
    command.footer(std::string("Example:\n  ") + example);
    command.final_callback([&request, &exit_code] { exit_code = run(request); });
    return command;
}

/// Statements for all states; each kind is a subcommand of its own.
struct ProveRequests {
    ProveDriftRequest drift;
    ProveThroughputRequest throughput;
    ProveTransienceRequest transience;
    ProveStepsRequest steps;
};
void add_prove(CLI::App& app, ProveRequests& requests, int& exit_code);

/// The assignment family: schedulers on an instance or a real cluster, and instances made to order.
struct AssignmentRequests {
    AssignRequest assign;
    GenerateAssignmentRequest generate;
};
void add_assignment(CLI::App& app, AssignmentRequests& requests, int& exit_code);

}  // namespace schedproof::command
