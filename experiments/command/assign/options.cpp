/// Options of `assign`: placement, loads, costs, and the parameters of policies.
#include "experiments/command/core/options.hpp"

#include "experiments/command/assign/input.hpp"
#include "policies/assignment/registry.hpp"

namespace schedproof::cli {

OptionTable placement_options(AssignRequest& r) {
    return {
        {.names = "--loads",
         .value = "FILE",
         .target = &r.loads,
         .meaning = "initial loads in tasks: CSV with the header server,core,load or server,cores,load, or pairs CORE "
                    "LOAD"},
        {.names = "--cores",
         .target = &r.cores,
         .meaning = "cores of servers without initial loads; cores of each server where --loads has pairs CORE LOAD",
         .range = Interval{1, 1'000'000}},
        {.names = "--path",
         .value = "PATH",
         .target = &r.path,
         .meaning = "path in a listing; only files at or below it are taken"},
        {.names = "--by",
         .target = &r.by,
         .meaning = "what a server of a listing is: a host, or a host and port",
         .show_default = true,
         .words = {"host", "port"}},
        {.names = "--erasure-coded",
         .target = &r.erasure_coded,
         .meaning = "count the cells of erasure-coded blocks as replicas"},
        {.names = "--incomplete",
         .target = &r.incomplete,
         .meaning = "accept a listing that is cut, or whose totals differ from its blocks"},
        {.names = "--cost",
         .value = "COST",
         .target = &r.cost,
         .meaning = "cost of each of n remote tasks of a server: affine:THETA, capped:THETA,CAP, table:COST,COST,... "
                    "or step:FROM=COST,..."},
        {.names = "--theta",
         .value = "THETA",
         .target = &r.theta,
         .meaning = "the cost is 1 + THETA min(n, cores of the server); the default, with THETA 1"}};
}

namespace {

/// The same for a command in which a placement is one of two inputs.
OptionTable options_of_placement(AssignRequest& r) {
    OptionTable table = placement_options(r);
    for (Option& option : table) option.needs = {"--placement"};
    return table;
}

OptionTable policy_options(AssignRequest& r) {
    return {
        {.names = "-p,--policy",
         .value = "POLICY",
         .target = &r.policies,
         .meaning = "a policy of `schedproof list policies --family assignment`; may be repeated (default: all, but "
                    "slow ones on "
                    "many tasks)",
         .repeated = true,
         .offers = ids_of<assignment::policies>},
        {.names = "--map",
         .value = "FILE",
         .target = &r.map,
         .meaning = "write the policy's map to this file, .csv or .json"},
        {.names = "--wait",
         .value = "NUMBER",
         .target = &r.wait,
         .meaning = "W of delay and dyndlon, an exact number, in run times of a local task (default 3)"},
        {.names = "--threshold",
         .value = "NUMBER",
         .target = &r.threshold,
         .meaning = "queue length from which ltfpa helps (default: by its price)"},
        {.names = "--timeout", .value = "SECONDS", .target = &r.timeout, .meaning = "stop hta after this many seconds"},
        {.names = "--job-order",
         .target = &r.job_order,
         .meaning = "order in which online policies offer a free core to jobs",
         .show_default = true,
         .words = {"fifo", "fair"}},
        {.names = "--random-picks",
         .target = &r.random_picks,
         .meaning = "online policies pick among tasks at random (default: the first)"},
        {.names = "--seed", .value = "N", .target = &r.seed, .meaning = "seed of random picks", .show_default = true}};
}

OptionTable options(AssignRequest& r) {
    return joined(
        {{{.names = "INSTANCE", .target = &r.instance, .meaning = "instance file (TOML or JSON), - for standard input"},
          {.names = "--placement",
           .value = "FILE",
           .target = &r.placement,
           .meaning = "placement of the data: the output of `hdfs fsck PATH -files -blocks -locations -racks`, or "
                      "pairs TASK SERVER; - for standard input",
           .excludes = {"INSTANCE"}}},
         options_of_placement(r),
         policy_options(r),
         destination_options(r.to)});
}

}  // namespace

Subcommand assign() {
    return make_subcommand<AssignRequest>(
        "assign", "assign tasks to cores: makespan and locality of each policy, and its map",
        "schedproof assign --placement experiments/instances/example-fsck.txt --path /data/clicks "
        "--loads experiments/instances/assignment/example-loads.csv -p dyndloff --map map.csv",
        options, assign_forms());
}

}  // namespace schedproof::cli
