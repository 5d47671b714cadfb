/// `schedproof check`: claims put to their oracles, reported as text, JSON, JUnit, SARIF or Markdown.
///
/// The command selects claims, policies and instances, runs them (checks/core/run.hpp) and writes evidence of what was
/// proved and refuted. A selection of which nothing remains is an error of the command line. It knows no family:
/// instances are read, and bundles written, by their family's files.
#include "experiments/command/check/check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "checks/core/report.hpp"
#include "checks/core/run.hpp"
#include "checks/families.hpp"
#include "experiments/command/check/dry_run.hpp"
#include "experiments/command/check/sarif.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/families/bundle.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/families/instance_file.hpp"
#include "model/base/nearest.hpp"
#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

using namespace checks;

void require_known(const std::vector<Claim>& claims, const std::vector<std::string>& patterns) {
    std::vector<std::string> ids;
    for (const Claim& claim : claims) ids.push_back(claim.id);
    for (const std::string& pattern : patterns)
        if (std::none_of(ids.begin(), ids.end(), [&](const std::string& id) { return matches(id, pattern); }))
            throw InputError::at_key("CLAIM", fmt::format("expected a claim of `schedproof list claims`, or a prefix "
                                                          "or pattern of some, not '{}'{}",
                                                          pattern, base::did_you_mean(pattern, ids)));
}

/// The id of a policy of any family. Throws InputError with the nearest name.
std::string any_policy_id(const std::string& name) {
    std::vector<std::string_view> ids;
    for (const Family* family : families()) {
        if (std::string id = family->resolve_policy(name); !id.empty()) return id;
        for (const PolicyEntry& policy : family->policies()) {
            ids.push_back(policy.id);
            ids.push_back(policy.id.substr(0, policy.id.find(':')));
        }
    }
    throw InputError::at_key(
        "--policy", fmt::format("expected a registered policy, not '{}'{}; see `schedproof list policies`", name,
                                base::did_you_mean(name, ids)));
}

/// What is left of a selection must be something: nothing asked is not everything as expected.
void require_rows(const Report& report, const CheckRequest& request) {
    if (!report.rows.empty()) return;
    if (!report.outside.empty())
        throw InputError::at_key(
            request.instance.empty() ? "CLAIM" : "--instance",
            fmt::format("expected an instance that one of the selected claims is about, but none remains: {}{}",
                        report.outside.front(),
                        report.outside.size() == 1 ? "" : fmt::format(", and {} more", report.outside.size() - 1)));
    if (!request.policy.empty())
        throw InputError::at_key("--policy",
                                 "expected a policy that one of the claims is about, not '" + request.policy + "'");
    throw InputError::at_key("CLAIM", "expected a claim about some policy and instance");
}

/// Writes what the verdicts rest on, one bundle per row that an oracle refuted.
EvidenceFiles write_evidence(const Report& report, const std::string& root) {
    EvidenceFiles files;
    for (std::size_t r = 0; r < report.rows.size(); ++r) {
        const Row& row = report.rows[r];
        std::optional<std::string> bundle;
        for (const Finding& finding : row.findings) {
            if (const auto* proved = std::get_if<Proved>(&finding.verdict))
                files[{r, finding.oracle}] =
                    write_theorem(*row.claim, *proved, row.line.policy, row.instance_name(), root);
            if (const auto* refuted = std::get_if<Refuted>(&finding.verdict)) {
                if (!bundle) bundle = write_bundle(*row.claim, refuted->counterexample, row.instance_name(), root);
                files[{r, finding.oracle}] = *bundle;
            }
        }
    }
    return files;
}

Json finding_json(const Finding& finding, bool timed, const std::string& evidence) {
    const auto* proved = std::get_if<Proved>(&finding.verdict);
    const auto* exhausted = std::get_if<Exhausted>(&finding.verdict);
    const auto* survived = std::get_if<Survived>(&finding.verdict);
    const auto or_null = [](bool present, std::uint64_t n) { return present ? Json(n) : Json(nullptr); };
    return {{"oracle", finding.oracle},
            {"verdict", kind(finding.verdict)},
            {"detail", explanation(finding.verdict)},
            {"expected", finding.expected ? Json(to_string(*finding.expected)) : Json(nullptr)},
            {"cells", or_null(proved, proved ? proved->cells : 0)},
            {"cases", or_null(exhausted || survived, exhausted  ? exhausted->cases
                                                     : survived ? survived->cases
                                                                : 0)},
            {"seed", or_null(survived, survived ? survived->seed : 0)},
            {"seconds", timed ? Json(finding.seconds) : Json(nullptr)},
            {"evidence", evidence.empty() ? Json(nullptr) : Json(evidence)}};
}

