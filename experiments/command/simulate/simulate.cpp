/// `schedproof simulate`: from policies to figures with error bars.
///
/// The policies' names decide the family. A name may belong to queueing and to sharing; then the options that were
/// given decide, and an option of another family is an error. Queueing and sharing become a study of independent runs,
/// which can be kept in a directory, resumed and cut into shards. The redundancy family answers by itself, because its
/// runs end with their jobs: options of batches, warm-up and studies are refused there. With shards the number of
/// replications is fixed, since a precision can be tested only when all runs are there.
#include "experiments/command/simulate/simulate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "experiments/command/core/output.hpp"
#include "experiments/command/simulate/answer/study_picture.hpp"
#include "experiments/command/simulate/run_study.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "policies/redundancy/registry.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof::cli {

namespace {

void check(const SimulateRequest& request) {
    check_figure(request.figure);
    if (!request.series.empty() && !request.series.ends_with(".csv"))
        throw InputError::in_file(request.series, "--series", "expected a name that ends in .csv");
    if (!request.shard.empty() && request.resume.empty())
        throw InputError::at_key("--shard", "needs --resume DIR, where a part of the runs leaves its results");
    if (!request.shard.empty() && !request.precision.empty())
        throw InputError::at_key(
            "--precision",
            "cannot be used with --shard: the number of replications that a precision needs is known only at the end");
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

bool is_redundancy(const std::string& policy) { return !redundancy::resolve_policy(policy).empty(); }
bool is_sharing(const std::string& policy) { return !sharing::resolve_policy(policy).empty(); }
bool is_queueing(const std::string& policy) { return !queueing::resolve_policy(policy).empty(); }

/// Throws InputError for a name that no family has, with the nearest.
void require_known(const std::string& policy) {
    if (is_sharing(policy) || is_queueing(policy) || is_redundancy(policy)) return;
    std::vector<std::string_view> ids;
    for (const auto& info : queueing::policies()) {
        ids.push_back(info.id);
        ids.push_back(info.id.substr(0, info.id.find(':')));
    }
    for (const auto& info : sharing::policies()) ids.push_back(info.id);
    for (const auto& info : redundancy::policies()) ids.push_back(info.id);
    throw InputError::at_key(
        "--policy", fmt::format("expected a policy of the queueing, the sharing or the redundancy family, not {}{}",
                                base::shown(policy), base::did_you_mean(policy, ids)));
}

/// The family of all policies, after the options that were given have been found to be its own.
std::string family_of(const SimulateRequest& request) {
    const auto& policies = request.policies;
    for (const std::string& policy : policies) require_known(policy);
    const auto other = std::find_if(policies.begin(), policies.end(), [&](const std::string& policy) {
        return is_redundancy(policy) != is_redundancy(policies.front());
    });
    if (other != policies.end())
        throw InputError::at_key(
            "--policy", fmt::format("expected policies of one family, not {} beside {}", *other, policies.front()));
    const auto& given = request.family_options;
    // A name may be known to queueing and sharing; then what else was said decides.
    const bool queueing =
        std::any_of(given.begin(), given.end(), [](const auto& o) { return o.first.starts_with(queueing_family); });
    std::string family = is_redundancy(policies.front())                                          ? redundancy_family
                         : !queueing && std::all_of(policies.begin(), policies.end(), is_sharing) ? sharing_family
                                                                                                  : queueing_family;
    for (const auto& [of, option] : given)
        if (of.find(family) == std::string::npos)
            throw InputError::at_key(option,
                                     fmt::format("is an option of the {} family, which cannot be used with a policy "
                                                 "of the {} family, {}",
                                                 of, family, policies.front()));
    return family;
}

/// Options of runs that are cut into batches, and of studies that go on.
constexpr std::array<std::string_view, 12> study_options{"--batches", "--precision", "--most",   "--warm-up",
                                                         "--threads", "--dry-run",   "--resume", "--shard",
                                                         "--series",  "--x-axis",    "--y-axis", "--control"};

bool gave(const SimulateRequest& request, std::string_view option) {
    return std::find(request.given_names.begin(), request.given_names.end(), option) != request.given_names.end();
}

/// What may be said beside an instance file of the redundancy family, which holds the jobs and the machines.
constexpr std::array<std::string_view, 7> beside_instance{"INSTANCE", "--policy", "--policy-file", "--beta",
                                                          "--speed",  "--format", "--output"};

void require_fits_instance(const SimulateRequest& request) {
    for (const std::string& option : request.given_names)
        if (std::find(beside_instance.begin(), beside_instance.end(), option) == beside_instance.end())
            throw InputError::at_key(option,
                                     fmt::format("cannot be used with {}: the file gives all jobs and machines, and "
                                                 "nothing is drawn",
                                                 base::display_name(request.queueing.instance)));
}

/// The family's own request, with what it shares with the others.
RedundancySimulation redundancy_simulation(const SimulateRequest& request) {
    for (const std::string_view option : study_options)
        if (gave(request, option))
            throw InputError::at_key(
                std::string(option),
                fmt::format("cannot be used with a policy of the redundancy family, {}: its runs end with "
                            "their last job",
                            request.policies.front()));
    if (request.to.format == "csv")
        throw InputError::at_key("--format", "expected text or json with a policy of the redundancy family");
    if (!request.queueing.instance.empty()) require_fits_instance(request);
    if (request.figure.kind != "auto" && request.figure.kind != "cdf")
        throw InputError::at_key("--figure", "expected cdf with a policy of the redundancy family");
    if (gave(request, "--trace"))
        for (const char* option : {"--sizes", "--horizon"})
            if (gave(request, option))
                throw InputError::at_key(option, "cannot be used with --trace, which gives it for every job");
    RedundancySimulation simulation = request.redundancy;
    simulation.policies = request.policies;
    simulation.instance = request.queueing.instance;
    if (gave(request, "--speed")) simulation.speed_given = true;
    simulation.jobs = request.sharing.trace;
    if (gave(request, "--rate")) simulation.rate = request.queueing.rate;
    if (gave(request, "--sizes")) simulation.sizes = request.sharing.sizes;
    if (request.length.horizon) simulation.horizon = fmt::format("{}", *request.length.horizon);
    simulation.seed = request.seed;
    simulation.first = request.first;
    simulation.replications = request.replications.value_or(1);
    if (simulation.replications < 1 || simulation.replications > runs::most_replications)
        throw InputError::at_key("--replications", fmt::format("expected at least 1 and at most {}, not {}",
                                                               runs::most_replications, simulation.replications));
    simulation.confidence = request.confidence;
    simulation.cdf = request.figure.path;
    simulation.to = request.to;
    return simulation;
}

}  // namespace

namespace {

/// The engine of each policy stands in the answer, once if it is the same.
SimulationSetting with_engines(SimulationSetting setting) {
    const auto engine = [](const auto& policy) { return policy.experiment->engine(); };
    const auto& all = setting.policies;
    const bool one =
        std::all_of(all.begin(), all.end(), [&](const auto& policy) { return engine(policy) == engine(all.front()); });
    for (const auto& policy : all) {
        setting.lines.emplace_back(one ? "engine" : "engine, " + policy.label, engine(policy));
        if (one) break;
    }
    return setting;
}

/// `--explain`.
std::string explanation(const SimulationSetting& setting) {
    std::string text;
    for (const auto& policy : setting.policies) {
        text +=
            fmt::format("{}{}\n  engine  {}\n", text.empty() ? "" : "\n", policy.label, policy.experiment->engine());
        for (const auto& [question, by] : policy.experiment->questions())
            text += fmt::format("  {}: {}\n", question, by);
    }
    return text;
}

}  // namespace

SimulationSetting make_setting(const SimulateRequest& request) {
    const std::string family = family_of(request);
    if (family == redundancy_family)
        throw InputError::at_key("--policy", fmt::format("expected a policy of the queueing or the sharing family, not "
                                                         "{}: a sweep has no runs of the redundancy family",
                                                         request.policies.front()));
    return with_engines(family == sharing_family
                            ? sharing_setting(request.sharing, request.policies, request.length)
                            : queueing_setting(request.queueing, request.policies, request.length));
}

SimulationSetting make_study_setting(const SimulateRequest& request) {
    if (family_of(request) != redundancy_family) return make_setting(request);
    return with_engines(redundancy_setting(redundancy_simulation(request)));
}

int run(const SimulateRequest& request) {
    if (request.explain) {
        write_text(request.to.path, explanation(make_study_setting(request)));
        return 0;
    }
    if (family_of(request) == redundancy_family) return run(redundancy_simulation(request));
    expect_full_disks();
    check(request);
    const SimulationSetting setting = make_setting(request);
    const runs::Study study{SCHEDPROOF_VERSION, request_command(request), {}, {study_point(request, setting)}};
    check_axes(request.figure, {outline(study.points[0], setting)});
    print_warnings(study);
    if (request.dry_run) {
        write_text(request.to.path, runs_of(study));
        return 0;
    }
    if (!request.shard.empty()) return run_shard(request, study, setting);
    const std::vector<runs::PointReport> reports = reports_of(request, study, setting);
    return write_answers(request.figure, request.series, request.to, study, reports);
}

}  // namespace schedproof::cli
