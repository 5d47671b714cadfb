/// Options of the analysis of delay scheduling: `delay`.
#include "experiments/command/core/options.hpp"
#include "experiments/command/delay/delay.hpp"

namespace schedproof::command {

void add_delay(CLI::App& app, DelayRequest& r, int& exit_code) {
    constexpr int most = 1'000'000;
    CLI::App& delay = add_command(
        app, r, exit_code, "delay",
        "how many offers a job should let pass for local data: the paper's rule, what is needed, what it costs",
        "schedproof delay --nodes 100 --replicas 3 --tasks 20 --goal 0.95 --slots 4 --task-time 50");
    delay.add_option("--nodes", r.nodes, "M: each offer of a slot comes from one of them, equally likely")
        ->check(CLI::Range(1, most))
        ->capture_default_str();
    delay.add_option("--replicas", r.replicas, "R: of each task's data")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    delay.add_option("--tasks", r.tasks, "N: sizes of jobs, as 10,50,400 (default: 20)")
        ->check(CLI::Range(1, most))
        ->delimiter(',')
        ->allow_extra_args(false);
    delay.add_option("--goal", r.goal, "part of a job's tasks that is to be launched on local data, below 1")
        ->capture_default_str();
    delay.add_option("--local", r.local,
                     "p: part of the offers that come from nodes with a job's data; for the exact probability of one "
                     "within D offers");
    delay
        .add_option("--slots", r.slots, "of each node: for the mean and the sure wait until a job may launch anywhere")
        ->check(CLI::Range(1, most));
    delay
        .add_option("--task-time", r.task_time,
                    "run time of a task, in any unit: the waits are in the same; the mean one for the mean wait, the "
                    "longest for the sure one")
        ->capture_default_str();
    delay
        .add_option("--skips", r.skips,
                    "D: of the table of localities, as 0,10,20 (default: ten steps to twice the rule)")
        ->check(CLI::Range(0, most))
        ->delimiter(',')
        ->allow_extra_args(false);
    delay.add_option("--picture", r.picture, "draw locality against D (.svg or .png)");
    add_destination(delay, r.to);
}

}  // namespace schedproof::command
