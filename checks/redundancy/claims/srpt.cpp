/// Claims about SRPT+R: dual fitting, its ratio to the optimum, and SRPT beside it.
///
/// Each step of the argument after weak duality (duality.cpp) is a claim: Lemma 5, alpha_j as an increment, the dual
/// value, feasibility (Lemma 4), Theorem 1. Feasibility is claimed with the sharp constant C* = (1
/// - 1/M)/s; C = 0, 99/100 of C*, and beta from SRPT+R's own count are claims that fail. Lemma 4 without later arrivals
/// needs one path only, so it is explored for more jobs; the dominance claims extend it to later arrivals.
/// Source: [xu2017], Section 4; docs/models/redundancy.md, Optimum and duals, Theorems.
#include <algorithm>

#include "checks/redundancy/claim.hpp"
#include "checks/redundancy/witnesses.hpp"

namespace schedproof::checks {

using namespace redundancy;
using namespace redundancy_claims;
using namespace redundancy_properties;

namespace {

const std::string section_4_2 = source("Section 4.2");

/// SRPT that has a quarter of each machine.
ReferencePolicy quarters() {
    return {true, [](std::size_t n, std::size_t machines) {
                std::vector<ReferenceShare> shares(n);
                for (std::size_t i = 0; i < std::min(n, machines); ++i) shares[i] = {1, Rational(1) / Rational(4)};
                return shares;
            }};
}

void add_values(std::vector<Claim>& claims) {
    claims.push_back(claim("lemma-5")
                         .statement("Finishing n jobs p_1 <= ... <= p_n alone costs sum_k ceil((n-k+1)/M) p_k.")
                         .source(source("Lemma 5"))
                         .property(of_policy(remaining_flowtime))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .holds({"srpt"}, with(everywhere, {"n8-m3-det", "n6-m2-det"}))
                         .oracle(explored_theorem("remaining-flowtime"))
                         .mutant_system(policy_mutant({.name = "lemma-5-of-fair",
                                                       .change = "policy: FAIR",
                                                       .policy = "srpt",
                                                       .instance = "fair-naive",
                                                       .spoil = another_policy("fair")})));

    claims.push_back(
        claim("alpha-is-an-increment")
            .statement("alpha_j is what inserting job j adds to the cost of finishing what is there, over s.")
            .source(source("Section 4.2.1, (9)"))
            .property(of_policy(alpha_is_an_increment))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"srpt+r"}, with(everywhere, {"one-job", "insertion-instant"}))
            .mutant_system(policy_mutant({.name = "increment-forgets",
                                          .change = "alpha: ranks that do not count the job itself",
                                          .policy = "srpt+r",
                                          .instance = "one-job",
                                          .spoil = dual_rule(DualRule::srpt_forget)})));

    claims.push_back(
        claim("srpt-dual-value")
            .statement(
                "sum alpha = F and M int beta = F/s, F the flowtime of SRPT at speed s: the dual value is F (s - 1)/s.")
            .source(section_4_2)
            .property(of_policy(srpt_dual_value))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"srpt+r"}, with(everywhere, {"n3-m2-det", "n4-m3-det"}))
            .oracle(explored_theorem("srpt-dual-value"))
            .mutant_system(policy_mutant({.name = "dual-value-floor",
                                          .change = "alpha: floor in place of ceil",
                                          .policy = "srpt+r",
                                          .instance = "one-job-two-machines",
                                          .spoil = dual_rule(DualRule::srpt_floor)}))
            .mutant_system(policy_mutant({.name = "dual-value-unscaled",
                                          .change = "beta: n/M, so that the dual value vanishes",
                                          .policy = "srpt+r",
                                          .instance = "one-job",
                                          .spoil = dual_rule(DualRule::srpt_unscaled)})));
}

const std::string lemma = source("Lemma 4; [schedproof] for C*");

void add_feasibility(std::vector<Claim>& claims) {
    claims.push_back(
        claim("lemma-4")
            .statement("The dual variables of SRPT+R are feasible with C* = (1 - 1/M)/s.")
            .source(lemma)
            .property(of_policy(srpt_feasible))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"srpt+r"}, with(everywhere, {"n3-m1-det", "n3-m2-two-point:3,0", "n4-m2-det", "n4-m3-det",
                                                 "insertion-instant", "beta-of-srpt-r", "one-job-two-machines"}))
            .oracle(explored_with_c_star("srpt-dual-feasible"))
            .mutant_system(policy_mutant({.name = "lemma-4-own-count",
                                          .change = "beta: n(t) of SRPT+R in place of SRPT's",
                                          .policy = "srpt+r",
                                          .instance = "beta-of-srpt-r",
                                          .spoil = dual_rule(DualRule::srpt_own_count)}))
            .mutant_system(policy_mutant({.name = "lemma-4-forgets",
                                          .change = "alpha: ranks that do not count the job itself",
                                          .policy = "srpt+r",
                                          .instance = "one-job",
                                          .spoil = dual_rule(DualRule::srpt_forget)})));

    claims.push_back(claim("lemma-4.static")
                         .statement("For a job of any rank after which no other arrives, the dual variables of SRPT+R "
                                    "meet eq. 8 with C* = (1 - 1/M)/s when it arrives and at every later completion.")
                         .source(lemma)
                         .property(of_policy(srpt_feasible))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .holds({"srpt+r"}, {"n16-m5-det", "n8-m3-det"})
                         .oracle(explored_with_c_star("srpt-static"))
                         .mutant_system(policy_mutant({.name = "lemma-4-static-forgets",
                                                       .change = "alpha: ranks that do not count the job itself",
                                                       .policy = "srpt+r",
                                                       .instance = "one-job",
                                                       .spoil = dual_rule(DualRule::srpt_forget)})));
}

