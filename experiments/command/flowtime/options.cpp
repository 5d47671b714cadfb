/// Options of the redundancy family: `flowtime`.
#include "experiments/command/core/options.hpp"
#include "experiments/command/flowtime/flowtime.hpp"
#include "experiments/workload/law.hpp"

namespace schedproof::command {

namespace {

void add_workload(CLI::App& flowtime, FlowtimeRequest& r) {
    auto* jobs = flowtime.add_option(
        "--jobs", r.jobs,
        "job trace in the format of SWIM (tab-separated), or of SWF (FILE.swf); - for standard input");
    flowtime
        .add_option("--size", r.unit,
                    "of a SWIM trace: work is a job's map tasks, one per 128 MiB read, or all its bytes in such blocks")
        ->check(one_of({"tasks", "bytes"}))
        ->needs(jobs)
        ->capture_default_str();
    flowtime
        .add_option("--scale", r.scale, "of a trace: seconds of a machine for one task or block; of SWF, times this")
        ->needs(jobs)
        ->capture_default_str();
    flowtime.add_option("--rate", r.rate, "without a trace: Poisson arrivals, jobs per unit of time")
        ->excludes(jobs)
        ->capture_default_str();
    auto* mean =
        flowtime.add_option("--mean-size", r.mean_size, "Pareto sizes of shape 2 with this mean (default: 40)")
            ->excludes(jobs);
    flowtime.add_option("--sizes", r.sizes, "other sizes: " + std::string(workload::law_forms))
        ->excludes(jobs)
        ->excludes(mean);
    flowtime.add_option("--horizon", r.horizon, "nobody arrives after this time; everybody is run to completion")
        ->excludes(jobs)
        ->capture_default_str();
    flowtime.add_option("--seed", r.seed, "of everything that is drawn")->capture_default_str();
    flowtime.add_option("--replications", r.replications, "independent runs, for the confidence interval")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
}

void add_machines(CLI::App& flowtime, FlowtimeRequest& r) {
    flowtime.add_option("--machines", r.machines, "how many (default: 100, or all of --availability)")
        ->check(CLI::Range(1, 1'000'000));
    auto* service = flowtime.add_option("--service", r.service,
                                        "mean service in continuous time, as in the paper's analysis: det, "
                                        "two-point:FAST,SLOW or gains:G1,G2,...@PEAK");
    auto* periods = flowtime
                        .add_option("--periods", r.periods,
                                    "sample paths in slots: Gamma periods available and not, rates 1..2 and 0..1 (A), "
                                    "or 1/2..2 and 0..1/2 (B), their mean scaled to 1 (default: A)")
                        ->check(one_of({"A", "B"}))
                        ->excludes(service);
    flowtime
        .add_option("--availability", r.availability,
                    "recorded periods in slots of a second: CSV machine,start,end,state with state 1 or 0")
        ->excludes(service)
        ->excludes(periods);
}

void add_flowtime(CLI::App& app, FlowtimeRequest& r, int& exit_code) {
    CLI::App& flowtime =
        add_command(app, r, exit_code, "flowtime",
                    "simulate policies that copy jobs onto several machines: flowtimes, means with error bars",
                    "schedproof flowtime --policy srpt --policy srpt+r --rate 1 --horizon 20000 --replications 5 "
                    "--periods A\n  schedproof flowtime --policy srpt+r --jobs trace.tsv --machines 100");
    flowtime
        .add_option("-p,--policy", r.policies,
                    "srpt, srpt+r, fair, fair+r, laps, laps+r, or a variant laps:all, laps+r:oldest, laps+r:all, "
                    "laps+r:all-oldest; may be repeated (default: the first six)")
        ->allow_extra_args(false);
    flowtime.add_option("--beta", r.betas, "of laps and laps+r, 0 < BETA <= 1; may be repeated (default: 1/2)")
        ->allow_extra_args(false);
    flowtime.add_option("--speed", r.speed, "of the machines, above 0")->capture_default_str();
    add_workload(flowtime, r);
    add_machines(flowtime, r);
    flowtime.add_option("--within", r.within, "also the share of jobs done within this time")->capture_default_str();
    flowtime.add_option("--confidence", r.confidence, "of the interval of the mean")->capture_default_str();
    flowtime.add_option("--flowtimes", r.flowtimes, "write every job's flowtime to this file (.csv)");
    flowtime.add_option("--cdf", r.cdf, "draw the distribution functions (.svg or .png)");
    add_destination(flowtime, r.to);
}

}  // namespace

void add_redundancy(CLI::App& app, RedundancyRequests& requests, int& exit_code) {
    add_flowtime(app, requests.flowtime, exit_code);
}

}  // namespace schedproof::command
