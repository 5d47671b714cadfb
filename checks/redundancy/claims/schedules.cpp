/// Claims about schedules, of every policy of redundancy: what it is event by event, which jobs it favours, what it
/// amounts to in special cases, and how far it is from the optimum.
///
/// The ratios at unit speed are exact suprema, found by the adversary (proofs/redundancy/worst.hpp): each is a bound,
/// and an instance of the same shape exceeds a hundredth less.
#include <algorithm>
#include <cmath>

#include "checks/redundancy/claim.hpp"
#include "checks/redundancy/witnesses.hpp"

namespace schedproof::checks {

using namespace redundancy;
using namespace redundancy_claims;
using namespace redundancy_properties;

namespace {

const std::vector<std::string> everywhere_at_unit_speed{"random", "grid-unit-speed"};

std::vector<std::string> all_policies() {
    std::vector<std::string> ids;
    for (const PolicyInfo& info : policies()) ids.emplace_back(info.id);
    return ids;
}
std::vector<std::string> policies_of_papers() {
    std::vector<std::string> ids;
    for (const PolicyInfo& info : policies())
        if (!is_added(info.id)) ids.emplace_back(info.id);
    return ids;
}
std::vector<std::string> laps_policies() {
    std::vector<std::string> ids;
    for (const PolicyInfo& info : policies())
        if (has_beta(info.id)) ids.emplace_back(info.id);
    return ids;
}

const std::string policies_section = "[schedproof], docs/models/redundancy.md, Policies";

void add_schedules(std::vector<Claim>& claims) {
    claims.push_back(
        claim("follows-specification")
            .statement("The schedule is that of the policy's list of copies and shares, event by event.")
            .source(source("Algorithms 1 to 3; ") + policies_section)
            .property(of_policy(follows_specification))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds(policies_of_papers(), everywhere_at_unit_speed)
            .mutant_system(policy_mutant({.name = "follows-oldest",
                                          .change = "policy: leftover copies for the oldest",
                                          .policy = "laps+r",
                                          .instance = "laps-ceiling",
                                          .spoil = another_policy("laps+r:oldest", Rational(7) / Rational(25))})));

    claims.push_back(
        claim("fits-machines")
            .statement(
                "Shares of machines sum to at most M, to M exactly under SRPT+R, FAIR+R and LAPS+R while a job is "
                "there, and no job has more copies than there are machines.")
            .source(policies_section)
            .property(of_policy(fits_machines))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds(all_policies(), everywhere_at_unit_speed)
            .mutant_system(policy_mutant(
                {.name = "fits-all-for-all",
                 .change = "policy: M copies for every job",
                 .policy = "srpt+r",
                 .instance = "srpt-r-not-optimal",
                 .spoil = another_rule({false,
                                        [](std::size_t n, std::size_t machines) {
                                            return std::vector<ReferenceShare>(n, {machines, Rational(1)});
                                        }})}))
            .mutant_system(policy_mutant({.name = "fits-idle-machine",
                                          .change = "policy: SRPT under the name of SRPT+R",
                                          .policy = "srpt+r",
                                          .instance = "one-job-two-machines",
                                          .spoil = another_policy("srpt")})));

    claims.push_back(
        claim("checkpoints")
            .statement("A job's copies and shares change at 2 to 2N moments, its arrival and completion among them, N "
                       "being the number of jobs.")
            .source(source("Section 4, OPT, (c)"))
            .property(of_policy(checkpoints_at_events))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds(all_policies(), everywhere_at_unit_speed)
            .mutant_system(policy_mutant({.name = "checkpoints-between-events",
                                          .change = "policy: its intervals in seven parts of two kinds",
                                          .policy = "srpt+r",
                                          .instance = "srpt-r-not-optimal",
                                          .spoil = cut_finely(7)})));

    claims.push_back(claim("completes-all")
                         .statement("Every job is done when its work is: s int x h dt = p.")
                         .source(source("Section 3.1, (8)"))
                         .property(of_policy(completes_all))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .holds(all_policies(), everywhere_at_unit_speed)
                         .mutant_system(policy_mutant({.name = "completes-late",
                                                       .change = "policy: half its speed",
                                                       .policy = "fair",
                                                       .instance = "fair-naive",
                                                       .spoil = slowed(Rational(1) / Rational(2))})));
}

void add_ends(std::vector<Claim>& claims) {
    ClaimBuilder<RedundancyFamily> busy = claim("busy-periods");
    busy.statement(
            "On one machine all jobs are done at the time at which they are one after another, in the order of "
            "arrival.")
        .source(policies_section)
        .property(of_policy(busy_periods))
        .exhaustive()
        .sampled()
        .among(of_policy(on_one_machine))
        .oracle(explored_theorem("busy-periods"))
        .mutant_system(policy_mutant({.name = "busy-periods-slow",
                                      .change = "policy: half its speed",
                                      .policy = "fair",
                                      .instance = "one-job",
                                      .spoil = slowed(Rational(1) / Rational(2))}));
    for (const std::string& id : all_policies()) {
        const std::vector<std::string> named{has_beta(id) ? "n3-m1-b1/2-det" : "n3-m1-det", "grid-unit-speed"};
        if (is_added(id))
            busy.asks({id}, named);
        else
            busy.holds({id}, named);
    }
    claims.push_back(busy);
}

void add_orders(std::vector<Claim>& claims) {
    claims.push_back(claim("srpt-order")
                         .statement("No job overtakes another in the order of remaining work.")
                         .source(policies_section)
                         .property(of_policy(srpt_order_kept))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .holds({"srpt", "srpt+r"}, everywhere_at_unit_speed)
                         .mutant_system(policy_mutant({.name = "order-of-fair",
                                                       .change = "policy: FAIR+R",
                                                       .policy = "srpt+r",
                                                       .instance = "srpt-r-ratio-58-51",
                                                       .spoil = another_policy("fair+r")})));

    claims.push_back(claim("late-keeps-order")
                         .statement("Under LATE no job overtakes another in the order of remaining work.")
                         .source("[schedproof], docs/models/redundancy.md, Interpretation R16")
                         .property(of_policy(srpt_order_kept))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .fails({"late"}, {"late-overtakes"}, "the longest job gains on the next by its second copy"));

    claims.push_back(claim("fair-favours-latest")
                         .statement("At every instant rates do not fall in the order of arrival.")
                         .source(policies_section)
                         .property(of_policy(latest_favoured))
                         .oracle(explored_theorem("latest-favoured"))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .holds({"fair", "fair+r"}, with(everywhere_at_unit_speed, {"n8-m3-det", "n6-m8-det"}))
                         .mutant_system(policy_mutant({.name = "latest-oldest",
                                                       .change = "policy: leftover copies for the oldest",
                                                       .policy = "fair+r",
                                                       .instance = "laps-ceiling",
                                                       .spoil = another_policy("laps+r:oldest")})));
}

void add_laps_of_one(std::vector<Claim>& claims) {
    claims.push_back(
        claim("laps-generalises-fair")
            .statement("With beta = 1 the schedule of LAPS+R is that of FAIR+R, and that of LAPS is FAIR's.")
            .source(source("Section 5"))
            .property(of_policy(fair_is_laps_of_1))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"laps+r"}, with(everywhere_at_unit_speed, {"n3-m2-b1-two-point:2,0", "n4-m2-b1-det"}))
            .holds({"laps"}, with(everywhere_at_unit_speed, {"n3-m2-b1-two-point:2,0", "n4-m2-b1-det"}))
            .fails({"laps+r:all", "laps:all"}, {"laps-all-not-fair", "n3-m2-b1-det"},
                   "with all served, one job more than machines halves all shares")
            .oracle(explored_theorem("as-fair"))
            .mutant_system(policy_mutant({.name = "laps-serves-all",
                                          .change = "policy: another choice of who is served",
                                          .policy = "laps",
                                          .instance = "laps-all-not-fair",
                                          .spoil = another_policy("laps:all")})));
}

