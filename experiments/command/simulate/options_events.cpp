/// Options of `simulate` for queueing policies in continuous time.
#include "experiments/command/core/options.hpp"
#include "experiments/command/simulate/simulate.hpp"
#include "experiments/workload/law.hpp"

namespace schedproof::command {

void add_event_options(CLI::App& command, EventSimulation& o) {
    command.add_option("--time", o.time, "slots, as in the model, or continuous: tasks come one by one")
        ->check(one_of({"slots", "continuous"}))
        ->capture_default_str();
    const std::string laws = ": " + std::string(workload::law_forms);
    auto* gaps = command.add_option(
        "--gaps", o.gaps, "continuous: time between tasks (default: exponential, at the rate per slot)" + laws);
    auto* sizes = command.add_option("--task-sizes", o.sizes,
                                     "continuous: time of a task on a server of rate 1, a law as for --gaps (default: "
                                     "exponential:1)");
    auto* tasks = command
                      .add_option("--tasks", o.tasks,
                                  "continuous: jobs as recorded (SWIM, or FILE.swf), those submitted until --horizon; "
                                  "the tasks of a job come at once, and a run ends when all are done")
                      ->excludes(gaps)
                      ->excludes(sizes);
    command.add_option("--task-seconds", o.task_seconds, "of recorded tasks: seconds of each; of SWF, times this")
        ->needs(tasks)
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
}

}  // namespace schedproof::command
