/// Options of `simulate` for the queueing family: the cluster, an instance's or one that is drawn; what a slot is and
/// what is recorded of it; the state in which runs begin; continuous time. What excludes what is said here as far as
/// option names alone decide it, and in setting.cpp otherwise.
#include "experiments/command/core/options.hpp"

#include "experiments/command/simulate/queueing/request.hpp"
#include "experiments/workload/random_law.hpp"

namespace schedproof::cli {

namespace {

OptionTable cluster_options(QueueingSimulation& o) {
    OptionTable drawn{
        {.names = "--data-servers",
         .value = "N",
         .target = &o.data_servers,
         .meaning = "number of servers that hold data, the first ones (default: all)"},
        {.names = "--replicas",
         .value = "N",
         .target = &o.replicas,
         .meaning = "servers that hold a task's data, drawn uniformly",
         .show_default = true},
        {.names = "--rack-size",
         .value = "N",
         .target = &o.rack_size,
         .meaning = "servers in a rack; 0: no racks, two levels",
         .show_default = true},
        {.names = "--service-rates",
         .value = "LIST",
         .target = &o.service_rates,
         .meaning = "completions per slot by level, local first (default: 4/5,1/5, with racks 4/5,1/2,1/5)"},
        {.names = "--arrivals",
         .target = &o.arrivals,
         .meaning = "law of the number of tasks that arrive in a slot",
         .show_default = true,
         .words = {"poisson", "fixed"}}};
    for (Option& option : drawn) option.needs = {"--servers"};
    const OptionTable rate{{.names = "--rate",
                            .value = "NUMBER",
                            .target = &o.rate,
                            .meaning = "mean number of tasks that arrive in a slot, or in a unit of time"}};
    return joined(
        {{{.names = "INSTANCE",
           .target = &o.instance,
           .meaning = "instance file (TOML or JSON), or --servers in its place"},
          {.names = "--rho",
           .value = "NUMBER",
           .target = &o.rho,
           .meaning = "load to which an instance's arrivals are scaled (default: as the instance says)",
           .excludes = {"--servers"}},
          {.names = "--servers",
           .value = "N",
           .target = &o.servers,
           .meaning = "servers of a random cluster, where every task draws its replicas, in place of INSTANCE",
           .excludes = {"INSTANCE"}}},
         {drawn.begin(), drawn.end() - 1},
         rate,
         {drawn.back()}});
}

OptionTable slot_options(QueueingSimulation& o) {
    return {
        {.names = "--routing",
         .target = &o.routing,
         .meaning = "what a task sees: the queues at the start of the slot (batch), or also the tasks before it "
                    "(default: as the instance says; sequential with --servers)",
         .words = {"batch", "sequential"}},
        {.names = "--counting",
         .target = &o.counting,
         .meaning = "tasks of a queue that policies count: those in execution too (in-system), or only those "
                    "that wait (default: as the instance says; in-system with --servers)",
         .words = {"in-system", "waiting"}},
        {.names = "--discipline",
         .target = &o.discipline,
         .meaning =
             "order in which servers take their own tasks: as the policy says (local-first), or the oldest first "
             "(fcfs); fcfs is for policies that take the most local first (balanced-pandas), and no exact mode has it",
         .show_default = true,
         .words = {"local-first", "fcfs"}},
        {.names = "--view-age",
         .value = "AGE",
         .target = &o.view_age,
         .meaning =
             "age of the queues that tasks see when they are routed, in slots or units of time; no exact mode has "
             "it",
         .show_default = true},
        {.names = "--counts-only",
         .target = &o.counts_only,
         .meaning = "leave out the delays of tasks, which is faster"},
        {.names = "--holding-cost",
         .target = &o.holding_cost,
         .meaning =
             "measure the holding cost, in slots: the sum over types of c_L Q_L^(e_L + 1), under policies with a "
             "queue per type"},
        {.names = "--variance",
         .target = &o.variance,
         .meaning = "control, in slots: correct the means by the drift of the number of tasks and of its square, whose "
                    "means are 0 in a stationary run; --precision then applies to the corrected mean",
         .show_default = true,
         .words = {"plain", "control"}},
        {.names = "--tail",
         .value = "EVENT",
         .target = &o.tail,
         .meaning = "probability to estimate by splitting, however small, on an instance in slots: P(tasks>K), or "
                    "P(queue:NAME>K) for the tasks in one queue",
         .excludes = {"--servers", "--variance", "--counts-only", "--holding-cost", "--control", "--trace"}},
        {.names = "--cap-total",
         .value = "N",
         .target = &o.cap_total,
         .meaning = "reject all arrivals of a slot that would lift the number of tasks in the system above N"},
        {.names = "--cap-queue",
         .value = "N",
         .target = &o.cap_queue,
         .meaning = "reject a task whose queue already holds N tasks",
         .excludes = {"--cap-total"}}};
}

/// The state in which runs begin, in the words of `kernel`, or as a policy fills it.
OptionTable start_options(QueueingSimulation& o) {
    OptionTable table = state_options(o.start);
    for (Option& option : table) {
        option.meaning = "initial state of runs: " + option.meaning;
        option.excludes = {"--servers", "--trace"};
    }
    table.push_back(
        {.names = "--fill",
         .value = "TASKS",
         .target = &o.fill,
         .meaning = "number of tasks at the start of a run, which the policy has put into queues while no server "
                    "worked; auto, in slots: about as many as in a stationary run, by a pilot of two runs. Near "
                    "capacity a much shorter warm-up is then enough",
         .excludes = {"--servers", "--trace", "--queues", "--serving", "--counters", "--cap-total", "--cap-queue"}});
    table.push_back({.names = "--both-starts",
                     .target = &o.both_starts,
                     .meaning = "whether the number of tasks grows from the empty state, and from one with 5,000 tasks "
                                "at each home, or twenty times the greatest number in the rules; nothing else is "
                                "measured (default horizon: 200000)",
                     .needs = {"INSTANCE"},
                     .excludes = {"--servers", "--trace"}});
    return table;
}

OptionTable continuous_options(EventSimulation& o) {
    return {{.names = "--time",
             .target = &o.time,
             .meaning = "slots, or continuous: tasks come one by one (default: the instance's, else slots)",
             .words = {"slots", "continuous"}},
            {.names = "--gaps",
             .value = "LAW",
             .target = &o.gaps,
             .meaning = "continuous: time between arrivals (default: exponential, at the instance's rate): " +
                        std::string(workload::law_forms)},
            {.names = "--task-sizes",
             .value = "LAW",
             .target = &o.sizes,
             .meaning = "continuous: time of a task on a server of rate 1, a law as for --gaps (default: "
                        "exponential:1)"},
            {.names = "--trace",
             .value = "FILE",
             .target = &o.trace,
             .meaning = "continuous: recorded tasks, those that come until --horizon: of known types (FILE.csv, as "
                        "`import trace` writes it), or jobs of types that are drawn (SWIM, or FILE.swf), whose tasks "
                        "arrive at once; a run ends when all are done",
             .excludes = {"--gaps", "--task-sizes"}},
            {.names = "--task-seconds",
             .value = "NUMBER",
             .target = &o.task_seconds,
             .meaning = "seconds of each recorded task; for SWF, a factor of the recorded times",
             .show_default = true,
             .positive = true,
             .needs = {"--trace"}},
            {.names = "--affinity",
             .target = &o.affinity,
             .meaning = "continuous: measure hits and misses too, how long each takes, herding, and how evenly servers "
                        "are used"}};
}

}  // namespace

OptionTable queueing_options(QueueingSimulation& o) {
    return joined({cluster_options(o), slot_options(o), start_options(o), continuous_options(o.events)});
}

}  // namespace schedproof::cli