/// At some instant as many jobs are there as machines.
bool has_as_many_as_machines(const AnyPolicy& policy, const redundancy::Instance& instance) {
    const std::vector<ReferenceInterval> all = reference_schedule(policy, instance.problem, instance.speed).intervals;
    return std::any_of(all.begin(), all.end(), [&](const ReferenceInterval& interval) {
        return interval.active.size() == instance.problem.machines;
    });
}

void add_special_cases(std::vector<Claim>& claims) {
    claims.push_back(
        claim("no-gain")
            .statement("On machines of constant rate every job is done when SRPT does it.")
            .source(policies_section)
            .property(of_policy(srpt_without_gain))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"srpt+r"}, everywhere_at_unit_speed)
            .mutant_system(policy_mutant({.name = "no-gain-one-job",
                                          .change = "policy: all machines to the smallest job",
                                          .policy = "srpt+r",
                                          .instance = "srpt-r-not-optimal",
                                          .spoil = another_rule({true, [](std::size_t n, std::size_t machines) {
                                                                     std::vector<ReferenceShare> shares(n);
                                                                     shares.front() = {machines, Rational(1)};
                                                                     return shares;
                                                                 }})})));

    claims.push_back(claim("as-many-jobs-as-machines")
                         .statement("With as many jobs as machines each has one machine.")
                         .source(policies_section)
                         .property(of_policy(one_machine_each))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_as_many_as_machines))
                         .holds({"srpt+r", "fair+r"}, {"random", "grid"})
                         .mutant_system(policy_mutant({.name = "as-many-half",
                                                       .change = "policy: LAPS+R with beta = 1/2",
                                                       .policy = "fair+r",
                                                       .instance = "srpt-r-not-optimal",
                                                       .spoil = another_policy("laps+r", Rational(1) / Rational(2))})));
}

