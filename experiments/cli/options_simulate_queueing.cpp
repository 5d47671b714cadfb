/// Options of `simulate` for the queueing family.
#include "experiments/cli/options.hpp"
#include "experiments/cli/simulate.hpp"

namespace schedproof::cli {

void add_queueing_options(CLI::App& command, QueueingSimulation& options) {
    command.add_option("INSTANCE", options.instance, "of queueing policies: instance file (TOML or JSON)");
}

}  // namespace schedproof::cli