/// The last job comes with 1 more to do.
void enlarge_last(PolicyUnderTest& under_test) {
    under_test.schedule = [own = under_test.schedule](RedundancyProblem problem, const Rational& speed) {
        problem.jobs.back().size += Rational(1);
        return own(problem, speed);
    };
}

void add_dominance(std::vector<Claim>& claims) {
    claims.push_back(
        claim("dominance-step")
            .statement("Where one of two clusters under SRPT has more work left, in the order of sizes, "
                       "it still has after an interval without an event.")
            .source("[schedproof], docs/models/redundancy.md, Theorems")
            .property(of_policy(later_jobs_add))
            .exhaustive()
            .sampled()
            .among(of_policy(has_two_jobs))
            .holds({"srpt"}, with(everywhere, {"n5-m3-det", "n4-m2-det"}))
            .oracle(explored_theorem("dominance-step"))
            .mutant_system(policy_mutant({.name = "dominance-step-slower",
                                          .change = "policy: a quarter of each machine where there is less work",
                                          .policy = "srpt",
                                          .instance = "fair-naive",
                                          .spoil = another_rule(quarters())})));

    claims.push_back(
        claim("dominance-arrival")
            .statement("Where one of two clusters under SRPT has more work left, in the order of sizes, "
                       "it still has after the arrival of a job at both or at it alone.")
            .source("[schedproof], docs/models/redundancy.md, Theorems")
            .property(of_policy(arrivals_add))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"srpt"}, with(everywhere, {"n5-m3-det", "n4-m2-det"}))
            .oracle(explored_theorem("dominance-arrival"))
            .mutant_system(policy_mutant({.name = "dominance-arrival-larger",
                                          .change = "instance: a larger job arrives where there is less work",
                                          .policy = "srpt",
                                          .instance = "fair-naive",
                                          .spoil = enlarge_last})));
}

void add_false_constants(std::vector<Claim>& claims) {
    claims.push_back(
        claim("lemma-4.constant-0")
            .statement("The dual variables of SRPT+R are feasible with C = 0.")
            .source(lemma)
            .property(of_policy(srpt_feasible_with_0))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .fails({"srpt+r"}, {"one-job-two-machines"}, "alpha/p - beta = 1/2 - 1/4 when the job arrives"));
    claims.push_back(claim("lemma-4.below-c-star")
                         .statement("The dual variables of SRPT+R are feasible with 99/100 of C* = (1 - 1/M)/s.")
                         .source(lemma)
                         .property(of_policy(srpt_feasible_with_99_percent))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .fails({"srpt+r"}, {"one-job-two-machines"}, "C* is attained: it is 1/4"));
    claims.push_back(
        claim("lemma-4.own-count")
            .statement(
                "With n(t) of SRPT+R itself in beta the dual variables of SRPT+R are feasible with C* = (1 - 1/M)/s.")
            .source(lemma)
            .property(of_policy(srpt_feasible_by_own_count))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .fails({"srpt+r"}, {"beta-of-srpt-r"}, "needs C = 1/2 where C* = 1/4")
            .fails({"srpt+r"}, {"n3-m2-two-point:2,0"}, "SRPT+R is ahead of SRPT, whose alpha stays")
            .oracle(explored_with_c_star("srpt-dual-feasible-own-count")));
}

