/// Claims about FAIR+R: four rules for its dual variables, three of them sound, and its ratio to the optimum.
///
/// Of the paper's equations (25) and (26) for alpha only the numbers survive, so each rule that they may mean has
/// claims of its own: feasibility with C* = (1 - 1/M)/s, and the part of F that sum alpha reaches, from which the speed
/// follows. `cap`, `rank` and `shifted` hold. `naive` pays jobs that wait as well, and is refuted with C* and with C =
/// 1. The bound at s = 4 + e is the paper's, the one at s = 2 + e is of this project.
/// Source: [xu2017], Section 5.2, Theorem 2; docs/models/redundancy.md, Interpretation R10.
#include "checks/redundancy/claim.hpp"

namespace schedproof::checks {

using namespace redundancy;
using namespace redundancy_claims;
using namespace redundancy_properties;

namespace {

const std::string section_5_2 = source("Section 5.2");
constexpr DualRule sound[] = {DualRule::cap, DualRule::rank, DualRule::shifted};

void add_rule(std::vector<Claim>& claims, DualRule rule) {
    const std::string id(name(rule));
    const auto feasible_by = [rule](const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                    const Rational& speed) {
        return feasible(under_test, rule, problem, speed, c_star(problem));
    };
    claims.push_back(
        claim("fair-feasible." + id)
            .statement("The dual variables of FAIR+R by the rule " + id + " are feasible with C* = (1 - 1/M)/s.")
            .source(section_5_2 + "; [schedproof] for C*")
            .property(of_policy(feasible_by))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"fair+r"},
                   with(everywhere, {"n3-m2-two-point:2,0", "n4-m2-det", "fair-naive", "fair-naive-unbounded"}))
            .oracle(explored_with_c_star("fair-dual-feasible-" + id))
            .mutant_system(policy_mutant({.name = "fair-feasible-naive-for-" + id,
                                          .change = "alpha: paid to jobs that wait",
                                          .policy = "fair+r",
                                          .instance = "fair-naive",
                                          .spoil = dual_rule(DualRule::naive)})));

    const Rational fraction = fraction_of(rule);
    const auto value_by = [=](const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                              const Rational& speed) { return fair_value(under_test, rule, fraction, problem, speed); };
    claims.push_back(claim("fair-value." + id)
                         .statement("By the rule " + id + " sum alpha is at least " + fraction.to_string() +
                                    " of F, and M int beta = F/s, F the flowtime of FAIR+R at speed s.")
                         .source(section_5_2 + ", Lemma 7 as restated")
                         .property(of_policy(value_by))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .holds({"fair+r"}, with(everywhere, {"n3-m2-det", "n4-m2-two-point:2,0"}))
                         .oracle(explored_theorem("fair-dual-value-" + id, fraction))
                         .mutant_system(policy_mutant({.name = "fair-value-srpt-for-" + id,
                                                       .change = "alpha, beta: those of SRPT+R, floor in place of ceil",
                                                       .policy = "fair+r",
                                                       .instance = "one-job-two-machines",
                                                       .spoil = dual_rule(DualRule::srpt_floor)})));
}

/// What a job's alpha is, and how large it may grow.
void add_alpha(std::vector<Claim>& claims) {
    claims.push_back(
        claim("fair-alpha")
            .statement("alpha_j is the integral of its rule over the job's stay, and the least constant that of its "
                       "definition, for all four rules.")
            .source(source("(24) to (27)"))
            .property(of_policy(fair_alpha))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"fair+r"}, with(everywhere, {"fair-naive", "fair-naive-unbounded", "insertion-instant"}))
            .mutant_system(policy_mutant({.name = "fair-alpha-rank",
                                          .change = "alpha: the rule rank for all",
                                          .policy = "fair+r",
                                          .instance = "fair-naive",
                                          .spoil = dual_rule(DualRule::rank)})));

    claims.push_back(
        claim("lemma-6")
            .statement("For each sound rule and every t >= a_j, alpha_j/p_j <= (t - a_j)/p_j + max(1, n(t)/M)/s.")
            .source(source("Section 5.2, Lemma 6 as restated"))
            .property(of_policy(lemma_6_all_rules))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .holds({"fair+r"}, with(everywhere, {"n3-m1-det", "n3-m2-two-point:2,0", "n4-m2-det"}))
            .oracle(explored_theorem("fair-alpha-bounded"))
            .mutant({.name = "lemma-6-naive-explored",
                     .change = "alpha: paid to jobs that wait",
                     .oracle = "explore",
                     .caught =
                         [](const Settings& settings) {
                             const auto found = refuted_with({"fair-alpha-bounded-naive", Rational(0)}, "fair+r",
                                                             "n3-m2-det", settings);
                             return found ? "refuted by a problem of " + found->name : "";
                         }})
            .mutant_system(policy_mutant({.name = "lemma-6-naive",
                                          .change = "alpha: paid to jobs that wait",
                                          .policy = "fair+r",
                                          .instance = "fair-naive-unbounded",
                                          .spoil = dual_rule(DualRule::naive)})));
}

