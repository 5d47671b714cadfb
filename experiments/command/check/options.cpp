/// Options of `check`: which claims, policies and instances; what is done with them; budgets; the form of the report.
///
/// `--ci` is one word for what makes two runs give the same bytes. Budgets are counts, never seconds, for the same
/// reason.
#include "experiments/command/core/options.hpp"

#include "checks/families.hpp"
#include "experiments/command/check/check.hpp"
#include "experiments/command/core/ci_report.hpp"
#include "experiments/command/families/policy_ids.hpp"

namespace schedproof::cli {

namespace {

std::vector<std::string> claim_ids() {
    std::vector<std::string> ids;
    for (const checks::Claim& claim : checks::all_claims()) ids.push_back(claim.id);
    return ids;
}

/// Which claims, of what, and what to leave behind.
OptionTable claim_options(CheckRequest& r) {
    return {{.names = "CLAIM",
             .target = &r.claims,
             .meaning = "claims, prefixes or patterns with *; see `schedproof list claims` (all)",
             .offers = claim_ids},
            {.names = "--family",
             .target = &r.family,
             .meaning = "only claims of this family",
             .words = checks::family_ids()},
            {.names = "-p,--policy",
             .value = "POLICY",
             .target = &r.policy,
             .meaning = "only this policy",
             .offers = policy_ids()},
            {.names = "--instance",
             .value = "FILE",
             .target = &r.instances,
             .meaning = "file of an instance, or a name as --dry-run prints it, to ask instead; may be repeated",
             .repeated = true},
            {.names = "--evidence",
             .value = "DIR",
             .target = &r.evidence,
             .meaning = "directory for certificates and counterexamples; without it none are written"},
            {.names = "--mutants",
             .target = &r.mutants,
             .meaning = "run the seeded faults instead: every one must be caught"},
            {.names = "--replay",
             .value = "DIR",
             .target = &r.replay,
             .meaning = "check this counterexample's directory again, exactly",
             .excludes = {"CLAIM", "--policy", "--instance", "--evidence", "--mutants"}},
            {.names = "--emit-test",
             .value = "FILE",
             .target = &r.emit_test,
             .meaning = "write a GoogleTest file for the counterexample of --replay; it fails while the claim does, in "
                        "a project that links the installed library",
             .needs = {"--replay"}},
            {.names = "--dry-run",
             .target = &r.dry_run,
             .meaning = "list what would be checked of each policy, with which budgets, and check nothing",
             .excludes = {"--replay", "--evidence", "--mutants"}}};
}

OptionTable effort_options(CheckRequest& r) {
    return {
        {.names = "--jobs", .target = &r.jobs, .meaning = "threads (default: one per core)", .range = Interval{1, 256}},
        {.names = "--seed",
         .value = "N",
         .target = &r.seed,
         .meaning = "seed of the random cases",
         .show_default = true},
        {.names = "--cases",
         .target = &r.cases,
         .meaning = "random cases per claim, policy and instance",
         .show_default = true,
         .range = Interval{1, 1'000'000}}};
}

OptionTable options(CheckRequest& r) {
    return joined(
        {claim_options(r),
         effort_options(r),
         budget_options(r.budget),
         {{.names = "--no-times",
           .target = &r.no_times,
           .meaning = "leave times out, so that two runs give the same bytes"},
          {.names = "--ci",
           .target = &r.ci,
           .meaning =
               "leave times out, as --no-times, for a build server; the answer depends on seed, cases, --rlimit and "
               "--max-cells alone, never on a clock or the machine",
           .excludes = {"--mutants", "--replay"}}},
         ci_destination_options(r.to)});
}

}  // namespace

Subcommand check() {
    return make_subcommand<CheckRequest>("check", "run the claims and print the verdicts",
                                         "schedproof check queueing.route-minimises -p jsq-maxweight --evidence "
                                         "evidence",
                                         options, check_forms());
}

}  // namespace schedproof::cli
