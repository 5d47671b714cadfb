/// `import assignment`: where tasks' data lie and how busy the cores are, as an instance file of the assignment family.
///
/// The inputs are those of `assign --placement`, read in the same way: a listing of blocks, or the data set of
/// placements, and loads. What is written is the whole problem, so what `assign` does with it is what it does with the
/// inputs. A listing knows no jobs; with `--jobs files` the blocks of a file are one.
#include "experiments/command/import/import_assignment.hpp"

#include "experiments/command/assign/input.hpp"
#include "experiments/command/core/assignment_file.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

struct ImportAssignmentRequest {
    AssignRequest input;
    std::string jobs = "one";  ///< or `files`
    Destination to;
};

int run(const ImportAssignmentRequest& request) {
    require_writable({request.to.path});
    AssignRequest input = request.input;
    input.job_per_file = request.jobs == "files";
    if (input.name.empty() || base::first_invalid_utf8(input.name) != std::string::npos)
        throw InputError::at_key("--name", "expected a name in UTF-8 that is not empty");
    Progress progress("import");
    write_assignment(request.to, read_assign_input(input, progress).instance);
    return 0;
}

namespace {

OptionTable options(ImportAssignmentRequest& r) {
    return joined({{{.names = "FILE",
                     .target = &r.input.placement,
                     .meaning = "placement of the data: the output of `hdfs fsck PATH -files -blocks -locations "
                                "-racks`, or pairs TASK SERVER; - for standard input",
                     .required = true}},
                   placement_options(r.input),
                   {{.names = "--jobs",
                     .target = &r.jobs,
                     .meaning = "what a job is: all tasks, or the blocks of a file of the listing",
                     .show_default = true,
                     .words = {"one", "files"}},
                    {.names = "--name",
                     .value = "NAME",
                     .target = &r.input.name,
                     .meaning = "name of the instance",
                     .show_default = true}},
                   destination_options(r.to)});
}

}  // namespace

Subcommand import_assignment() {
    return make_subcommand<ImportAssignmentRequest>(
        "assignment",
        "an instance from a listing of blocks, or pairs of tasks and servers, with the loads of the cores",
        "schedproof import assignment experiments/instances/example-fsck.txt --path /data/clicks --loads "
        "experiments/instances/assignment/example-loads.csv --jobs files -o clicks.toml",
        options);
}

}  // namespace schedproof::cli
