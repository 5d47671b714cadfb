/// The redundancy family under `simulate`: policies that copy jobs onto several machines, measured by flowtimes.
///
/// Its runs end when every job is done, so they have no warm-up and no batches, and all jobs of all replications are
/// looked at together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/command/core/option_table.hpp"
#include "experiments/command/core/requests.hpp"

namespace schedproof::cli {

/// Numbers are words here, read and checked by the command. What the families share is filled in from their common
/// options.
struct RedundancySimulation {
    std::vector<std::string> policies;  ///< at least one
    std::vector<std::string> betas;     ///< of LAPS and LAPS+R, each one run; none: 1/2, or the instance's
    std::string speed = "1";
    bool speed_given = false;  ///< else the instance's, where there is one

    std::string instance;  ///< file whose schedules are exact, or empty; then nothing below but `to` is read

    std::string jobs;            ///< trace, or empty: generated
    std::string unit = "tasks";  ///< of a trace's sizes: `tasks` or `bytes`
    std::string scale = "1";
    std::string rate = "1";
    std::string mean_size;  ///< Pareto sizes of shape 2, or empty
    std::string sizes;      ///< a law, or empty
    std::string horizon = "10000";
    std::uint64_t seed = 1;
    std::uint64_t first = 0;  ///< number of the first replication
    std::uint64_t replications = 1;

    std::optional<std::uint64_t> machines;  ///< none: 100, or all of the table
    std::string service;                    ///< mean service, in continuous time
    std::string periods;                    ///< `A` or `B`: sample paths, in slots
    std::string availability;               ///< table, in slots; with none of the three: periods A

    std::string within = "40";
    std::string confidence = "0.95";
    std::string flowtimes;  ///< .csv, or empty
    std::string cdf;        ///< .svg, .png, .pdf or .tikz, or empty
    Destination to;
};

/// The options that only this family has.
[[nodiscard]] OptionTable redundancy_options(RedundancySimulation& simulation);

int run(const RedundancySimulation& simulation);

/// The exact schedules of the policies on the instance. Throws InputError that names file, line and key, or option.
int run_instance(const RedundancySimulation& simulation);

}  // namespace schedproof::cli
