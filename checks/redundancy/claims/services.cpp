/// Claims about services: what copies on several machines add to the work done on a job.
///
/// They are about the law of the machines' rates alone, and no policy decides anything: a claim is stated of one policy
/// because every line names one.
#include <vector>

#include "checks/redundancy/claim.hpp"

namespace schedproof::checks {

using namespace redundancy;
using namespace redundancy_claims;
using namespace redundancy_properties;

namespace {

/// Rates 5 or -3, alike: their mean is less than with a machine that only works.
std::vector<Outcome> machines_that_undo() {
    const Rational half = Rational(1) / Rational(2);
    return independent({{half, Rational(5)}, {half, Rational(-3)}}, 8);
}

void add_gains(std::vector<Claim>& claims) {
    claims.push_back(claim("lemma-1")
                         .statement("On independent machines that are alike, each further copy adds no more to the "
                                    "mean work than the one before.")
                         .source(source("Lemma 1"))
                         .property(of_policy(lemma_1))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .holds({"srpt+r"}, {"services"})
                         .mutant_system(policy_mutant({.name = "lemma-1-twins",
                                                       .change = "service: two machines of three the same",
                                                       .policy = "srpt+r",
                                                       .instance = "one-job",
                                                       .spoil = another_service(of_law(twins_and_one()))})));

    claims.push_back(
        claim("lemma-1.pointwise")
            .statement(
                "For every value G in [0, 1] of a distribution function and r = 0..8, G^r (1 - G) >= G^(r+1) (1 - G).")
            .source(source("Lemma 1"))
            .property(of_policy(lemma_1_pointwise))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .instances("all G and r as stated; a shape has no part in it")
            .holds({"srpt+r"}, {"n1-m1-det"})
            .oracle(explored_theorem("gains-concave"))
            .mutant_system(policy_mutant({.name = "lemma-1-no-distribution",
                                          .change = "G: -1/2, which no distribution function takes",
                                          .policy = "srpt+r",
                                          .instance = "one-job",
                                          .spoil = [](PolicyUnderTest& under_test) {
                                              under_test.distribution = {Rational(-1) / Rational(2)};
                                          }})));

    claims.push_back(
        claim("lemma-1.identical")
            .statement("On machines that are alike, independent or not, each further copy adds no more to the mean "
                       "work than the one before.")
            .source("[schedproof], docs/models/redundancy.md, Interpretation R1")
            .property(of_policy(lemma_1_for_identical_machines))
            .exhaustive()
            .sampled()
            .among(of_policy([](const AnyPolicy&, const redundancy::Instance& instance) {
                return speaks_of_twins(instance.problem);
            }))
            .instances("three machines two-point:2,0, two of them the same")
            .fails({"srpt+r"}, {"identical-machines"}, "two machines that are the same, and one: 1, 1, 3/2"));
}

void add_services(std::vector<Claim>& claims) {
    claims.push_back(claim("lemma-2")
                         .statement("For r >= 1 copies, D <= h(r, D) <= min(r, Delta) D.")
                         .source(source("Lemma 2"))
                         .property(of_policy(lemma_2))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .holds({"srpt+r"}, {"services"})
                         .mutant_system(policy_mutant({.name = "lemma-2-work-lost",
                                                       .change = "service: machines that may undo work",
                                                       .policy = "srpt+r",
                                                       .instance = "one-job",
                                                       .spoil = another_service(of_law(machines_that_undo()))})));

    claims.push_back(claim("lemma-2.pointwise")
                         .statement("For r = 2..8 copies that do S_1 >= S_i >= 0, i = 2..r: S_1 is at least the mean "
                                    "of all S_i and at most their sum.")
                         .source(source("Lemma 2"))
                         .property(of_policy(lemma_2_pointwise))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .instances("all S_i as stated; a shape has no part in it")
                         .holds({"srpt+r"}, {"n1-m1-det"})
                         .oracle(explored_theorem("best-copy"))
                         .mutant_system(policy_mutant({.name = "lemma-2-work-undone",
                                                       .change = "the second copy undoes what the first has done",
                                                       .policy = "srpt+r",
                                                       .instance = "one-job",
                                                       .spoil = [](PolicyUnderTest& under_test) {
                                                           under_test.works = {{Rational(1), Rational(-1)}};
                                                       }})));

    claims.push_back(claim("checkpoints-never-hurt")
                         .statement("h(r, D) falls neither with r nor with D, and h(r, D + E) <= h(r, D) + h(r, E).")
                         .source("[schedproof], docs/models/redundancy.md, Model")
                         .property(of_policy(checkpoints_never_hurt))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .holds({"srpt+r"}, {"services"})
                         .mutant_system(policy_mutant(
                             {.name = "checkpoints-square",
                              .change = "service: work that grows with the square of time",
                              .policy = "srpt+r",
                              .instance = "one-job",
                              .spoil = another_service([](std::uint32_t, const Rational& d) { return d * d; })})));
}

}  // namespace

void add_redundancy_services(std::vector<Claim>& claims) {
    add_gains(claims);
    add_services(claims);
}

}  // namespace schedproof::checks
