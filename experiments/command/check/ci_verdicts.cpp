/// The place of a verdict is the policy's own line, found by the decision that fails, since the reader's code is the
/// policy and not the claim.
#include "experiments/command/check/ci_verdicts.hpp"

#include <fmt/core.h>

#include <set>

#include "model/base/split.hpp"

namespace schedproof::cli {

namespace {

using namespace checks;

/// Where the counterexample is, what the policy does there and what was expected.
std::vector<CiStep> steps_of(const Row& row, const Counterexample& found) {
    const auto at = [&](std::string_view decision) {
        return policy_place(row.claim->family().id(), row.line.policy, decision);
    };
    std::vector<CiStep> steps{
        {at(""),
         "on " + row.instance_name() +
             (found.place.empty() || found.place == row.instance_name() ? std::string() : ", at " + found.place)}};
    for (const std::string_view part : base::split(found.violation, ';'))
        steps.push_back({at(found.kind), std::string(base::trimmed(part))});
    return steps;
}

const Refuted* refutation(const Row& row) {
    for (const Finding& finding : row.findings)
        if (const auto* refuted = std::get_if<Refuted>(&finding.verdict)) return refuted;
    return nullptr;
}

CiOutcome outcome_of(const Row& row) {
    if (row.outcome == Row::Outcome::unsettled) return CiOutcome::open;
    if (row.outcome != Row::Outcome::expected) return CiOutcome::failed;
    return row.line.expectation == Expectation::unstated && refutation(row) != nullptr ? CiOutcome::noted
                                                                                       : CiOutcome::passed;
}

}  // namespace

std::vector<CiVerdict> ci_verdicts(const Report& report, const EvidenceFiles& evidence) {
    std::vector<CiVerdict> verdicts;
    for (std::size_t r = 0; r < report.rows.size(); ++r) {
        const Row& row = report.rows[r];
        const bool stated = row.line.expectation != Expectation::unstated;
        CiVerdict verdict{.rule = row.claim->id,
                          .statement = row.claim->statement + " Source: " + row.claim->source,
                          .policy = row.line.policy,
                          .about = row.instance_name(),
                          .outcome = outcome_of(row),
                          .word = row.outcome == Row::Outcome::unsettled ? "not settled"
                                  : stated                               ? std::string(to_string(row.outcome))
                                                                         : "no expectation"};
        double seconds = 0;
        std::set<std::string> files;
        for (const Finding& finding : row.findings) {
            seconds += finding.seconds;
            verdict.found +=
                fmt::format("{}: {}: {}\n", finding.oracle, short_text(finding.verdict), said(row, finding));
            if (const auto file = evidence.find({r, finding.oracle}); file != evidence.end())
                files.insert(file->second);
        }
        if (report.timed) verdict.seconds = seconds;
        const Refuted* refuted = refutation(row);
        verdict.place =
            policy_place(row.claim->family().id(), row.line.policy, refuted ? refuted->counterexample.kind : "");
        if (refuted) verdict.steps = steps_of(row, refuted->counterexample);
        verdict.properties = {{"expectation", to_string(row.line.expectation)},
                              {"evidence", std::vector<std::string>(files.begin(), files.end())}};
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

}  // namespace schedproof::cli