Json report_json(const Report& report, const EvidenceFiles& evidence, const Settings& settings) {
    Json rows = Json::array();
    for (std::size_t r = 0; r < report.rows.size(); ++r) {
        const Row& row = report.rows[r];
        Json findings = Json::array();
        for (const Finding& finding : row.findings) {
            const auto file = evidence.find({r, finding.oracle});
            findings.push_back(finding_json(finding, report.timed, file == evidence.end() ? "" : file->second));
        }
        rows.push_back({{"claim", row.claim->id},
                        {"policy", row.line.policy},
                        {"instance", row.instance_name()},
                        {"expectation", to_string(row.line.expectation)},
                        {"outcome", to_string(row.outcome)},
                        {"witness", row.witness},
                        {"findings", findings}});
    }
    Json not_asked = Json::array();
    for (const NotAsked& claim : report.not_asked)
        not_asked.push_back({{"claim", claim.claim->id}, {"why", claim.why}});
    return {{"seed", settings.seed},  {"cases", settings.cases},   {"exit_code", report.exit_code()}, {"rows", rows},
            {"not_asked", not_asked}, {"outside", report.outside}, {"conflicts", report.conflicts}};
}

/// Writes the evidence, and beside it the verdicts: check.json, in which files are named within the directory.
EvidenceFiles write_evidence(const Report& report, const std::string& root, const Settings& settings) {
    // A directory that cannot be made is one in which no file can be written.
    std::error_code unmade;
    std::filesystem::create_directories(root, unmade);
    const base::FileLog within(root);
    EvidenceFiles files = write_evidence(report, root);
    EvidenceFiles names = files;
    for (auto& [finding, path] : names) path = std::filesystem::path(path).filename().string();
    write_json_answer(root + "/check.json", "check", report_json(report, names, settings));
    return files;
}

Json mutants_json(const MutantReport& report, const Settings& settings) {
    Json mutants = Json::array(), properties = Json::array();
    for (const MutantRow& row : report.mutants)
        mutants.push_back({{"claim", row.claim},
                           {"mutant", row.mutant->name},
                           {"fault", row.mutant->change},
                           {"oracle", row.mutant->oracle},
                           {"caught", row.caught.empty() ? Json(nullptr) : Json(row.caught)}});
    for (const NullMutantRow& row : report.claims)
        properties.push_back(
            {{"claim", row.claim}, {"noticed", row.noticed.empty() ? Json(nullptr) : Json(row.noticed)}});
    return {{"seed", settings.seed}, {"mutants", mutants}, {"switched_off", properties}};
}

/// `7 mutants, 6 caught`.
std::string counted(std::size_t all, std::size_t missed, const char* what, const char* verb) {
    return fmt::format("{} {}, {} {}{}\n", all, what, all - missed, verb, missed == 0 ? ": all" : "");
}

std::string mutants_text(const MutantReport& report) {
    std::string text;
    std::size_t missed = 0, unnoticed = 0;
    auto mutant = report.mutants.begin();
    for (const NullMutantRow& claim : report.claims) {
        text += claim.claim + "\n";
        for (; mutant != report.mutants.end() && mutant->claim == claim.claim; ++mutant) {
            text += fmt::format("  {:<34} {:<12} {}\n    {}\n", mutant->mutant->name, mutant->mutant->oracle,
                                mutant->mutant->change, mutant->caught.empty() ? "NOT CAUGHT" : mutant->caught);
            missed += mutant->caught.empty() ? 1 : 0;
        }
        text += fmt::format("  property switched off\n    {}\n\n",
                            claim.noticed.empty() ? "NOT NOTICED" : "noticed: " + claim.noticed);
        unnoticed += claim.noticed.empty() ? 1 : 0;
    }
    return text + counted(report.mutants.size(), missed, "mutants", "caught") +
           counted(report.claims.size(), unnoticed, "properties switched off", "noticed");
}

