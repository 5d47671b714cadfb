#include "experiments/command/command.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/program.hpp"
#include "experiments/command/core/subcommand.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/policy_header/library_headers.hpp"

namespace schedproof::cli {

#define SUBCOMMAND(name, part) Subcommand name();
#include "experiments/command/core/subcommands.def"

std::vector<Subcommand> subcommands() {
    // Exact commands take the same policies in both programs.
    const CodeFamilies exact, whole = code_families();
    std::vector<Subcommand> all;
#define SUBCOMMAND(name, part)           \
    all.push_back(name());               \
    take_policy_files(all.back(), part); \
    take_quiet(all.back());
#include "experiments/command/core/subcommands.def"
    return all;
}

int run_with(std::initializer_list<MakeKnown> policies, const char* header, int argc, char** argv) {
    return run_program(
        [&] {
            policy_header::compiled_with(header);
            for (const MakeKnown known : policies) known();
            return subcommands();
        },
        argc, argv);
}

}  // namespace schedproof::cli
