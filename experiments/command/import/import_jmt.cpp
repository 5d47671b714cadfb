/// `import jmt`: an open model of the Java Modelling Tools as an instance in continuous time, and what its dispatcher
/// does as a policy's text.
#include "experiments/command/import/import_jmt.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/import/imported_policy.hpp"
#include "experiments/input/jmt/jmt_model.hpp"
#include "model/base/document.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::cli {

struct JmtImportRequest {
    std::string model, policy;
    Destination to;
};

namespace {

queueing::Instance instance_of(input::JmtModel& model, const std::string& file) {
    model.data.name = dashed_name(model.name, "model");
    model.data.source = file;
    try {
        return queueing::Instance(std::move(model.data));
    } catch (const InputError& error) {
        throw error.within({file, 0, ""});
    }
}

}  // namespace

int run(const JmtImportRequest& request) {
    require_writable({request.to.path, request.policy});
    const std::string file = base::display_name(request.model);
    input::JmtModel model = input::read_jmt(base::read_text(request.model, base::max_toml_bytes), file);
    const std::string policy = policy_text(model, file, "model");
    const queueing::Instance instance = instance_of(model, file);
    print_notes(model, file);
    if (request.policy.empty())
        fmt::print(stderr, "note: tasks are sent by `{}`; --rule FILE writes the policy\n", model.rule.route);
    write_text(request.to.path,
               request.to.json() || request.to.path.ends_with(".json") ? write_json(instance) : write_toml(instance));
    if (!request.policy.empty()) write_text(request.policy, policy);
    return 0;
}

namespace {

OptionTable options(JmtImportRequest& r) {
    return joined(
        {{{.names = "FILE", .target = &r.model, .meaning = "the model, - for standard input", .required = true},
          {.names = "--rule",
           .value = "FILE",
           .target = &r.policy,
           .meaning = "write what the dispatcher does, as a policy"}},
         destination_options(r.to)});
}

}  // namespace

Subcommand import_jmt() {
    return make_subcommand<JmtImportRequest>(
        "jmt", "an instance, and a policy, from an open model of the Java Modelling Tools (.jsimg)",
        "schedproof import jmt experiments/instances/routers/three-stations.jsimg --rule stations.policy -o "
        "stations.toml",
        options);
}

}  // namespace schedproof::cli
