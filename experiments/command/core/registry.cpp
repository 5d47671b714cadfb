#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

// A subcommand needs its own folder under experiments/command/ and a line here.
#define SCHEDPROOF_SUBCOMMANDS(SUBCOMMAND) \
    SUBCOMMAND(list)                       \
    SUBCOMMAND(show)                       \
    SUBCOMMAND(new_policy)                 \
    SUBCOMMAND(kernel)                     \
    SUBCOMMAND(chain)                      \
    SUBCOMMAND(capacity)                   \
    SUBCOMMAND(graph)                      \
    SUBCOMMAND(check)                      \
    SUBCOMMAND(validate)                   \
    SUBCOMMAND(import)                     \
    SUBCOMMAND(prove)                      \
    SUBCOMMAND(mean)                       \
    SUBCOMMAND(certify)                    \
    SUBCOMMAND(heavy_traffic)              \
    SUBCOMMAND(assign)                     \
    SUBCOMMAND(generate)                   \
    SUBCOMMAND(worst)                      \
    SUBCOMMAND(optimum)                    \
    SUBCOMMAND(optimum_policy)             \
    SUBCOMMAND(gap)                        \
    SUBCOMMAND(dual)                       \
    SUBCOMMAND(delay)                      \
    SUBCOMMAND(simulate)                   \
    SUBCOMMAND(sweep)                      \
    SUBCOMMAND(merge)                      \
    SUBCOMMAND(reproduce)                  \
    SUBCOMMAND(paper)                      \
    SUBCOMMAND(report)                     \
    SUBCOMMAND(completion)                 \
    SUBCOMMAND(manual)                     \
    SUBCOMMAND(schema)

#define SCHEDPROOF_DECLARE(name) Subcommand name();
SCHEDPROOF_SUBCOMMANDS(SCHEDPROOF_DECLARE)
#undef SCHEDPROOF_DECLARE

std::vector<Subcommand> subcommands() {
#define SCHEDPROOF_CALL(name) name(),
    std::vector<Subcommand> all{SCHEDPROOF_SUBCOMMANDS(SCHEDPROOF_CALL)};
#undef SCHEDPROOF_CALL
    for (Subcommand& command : all) take_policy_files(command);
    return all;
}

}  // namespace schedproof::cli
