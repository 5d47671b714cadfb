/// The parts of `validate` that are checks: whether ways of running the policy agree, and the claims about it.
///
/// Each claim is put to its oracles as `check` does, with the one policy; a claim that does not speak of it is passed
/// over. A claim to which the policy's file holds it is first made one about this policy. What refutes a claim speaks
/// against the policy only where the claim was expected to hold of it.
#include <fmt/core.h>

#include <algorithm>

#include "checks/core/about_policy.hpp"
#include "checks/core/report.hpp"
#include "checks/queueing/family.hpp"
#include "experiments/command/check/dry_run.hpp"
#include "experiments/command/families/bundle.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/validate/validate.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

/// What all oracles say of the claim of these rows.
Remark remark_of(const char* part, const checks::Report& report, checks::Rows rows) {
    const checks::Claim& claim = *report.rows[rows.first].claim;
    Remark remark{.part = part, .about = claim.id};
    std::string example;
    for (const checks::TableLine& line : checks::table(report, {}, rows)) {
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

/// Keeps what refutes the row: a bundle, and for programs the first counterexample.
void keep_evidence(const Validated& of, const checks::Row& row, Remark& remark) {
    for (const checks::Finding& finding : row.findings) {
        const auto* refuted = std::get_if<checks::Refuted>(&finding.verdict);
        if (refuted == nullptr) continue;
        const checks::Counterexample& found = refuted->counterexample;
        if (of.request.to.json() && !remark.counterexample) remark.counterexample = smallest(*row.claim, found);
        if (!of.request.evidence.empty())
            remark.evidence = write_bundle(*row.claim, found, row.instance_name(), of.request.evidence);
    }
}

/// The cells of proofs and the cases asked.
void count_spent(const checks::Row& row, Remark& remark) {
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
    settings.budget = validation_budget(of);
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

/// Adds what the oracles said of one claim.
void add_claim(const Validated& of, const checks::Report& report, checks::Rows rows, const char* part,
               Journal& journal) {
    Remark remark = remark_of(part, report, rows);
    for (std::size_t r = rows.first; r < rows.last; ++r) {
        const checks::Row& row = report.rows[r];
        keep_evidence(of, row, remark);
        count_spent(row, remark);
        if (!is_named(of, *row.claim)) continue;
        remark.against = remark.against || (row.outcome != checks::Row::Outcome::expected &&
                                            row.outcome != checks::Row::Outcome::unsettled);
        remark.open = remark.open || row.outcome == checks::Row::Outcome::unsettled;
    }
    journal.add(std::move(remark));
}

/// Puts claims to their oracles, several at once; how many of them speak of the policy.
std::size_t ask(const Validated& of, const std::vector<checks::Claim>& claims, const char* part, Journal& journal,
                std::vector<checks::DomainPtr> instances = {}) {
    std::size_t asked = 0;
    checks::Selection selection = selection_of(of);
    selection.instances = std::move(instances);
    selection.progress = [&](std::size_t done, std::size_t all) { journal.report("claims", done, all); };
    selection.claim_done = [&](const checks::Report& report, std::size_t first, std::size_t last) {
        add_claim(of, report, {first, last}, part, journal);
        ++asked;
    };
    const checks::Report report = checks::run(claims, selection, settings_of(of));
    if (!report.conflicts.empty()) throw OracleConflict(report.conflicts.front());
    return asked;
}

/// Asks a claim to which the policy's file holds it.
void ask_hope(const Validated& of, const checks::Claim& claim, Journal& journal) {
    try {
        journal.begin("hope", claim.id);
        if (ask(of, {checks::about_policy(of.id, claim)}, "hope", journal) == 0)
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
    std::vector<checks::Claim> claims = of.family.claims();
    std::erase_if(claims, [&](const checks::Claim& claim) { return !is_of_language(of, claim); });
    std::vector<checks::DomainPtr> alone;
    if (!of.request.only.empty())
        for (const auto& instance : of.instances) alone.push_back(checks::all_states(instance));
    journal.begin("language", "claims");
    static_cast<void>(ask(of, claims, "language", journal, std::move(alone)));
    return !journal.any_against();
}

void validate_claims(const Validated& of, Journal& journal) {
    std::vector<checks::Claim> claims = of.family.claims();
    std::size_t held = 0;
    for (const checks::Claim& claim : claims)
        if (is_named(of, claim)) {
            ask_hope(of, claim, journal);
            ++held;
        }
    if (!of.request.only.empty()) return;
    std::erase_if(claims, [&](const checks::Claim& claim) {
        return is_of_language(of, claim) || is_named(of, claim) || claim.stability || claim.feared;
    });
    journal.begin("claim", "all that are about it");
    const std::size_t asked = ask(of, claims, "claim", journal);
    journal.say(fmt::format("              {} claims were checked; {} are about other policies only", asked + held,
                            claims.size() - asked));
}

std::string planned_claims(const Validated& of) {
    std::vector<checks::Claim> claims;
    for (const checks::Claim& claim : of.family.claims()) try {
            if (!of.request.only.empty() && !is_of_language(of, claim) && !is_named(of, claim)) continue;
            claims.push_back(is_named(of, claim) ? checks::about_policy(of.id, claim) : claim);
        } catch (const InputError&) {  // what the claim speaks of cannot be made of the policy: no oracle is asked
        }
    const checks::Selection selection = selection_of(of);
    return plan_text(checks::plan(claims, selection), selection, settings_of(of));
}

}  // namespace schedproof::cli
