/// Options of `simulate` for the sharing family: jobs of many tasks on the slots of a cluster.
///
/// An option is a text or a number of SharingSettings (experiments/simulators/sharing/sharing_experiment.hpp), which
/// checks it together with the others: what an option may be depends on whether there are heartbeats, a trace or racks.
#include "experiments/command/simulate/sharing/request.hpp"

namespace schedproof::cli {

namespace {

using simulation::SharingSettings;

OptionTable policy_parameters(SharingSettings& s) {
    return {
        {.names = "--skips",
         .value = "LIST",
         .target = &s.skips,
         .meaning = "D of delay, how often a job without a local task is passed over; D1 of delay-rack; both in a "
                    "policy of your own; a list 0,1,2,5 makes a row each (default: 0,1,5,20,100, and 1)"},
        {.names = "--rack-skips",
         .value = "N",
         .target = &s.rack_skips,
         .meaning = "D2 of delay-rack, or inf to stay on the rack, which on a single rack means local tasks only "
                    "(default: 1)"},
        {.names = "--wait",
         .value = "NUMBER",
         .target = &s.wait,
         .meaning = "W of dyndlon, delay-time and quincy (default: 0)"},
        {.names = "--wait-from",
         .target = &s.wait_from,
         .meaning = "start of a task slot's wait under dyndlon and delay-time: when it became free, or its last launch",
         .show_default = true,
         .words = {"free", "launch"}},
        {.names = "--job-order",
         .target = &s.job_order,
         .meaning = "order in which dyndlon and delay-time ask jobs (default: fifo)",
         .words = {"fifo", "fair"}},
        {.names = "--probes",
         .value = "N",
         .target = &s.probes,
         .meaning = "reservations of a job for each of its tasks, at nodes drawn at random, under sparrow",
         .show_default = true},
        {.names = "--routing",
         .target = &s.routing,
         .meaning = "the same of jsq-maxweight:subqueues (default: sequential)",
         .words = {"batch", "sequential"}},
        {.names = "--counting",
         .target = &s.counting,
         .meaning = "the same of jsq-maxweight:subqueues (default: in-system)",
         .words = {"in-system", "waiting"}}};
}

OptionTable cluster_options(SharingSettings& s) {
    return {
        {.names = "--nodes",
         .value = "N",
         .target = &s.nodes,
         .meaning = "nodes of the cluster of sharing policies (default: 100)"},
        {.names = "--slots",
         .value = "N",
         .target = &s.slots,
         .meaning = "task slots of each node",
         .show_default = true},
        {.names = "--racks", .value = "N", .target = &s.racks, .meaning = "racks of equally many nodes (default: 1)"},
        {.names = "--block-replicas",
         .value = "N",
         .target = &s.replicas,
         .meaning = "nodes that hold a task's data, drawn uniformly",
         .show_default = true},
        {.names = "--data-nodes",
         .value = "N",
         .target = &s.data_nodes,
         .meaning = "number of nodes that hold data, the first ones (default: all)"},
        {.names = "--placement",
         .value = "FILE",
         .target = &s.placement,
         .meaning = "nodes, racks and the placement of data from a listing of hdfs fsck -files -blocks -locations"},
        {.names = "--heartbeat",
         .value = "NUMBER",
         .target = &s.heartbeat,
         .meaning = "seconds between offers of a node; 0: slotted, offers in every slot",
         .show_default = true},
        {.names = "--tick",
         .value = "NUMBER",
         .target = &s.tick,
         .meaning = "precision of time with heartbeats, in seconds (default: 1/1000)"},
        {.names = "--order",
         .target = &s.order,
         .meaning = "order of the nodes within a slot, without heartbeats",
         .show_default = true,
         .words = {"index", "random"}}};
}

OptionTable job_options(SharingSettings& s) {
    return {{.names = "--trace,--jobs",
             .value = "FILE",
             .target = &s.trace,
             .meaning = "trace in the format of SWIM, a map task per 128 MiB read"},
            {.names = "--until",
             .value = "TIME",
             .target = &s.until,
             .meaning = "time after which jobs of the trace are left out (default: none is)",
             .needs = {"--trace"}},
            {.names = "--load",
             .value = "NUMBER",
             .target = &s.load,
             .meaning = "tasks per unit of time without a trace; jobs are Poisson (default: 1)",
             .excludes = {"--trace"}},
            {.names = "--at-once",
             .value = "N",
             .target = &s.at_once,
             .meaning = "number of jobs at time 0, with no others; a run ends when all are done",
             .excludes = {"--trace", "--load"}},
            {.names = "--sizes",
             .value = "SIZES",
             .target = &s.sizes,
             .meaning = "tasks per job without a trace, as 100, 1..10 or 85:1..10,15:11..50 (default: 100)"},
            {.names = "--priorities",
             .value = "LIST",
             .target = &s.priorities,
             .meaning = "weights of very high, high, normal, low, very low priority",
             .show_default = true},
            {.names = "--small",
             .value = "N",
             .target = &s.small,
             .meaning = "most tasks of a small job",
             .show_default = true},
            {.names = "--medium",
             .value = "N",
             .target = &s.medium,
             .meaning = "most tasks of a medium job; others are large",
             .show_default = true}};
}

OptionTable run_time_options(SharingSettings& s) {
    return {
        {.names = "--run-time",
         .value = "LAW",
         .target = &s.run_time,
         .meaning = "run time of a local task: constant:T, exponential:MEAN, uniform:FROM,TO, blocks:T (T for a whole "
                    "block of the trace) or geometric (default: constant:30; slotted constant:1)"},
        {.names = "--rates",
         .value = "LIST",
         .target = &s.rates,
         .meaning = "rates of geometric run times: ALPHA,GAMMA or ALPHA,BETA,GAMMA (default: 4/5,1/5)"},
        {.names = "--rack-factor",
         .value = "NUMBER",
         .target = &s.rack_factor,
         .meaning = "slowdown of rack-local tasks, at most that of remote ones (default: 1)"},
        {.names = "--remote-factor",
         .value = "NUMBER",
         .target = &s.remote_factor,
         .meaning = "slowdown of remote tasks (default: 2)"},
        {.names = "--contention",
         .value = "THETA",
         .target = &s.contention,
         .meaning = "theta: a remote task takes 1 + theta min(r, slots) times longer among r on its node",
         .excludes = {"--remote-factor"}},
        {.names = "--transfer",
         .value = "NUMBER",
         .target = &s.transfer,
         .meaning = "time in which a remote task reads its block alone; r remote tasks on a node share its link, and "
                    "each takes r times as long",
         .excludes = {"--remote-factor", "--contention"}},
        {.names = "--network",
         .target = &s.network,
         .meaning = "what --transfer shares: cost functions, as above, or links of readers and holders as fluids, by "
                    "SimGrid, if the build has it",
         .show_default = true,
         .words = {"cost-functions", "fluid"}},
        {.names = "--initial-load",
         .value = "LAW",
         .target = &s.initial_load,
         .meaning = "initial load of each task slot: constant:T, exponential:MEAN or uniform:FROM,TO (default: none)"}};
}

}  // namespace

OptionTable sharing_options(SharingSettings& s) {
    return joined({policy_parameters(s), cluster_options(s), job_options(s), run_time_options(s)});
}

}  // namespace schedproof::cli
