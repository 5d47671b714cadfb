/// `schedproof merge`: from files of single runs to tables and pictures.
#include <fmt/core.h>

#include <set>

#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/table.hpp"
#include "experiments/command/simulate/answer/study_answer.hpp"
#include "experiments/command/simulate/answer/study_picture.hpp"
#include "experiments/command/simulate/run_study.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

struct MergeRequest {
    std::vector<std::string> directories;
    std::string series;
    FigureRequest figure;
    Destination to;
};

namespace {

runs::Study common_study(const std::vector<runs::Folder>& folders) {
    std::string text, first;
    for (const runs::Folder& folder : folders) {
        const std::string file = folder.path(runs::study_file);
        const auto own = folder.read(runs::study_file);
        if (!own)
            throw InputError::in_file(file,
                                      "expected a directory that `simulate --resume` or `sweep` has written into");
        if (first.empty())
            text = *own, first = file;
        else if (*own != text)
            throw InputError::in_file(file, fmt::format("expected the same study as in {}", first));
    }
    return runs::parse_study(text, first);
}

/// Results that no unit of the study would be called: from elsewhere, or of more replications than it has.
void note_strays(const runs::Study& study, const std::vector<runs::Folder>& folders) {
    std::set<std::string> known{runs::study_file};
    for (std::size_t p = 0; p < study.points.size(); ++p)
        for (std::size_t c = 0; c < study.points[p].policies.size(); ++c)
            for (std::size_t r = 0; r < study.points[p].most(); ++r) known.insert(runs::unit_file({p, c, r}));
    for (const runs::Folder& folder : folders)
        for (const std::string& name : folder.names(".json"))
            if (!known.contains(name))
                fmt::print(stderr, "schedproof: note: {} is no part of the study\n", folder.path(name));
}

}  // namespace

int run(const MergeRequest& request) {
    expect_full_disks();
    check_plot(request.figure);
    require_writable({request.series, request.figure.path, request.to.path});
    std::vector<runs::Folder> folders;
    for (const std::string& directory : request.directories) folders.push_back(runs::Folder::existing(directory));
    const runs::Study study = common_study(folders);
    print_warnings(study);
    note_strays(study, folders);
    const auto reports = with_progress("merge", "read the results", [&] { return read_reports(study, folders); });
    return write_answers(request.figure, request.series, request.to, study, reports);
}

namespace {

OptionTable options(MergeRequest& r) {
    return joined({{{.names = "DIR",
                     .target = &r.directories,
                     .meaning = "directories of one study, written with --resume, --shard or by sweep",
                     .required = true}},
                   series_options(r.series),
                   figure_options(r.figure),
                   table_destination_options(r.to, true)});
}

}  // namespace

Subcommand merge() {
    return make_subcommand<MergeRequest>("merge", "check that results are complete and put them together",
                                         "schedproof merge results-of-here results-of-there --format csv -o table.csv",
                                         options, forms(runs::study_form, runs::unit_form));
}

}  // namespace schedproof::cli
