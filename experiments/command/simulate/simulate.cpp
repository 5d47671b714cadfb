/// `schedproof simulate`: from policies to figures with error bars.
#include "experiments/command/simulate/simulate.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "experiments/command/core/output.hpp"
#include "experiments/command/simulate/answer_picture.hpp"
#include "experiments/command/simulate/study.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof::command {

namespace {

void check(const SimulateRequest& request) {
    check_figure(request.figure);
    if (!request.series.empty() && !request.series.ends_with(".csv"))
        throw InputError({request.series, 0, "--series"}, "expected a name that ends in .csv");
    if (!request.shard.empty() && request.resume.empty())
        throw InputError({"", 0, "--shard"}, "expected --resume DIR too: a part of the runs has its results there");
    if (!request.shard.empty() && !request.precision.empty())
        throw InputError({"", 0, "--precision"},
                         "expected a fixed number of replications with --shard: how many a precision needs shows only "
                         "when all are there");
    require_writable({request.series, request.figure.path, request.to.path});
}

std::vector<runs::PointReport> reports_of(const SimulateRequest& request, const runs::Study& study,
                                          const SimulationSetting& setting) {
    if (request.resume.empty())
        return {runs::report(study.points[0], run_in_memory(study, 0, setting, request.threads))};
    const runs::Folder folder = runs::Folder::open(request.resume);
    claim_folder(folder, study);
    run_into(folder, study, 0, setting, request.threads, {});
    return read_reports(study, {folder});
}

/// A part of the runs; nothing to report before `merge`.
int run_shard(const SimulateRequest& request, const runs::Study& study, const SimulationSetting& setting) {
    const runs::Shard shard = runs::parse_shard(request.shard);
    const runs::Folder folder = runs::Folder::open(request.resume);
    claim_folder(folder, study);
    run_into(folder, study, 0, setting, request.threads, shard);
    fmt::print(stderr, "schedproof: part {} of {} is done; when all are: schedproof merge {}\n", shard.index + 1,
               shard.count, runs::command_line({request.resume}));
    return 0;
}

/// Throws InputError for a name that neither family has, with the nearest.
void require_known(const std::string& policy) {
    if (!sharing::resolve_policy(policy).empty() || !queueing::resolve_policy(policy).empty()) return;
    std::vector<std::string_view> ids;
    for (const auto& info : queueing::policies()) {
        ids.push_back(info.id);
        ids.push_back(info.id.substr(0, info.id.find(':')));
    }
    for (const auto& info : sharing::policies()) ids.push_back(info.id);
    throw InputError({"", 0, "--policy"},
                     fmt::format("expected a policy of the queueing or the sharing family, not {}{}",
                                 base::shown(policy), base::did_you_mean(policy, ids)));
}

}  // namespace

SimulationSetting make_setting(const SimulateRequest& request) {
    const auto& policies = request.policies;
    for (const std::string& policy : policies) require_known(policy);
    const auto& given = request.family_options;
    const auto is_sharing = [](const std::string& policy) { return !sharing::resolve_policy(policy).empty(); };
    // A name may be known to both families; then what else was said decides.
    const bool queueing =
        std::any_of(given.begin(), given.end(), [](const auto& o) { return o.first == queueing_family; });
    const std::string family =
        !queueing && std::all_of(policies.begin(), policies.end(), is_sharing) ? sharing_family : queueing_family;
    for (const auto& [of, option] : given)
        if (of != family)
            throw InputError({"", 0, option}, fmt::format("expected no option of the {} family with a policy of the {} "
                                                          "family, {}",
                                                          of, family, policies.front()));
    return family == sharing_family ? sharing_setting(request.sharing, policies, request.length)
                                    : queueing_setting(request.queueing, policies, request.length);
}

int run(const SimulateRequest& request) {
    expect_full_disks();
    check(request);
    const SimulationSetting setting = make_setting(request);
    const runs::Study study{SCHEDPROOF_VERSION, request_command(request), {}, {study_point(request, setting)}};
    check_axes(request.figure, {outline(study.points[0], setting)});
    print_warnings(study);
    if (!request.shard.empty()) return run_shard(request, study, setting);
    const std::vector<runs::PointReport> reports = reports_of(request, study, setting);
    return write_answers(request.figure, request.series, request.to, study, reports);
}

}  // namespace schedproof::command
