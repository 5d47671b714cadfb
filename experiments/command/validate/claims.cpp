/// The parts of `validate` that are checks: whether ways of running the policy agree, and the claims about it.
///
/// Each claim is put to its oracles as `check` does, with the one policy; a claim that does not speak of it is passed
/// over. A claim to which the policy's file holds it is first made one about this policy. What refutes a claim speaks
/// against the policy only where the claim was expected to hold of it.
#include <fmt/core.h>

#include <algorithm>

#include "checks/core/about_policy.hpp"
#include "checks/core/report.hpp"
#include "experiments/command/check/dry_run.hpp"
#include "experiments/command/families/bundle.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/validate/validate.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

/// What all oracles say of one claim.
Remark remark_of(const char* part, const checks::Claim& claim, const checks::Report& report) {
    Remark remark{.part = part, .about = claim.id};
    std::string example;
    for (const checks::TableLine& line : checks::table(report, {})) {
        const bool against = line.refuted && checks::speaks_against(claim, line.expectation);
        if (line.refuted && (example.empty() || (against && !remark.against))) example = line.example;
        remark.verdict += (remark.verdict.empty() ? "" : ", ") + line.verdict;
        remark.seconds += line.seconds;
        remark.against = remark.against || against;
    }
    if (!example.empty())
        remark.says = (remark.against ? "" : "False for this policy. That is information, not a failure: ") + example;
    return remark;
}

FoundProblem smallest(const checks::Claim& claim, const checks::Counterexample& found) {
    const checks::Shrunk shrunk = claim.any->shrink(found);
    return {files_of(claim.family()).shown(shrunk.counterexample), shrunk.counterexample.violation, shrunk.minimal};
}

/// Keeps what refutes a row: a bundle for each, the last of them, and for programs the first counterexample.
void keep_evidence(const Validated& of, const checks::Report& report, Remark& remark) {
    for (const checks::Row& row : report.rows)
        for (const checks::Finding& finding : row.findings) {
            const auto* refuted = std::get_if<checks::Refuted>(&finding.verdict);
            if (refuted == nullptr) continue;
            const checks::Counterexample& found = refuted->counterexample;
            if (of.request.to.json() && !remark.counterexample) remark.counterexample = smallest(*row.claim, found);
            if (!of.request.evidence.empty())
                remark.evidence = write_bundle(*row.claim, found, row.instance_name(), of.request.evidence);
        }
}

/// The cells of proofs and the cases asked, over all rows.
void count_spent(const checks::Report& report, Remark& remark) {
    for (const checks::Row& row : report.rows)
        for (const checks::Finding& finding : row.findings) {
            if (const auto* proved = std::get_if<checks::Proved>(&finding.verdict)) remark.cells += proved->cells;
            if (const auto* all = std::get_if<checks::Exhausted>(&finding.verdict)) remark.cases += all->cases;
            if (const auto* some = std::get_if<checks::Survived>(&finding.verdict)) remark.cases += some->cases;
        }
}

checks::Settings settings_of(const Validated& of) {
    checks::Settings settings;
    settings.seed = of.request.seed;
    settings.cases = of.request.cases;
    settings.budget = validation_budget(of.request);
    settings.lyapunov = of.lyapunov;
    return settings;
}

checks::Selection selection_of(const Validated& of) {
    checks::Selection selection;
    selection.policy = of.id;
    selection.held_to[of.id] = {of.held.hopes, of.held.expects, {}};  // stability is a part of its own
    selection.jobs = base::default_threads();
    selection.refusal = [](const checks::Family&, const std::string&) { return std::string(); };
    return selection;
}

/// Whether the file names the claim.
bool is_named(const Validated& of, const checks::Claim& claim) {
    return of.held.hopes_for(claim) || of.held.expects.contains(claim.id);
}

/// Puts a claim to its oracles. False: it does not speak of the policy.
bool ask(const Validated& of, const checks::Claim& claim, const char* part, Journal& journal) {
    const std::vector<checks::Claim> alone{claim};
    const checks::Report report = checks::run(alone, selection_of(of), settings_of(of));
    if (!report.conflicts.empty()) throw OracleConflict(report.conflicts.front());
    if (report.rows.empty()) return false;
    Remark remark = remark_of(part, claim, report);
    keep_evidence(of, report, remark);
    count_spent(report, remark);
    if (is_named(of, claim))
        for (const checks::Row& row : report.rows) {
            remark.against = remark.against || (row.outcome != checks::Row::Outcome::expected &&
                                                row.outcome != checks::Row::Outcome::unsettled);
            remark.open = remark.open || row.outcome == checks::Row::Outcome::unsettled;
        }
    journal.add(std::move(remark));
    return true;
}

/// Asks a claim to which the policy's file holds it.
void ask_hope(const Validated& of, const checks::Claim& claim, Journal& journal) {
    try {
        if (!ask(of, checks::about_policy(of.id, claim), "hope", journal))
            journal.add(
                {.part = "hope", .about = claim.id, .verdict = "Unknown", .says = "no instance is the claim's"});
    } catch (const InputError& error) {  // what the claim speaks of cannot be made of the policy
        journal.add({.part = "hope", .about = claim.id, .verdict = "Unknown", .says = error.what()});
    }
}

bool is_of_language(const Validated& of, const checks::Claim& claim) {
    const std::vector<std::string> ids = files_of(of.family).language_claims();
    return std::find(ids.begin(), ids.end(), claim.id) != ids.end();
}

}  // namespace

bool validate_language(const Validated& of, Journal& journal) {
    if (files_of(of.family).language_claims().empty()) {
        const Stopwatch watch;
        const std::string refused = of.family.refusal(of.id);
        journal.add({.part = "language",
                     .about = "ways of running it",
                     .verdict = refused.empty() ? "Survived" : "Refuted",
                     .says = refused,
                     .seconds = watch.seconds(),
                     .against = !refused.empty()});
    }
    for (const checks::Claim& claim : of.family.claims())
        if (is_of_language(of, claim)) static_cast<void>(ask(of, claim, "language", journal));
    return !journal.any_against();
}

void validate_claims(const Validated& of, Journal& journal) {
    const std::vector<checks::Claim> claims = of.family.claims();
    std::size_t asked = 0, silent = 0, held = 0;
    for (const checks::Claim& claim : claims)
        if (is_named(of, claim)) {
            ask_hope(of, claim, journal);
            ++held;
        }
    for (const checks::Claim& claim : claims)
        if (!is_of_language(of, claim) && !is_named(of, claim) && !claim.stability && !claim.feared)
            ++(ask(of, claim, "claim", journal) ? asked : silent);
    journal.say(
        fmt::format("              {} claims were checked; {} are about other policies only", asked + held, silent));
}

std::string planned_claims(const Validated& of) {
    std::vector<checks::Claim> claims;
    for (const checks::Claim& claim : of.family.claims()) try {
            claims.push_back(is_named(of, claim) ? checks::about_policy(of.id, claim) : claim);
        } catch (const InputError&) {  // what the claim speaks of cannot be made of the policy: no oracle is asked
        }
    const checks::Selection selection = selection_of(of);
    return plan_text(checks::plan(claims, selection), selection, settings_of(of));
}

}  // namespace schedproof::cli
