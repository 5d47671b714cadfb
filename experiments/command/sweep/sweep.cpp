/// `schedproof sweep`: every point of a grid of options of `simulate`, run here, in shards or as a Slurm array.
///
/// All points are checked before anything runs, with their inputs and the axes of the picture. Their settings are then
/// let go and made again one by one, since those of a large grid need not fit in memory together; an input that has
/// changed meanwhile is an error. A precision is refused for parts of a sweep: how many replications it needs shows
/// only when all are there. Each run leaves a file in the directory of results, so a sweep resumes with those that are
/// missing.
#include "experiments/command/sweep/sweep.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/table.hpp"
#include "experiments/command/simulate/answer/study_answer.hpp"
#include "experiments/command/simulate/answer/study_picture.hpp"
#include "experiments/command/simulate/run_study.hpp"
#include "experiments/command/sweep/slurm.hpp"
#include "experiments/command/sweep/spec.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

std::string directory_of(const SweepRequest& request) {
    if (!request.resume.empty()) return request.resume;
    if (request.spec == "-")
        throw InputError::at_key("--resume", "expected a directory for the results of a specification without a name");
    return std::filesystem::path(request.spec).replace_extension(".results").string();
}

/// Results of an array job are of the inputs that were kept beside them, whatever has become of the files since. While
/// this lives, names of files are names of those.
class AmongKeptInputs {
  public:
    explicit AmongKeptInputs(const SweepRequest& request) {
        if (!request.collect || request.spec == "-") return;
        std::error_code error;
        const std::filesystem::path kept = kept_inputs(directory_of(request));
        if (!std::filesystem::is_directory(kept, error)) return;
        before_ = std::filesystem::current_path();
        std::filesystem::current_path(kept);
    }
    ~AmongKeptInputs() {
        std::error_code error;
        if (!before_.empty()) std::filesystem::current_path(before_, error);
    }
    AmongKeptInputs(const AmongKeptInputs&) = delete;
    AmongKeptInputs& operator=(const AmongKeptInputs&) = delete;

  private:
    std::filesystem::path before_;
};

SimulationSetting setting_of(const SweepSpec& spec, const SweepPoint& point) {
    try {
        return make_setting(point.request);
    } catch (const InputError& error) {
        throw spec.located(error, &point);
    }
}

/// Throws InputError for an input that cannot be read again, as a sweep has to.
void require_files(const SimulationSetting& setting) {
    std::error_code error;
    for (const input::InputFile& input : setting.inputs)
        if (!std::filesystem::is_regular_file(base::shipped(input.path), error))
            throw InputError::in_file(input.path, "expected a file: a sweep reads it more than once");
}

/// Settings are made for their words and let go: those of a large grid need not fit in memory together.
runs::Study study_of(const SweepRequest& request, const SweepSpec& spec) {
    runs::Study study{SCHEDPROOF_VERSION, {"sweep", request.spec}, {spec.file()}, {}};
    std::vector<runs::PointReport> outlines;
    for (const SweepPoint& point : spec.points()) {
        const SimulationSetting setting = setting_of(spec, point);
        require_files(setting);
        try {
            study.points.push_back(study_point(point.request, setting));
        } catch (const InputError& error) {
            throw spec.located(error, &point);
        }
        study.points.back().variables = point.variables;
        if (!request.figure.path.empty() || !request.figure.y.empty())
            outlines.push_back(outline(study.points.back(), setting));
        if (study.points.back().precision && (!request.shard.empty() || request.slurm))
            throw spec.located(InputError::at_key("--precision",
                                                  "cannot be used with parts of a sweep: the number of replications "
                                                  "that a precision needs is known only at the end"),
                               &point);
    }
    if (!outlines.empty()) check_axes(request.figure, outlines);
    return study;
}

int submit_array(const SweepRequest& request, const runs::Study& study, const std::string& directory) {
    const std::size_t units = units_before(study, study.points.size());
    std::set<std::string> inputs;
    for (const runs::InputFile& file : study.inputs) inputs.insert(file.path);
    for (const runs::StudyPoint& point : study.points)
        for (const runs::InputFile& file : point.inputs) inputs.insert(file.path);
    ArrayJob job{{"sweep", request.spec, "--resume", std::filesystem::absolute(directory).string()},
                 request.tasks != 0 ? request.tasks : std::min<std::uint64_t>(units, 100),
                 std::max<std::uint64_t>(1, request.threads),
                 directory,
                 {inputs.begin(), inputs.end()},
                 request.sbatch};
    const std::string id = submit(job);
    fmt::print("submitted job {}: {} runs in {} tasks; when it has ended:\n  schedproof {} --collect\n", id, units,
               job.tasks, base::command_line({"sweep", request.spec, "--resume", directory}));
    return 0;
}

