#include "experiments/command/core/options.hpp"
#include "experiments/command/worst/worst.hpp"

namespace schedproof::command {

namespace {

void add_worst(CLI::App& app, WorstRequest& r, int& exit_code) {
    CLI::App& worst =
        add_command(app, r, exit_code, "worst",
                    "how much worse than the best a scheduler can be, for all loads of a shape, or a redundancy "
                    "policy, for all arrivals and sizes",
                    "schedproof worst -p dyndloff --shape 1,1,1:01/2 --costs common");
    worst
        .add_option("-p,--policy", r.policy,
                    "a scheduler of `schedproof list schedulers`, or a policy of the redundancy family")
        ->required();
    worst
        .add_option(
            "--shape", r.shape,
            "cores per server and, after a colon, the servers of each task's block: 2,1:0/01; "
            "or a range, one shape of each kind: 'servers=2 cores=1..2 tasks=3 replicas=1'; of redundancy: jobs, "
            "machines and service, n3-m2-two-point:3,0, for LAPS with beta, n3-m2-b1/3-det")
        ->required();
    worst.add_option("--costs", r.costs,
                     "of remote tasks, local ones cost 1: affine:1/2, capped:1,40, table:3/2,2 or step:1=5/4,4=2, for "
                     "all servers or (repeated) for each; any: every function, on each server its own; common: every "
                     "function, the same on all servers (default: affine:1)");
    worst.add_option(
        "--grid", r.grid,
        "only these initial loads of each core, or sizes of jobs: FROM:TO:STEP or a list (default: all at once)");
    worst.add_option("--gaps", r.gaps, "between arrivals, on a grid of jobs: FROM:TO:STEP or a list")
        ->capture_default_str();
    worst.add_option("--speed", r.speed, "of a redundancy policy; the optimum has speed 1")->capture_default_str();
    worst.add_option("--at-most", r.at_most, "prove or refute instead that the ratio is at most this")
        ->excludes("--grid");
    worst
        .add_option("--competitor", r.competitor,
                    "the best assignments: enumerated, or free for the solver to find (auto: by their number)")
        ->check(one_of({"auto", "enumerated", "free"}))
        ->capture_default_str();
    worst
        .add_option("--makespan", r.makespan,
                    "of an online scheduler: that of its course of events, or that of the map it ends with")
        ->check(one_of({"events", "map"}))
        ->capture_default_str();
    worst.add_option("--wait", r.wait, "how long a core waits under delay and dyndlon, in local tasks")
        ->capture_default_str();
    worst.add_option("--instance-out", r.instance, "write the worst problem to this file (.toml or .json)");
    worst.add_option("--max-problems", r.max_problems, "of a grid; stop with exit code 3 beyond")
        ->capture_default_str();
    add_budget(worst, r.budget);
    add_destination(worst, r.to);
}

void add_optimum(CLI::App& app, OptimumRequest& r, int& exit_code) {
    CLI::App& optimum =
        add_command(app, r, exit_code, "optimum",
                    "the least makespan of an assignment instance, with an assignment that attains it",
                    "schedproof optimum experiments/instances/assignment/dyndl-example.toml --method all");
    optimum.add_option("INSTANCE", r.instance, "assignment instance (TOML or JSON), - for standard input")->required();
    optimum
        .add_option("--method", r.method,
                    "every map, every division among servers, the solver's refutation of anything better; or all "
                    "three, which must agree")
        ->check(one_of({"maps", "servers", "solver", "all"}))
        ->capture_default_str();
    optimum.add_flag("--local", r.local, "among assignments whose tasks are all local");
    optimum.add_option("--deadline", r.deadline, "instead: the fewest remote tasks with at most this makespan")
        ->excludes("--local");
    optimum.add_option("--smtlib", r.smtlib,
                       "write the question whether anything is better as SMT-LIB 2: unsatisfiable");
    optimum.add_option("--rlimit", r.rlimit, "resource units of the solver for one question");
    add_destination(optimum, r.to);
}

}  // namespace

void add_optima(CLI::App& app, OptimumRequests& requests, int& exit_code) {
    add_worst(app, requests.worst, exit_code);
    add_optimum(app, requests.optimum, exit_code);
}

}  // namespace schedproof::command