void add_rounding(std::vector<Claim>& claims) {
    std::vector<std::string> with_ceiling = everywhere_at_unit_speed;
    with_ceiling.emplace_back("laps-ceiling");
    claims.push_back(
        claim("beta-rounded-up")
            .statement("The ceil(beta n) latest of n jobs are served, or as many of them as fill whole rounds.")
            .source("[schedproof], docs/models/redundancy.md, Interpretation R5")
            .property(of_policy(beta_rounded_up))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds(laps_policies(), with_ceiling)
            .mutant_system(policy_mutant(
                {.name = "beta-in-doubles",
                 .change = "policy: beta n rounded up in floating point",
                 .policy = "laps+r:all",
                 .instance = "laps-ceiling",
                 .spoil = another_rule({false, [](std::size_t n, std::size_t) {
                                            const double served = std::ceil(0.28 * static_cast<double>(n));
                                            std::vector<ReferenceShare> shares(n);
                                            for (std::size_t i = n - static_cast<std::size_t>(served); i < n; ++i)
                                                shares[i] = {1, Rational(1)};
                                            return shares;
                                        }})})));

    claims.push_back(claim("beta-rounded-down")
                         .statement("With floor(beta n) jobs served every job is done.")
                         .source("[schedproof], docs/models/redundancy.md, Interpretation R5")
                         .property(of_policy(beta_rounded_down_serves))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .fails({"laps+r"}, {"laps-one-job"}, "floor(beta) = 0: a single job waits for ever"));
}

/// The exact suprema of F/OPT at speed 1 over two jobs on two machines, two-point:3,0, found by the adversary
/// (proofs/redundancy/worst.hpp).
Rational unit_speed_supremum(const std::string& policy) {
    if (policy.starts_with("laps+r") || policy.starts_with("redundancy-d")) return 2;
    if (policy.starts_with("laps")) return Rational(10) / Rational(3);
    return policy.ends_with("+r") || policy == "late" ? Rational(10) / Rational(9) : Rational(5) / Rational(3);
}

std::string ratio_at_most(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed,
                          const Rational& bound) {
    const Rational own = under_test.schedule(problem, speed).flowtime(problem), least = optimum(problem).value;
    return own <= bound * least ? ""
                                : "flowtime " + own.to_string() + " is more than " + bound.to_string() +
                                      " times the optimum " + least.to_string();
}

/// How an instance of the shape exceeds the policy's supremum less 1/100.
std::string above_smaller_bound(const std::string& policy, const std::string& shape, const Settings& settings) {
    const Rational less = unit_speed_supremum(policy) - Rational(1) / Rational(100);
    const auto found = refuted_with({"ratio", less}, policy, shape, settings);
    return found
               ? ratio_at_most(policy_under_test(make_policy(policy, found->beta)), found->problem, found->speed, less)
               : "";
}

