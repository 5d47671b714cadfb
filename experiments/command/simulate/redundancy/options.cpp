/// Options of `simulate` for the redundancy family.
#include "experiments/command/simulate/redundancy/request.hpp"
#include "experiments/workload/random_law.hpp"

namespace schedproof::cli {

namespace {

OptionTable job_options(RedundancySimulation& r) {
    return {
        {.names = "INSTANCE",
         .target = &r.instance,
         .meaning = "instance file (TOML or JSON), whose schedules are exact, in place of random jobs"},
        {.names = "--trace,--jobs",
         .value = "FILE",
         .target = &r.jobs,
         .meaning = "jobs from a trace in the format of SWIM or SWF (FILE.swf), or - for standard input"},
        {.names = "--until",
         .value = "TIME",
         .target = &r.until,
         .meaning = "time after which jobs of the trace are left out (default: none is)",
         .needs = {"--trace"}},
        {.names = "--rate",
         .value = "NUMBER",
         .target = &r.rate,
         .meaning = "mean number of jobs that arrive in a unit of time (default: 1)",
         .excludes = {"--trace"}},
        {.names = "--sizes",
         .value = "SIZES",
         .target = &r.sizes,
         .meaning = "law of the work of a job (default: pareto of shape 2): " + std::string(workload::law_forms)},
        {.names = "--mean-size",
         .value = "NUMBER",
         .target = &r.mean_size,
         .meaning = "mean of Pareto sizes of shape 2, where --sizes is absent (default: 40)",
         .excludes = {"--trace", "--sizes"}},
        {.names = "--size",
         .target = &r.unit,
         .meaning =
             "work of a job from a SWIM trace: its map tasks, one per 128 MiB read, or all its bytes in such blocks",
         .show_default = true,
         .words = {"tasks", "bytes"},
         .needs = {"--trace"}},
        {.names = "--scale",
         .value = "NUMBER",
         .target = &r.scale,
         .meaning = "machine seconds of one task or block of a trace; for SWF, a factor of the recorded times",
         .show_default = true,
         .needs = {"--trace"}},
        {.names = "--beta",
         .value = "BETA",
         .target = &r.betas,
         .meaning = "beta of laps and laps+r, 0 < BETA <= 1; may be repeated (default: 1/2, or the instance's)",
         .repeated = true},
        {.names = "--speed",
         .value = "NUMBER",
         .target = &r.speed,
         .meaning = "speed of the machines, above 0 (default: 1, or the instance's)"}};
}

OptionTable machine_options(RedundancySimulation& r) {
    return {{.names = "--machines",
             .target = &r.machines,
             .meaning = "number of machines of redundancy policies (default: 100, or all of --availability)",
             .range = Interval{1, 1'000'000}},
            {.names = "--service",
             .value = "SERVICE",
             .target = &r.service,
             .meaning = "mean service in continuous time, as in the paper's analysis: det, two-point:FAST,SLOW or "
                        "gains:G1,G2,...@PEAK"},
            {.names = "--periods",
             .target = &r.periods,
             .meaning = "sample paths in slots: Gamma periods available and not, rates 1..2 and 0..1 (A), or 1/2..2 "
                        "and 0..1/2 (B), their mean scaled to 1 (default: A)",
             .words = {"A", "B"},
             .excludes = {"--service"}},
            {.names = "--availability",
             .value = "FILE",
             .target = &r.availability,
             .meaning = "recorded periods in slots of a second: CSV machine,start,end,state with state 1 or 0",
             .excludes = {"--service", "--periods"}}};
}

OptionTable answer_options(RedundancySimulation& r) {
    return {{.names = "--within",
             .value = "NUMBER",
             .target = &r.within,
             .meaning = "time T of the reported fraction of jobs with a flow time of at most T",
             .show_default = true},
            {.names = "--flowtimes",
             .value = "FILE",
             .target = &r.flowtimes,
             .meaning = "write every job's flowtime to this file (.csv)",
             .presentation = true}};
}

}  // namespace

OptionTable redundancy_options(RedundancySimulation& r) {
    return joined({job_options(r), machine_options(r), answer_options(r)});
}

}  // namespace schedproof::cli
