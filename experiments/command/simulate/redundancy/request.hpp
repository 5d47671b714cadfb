/// Redundancy policies under `simulate`: policies that copy jobs onto several machines, measured by flowtimes.
///
/// A run ends when every job is done, so it has no warm-up and no batches.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/command/simulate/simulate.hpp"

namespace schedproof::cli {

/// What the family's options say. Numbers are words here, read and checked by the command.
struct RedundancySimulation {
    std::vector<std::string> betas;  ///< of LAPS and LAPS+R, each a policy; none: 1/2, or the instance's
    std::string speed;               ///< empty: 1, or the instance's

    std::string instance;  ///< file whose schedules are exact, or empty

    std::string jobs;             ///< trace, or empty: generated
    std::optional<double> until;  ///< of a trace: later jobs are left out
    std::string unit = "tasks";   ///< of a trace's sizes: `tasks` or `bytes`
    std::string scale = "1";
    std::string rate = "1";
    std::string mean_size;  ///< Pareto sizes of shape 2, or empty
    std::string sizes;      ///< a law, or empty

    std::optional<std::uint64_t> machines;  ///< none: 100, or all of the table
    std::string service;                    ///< mean service, in continuous time
    std::string periods;                    ///< `A` or `B`: sample paths, in slots
    std::string availability;               ///< table, in slots; with none of the three: periods A

    std::string within = "40";
    std::string flowtimes;  ///< .csv, or empty
};

/// The options that fill it.
[[nodiscard]] OptionTable redundancy_options(RedundancySimulation& simulation);

[[nodiscard]] std::shared_ptr<FamilySimulation> redundancy_simulation();

/// The exact schedules of the policies on the instance. Throws InputError that names file, line and key, or option.
int answer_schedules(const RedundancySimulation& simulation, const std::vector<std::string>& policies,
                     const Destination& to);
/// Of that answer.
[[nodiscard]] Forms schedule_forms();

}  // namespace schedproof::cli