void run_here(const SweepRequest& request, const SweepSpec& spec, const runs::Study& study,
              const runs::Folder& folder) {
    const runs::Shard shard = runs::parse_shard(request.shard);
    for (std::size_t p = 0; p < study.points.size(); ++p) {
        const SimulationSetting setting = setting_of(spec, spec.points()[p]);
        if (setting.inputs != study.points[p].inputs)
            throw InputError::in_file(request.spec,
                                      "expected inputs that stay as they are while the sweep runs, but a "
                                      "file has changed");
        run_into(folder, study, p, setting, request.threads, shard);
    }
}

}  // namespace

namespace {

int run(const SweepRequest& request, const SweepSpec& spec) {
    const runs::Study study = [&] {
        const AmongKeptInputs there(request);
        return study_of(request, spec);
    }();
    if (request.dry_run) {
        write_text(request.to.path, runs_of(study));
        return 0;
    }
    const std::string directory = directory_of(request);
    const runs::Folder folder = request.collect ? runs::Folder::existing(directory) : runs::Folder::open(directory);
    print_warnings(study);
    if (request.collect)
        expect_claimed(folder, study);
    else
        claim_folder(folder, study);
    if (request.slurm) return submit_array(request, study, directory);
    if (!request.collect) run_here(request, spec, study, folder);
    if (!request.shard.empty()) return 0;
    const std::vector<runs::PointReport> reports = read_reports(study, {folder});
    return write_answers(request.figure, request.series, request.to, study, reports);
}

}  // namespace

int run(const SweepRequest& request) {
    expect_full_disks();
    check_plot(request.figure);
    require_writable({request.series, request.figure.path, request.to.path});
    if (request.slurm && request.spec == "-")
        throw InputError::at_key("--slurm", "expected a specification in a file: tasks on other machines read it too");
    const SweepSpec spec = [&] {
        const AmongKeptInputs there(request);
        return SweepSpec(request.spec);
    }();
    return run_beside_code([&] { return run(request, spec); });
}

namespace {

OptionTable run_options(SweepRequest& r) {
    return {
        {.names = "SPEC",
         .target = &r.spec,
         .meaning = "specification (TOML): [simulate] fixed options, [grid] lists of values",
         .required = true},
        {.names = "--resume",
         .value = "DIR",
         .target = &r.resume,
         .meaning = "directory for the results of single runs; finished runs are kept (default: the specification's "
                    "name, ending .results)"},
        {.names = "--threads",
         .target = &r.threads,
         .meaning = "runs at a time (default: one per core; in a Slurm task: 1)",
         .range = Interval{1, 4096}},
        {.names = "--shard",
         .value = "I/N",
         .target = &r.shard,
         .meaning = "only part i/n of the runs; slurm: the task of an array job"},
        {.names = "--dry-run", .target = &r.dry_run, .meaning = "list the runs, one command a line, and run nothing"}};
}

OptionTable slurm_options(SweepRequest& r) {
    return {{.names = "--slurm",
             .target = &r.slurm,
             .meaning = "submit the runs as an array job, by sbatch",
             .excludes = {"--shard", "--dry-run"}},
            {.names = "--tasks",
             .target = &r.tasks,
             .meaning = "number of tasks of the array job (default: one per run, at most 100)",
             .range = Interval{1, 100'000},
             .needs = {"--slurm"}},
            {.names = "--sbatch",
             .value = "OPTION",
             .target = &r.sbatch,
             .meaning = "further option of sbatch: --sbatch=--time=60; may be repeated",
             .repeated = true,
             .needs = {"--slurm"}},
            {.names = "--collect",
             .target = &r.collect,
             .meaning = "run nothing: merge the results that an array job has left",
             .excludes = {"--slurm", "--shard", "--dry-run"}}};
}

OptionTable options(SweepRequest& r) {
    return joined({run_options(r), slurm_options(r), series_options(r.series), figure_options(r.figure),
                   table_destination_options(r.to, true)});
}

}  // namespace

Subcommand sweep() {
    return make_subcommand<SweepRequest>(
        "sweep", "simulate every point of a grid, here or on a cluster",
        "schedproof sweep experiments/sweeps/example.toml --picture load.svg\n"
        "  schedproof sweep experiments/sweeps/example.toml --slurm --tasks 8 --sbatch=--partition=long\n"
        "  schedproof sweep experiments/sweeps/example.toml --collect -o table.txt",
        options);
}

}  // namespace schedproof::cli