MutantSystem<RedundancyFamily> half_prices(const std::string& name) {
    const auto spoil = [](PolicyUnderTest& under_test) {
        under_test.price = [own = under_test.price](DualRule rule, std::size_t position, std::size_t n,
                                                    std::size_t machines) {
            return own(rule, position, n, machines) / Rational(2);
        };
    };
    return policy_mutant({.name = name,
                          .change = "prices: half of what the rules say",
                          .policy = "fair+r",
                          .instance = "one-job",
                          .spoil = spoil});
}

/// How large the alphas are together.
void add_sums_of_alpha(std::vector<Claim>& claims) {
    claims.push_back(claim("lemma-7")
                         .statement("For n jobs on M machines, the alpha_j(t) sum at every instant to at least n/2 by "
                                    "the rule cap, 3n/8 by rank, n/4 by shifted.")
                         .source(source("Section 5.2, Lemma 7 as restated"))
                         .property(of_policy(lemma_7_all_rules))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .instances("all n up to 40, for M as named: machine-counts are all up to 8")
                         .holds({"fair+r"}, {"machine-counts"})
                         .mutant_system(half_prices("lemma-7-half-prices")));

    claims.push_back(
        claim("lemma-7.sums")
            .statement(
                "Where K of n jobs are served and n - K <= K wait, the alpha_j(t) sum by the rule cap to r + (K - "
                "r)(K + r + 1)/(2K), by rank to K (K + 2r + 1)/(2n), by shifted to (K + 1)/2, with r = n - K; "
                "for all K and r these are at least n/2, 3n/8 and n/4.")
            .source(source("Section 5.2, Lemma 7 as restated"))
            .property(of_policy(lemma_7_sums))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .instances("that these are the sums: all n up to 40, for M up to 8 (machine-counts); that they are large "
                       "enough: all K and r (n1-m1-det, a shape has no part in it)")
            .holds({"fair+r"}, {"machine-counts", "n1-m1-det"})
            .oracle(explored_theorem("price-sums"))
            .mutant_system(half_prices("lemma-7-sums-half-prices")));

    claims.push_back(
        claim("fair-value.shifted-half")
            .statement("By the rule shifted sum alpha is at least F/2.")
            .source("[schedproof], docs/models/redundancy.md, Interpretation R10")
            .property(of_policy(half_by_shifted))
            .exhaustive()
            .sampled()
            .among(of_policy(has_jobs))
            .fails({"fair+r"}, {"fair-shifted-half"}, "one round of three and two jobs that wait: prices 1/3, 2/3, 1"));
}

void add_naive(std::vector<Claim>& claims) {
    const std::string why = "alpha grows while a job waits for ever";
    const std::string statement =
        "Paid to jobs that wait as well, pos/n, the dual variables of FAIR+R are feasible with ";
    claims.push_back(claim("fair-feasible.naive")
                         .statement(statement + "C*.")
                         .source("[schedproof], docs/models/redundancy.md, Interpretation R10")
                         .property(of_policy(naive_with_c_star))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .fails({"fair+r"}, {"fair-naive", "n3-m2-det"}, why)
                         .oracle(explored_with_c_star("fair-dual-feasible-naive")));

    claims.push_back(claim("fair-feasible.naive-1")
                         .statement(statement + "C = 1.")
                         .source("[schedproof], docs/models/redundancy.md, Interpretation R10")
                         .property(of_policy(naive_with_1))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(has_jobs))
                         .fails({"fair+r"}, {"fair-naive-unbounded", "n3-m2-det"}, why)
                         .oracle(explored_theorem("fair-dual-feasible-naive", Rational(1))));
}

}  // namespace

void add_redundancy_fair(std::vector<Claim>& claims) {
    for (const DualRule rule : sound) add_rule(claims, rule);
    add_alpha(claims);
    add_sums_of_alpha(claims);
    add_naive(claims);

    claims.push_back(claim_of(
        {.id = "theorem-2",
         .statement = "The flowtime is at most 4 (s + Delta (1 - 1/M))/e times the optimum at speed s = 4 + e, "
                      "and 2 (s + Delta (1 - 1/M))/e times at s = 2 + e; the optimum is " +
                      optimum_in_words + ".",
         .source = source("Theorem 2; [schedproof] for the second bound"),
         .policies = {"fair+r"},
         .shape = "n2-m2-s3-two-point:3,0",
         .policy = "fair+r",
         .below_supremum = Rational(3) / Rational(10),
         .slowed_on = "fair-naive",
         .slowed_to = Rational(1) / Rational(100),
         .slowed_in_words = "a hundredth"}));
}

}  // namespace schedproof::checks
