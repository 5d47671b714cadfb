/// Options of `simulate` for the sharing family: jobs of many tasks on the slots of a cluster.
#include "experiments/command/core/options.hpp"
#include "experiments/command/simulate/simulate.hpp"
#include "experiments/simulators/sharing/sharing_experiment.hpp"

namespace schedproof::command {

namespace {

using simulation::SharingSettings;

void add_policy_parameters(CLI::App& command, SharingSettings& s) {
    command.add_option("--skips", s.skips,
                       "of delay: D, how often a job without a local task is passed over; of delay-rack: D1; a list "
                       "0,1,2,5 makes a row each (default: 0,1,5,20,100, and 1)");
    command.add_option(
        "--rack-skips", s.rack_skips,
        "of delay-rack: D2, or inf to stay on the rack, which on a single rack means local tasks only (default: 1)");
    command.add_option("--wait", s.wait, "of dyndlon: W (default: 0)");
    command.add_option("--job-order", s.job_order, "of dyndlon: in which order jobs are asked")
        ->check(one_of({"fifo", "fair"}))
        ->capture_default_str();
}

void add_cluster(CLI::App& command, SharingSettings& s) {
    command.add_option("--nodes", s.nodes, "of sharing policies: nodes of the cluster (default: 100)");
    command.add_option("--slots", s.slots, "of each node")->capture_default_str();
    command.add_option("--racks", s.racks, "that the nodes are in, equally (default: 1)");
    command.add_option("--block-replicas", s.replicas, "nodes that hold a task's data, drawn uniformly")
        ->capture_default_str();
    command.add_option("--data-nodes", s.data_nodes, "only the first so many nodes hold data (default: all)");
    command.add_option("--placement", s.placement,
                       "nodes, racks and the placement of data from a listing of hdfs fsck -files -blocks -locations");
    command
        .add_option("--heartbeat", s.heartbeat, "seconds between offers of a node; 0: slotted, offers in every slot")
        ->capture_default_str();
    command.add_option("--tick", s.tick, "precision of time with heartbeats, in seconds (default: 1/1000)");
    command.add_option("--order", s.order, "of the nodes, slotted")
        ->check(one_of({"index", "random"}))
        ->capture_default_str();
}

void add_jobs(CLI::App& command, SharingSettings& s) {
    auto* trace =
        command.add_option("--trace", s.trace, "jobs from a trace in the format of SWIM, a map task per 128 MiB read");
    command.add_option("--load", s.load, "without a trace: tasks per unit of time, jobs being Poisson (default: 1)")
        ->excludes(trace);
    command.add_option("--sizes", s.sizes, "without a trace: tasks per job, as 100, 1..10 or 85:1..10,15:11..50")
        ->capture_default_str();
    command.add_option("--priorities", s.priorities, "weights of very high, high, normal, low, very low priority")
        ->capture_default_str();
    command.add_option("--small", s.small, "a small job has at most so many tasks")->capture_default_str();
    command.add_option("--medium", s.medium, "and a medium one; others are large")->capture_default_str();
}

void add_run_times(CLI::App& command, SharingSettings& s) {
    command.add_option("--run-time", s.run_time,
                       "of a local task: constant:T, exponential:MEAN, uniform:FROM,TO, blocks:T (T for a whole block "
                       "of the trace) or geometric (default: constant:30; slotted constant:1)");
    command.add_option("--rates", s.rates,
                       "of geometric run times: ALPHA,GAMMA or ALPHA,BETA,GAMMA (default: 4/5,1/5)");
    command.add_option("--rack-factor", s.rack_factor,
                       "a rack-local task takes so many times longer, at most as a remote one (default: 1)");
    auto* factor = command.add_option("--remote-factor", s.remote_factor, "a remote task (default: 2)");
    command
        .add_option("--contention", s.contention,
                    "theta: a remote task takes 1 + theta min(r, slots) times longer among r on its node")
        ->excludes(factor);
}

}  // namespace

void add_sharing_options(CLI::App& command, SharingSettings& settings) {
    add_policy_parameters(command, settings);
    add_cluster(command, settings);
    add_jobs(command, settings);
    add_run_times(command, settings);
}

}  // namespace schedproof::command