void add_unit_speed(std::vector<Claim>& claims) {
    ClaimBuilder<RedundancyFamily> ratio = claim("unit-speed-ratio");
    ratio
        .statement(
            "At speed 1, with two jobs on two machines of rate 3 or 0, the flowtime is at most 10/9 (SRPT+R, FAIR+R, "
            "LATE), 5/3 (SRPT, FAIR), 2 (LAPS+R with beta = 1/2, Redundancy-d), 10/3 (LAPS with beta = 1/2) times the "
            "optimum, " +
            optimum_in_words + ", and 1/100 less is not enough.")
        .source("[schedproof], `schedproof worst`")
        .instances("two jobs on two machines, two-point:3,0")
        .property(
            of_policy([](const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
                return ratio_at_most(under_test, problem, speed, unit_speed_supremum(policy_id(under_test.policy)));
            }))
        .needs(of_policy(has_jobs))
        .oracle(explored_by_policy("ratio", unit_speed_supremum));
    for (const std::string& id : policies_of_papers()) {
        const std::string shape = has_beta(id) ? "n2-m2-b1/2-two-point:3,0" : "n2-m2-two-point:3,0";
        ratio.holds({id}, {shape})
            .mutant({.name = "below-supremum-" + id,
                     .change = "bound: 1/100 less than the supremum of " + id,
                     .oracle = "explore",
                     .caught = [=](const Settings& settings) { return above_smaller_bound(id, shape, settings); }});
    }
    claims.push_back(ratio.mutant_system(policy_mutant({.name = "unit-speed-halved",
                                                        .change = "policy: half its speed",
                                                        .policy = "srpt+r",
                                                        .instance = "srpt-r-not-optimal",
                                                        .spoil = slowed(Rational(1) / Rational(2))})));
}

void add_optimum(std::vector<Claim>& claims) {
    claims.push_back(
        claim("optimum-exact")
            .statement("The optimum found is " + optimum_in_words + ".")
            .source(source("Section 4"))
            .property(of_policy(optimum_is_least))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"srpt+r"}, {"random-small", "srpt-r-not-optimal", "srpt-r-ratio-58-51", "srpt-r-ratio-22-19"})
            .mutant_system(policy_mutant({.name = "optimum-of-srpt-r",
                                          .change = "optimum: SRPT+R's flowtime",
                                          .policy = "srpt+r",
                                          .instance = "srpt-r-not-optimal",
                                          .spoil = [](PolicyUnderTest& under_test) {
                                              under_test.optimum =
                                                  [schedule = under_test.schedule](const RedundancyProblem& problem) {
                                                      Optimum best = optimum(problem);
                                                      best.value = schedule(problem, Rational(1)).flowtime(problem);
                                                      return best;
                                                  };
                                          }})));

    const std::string why = "copies move the decisions, and another job waits when fewer are left";
    claims.push_back(
        claim("copies-help-fair-and-laps")
            .statement("FAIR+R costs no more than FAIR, and LAPS+R no more than LAPS of the same beta.")
            .source("[schedproof], docs/models/redundancy.md, Which statements hold")
            .property(of_policy(copies_help_their_kind))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"fair+r", "laps+r"}, {"grid-unit-speed"})
            .fails({"fair+r"}, {"fair-copies-hurt", "fair-copies-hurt-apart"}, why)
            .fails({"laps+r", "laps+r:oldest", "laps+r:all", "laps+r:all-oldest"}, {"laps-copies-hurt"}, why));

    claims.push_back(
        claim("copies-help-fifo")
            .statement("Redundancy-d costs no more than one copy of each job, the oldest first.")
            .source("[schedproof], docs/models/redundancy.md, Which statements hold")
            .property(of_policy(copies_help_their_kind))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .fails({"redundancy-d", "redundancy-d:3"}, {"copies-in-turn", "n2-m2-det"},
                   "copies of the oldest job keep the next one waiting, and gain nothing at a constant rate")
            .oracle(explored_theorem("copies-help", Rational(1))));
}

}  // namespace

void add_redundancy_schedules(std::vector<Claim>& claims) {
    add_schedules(claims);
    add_ends(claims);
    add_orders(claims);
    add_laps_of_one(claims);
    add_special_cases(claims);
    add_rounding(claims);
    add_unit_speed(claims);
    add_optimum(claims);
}

}  // namespace schedproof::checks
