/// `schedproof simulate`: from policies to figures with error bars.
///
/// The policies' names decide the family. A name may belong to several; then the options that were given decide, and an
/// option of another family is an error. The runs of a study can be kept in a directory, resumed and cut into shards.
/// With shards the number of replications is fixed, since a precision can be tested only when all runs are there.
#include "experiments/command/simulate/simulate.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/simulate/answer/study_picture.hpp"
#include "experiments/command/simulate/run_study.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/core/rational.hpp"

namespace schedproof::cli {

namespace {

void check(const SimulateRequest& request) {
    check_plot(request.figure);
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
               shard.count, base::command_line({request.resume}));
    return 0;
}

bool knows(const SimulatedFamily& of, const std::string& policy) { return !of.family->resolve_policy(policy).empty(); }

/// For a policy that no family has, with the nearest.
InputError unknown_policy(const SimulateRequest& request, const std::string& policy) {
    std::vector<std::string> ids;
    std::string families;
    for (const SimulatedFamily& of : request.families) {
        const bool last = &of == &request.families.back();
        families += fmt::format("{}the {}", families.empty() ? "" : last ? " or " : ", ", of.family->id());
        for (const checks::PolicyEntry& entry : of.family->policies()) {
            ids.emplace_back(entry.id);
            ids.emplace_back(entry.id.substr(0, entry.id.find(':')));
        }
    }
    return InputError::at_key("--policy", fmt::format("expected a policy of {} family, not {}{}", families,
                                                      base::shown(policy), base::did_you_mean(policy, ids)));
}

/// The ids of the families that have the policy.
std::string families_with(const SimulateRequest& request, const std::string& policy) {
    std::string ids;
    for (const SimulatedFamily& of : request.families)
        if (knows(of, policy)) ids += (ids.empty() ? "" : " or ") + std::string(of.family->id());
    return ids;
}

/// The families that have all the policies; at least one.
std::vector<const SimulatedFamily*> families_with_all(const SimulateRequest& request) {
    std::vector<const SimulatedFamily*> left;
    for (const SimulatedFamily& of : request.families) left.push_back(&of);
    for (const std::string& policy : request.policies) {
        if (std::none_of(request.families.begin(), request.families.end(),
                         [&](const SimulatedFamily& of) { return knows(of, policy); }))
            throw unknown_policy(request, policy);
        std::erase_if(left, [&](const SimulatedFamily* of) { return !knows(*of, policy); });
        if (left.empty())
            throw InputError::at_key("--policy",
                                     fmt::format("expected policies of one family, not {} ({}) beside {} ({})", policy,
                                                 families_with(request, policy), request.policies.front(),
                                                 families_with(request, request.policies.front())));
    }
    return left;
}

bool gave(const SimulateRequest& request, const std::string& option) {
    return std::find(request.given_names.begin(), request.given_names.end(), option) != request.given_names.end();
}

bool reads(const SimulatedFamily& of, const std::string& option) {
    return std::any_of(of.options.begin(), of.options.end(), [&](const Option& own) { return own.name() == option; });
}

/// The families that read the option, such as `queueing and redundancy`; none for a common one.
std::string readers_of(const SimulateRequest& request, const std::string& option) {
    std::string ids;
    for (const SimulatedFamily& of : request.families)
        if (reads(of, option)) ids += (ids.empty() ? "" : " and ") + std::string(of.family->id());
    return ids;
}

/// An option that was given and belongs to other families alone; empty when there is none.
std::string foreign_option(const SimulateRequest& request, const SimulatedFamily& of) {
    for (const std::string& option : request.given_names)
        if (!reads(of, option) && !readers_of(request, option).empty()) return option;
    return {};
}

/// The family of all policies, after the options that were given have been found to be its own.
const SimulatedFamily& family_of(const SimulateRequest& request) {
    std::vector<const SimulatedFamily*> known = families_with_all(request), fitting = known;
    std::erase_if(fitting, [&](const SimulatedFamily* of) { return !foreign_option(request, *of).empty(); });
    const auto& among = fitting.empty() ? known : fitting;
    const auto ready =
        std::find_if(among.begin(), among.end(), [](const auto* of) { return !of->simulation->needs_options(); });
    const SimulatedFamily& of = ready == among.end() ? *among.front() : **ready;
    const std::string with =
        fmt::format("cannot be used with a policy of the {} family, {}", of.family->id(), request.policies.front());
    if (const std::string option = foreign_option(request, of); !option.empty())
        throw InputError::at_key(
            option, fmt::format("is an option of the {} family, which {}", readers_of(request, option), with));
    for (const auto& [option, why] : of.simulation->meaningless())
        if (gave(request, option)) throw InputError::at_key(option, fmt::format("{}: {}", with, why));
    return of;
}

/// Results depend on the files that bring policies. One value that is given to a policy's parameter tells policies of
/// the file apart.
SimulationSetting with_policy_files(SimulationSetting setting, const SimulateRequest& request) {
    for (const std::string& policy : request.policies)
        if (const PolicyFile* file = find_policy_file(policy)) {
            input::InputFile input{base::display_name(file->path), file->sha256};
            if (std::find(setting.inputs.begin(), setting.inputs.end(), input) == setting.inputs.end())
                setting.inputs.push_back(std::move(input));
        }
    for (SimulatedPolicy& policy : setting.policies) {
        const PolicyFile* file = find_policy_file(policy.label);
        if (file == nullptr || std::count(file->values.begin(), file->values.end(), '=') != 1) continue;
        const std::size_t equals = file->values.find('=');
        const auto value = Rational::parse(file->values.substr(equals + 1));
        policy.parameter = value ? std::optional(value->approximate()) : std::nullopt;
        policy.parameter_name = file->values.substr(0, equals);
    }
    return setting;
}

/// The engine of each policy stands in the answer, once if it is the same for all.
SimulationSetting with_engines(SimulationSetting setting) {
    const auto engine = [](const auto& policy) { return policy.experiment->engine(); };
    const auto& all = setting.policies;
    if (all.empty()) return setting;
    const bool one =
        std::all_of(all.begin(), all.end(), [&](const auto& policy) { return engine(policy) == engine(all.front()); });
    std::string engines = one ? engine(all.front()) : "";
    if (!one)
        for (const auto& policy : all)
            engines += fmt::format("{}{}: {}", engines.empty() ? "" : "; ", policy.label, engine(policy));
    setting.lines.emplace_back("engine", std::move(engines));
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
    return with_engines(with_policy_files(family_of(request).simulation->setting(request), request));
}

int run(const SimulateRequest& request) {
    if (const auto exit_code = family_of(request).simulation->answer(request)) return *exit_code;
    if (request.explain) {
        write_text(request.to.path, explanation(make_setting(request)));
        return 0;
    }
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
