#include "experiments/command/core/options.hpp"

#include "experiments/command/core/ci_report.hpp"
#include "experiments/command/core/subcommand.hpp"
#include "experiments/command/validate/validate.hpp"

namespace schedproof::cli {

namespace {

OptionTable destination(ValidateRequest& r) {
    OptionTable options = ci_destination_options(r.to);
    options.front().meaning = "text, markdown or latex (booktabs) for people, json, junit or sarif for programs";
    options.front().words.emplace_back("latex");
    return options;
}

OptionTable options(ValidateRequest& r) {
    return joined(
        {{{.names = "POLICY",
           .target = &r.policy,
           .meaning = "file with a policy, or the name of a registered one, of any family",
           .required = true},
          {.names = "--instance",
           .value = "FILE",
           .target = &r.instances,
           .meaning = "instance that decides the exit code, before the built-in ones, which then only inform; may be "
                      "repeated",
           .repeated = true},
          {.names = "--only",
           .value = "FILE",
           .target = &r.only,
           .meaning = "instance to be looked at alone, without the built-in ones; may be repeated",
           .repeated = true,
           .excludes = {"--instance"}},
          {.names = "--both-times",
           .target = &r.both_times,
           .meaning = "ask of each instance also in the other time: with its probabilities as rates, or in the longest "
                      "slots of a length 1/k that its rates allow"},
          {.names = "--evidence",
           .value = "DIR",
           .target = &r.evidence,
           .meaning = "directory for certificates and counterexamples; without it none are written"},
          {.names = "--seed",
           .value = "N",
           .target = &r.seed,
           .meaning = "seed of random cases and of simulations",
           .show_default = true},
          {.names = "--cases",
           .target = &r.cases,
           .meaning = "random cases per claim and instance",
           .show_default = true,
           .range = Interval{1, 1'000'000}},
          {.names = "--slots",
           .target = &r.slots,
           .meaning = "slots of each simulation, 0 for none",
           .show_default = true,
           .range = Interval{0, 1'000'000'000}},
          {.names = "--time-limit",
           .value = "SECONDS",
           .target = &r.time_limit,
           .meaning =
               "time after which what is being looked at is left out, with the rest (default: none; for a compiled "
               "policy 1200, for --hunt 120)",
           .range = Interval{1, 1'000'000}},
          {.names = "--no-mutants",
           .target = &r.no_mutants,
           .meaning = "leave out the check whether a slip in the rules would be noticed"},
          {.names = "--dry-run", .target = &r.dry_run, .meaning = "list what would be checked, and check nothing"},
          {.names = "--hunt",
           .target = &r.hunt,
           .meaning = "look only for a small cluster on which the policy is transient at a load below "
                      "1; prints it, or writes it to --evidence with its certificate",
           .excludes = {"--instance", "--only", "--both-times", "--cases", "--slots", "--seed", "--no-mutants",
                        "--dry-run"}}},
         budget_options(r.budget),
         destination(r)});
}

}  // namespace

Subcommand validate() {
    return make_subcommand<ValidateRequest>(
        "validate", "everything that can be said of one policy, and what was not looked at",
        "schedproof validate jsq-maxweight --only experiments/instances/m2-half.toml --evidence evidence", options,
        forms(validate_answer));
}

}  // namespace schedproof::cli
