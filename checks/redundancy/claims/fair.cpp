/// Claims about FAIR+R: four rules for its dual variables, three of them sound, and its ratio to the optimum.
#include "checks/core/registry.hpp"
#include "checks/redundancy/claim_group.hpp"

namespace schedproof::checks {

using namespace redundancy;
using namespace redundancy_group;
using namespace run_judging;

namespace {

const std::vector<std::string> everywhere{"random", "grid"};
const std::string section = source("Section 5.2");
constexpr DualRule sound[] = {DualRule::cap, DualRule::rank, DualRule::shifted};

std::vector<std::string> with(std::vector<std::string> instances, const std::vector<std::string>& more) {
    instances.insert(instances.end(), more.begin(), more.end());
    return instances;
}

void add_rule(std::vector<Claim>& claims, DualRule rule) {
    const std::string id(name(rule));
    const auto feasible_by = [rule](const RunSubject& subject, const RedundancyProblem& problem,
                                    const Rational& speed) {
        return feasible(subject, rule, problem, speed, c_star(problem));
    };
    RedundancyClaim feasibility =
        claim("fair-feasible." + id,
              "The dual variables of FAIR+R by the rule " + id + " are feasible with C* = (1 - 1/M)/s.",
              section + "; [schedproof] for C*", feasible_by);
    holds(feasibility, {"fair+r"},
          with(everywhere, {"n3-m2-two-point:2,0", "n4-m2-det", "fair-naive", "fair-naive-unbounded"}));
    explore_with_c_star(feasibility, "fair-dual-feasible-" + id);
    mutant(feasibility, "fair-feasible-naive-for-" + id, "alpha: paid to jobs that wait", feasible_by, "fair+r",
           "fair-naive", dual_rule(DualRule::naive));
    claims.emplace_back(std::move(feasibility));

    const Rational fraction = fraction_of(rule);
    const auto value_by = [=](const RunSubject& subject, const RedundancyProblem& problem, const Rational& speed) {
        return fair_value(subject, rule, fraction, problem, speed);
    };
    RedundancyClaim value = claim("fair-value." + id,
                                  "By the rule " + id + " sum alpha is at least " + fraction.to_string() +
                                      " of F, and M int beta = F/s, F the flowtime of FAIR+R at speed s.",
                                  section + ", Lemma 7 as restated", value_by);
    holds(value, {"fair+r"}, with(everywhere, {"n3-m2-det", "n4-m2-two-point:2,0"}));
    redundancy_group::explore(value, "fair-dual-value-" + id, fraction);
    mutant(value, "fair-value-srpt-for-" + id, "alpha, beta: those of SRPT+R, floor in place of ceil", value_by,
           "fair+r", "one-job-two-machines", dual_rule(DualRule::srpt_floor));
    claims.emplace_back(std::move(value));
}

void add_lemmas(std::vector<Claim>& claims) {
    RedundancyClaim alpha =
        claim("fair-alpha",
              "alpha_j is the integral of its rule over the job's stay, and the least constant that of "
              "its definition, for all four rules.",
              source("(24) to (27)"), fair_alpha);
    holds(alpha, {"fair+r"}, with(everywhere, {"fair-naive", "fair-naive-unbounded", "insertion-instant"}));
    mutant(alpha, "fair-alpha-rank", "alpha: the rule rank for all", fair_alpha, "fair+r", "fair-naive",
           dual_rule(DualRule::rank));
    claims.emplace_back(std::move(alpha));

    RedundancyClaim sixth =
        claim("lemma-6", "For each sound rule and every t >= a_j, alpha_j/p_j <= (t - a_j)/p_j + max(1, n(t)/M)/s.",
              source("Section 5.2, Lemma 6 as restated"), lemma_6_all_rules);
    holds(sixth, {"fair+r"}, everywhere);
    mutant(sixth, "lemma-6-naive", "alpha: paid to jobs that wait", lemma_6_all_rules, "fair+r", "fair-naive-unbounded",
           dual_rule(DualRule::naive));
    claims.emplace_back(std::move(sixth));

    RedundancyClaim seventh = claim(
        "lemma-7",
        "Of n jobs on M machines the alpha_j(t) sum at every instant to at least n/2 by the rule cap, 3n/8 by rank, "
        "n/4 by shifted.",
        source("Section 5.2, Lemma 7 as restated"), lemma_7_all_rules);
    seventh.family = "all n up to 40, for M as named: machine-counts are all up to 8";
    holds(seventh, {"fair+r"}, {"machine-counts"});
    mutant(seventh, "lemma-7-shifted", "fraction: 1/2 by the rule shifted", [] {
        const auto rate = [](std::size_t position, std::size_t n, std::size_t machines) {
            return price_rate(DualRule::shifted, position, n, machines);
        };
        return lemma_7(rate, Rational(1) / Rational(2), 3);
    });
    claims.emplace_back(std::move(seventh));

    RedundancyClaim half = claim("fair-value.shifted-half", "By the rule shifted sum alpha is at least F/2.",
                                 "[schedproof], docs/models/redundancy.md, Interpretation R10", half_by_shifted);
    fails(half, {"fair+r"}, {"fair-shifted-half"}, "one round of three and two jobs that wait: prices 1/3, 2/3, 1");
    claims.emplace_back(std::move(half));
}

void add_naive(std::vector<Claim>& claims) {
    const std::string why = "alpha grows while a job waits for ever";
    const std::string statement =
        "Paid to jobs that wait as well, pos/n, the dual variables of FAIR+R are feasible with ";
    RedundancyClaim star = claim("fair-feasible.naive", statement + "C*.",
                                 "[schedproof], docs/models/redundancy.md, Interpretation R10", naive_with_c_star);
    fails(star, {"fair+r"}, {"fair-naive", "n3-m2-det"}, why);
    explore_with_c_star(star, "fair-dual-feasible-naive");
    claims.emplace_back(std::move(star));

    RedundancyClaim one = claim("fair-feasible.naive-1", statement + "C = 1.",
                                "[schedproof], docs/models/redundancy.md, Interpretation R10", naive_with_1);
    fails(one, {"fair+r"}, {"fair-naive-unbounded", "n3-m2-det"}, why);
    redundancy_group::explore(one, "fair-dual-feasible-naive", Rational(1));
    claims.emplace_back(std::move(one));
}

}  // namespace

void add_redundancy_fair(std::vector<Claim>& claims) {
    for (const DualRule rule : sound) add_rule(claims, rule);
    add_lemmas(claims);
    add_naive(claims);

    RedundancyClaim second =
        claim("theorem-2",
              "The flowtime is at most 4 (s + Delta (1 - 1/M))/e times the optimum at speed s = 4 + e, and "
              "2 (s + Delta (1 - 1/M))/e times at s = 2 + e; the optimum is " +
                  optimum_in_words + ".",
              source("Theorem 2; [schedproof] for the second bound"), theorem, bounded);
    holds(second, {"fair+r"}, {"random-small", "grid"});
    mutant(second, "theorem-2-slow", "policy: a hundredth of its speed", theorem, "fair+r", "fair-naive",
           slowed(Rational(1) / Rational(100)));
    claims.emplace_back(std::move(second));
}

}  // namespace schedproof::checks
