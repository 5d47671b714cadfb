#include "experiments/command/worst/worst.hpp"

#include "experiments/command/core/options.hpp"
#include "policies/redundancy/registry.hpp"

namespace schedproof::command {

int run(const WorstRequest& request) {
    return redundancy::resolve_policy(request.policy).empty() ? run_assignment(request) : run_redundancy(request);
}

namespace {

OptionTable problem_options(WorstRequest& r) {
    return {{.names = "-p,--policy",
             .value = "POLICY",
             .target = &r.policy,
             .meaning = "a scheduler of `schedproof list schedulers`, or a policy of the redundancy family",
             .required = true},
            {.names = "--shape",
             .value = "SHAPE",
             .target = &r.shape,
             .meaning = "cores per server and, after a colon, the servers of each task's block: 2,1:0/01; or a range, "
                        "one shape of each kind: 'servers=2 cores=1..2 tasks=3 replicas=1'; of redundancy: jobs, "
                        "machines and service, n3-m2-two-point:3,0, for LAPS with beta, n3-m2-b1/3-det",
             .required = true},
            {.names = "--costs",
             .value = "COST",
             .target = &r.costs,
             .meaning = "of remote tasks, local ones cost 1: affine:1/2, capped:1,40, table:3/2,2 or step:1=5/4,4=2, "
                        "for all servers or (repeated) for each; any: every function, on each server its own; common: "
                        "every function, the same on all servers (default: affine:1)"},
            {.names = "--grid",
             .value = "LIST",
             .target = &r.grid,
             .meaning = "only these initial loads of each core, or sizes of jobs: FROM:TO:STEP or a list (default: all "
                        "at once)"},
            {.names = "--gaps",
             .value = "LIST",
             .target = &r.gaps,
             .meaning = "between arrivals, on a grid of jobs: FROM:TO:STEP or a list",
             .show_default = true},
            {.names = "--speed",
             .value = "NUMBER",
             .target = &r.speed,
             .meaning = "of a redundancy policy; the optimum has speed 1",
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
             .meaning = "the best assignments: enumerated, or free for the solver to find (auto: by their number)",
             .show_default = true,
             .words = {"auto", "enumerated", "free"}},
            {.names = "--makespan",
             .target = &r.makespan,
             .meaning = "of an online scheduler: that of its event loop, or that of the map it ends with",
             .show_default = true,
             .words = {"events", "map"}},
            {.names = "--wait",
             .value = "NUMBER",
             .target = &r.wait,
             .meaning = "how long a core waits under delay and dyndlon, in local tasks",
             .show_default = true},
            {.names = "--instance-out",
             .value = "FILE",
             .target = &r.instance,
             .meaning = "write the worst problem to this file (.toml or .json)"},
            {.names = "--max-problems",
             .value = "N",
             .target = &r.max_problems,
             .meaning = "of a grid; stop with exit code 3 beyond",
             .show_default = true}};
}

OptionTable options(WorstRequest& r) {
    return joined({problem_options(r), search_options(r), budget_options(r.budget), destination_options(r.to)});
}

}  // namespace

Subcommand worst() {
    return make_subcommand<WorstRequest>(
        "worst",
        "how much worse than the best a scheduler can be, for all loads of a shape, or a redundancy policy, for all "
        "arrivals and sizes",
        "schedproof worst -p dyndloff --shape 1,1,1:01/2 --costs common", options);
}

}  // namespace schedproof::command
