/// `schedproof worst`: the worst case of a policy, answered by the family that knows its optimum.
///
/// The policy's name decides the family. Options of both stand in one table, and each family refuses those of the
/// other.
#include "experiments/command/worst/worst.hpp"

#include <fmt/format.h>

#include "checks/families.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/families/policy_ids.hpp"
#include "model/base/nearest.hpp"

namespace schedproof::cli {

namespace {

std::vector<std::string> families_with_optimum() {
    std::vector<std::string> ids;
    for (const auto& files : family_files())
        if (files->worst() != nullptr) ids.emplace_back(files->family());
    return ids;
}

}  // namespace

int run(const WorstRequest& request) {
    std::vector<std::string> names;
    for (const checks::Family* family : checks::families()) {
        const auto worst = files_of(*family).worst();
        if (!worst) continue;
        if (!family->resolve_policy(request.policy).empty()) return worst(request);
        for (const checks::PolicyEntry& policy : family->policies()) names.emplace_back(policy.id);
    }
    throw InputError::at_key("--policy",
                             fmt::format("expected a policy of `schedproof list policies` with a family that knows its "
                                         "optimum ({}), not '{}'{}",
                                         fmt::join(families_with_optimum(), ", "), request.policy,
                                         base::did_you_mean(request.policy, names)));
}

namespace {

OptionTable problem_options(WorstRequest& r) {
    return {{.names = "-p,--policy",
             .value = "POLICY",
             .target = &r.policy,
             .meaning = "a policy of a family that knows its optimum, see `schedproof list policies`",
             .required = true,
             .offers = policy_ids(families_with_optimum())},
            {.names = "--shape",
             .value = "SHAPE",
             .target = &r.shape,
             .meaning = "problem shape: cores per server and, after a colon, the servers of each task's block, "
                        "2,1:0/01; or a range, in every order: 'servers=2 cores=1..2 tasks=3 replicas=1'; or "
                        "jobs, machines and service, n3-m2-two-point:3,0, for LAPS with beta, n3-m2-b1/3-det",
             .required = true},
            {.names = "--costs",
             .value = "COST",
             .target = &r.costs,
             .meaning = "costs of remote tasks, where a local one costs 1: affine:1/2, capped:1,40, table:3/2,2 or "
                        "step:1=5/4,4=2, for all servers or (repeated) for each; any: every function, on each server "
                        "its own; common: every function, the same on all servers (default: affine:1)"},
            {.names = "--grid",
             .value = "LIST",
             .target = &r.grid,
             .meaning = "grid of the initial loads of each core, or of the sizes of jobs: FROM:TO:STEP or a list "
                        "(default: all values at once)"},
            {.names = "--gaps",
             .value = "LIST",
             .target = &r.gaps,
             .meaning = "gaps between arrivals on a grid of jobs: FROM:TO:STEP or a list",
             .show_default = true},
            {.names = "--speed",
             .value = "NUMBER",
             .target = &r.speed,
             .meaning = "speed of the machines of jobs with copies; the optimum has speed 1",
             .show_default = true}};
}

OptionTable search_options(WorstRequest& r) {
    return {{.names = "--at-most",
             .value = "NUMBER",
             .target = &r.at_most,
             .meaning = "prove or refute instead that the ratio is at most this",
             .excludes = {"--grid"}},
            {.names = "--competitor",
             .target = &r.competitor,
             .meaning = "search for the best assignments: enumerated, or free for the solver (auto: by their number)",
             .show_default = true,
             .words = {"auto", "enumerated", "free"}},
            {.names = "--makespan",
             .target = &r.makespan,
             .meaning = "makespan of an online policy: that of its event loop, or that of the map it ends with",
             .show_default = true,
             .words = {"events", "map"}},
            {.names = "--wait",
             .value = "NUMBER",
             .target = &r.wait,
             .meaning = "time that a core waits under delay and dyndlon, in local tasks",
             .show_default = true},
            {.names = "--instance-out",
             .value = "FILE",
             .target = &r.instance,
             .meaning = "write the worst problem to this file (.toml or .json)"},
            {.names = "--certificate",
             .value = "FILE",
             .target = &r.certificate,
             .meaning = "write what is proved, with its proof, to this file for `schedproof certify`",
             .excludes = {"--grid"}},
            {.names = "--max-problems",
             .value = "N",
             .target = &r.max_problems,
             .meaning = "stop with exit code 3 beyond this many problems of a grid",
             .show_default = true}};
}

OptionTable options(WorstRequest& r) {
    return joined({problem_options(r), search_options(r), budget_options(r.budget), destination_options(r.to)});
}

}  // namespace

Subcommand worst() {
    return make_subcommand<WorstRequest>(
        "worst", "how much worse than the best a policy can be, for all loads, or all arrivals and sizes, of a shape",
        "schedproof worst -p dyndloff --shape 1,1,1:01/2 --costs common", options,
        forms_of({worst_assignment_forms(), worst_redundancy_forms()}));
}

}  // namespace schedproof::cli
