/// The hunt of checks/queueing/hunt.hpp as a part of `validate`: it says what was found, and writes it.
///
/// A rule of a text may have a parameter that is the number of servers. On clusters of another size it would be another
/// rule; so, unless the user gives it a value, it follows the size.
#include "experiments/command/validate/hunt_part.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <map>

#include "checks/queueing/hunt.hpp"
#include "checks/queueing/hunted_clusters.hpp"
#include "experiments/command/core/certificate_file.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/size_parameters.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/validate/score.hpp"
#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::cli {

namespace {

/// The policy by the number of servers. Texts are read here, since the registry is no place for several threads.
std::map<std::size_t, std::string> ids_by_size(const Validated& of) {
    std::map<std::size_t, std::string> ids;
    const PolicyFile* file = find_policy_file(of.id);
    std::vector<std::string> names;
    std::string path, values;
    if (file != nullptr) {
        path = file->path;
        values = file->values;
        for (const auto& parameter : file->parameters)
            if (!value_of_size(parameter.name, 1).empty() && !values.starts_with(parameter.name + "=") &&
                values.find("," + parameter.name + "=") == std::string::npos)
                names.push_back(parameter.name);
    }
    for (std::size_t servers = checks::smallest_hunted(); servers <= checks::largest_hunted(); ++servers) {
        ids[servers] = of.id;
        if (names.empty()) continue;
        std::string named = values.empty() ? path : path + ":" + values;
        for (const std::string& name : names) named = with_values(named, value_of_size(name, servers));
        ids[servers] = add_policy_file(named, code_families()).id;
    }
    return ids;
}

/// How many clusters were looked at.
std::string clusters_of(const checks::HuntOutcome& outcome) {
    const std::string cells =
        outcome.by_cells == 0 ? "" : fmt::format(", {} of them by the cells of the joint state too", outcome.by_cells);
    return fmt::format("{}{}", outcome.tried, cells);
}

/// How the hunt came to its cluster, and the theorem.
std::string how_found(const Validated& of, const checks::HuntOutcome& outcome) {
    const checks::HuntFind& find = *outcome.find;
    const std::string under = find.policy == of.id ? "" : " under " + find.policy;
    const char* minimal = find.one_minimal ? "no smaller variant of it is proved transient in this way"
                                           : "the time was over before every smaller variant was looked at";
    return fmt::format("{}, by {}{}; clusters looked at: {}; minimised: {}\n{}", load_in_words(*find.instance), find.by,
                       under, clusters_of(outcome), minimal, std::get<checks::Proved>(find.verdict).theorem);
}

std::string how_not_found(const checks::HuntOutcome& outcome) {
    const std::string end = outcome.ended ? "; the time was over at " + outcome.reached : "";
    const std::string unfit =
        outcome.unfit == 0 ? "" : fmt::format("\n{} others were left out: {}", outcome.unfit, outcome.why_unfit);
    return fmt::format("no transient cluster among {}{}; this says nothing about other clusters{}",
                       clusters_of(outcome), end, unfit);
}

/// The instance and the certificate as files; the latter.
std::string write_evidence(const Validated& of, const checks::HuntFind& find) {
    if (of.request.evidence.empty()) return "";
    const std::string file = (std::filesystem::path(of.request.evidence) / find.instance->name()).string();
    base::write_file(file + ".toml", queueing::write_toml(*find.instance));
    write_certificate_file(file + ".json", *std::get<checks::Proved>(find.verdict).certificate);
    return file + ".json";
}

Remark remark_of(const Validated& of, const checks::HuntOutcome& outcome) {
    if (!outcome.find)
        return {
            .part = "hunt",
            .about = fmt::format("clusters of {} to {} servers", checks::smallest_hunted(), checks::largest_hunted()),
            .verdict = "Unknown",
            .says = how_not_found(outcome)};
    const checks::HuntFind& find = *outcome.find;
    return {.part = "hunt",
            .about = find.instance->name(),
            .verdict = std::string(checks::kind(find.verdict)),
            .standing = Standing::transient,
            .says = how_found(of, outcome),
            .against = true,
            .evidence = write_evidence(of, find),
            .cells = std::get<checks::Proved>(find.verdict).cells,
            .counterexample = FoundProblem{queueing::write_toml(*find.instance), checks::explanation(find.verdict),
                                           find.one_minimal}};
}

}  // namespace

void require_huntable(const checks::Family& family, const std::string& id) {
    const queueing::Rules* rules = queueing::find_rules(id);
    if (rules == nullptr)
        throw InputError::at_key("--hunt",
                                 fmt::format("cannot be used with a policy of the {} family: transience is of "
                                             "tasks that queue for servers by locality",
                                             family.id()));
    if (rules->planned())
        throw InputError::at_key("--hunt",
                                 "expected a policy that follows no plan: its rules would differ from one cluster to "
                                 "the next");
}

void hunt(Validated& of, Outcome& outcome, Journal& journal) {
    const Stopwatch watch;
    const std::map<std::size_t, std::string> ids = ids_by_size(of);
    checks::HuntOptions options;
    options.budget = validation_budget(of);
    options.budget.progress = nullptr;  // a cluster that was begun is ended
    options.threads = base::default_threads();
    options.go_on = [&](std::string_view what, std::size_t tried) {
        try {
            journal.report(fmt::format("hunt, {}", what), tried, 0);
        } catch (const TimeIsOver&) {
            return false;
        }
        return true;
    };
    const auto found = checks::hunt_transience([&](std::size_t servers) { return ids.at(servers); }, options);
    Remark remark = remark_of(of, found);
    remark.seconds = watch.seconds();
    const std::string evidence = remark.evidence;
    journal.add(std::move(remark));
    if (!found.find) return;
    of.instances = {found.find->instance};
    of.named_instances = 1;
    outcome.standings = {Standing::transient};
    // As it is written, so that it can be copied.
    const std::string file = queueing::write_toml(*found.find->instance);
    if (evidence.empty())
        for (const std::string_view line : base::split(file, '\n')) journal.say(std::string(line));
}

std::vector<std::string> not_covered_by_hunt(const Validated& of) {
    std::vector<std::string> lines{
        "clusters: other sizes, placements, rates and proportions of arrivals; what is found is the smallest in the "
        "order of the search, not of all",
        "assumptions: at most one task arrives in a slot, independently of others; geometric services, no failures of "
        "servers",
        "stability: a hunt looks for transience alone; the other parts run without --hunt"};
    if (const std::string values = values_of_parameters(of); !values.empty())
        lines.push_back("parameters: other values than " + values);
    return lines;
}

}  // namespace schedproof::cli