/// Throws OracleConflict with the reason when a policy of the claims' lines is refused.
void require_agreement_of(const std::vector<const Claim*>& claims, unsigned jobs) {
    std::set<std::pair<std::string, std::string>> named;
    for (const Claim* claim : claims)
        for (const Line& line : claim->lines)
            if (!claim->family().resolve_policy(line.policy).empty()) named.emplace(claim->family().id(), line.policy);
    const std::vector<std::pair<std::string, std::string>> policies(named.begin(), named.end());
    base::for_each_index(policies.size(), std::max(1U, jobs),
                         [&](std::size_t i) { require_agreement(policies[i].first, policies[i].second); });
}

int run_mutants(const CheckRequest& request, const std::vector<Claim>& claims, const Settings& settings,
                unsigned jobs) {
    const std::vector<const Claim*> selected = select(claims, request.claims);
    require_agreement_of(selected, jobs);
    const MutantReport report = checks::run_mutants(selected, settings, jobs);
    if (request.to.json())
        write_json_answer(request.to.path, "check-mutants", mutants_json(report, settings));
    else
        write_text(request.to.path, mutants_text(report));
    return report.all_caught() ? 0 : 1;
}

int run_replay(const CheckRequest& request) {
    const Replay found = replay(request.replay);
    if (!request.emit_test.empty()) base::write_file(request.emit_test, found.test);
    write_text(request.to.path,
               fmt::format("claim      {}\npolicy     {}\nstate      {}\nviolation  {}\n", found.claim, found.policy,
                           found.state, found.violation.empty() ? "none: the claim holds here" : found.violation));
    return found.violation.empty() ? 1 : 0;
}

Settings settings_of(const CheckRequest& request) {
    Settings settings;
    settings.seed = request.seed;
    settings.cases = request.cases;
    settings.budget.solver = request.budget.rlimit.value_or(settings.budget.solver);
    settings.budget.paths = request.budget.max_cells.value_or(settings.budget.paths);
    return settings;
}

Selection selection_of(const CheckRequest& request, Progress& progress) {
    Selection selection;
    selection.claims = request.claims;
    selection.jobs = request.jobs > 0 ? request.jobs : base::default_threads();
    selection.timed = !request.no_times && !request.ci;
    if (!request.policy.empty()) selection.policy = any_policy_id(request.policy);
    if (!request.instance.empty()) selection.instance = read_any_instance(request.instance)->domain();
    selection.refusal = [](const Family& family, const std::string& policy) {
        return files_of(family).refusal(policy);
    };
    selection.progress = [&](std::size_t done, std::size_t all) {
        progress.report("claims", static_cast<double>(done), static_cast<double>(all));
    };
    return selection;
}

void write_report(const CheckRequest& request, const Report& report, const EvidenceFiles& evidence,
                  const Settings& settings) {
    const std::string& format = request.to.format;
    if (format == "json")
        write_json_answer(request.to.path, "check", report_json(report, evidence, settings));
    else if (format == "sarif")
        write_text(request.to.path, to_text(sarif_json(report, evidence), 2) + "\n");
    else
        write_text(request.to.path, format == "junit"      ? junit_report(report)
                                    : format == "markdown" ? markdown_report(report, evidence, settings)
                                                           : text_report(report, evidence, settings));
    for (const std::string& conflict : report.conflicts)
        fmt::print(stderr, "schedproof: oracle conflict: {}\n", conflict);
}

}  // namespace

int run(const CheckRequest& request) {
    require_writable({request.to.path, request.emit_test});
    const bool verdicts = !request.mutants && request.replay.empty() && !request.dry_run;
    if (!verdicts && request.to.format != "text" && !(request.mutants && request.to.json()))
        throw InputError::at_key("--format", "expected text: json, junit and sarif are for verdicts");
    if (!request.replay.empty()) return run_replay(request);
    std::vector<Claim> claims = all_claims();
    if (!request.family.empty())
        std::erase_if(claims, [&](const Claim& claim) { return claim.family().id() != request.family; });
    require_known(claims, request.claims);
    const Settings settings = settings_of(request);
    Progress progress("check");
    const Selection selection = selection_of(request, progress);
    if (request.mutants) return run_mutants(request, claims, settings, selection.jobs);
    if (request.dry_run) {
        const Report planned = plan(claims, selection);
        require_rows(planned, request);
        write_text(request.to.path, plan_text(planned, selection, settings));
        return 0;
    }
    const Report report = checks::run(claims, selection, settings);
    require_rows(report, request);
    EvidenceFiles evidence;
    if (!request.evidence.empty()) evidence = write_evidence(report, request.evidence, settings);
    write_report(request, report, evidence, settings);
    return report.exit_code();
}

}  // namespace schedproof::cli
