/// Claims about the relaxed problem P1 and its dual, on which the bounds of SRPT+R and FAIR+R rest.
///
/// P1 relaxes the optimum (Lemma 3), a dual value is at most the cost of any schedule in P1 (weak duality), and so a
/// part of it is at most the least flowtime. The first two are polynomial inequalities about one job or one instant,
/// proved as such, and sampled on whole schedules; the third is explored against a competitor of any decisions.
/// Source: [xu2017], Section 4.2; docs/models/redundancy.md, Optimum and duals.
#include "checks/redundancy/claim.hpp"
#include "checks/redundancy/witnesses.hpp"

namespace schedproof::checks {

using namespace redundancy;
using namespace redundancy_claims;
using namespace redundancy_properties;

namespace {

/// Jobs by arrival and size, under a policy of speed 2.
redundancy::Instance jobs_on(std::size_t machines, const char* service, const char* jobs) {
    redundancy::Instance instance;
    instance.problem = redundancy_problem_of(machines, service, jobs);
    instance.speed = Rational(2);
    return instance;
}

void peak_of_one(PolicyUnderTest& under_test) {
    under_test.peak = [](const RedundancyProblem&) { return Rational(1); };
}

/// C = 0, whatever eq. 8 needs.
void no_constant(PolicyUnderTest& under_test) {
    under_test.constant = [](const PolicyUnderTest::Duals&, const RedundancyProblem&) { return Rational(0); };
}

void add_relaxation(std::vector<Claim>& claims) {
    claims.push_back(claim("lemma-3")
                         .statement("In the relaxed problem P1 with any constant C, any " + schedule_in_words +
                                    " costs at most 1 + C Delta times its flowtime.")
                         .source(source("Lemma 3"))
                         .property(of_policy(lemma_3))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .holds({"srpt+r"}, {"random-small", "random"})
                         .mutant_system(policy_mutant({.name = "lemma-3-peak",
                                                       .change = "Delta: 1 where the peak rate is 3",
                                                       .policy = "srpt+r",
                                                       .instance = "one-job-alone",
                                                       .spoil = peak_of_one,
                                                       .problem = jobs_on(2, "two-point:3,0", "0 1")})));

    claims.push_back(
        claim("lemma-3.job")
            .statement("For a job that is worked on at constant rates of at most Delta in up to eight "
                       "intervals, its cost in P1 with any constant C is at most 1 + C Delta times its "
                       "flowtime; the cost of a schedule is the sum over its jobs.")
            .source(source("Lemma 3"))
            .property(of_policy(lemma_3_by_job))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .instances(usual_instances + "; of n1-m1-det all intervals as stated: a shape has no part in it")
            .holds({"srpt+r"}, {"random-small", "random", "n1-m1-det"})
            .oracle(explored_theorem("relaxed-cost"))
            .mutant_system(policy_mutant({.name = "lemma-3-job-peak",
                                          .change = "Delta: 1 where the peak rate is 3",
                                          .policy = "srpt+r",
                                          .instance = "one-job-alone",
                                          .spoil = peak_of_one,
                                          .problem = jobs_on(2, "two-point:3,0", "0 1")})));
}

/// The optimum has an eighth of its flowtime.
void optimum_too_small(PolicyUnderTest& under_test) {
    under_test.optimum = [own = under_test.optimum](const RedundancyProblem& problem) {
        Optimum best = own(problem);
        best.value /= Rational(8);
        return best;
    };
}

void add_duality(std::vector<Claim>& claims) {
    claims.push_back(
        claim("weak-duality")
            .statement("With the constant that makes the dual variables feasible, their value is at most the cost in "
                       "P1 of any " +
                       schedule_in_words +
                       ": at every instant sum alpha_j/p_j h_j - M beta is at most sum ((t - a_j)/p_j + C) h_j.")
            .source(source("Section 4.2"))
            .property(of_policy(weak_duality))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .instances(usual_instances + "; of n1-m1-det an instant with up to eight jobs: a shape has no part in it")
            .holds({"srpt+r", "fair+r"}, {"random-small", "random", "n1-m1-det"})
            .oracle(explored_theorem("dual-below-cost"))
            .mutant_system(policy_mutant({.name = "weak-duality-without-constant",
                                          .change = "C: 0 where eq. 8 needs 1/3",
                                          .policy = "srpt+r",
                                          .instance = "one-job-alone",
                                          .spoil = no_constant,
                                          .problem = jobs_on(3, "two-point:3,0", "0 1")})));

    claims.push_back(
        claim("dual-bound")
            .statement(
                "With the constant C that makes the dual variables feasible, 1/(1 + C Delta) of their value is at "
                "most the least flowtime of any " +
                schedule_in_words + ".")
            .source(source("Section 4.2"))
            .property(of_policy(dual_bound))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"srpt+r", "fair+r"}, {"random-small", "random", "n2-m2-s2-two-point:3,0"})
            .oracle(explored_theorem([](const std::string& policy, const Shape& shape) -> AskedTheorem {
                // 1 + C* Delta
                const Rational others = Rational(1) - Rational(1) / Rational(shape.machines);
                return {policy == "srpt+r" ? "weak-duality-srpt" : "weak-duality-cap",
                        Rational(1) + others / shape.speed * shape.service.peak()};
            }))
            .mutant(with_smaller_bound("dual-bound-fifth", {"weak-duality-srpt", Rational(1) / Rational(5)}, "srpt+r",
                                       "n2-m2-s2-two-point:3,0"))
            .mutant_system(policy_mutant({.name = "dual-bound-smaller-optimum",
                                          .change = "optimum: an eighth of its flowtime",
                                          .policy = "srpt+r",
                                          .instance = "three-jobs-alone",
                                          .spoil = optimum_too_small,
                                          .problem = jobs_on(1, "det", "0 1, 0 1, 0 1")})));
}

}  // namespace

void add_redundancy_duality(std::vector<Claim>& claims) {
    add_relaxation(claims);
    add_duality(claims);
}

}  // namespace schedproof::checks
