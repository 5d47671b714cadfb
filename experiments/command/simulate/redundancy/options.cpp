/// Options of `simulate` for the redundancy family.
#include "experiments/command/simulate/redundancy/redundancy.hpp"

namespace schedproof::cli {

namespace {

OptionTable job_options(RedundancySimulation& r) {
    return {{.names = "--beta",
             .value = "BETA",
             .target = &r.betas,
             .meaning = "of laps and laps+r, 0 < BETA <= 1; may be repeated (default: 1/2)",
             .repeated = true},
            {.names = "--speed",
             .value = "NUMBER",
             .target = &r.speed,
             .meaning = "of the machines, above 0",
             .show_default = true},
            {.names = "--size",
             .target = &r.unit,
             .meaning = "of a SWIM trace: work is a job's map tasks, one per 128 MiB read, or all its bytes in such "
                        "blocks",
             .show_default = true,
             .words = {"tasks", "bytes"},
             .needs = {"--trace"}},
            {.names = "--scale",
             .value = "NUMBER",
             .target = &r.scale,
             .meaning = "of a trace: seconds of a machine for one task or block; of SWF, times this",
             .show_default = true,
             .needs = {"--trace"}},
            {.names = "--mean-size",
             .value = "NUMBER",
             .target = &r.mean_size,
             .meaning = "without --sizes: Pareto sizes of shape 2 with this mean (default: 40)",
             .excludes = {"--trace", "--sizes"}}};
}

OptionTable machine_options(RedundancySimulation& r) {
    return {{.names = "--machines",
             .target = &r.machines,
             .meaning = "of redundancy policies: how many (default: 100, or all of --availability)",
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
             .meaning = "also the share of jobs done within this time",
             .show_default = true},
            {.names = "--flowtimes",
             .value = "FILE",
             .target = &r.flowtimes,
             .meaning = "write every job's flowtime to this file (.csv)"}};
}

}  // namespace

OptionTable redundancy_options(RedundancySimulation& r) {
    return joined({job_options(r), machine_options(r), answer_options(r)});
}

}  // namespace schedproof::cli
