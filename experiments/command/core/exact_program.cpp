/// The program `schedproof` with its exact subcommands alone, which do all that they do in the whole one. The launcher
/// builds it when one of them is asked for and the whole program is not there.
#include <vector>

#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/program.hpp"
#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

#define SCHEDPROOF_exact(step) step
#define SCHEDPROOF_whole(step)

#define SUBCOMMAND(name, part) SCHEDPROOF_##part(Subcommand name();)
#include "experiments/command/core/subcommands.def"

namespace {

std::vector<Subcommand> exact_subcommands() {
    std::vector<Subcommand> all;
#define SUBCOMMAND(name, part) SCHEDPROOF_##part(all.push_back(name());)
#include "experiments/command/core/subcommands.def"
    for (Subcommand& command : all) {
        take_policy_files(command, {});
        take_quiet(command);
    }
    return all;
}

}  // namespace

}  // namespace schedproof::cli

int main(int argc, char** argv) { return schedproof::cli::run_program(schedproof::cli::exact_subcommands, argc, argv); }
