/// Options of `sweep` and `merge`.
#include "experiments/command/core/options.hpp"
#include "experiments/command/sweep/sweep.hpp"

namespace schedproof::command {

namespace {

void add_sweep_command(CLI::App& app, SweepRequest& r, int& exit_code) {
    CLI::App& sweep = add_command(app, r, exit_code, "sweep", "simulate every point of a grid, here or on a cluster",
                                  "schedproof sweep experiments/sweeps/example.toml --picture load.svg\n"
                                  "  schedproof sweep experiments/sweeps/example.toml --slurm --tasks 8 "
                                  "--sbatch=--partition=long\n"
                                  "  schedproof sweep experiments/sweeps/example.toml --collect -o table.txt");
    sweep.add_option("SPEC", r.spec, "specification (TOML): [simulate] fixed options, [grid] lists of values")
        ->required();
    sweep.add_option("--resume", r.resume,
                     "directory for the results of single runs; those that are there already are kept (default: the "
                     "specification's name, ending .results)");
    sweep.add_option("--threads", r.threads, "runs at a time (default: one per core; of a Slurm task: 1)")
        ->check(CLI::Range(1, 4096));
    CLI::Option* shard =
        sweep.add_option("--shard", r.shard, "only part i/n of the runs; slurm: the task of an array job");
    CLI::Option* dry = sweep.add_flag("--dry-run", r.dry_run, "list the runs, one command a line, and run nothing");
    CLI::Option* slurm = sweep.add_flag("--slurm", r.slurm, "submit the runs as an array job, by sbatch")
                             ->excludes(shard)
                             ->excludes(dry);
    sweep.add_option("--tasks", r.tasks, "of the array job (default: one per run, at most 100)")
        ->check(CLI::Range(1, 100'000))
        ->needs(slurm);
    sweep.add_option("--sbatch", r.sbatch, "one more option of sbatch: --sbatch=--time=60; may be repeated")
        ->allow_extra_args(false)
        ->needs(slurm);
    sweep.add_flag("--collect", r.collect, "run nothing: merge the results that an array job has left")
        ->excludes(slurm)
        ->excludes(shard)
        ->excludes(dry);
    sweep.add_option("--series", r.series, "write means by batch to this file (.csv)");
    add_figure(sweep, r.figure);
    add_results_destination(sweep, r.to);
}

}  // namespace

void add_sweep(CLI::App& app, SweepRequests& requests, int& exit_code) {
    add_sweep_command(app, requests.sweep, exit_code);
    MergeRequest& r = requests.merge;
    CLI::App& merge = add_command(app, r, exit_code, "merge", "check that results are complete and put them together",
                                  "schedproof merge results-of-here results-of-there --format csv -o table.csv");
    merge.add_option("DIR", r.directories, "directories of one study, written with --resume, --shard or by sweep")
        ->required();
    merge.add_option("--series", r.series, "write means by batch to this file (.csv)");
    add_figure(merge, r.figure);
    add_results_destination(merge, r.to);
}

}  // namespace schedproof::command
