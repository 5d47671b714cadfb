#include "checks/suite/policy_suite.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "checks/core/about_policy.hpp"
#include "checks/core/run.hpp"
#include "checks/suite/shown_problem.hpp"
#include "model/core/errors.hpp"

namespace schedproof::suite {

using namespace checks;

namespace {

/// The claim's rows for the policy with their findings.
checks::Report asked_of(const Claim& claim, const std::string& policy, const Options& options) {
    Selection selection;
    selection.policy = policy;
    selection.jobs = options.threads;
    selection.refusal = [](const Family&, const std::string&) { return std::string(); };  // asked once, before
    checks::Report report = run({claim}, selection, options.settings);
    if (!report.conflicts.empty()) throw OracleConflict(report.conflicts.front());
    return report;
}

Failure smallest(const Row& row, const Claim& claim, const Refuted& refuted) {
    Shrunk shrunk = claim.any->shrink(refuted.counterexample);
    shrunk.counterexample.place = claim.any->describe(shrunk.counterexample);
    std::string problem = shown(shrunk.counterexample, claim.family().id());
    return {claim.id,           claim.statement, row.instance_name(), std::move(shrunk.counterexample),
            std::move(problem), shrunk.tried,    shrunk.minimal};
}

/// The first counterexample among the rows that speaks against the policy, as small as it gets.
void add_failure(const Claim& claim, const checks::Report& rows, bool hoped, Report& report) {
    for (const Row& row : rows.rows)
        for (const Finding& finding : row.findings)
            if (const auto* refuted = std::get_if<Refuted>(&finding.verdict);
                refuted != nullptr && (hoped || speaks_against(claim, row.line.expectation))) {
                report.failures.push_back(smallest(row, claim, *refuted));
                return;
            }
}

/// Why no oracle affirms the claim on some row; empty when each row has one that does, or a refutation.
std::string unsettled(const checks::Report& rows) {
    if (rows.rows.empty()) return "no instance is the claim's";
    for (const Row& row : rows.rows) {
        std::string why = "no oracle speaks of " + row.instance_name();
        bool settled = false;
        for (const Finding& finding : row.findings) {
            settled = settled || kind_of(finding.verdict) != VerdictKind::unknown;
            if (!settled) why = explanation(finding.verdict);
        }
        if (!settled) return why;
    }
    return "";
}

void ask_hope(const Claim& claim, const std::string& policy, const Options& options, Report& report) {
    std::string why;
    try {
        const Claim about = about_policy(policy, claim);
        const checks::Report rows = asked_of(about, policy, options);
        add_failure(about, rows, true, report);
        why = unsettled(rows);
    } catch (const InputError& error) {  // what the claim speaks of cannot be made of the policy
        why = error.what();
    }
    if (!why.empty()) report.unsettled.push_back(claim.id + ": " + why);
}

}  // namespace

bool Report::passed() const { return refused.empty() && failures.empty() && unsettled.empty() && !asked.empty(); }

std::string Report::text() const {
    if (!refused.empty()) return fmt::format("{} is refused: {}\n", policy, refused);
    if (asked.empty()) return fmt::format("no claim speaks of {}\n", policy);
    std::string text = fmt::format("{}: {} claims asked, {} failed, {} hoped for and not settled\n", policy,
                                   asked.size(), failures.size(), unsettled.size());
    for (const Failure& failure : failures)
        text += fmt::format("\n{}: {}\n{}, at {}: {}\n{} counterexample, of {} variants that were looked at:\n{}",
                            failure.claim, failure.statement, failure.instance, failure.counterexample.place,
                            failure.counterexample.violation, failure.minimal ? "a 1-minimal" : "the smallest",
                            failure.tried, failure.problem);
    for (const std::string& why : unsettled) text += why + "\n";
    return text;
}

Report ask(const Family& family, const std::string& policy, const Options& options) {
    Report report;
    report.policy = policy;
    const std::vector<Claim> claims = family.claims();
    for (const std::string& hope : options.hopes)
        if (std::none_of(claims.begin(), claims.end(), [&](const Claim& claim) { return claim.id == hope; }))
            throw InputError::at_key("hopes",
                                     fmt::format("expected claims of the {} family, not '{}'", family.id(), hope));
    report.refused = family.refusal(policy);
    if (!report.refused.empty()) return report;
    const auto hoped = [&](const Claim* claim) {
        return std::find(options.hopes.begin(), options.hopes.end(), claim->id) != options.hopes.end();
    };
    for (const Claim& claim : claims)
        if (hoped(&claim)) {
            report.asked.push_back(claim.id);
            ask_hope(claim, policy, options, report);
        }
    for (const Claim* claim : select(claims, options.claims)) {
        if (hoped(claim)) continue;
        const checks::Report rows = asked_of(*claim, policy, options);
        if (rows.rows.empty()) continue;
        report.asked.push_back(claim->id);
        add_failure(*claim, rows, false, report);
    }
    return report;
}

}  // namespace schedproof::suite
