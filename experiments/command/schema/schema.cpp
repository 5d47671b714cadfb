/// `schema`: the JSON schemas of the answers and files, of the descriptions from which these are written.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "experiments/command/core/output.hpp"
#include "experiments/command/core/subcommand.hpp"
#include "model/base/nearest.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

struct SchemaRequest {
    std::string name;
    std::string directory;
    std::string path = "-";
};

namespace {

OptionTable options(SchemaRequest& r) {
    return {{.names = "NAME", .target = &r.name, .meaning = "member `schema` of an answer (default: list all)"},
            {.names = "--directory",
             .value = "DIR",
             .target = &r.directory,
             .meaning = "write every schema into this directory instead",
             .excludes = {"NAME", "--output"}},
            {.names = "-o,--output",
             .value = "FILE",
             .target = &r.path,
             .meaning = "file for the schema, - for standard output",
             .show_default = true}};
}

void collect(const std::vector<Subcommand>& commands, std::map<std::string, base::Form>& all) {
    for (const Subcommand& command : commands) {
        for (const auto& form : command.forms) {
            base::Form made = form();
            all.emplace(made.schema, std::move(made));
        }
        collect(command.parts, all);
    }
}

}  // namespace

int run(const SchemaRequest& request) {
    std::map<std::string, base::Form> all;
    collect(subcommands(), all);
    if (!request.directory.empty()) {
        base::make_directory(request.directory);
        for (const auto& [name, form] : all)
            base::write_file(request.directory + "/" + name + ".schema.json", base::schema_text(form));
        return 0;
    }
    require_writable({request.path});
    if (request.name.empty()) {
        std::string text;
        for (const auto& [name, form] : all) text += fmt::format("{:<22}  {}\n", name, form.meaning);
        write_text(request.path, text);
        return 0;
    }
    const auto form = all.find(request.name);
    if (form == all.end()) {
        std::vector<std::string> names;
        for (const auto& [name, known] : all) names.push_back(name);
        throw InputError::at_key("NAME", "expected a name of `schedproof schema`, not '" + request.name + "'" +
                                             base::did_you_mean(request.name, names));
    }
    write_text(request.path, base::schema_text(form->second));
    return 0;
}

Subcommand schema() {
    return make_subcommand<SchemaRequest>("schema", "the JSON schema of an answer or file", "schedproof schema kernel",
                                          options);
}

}  // namespace schedproof::cli
