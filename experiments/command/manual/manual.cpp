#include "experiments/command/manual/manual.hpp"

#include <algorithm>

#include "experiments/command/core/output.hpp"
#include "model/base/nearest.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

struct ManualRequest {
    std::vector<std::string> command;
    std::string directory;
    std::string path = "-";
};

namespace {

OptionTable options(ManualRequest& r) {
    return {{.names = "COMMAND", .target = &r.command, .meaning = "the command, such as prove drift (the whole)"},
            {.names = "--directory",
             .value = "DIR",
             .target = &r.directory,
             .meaning = "write every page into this directory instead",
             .excludes = {"COMMAND", "--output"}},
            {.names = "-o,--output",
             .value = "FILE",
             .target = &r.path,
             .meaning = "file for the page, - for standard output",
             .show_default = true}};
}

void write_all(const std::vector<ManualPage>& pages, const std::string& directory) {
    base::make_directory(directory);
    for (const ManualPage& page : pages) base::write_file(directory + "/" + page.file(), page.roff);
}

}  // namespace

int run(const ManualRequest& request) {
    const std::vector<ManualPage> pages = manual_pages(subcommands());
    if (!request.directory.empty()) {
        write_all(pages, request.directory);
        return 0;
    }
    std::string name = "schedproof";
    for (const std::string& word : request.command) name += "-" + word;
    std::vector<std::string> names;
    for (const ManualPage& page : pages) names.push_back(page.name);
    const auto page = std::find(names.begin(), names.end(), name);
    if (page == names.end())
        throw InputError::at_key("COMMAND", "expected a command of `schedproof --help`, whose page is called '" + name +
                                                "'" + base::did_you_mean(name, names));
    require_writable({request.path});
    write_text(request.path, pages[static_cast<std::size_t>(page - names.begin())].roff);
    return 0;
}

Subcommand manual() {
    return make_subcommand<ManualRequest>("manual", "the manual's page of a command, for man and groff",
                                          "schedproof manual prove drift | man -l -", options);
}

}  // namespace schedproof::cli