void add_ratio(std::vector<Claim>& claims) {
    claims.push_back(claim_of(
        {.id = "theorem-1",
         .statement = "At speed s = 1 + e the flowtime is at most (1 + 2 Delta)(1 + 1/e) and at most (s + Delta "
                      "(1 - 1/M))/e times the optimum, " +
                      optimum_in_words + ".",
         .source = source("Theorem 1; [schedproof] for the second constant"),
         .policies = {"srpt+r", "srpt"},
         .shape = "n2-m2-s2-two-point:3,0",
         .policy = "srpt+r",
         .below_supremum = Rational(1) / Rational(2),
         .slowed_on = "beta-of-srpt-r",
         .slowed_to = Rational(1) / Rational(100),
         .slowed_in_words = "a hundredth"}));

    claims.push_back(
        claim("improves-on-srpt")
            .statement(
                "On machines of constant rate the constant of Theorem 1 is at most 4/e at speed 1 + e, for all 0 "
                "< e <= 1/3.")
            .source(source("Remark 4"))
            .property(of_policy(improves_on_srpt))
            .exhaustive()
            .sampled()
            .among(of_policy([](const AnyPolicy& policy, const redundancy::Instance& instance) {
                return has_jobs(policy, instance) && instance.problem.service.peak() == Rational(1) &&
                       instance.speed >= Rational(1);
            }))
            .holds({"srpt+r"}, {"random", "grid", "n1-m1-det"})
            .oracle(explored_theorem("improves-on-srpt"))
            .mutant_system(policy_mutant({.name = "improves-at-peak-2",
                                          .change = "peak: twice what it is",
                                          .policy = "srpt+r",
                                          .instance = "one-job-two-machines",
                                          .spoil = [](PolicyUnderTest& under_test) {
                                              under_test.peak = [](const RedundancyProblem& problem) {
                                                  return Rational(2) * problem.service.peak();
                                              };
                                          }})));

    claims.push_back(
        claim("copies-help-srpt")
            .statement("SRPT+R and LATE cost no more than SRPT at the same speed.")
            .source(source("Section 4.2.1, the right way round"))
            .property(of_policy(copies_help))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"srpt+r"}, with(everywhere, {"n3-m2-two-point:2,0", "n3-m4-two-point:3,0"}))
            .holds({"late"}, with(everywhere, {"n3-m2-two-point:2,0", "n3-m3-two-point:3,0"}))
            .oracle(explored_theorem("redundancy-helps", Rational(1)))
            .mutant_system(policy_mutant({.name = "copies-for-the-largest",
                                          .change = "policy: all machines to the largest job",
                                          .policy = "srpt+r",
                                          .instance = "fair-naive",
                                          .spoil = another_rule({true, [](std::size_t n, std::size_t machines) {
                                                                     std::vector<ReferenceShare> shares(n);
                                                                     shares.back() = {machines, Rational(1)};
                                                                     return shares;
                                                                 }})})));
}

void add_work_left(std::vector<Claim>& claims) {
    claims.push_back(
        claim("copies-leave-less")
            .statement(
                "At every event the i-th largest remaining work under SRPT+R and under LATE is at most that under "
                "SRPT.")
            .source("[schedproof], docs/models/redundancy.md, Theorems")
            .property(of_policy(copies_leave_less))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"srpt+r", "late"}, everywhere)
            .mutant_system(policy_mutant({.name = "copies-leave-less-slow",
                                          .change = "policy: a quarter of each machine",
                                          .policy = "srpt+r",
                                          .instance = "fair-naive",
                                          .spoil = another_rule(quarters())})));

    claims.push_back(
        claim("copies-leave-less.step")
            .statement("Where SRPT has more work left than SRPT+R, or than LATE, in the order of sizes, it still has "
                       "after an interval without an event.")
            .source("[schedproof], docs/models/redundancy.md, Theorems")
            .property(of_policy(copies_leave_less_at_once))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .instances(usual_instances + "; of a step, all states of at most so many jobs in either cluster")
            .holds({"srpt+r", "late"}, with(everywhere, {"n4-m3-det", "n3-m4-det"}))
            .oracle(explored_theorem("redundancy-step"))
            .mutant_system(policy_mutant({.name = "copies-step-slow",
                                          .change = "policy: a quarter of each machine",
                                          .policy = "srpt+r",
                                          .instance = "fair-naive",
                                          .spoil = another_rule(quarters())})));
}

void add_false_costs(std::vector<Claim>& claims) {
    claims.push_back(claim("cost-lower-bound")
                         .statement("SRPT's cost is a lower bound of SRPT+R's.")
                         .source(section_4_2)
                         .property(of_policy(copies_hurt))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .fails({"srpt+r"}, {"srpt-cost-no-lower-bound"}, "one job on two machines: 1 against 2/3"));

    claims.push_back(claim("optimal-at-unit-speed")
                         .statement("At speed 1 SRPT+R has " + optimum_in_words + ".")
                         .source("[schedproof], docs/models/redundancy.md, Which statements hold")
                         .property(of_policy(optimal))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .fails({"srpt+r"}, {"srpt-r-not-optimal", "srpt-r-ratio-58-51", "srpt-r-ratio-22-19"},
                                "it gives the smallest job more copies than are best"));
}

}  // namespace

void add_redundancy_srpt(std::vector<Claim>& claims) {
    add_values(claims);
    add_feasibility(claims);
    add_dominance(claims);
    add_false_constants(claims);
    add_ratio(claims);
    add_work_left(claims);
    add_false_costs(claims);
}

}  // namespace schedproof::checks
