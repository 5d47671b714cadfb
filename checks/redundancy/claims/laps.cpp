/// Claims about LAPS+R: the potential function, its drift, the inequality behind it, and the ratio to the optimum.
///
/// The potential is examined along exact schedules against competitors, and its drift in any one state, whatever the
/// competitor does there; the second is explored for all states of a shape. Both are claimed at the paper's speed 2 + 2
/// beta + 2 e and, with constants of this project, at 1 + beta + e. The smaller speed needs the sum over ranks:
/// bounding each rank by itself is a claim that fails.
/// Source: [xu2017], Section 5.4, (29) to (31), and Theorem 3; docs/models/redundancy.md, Optimum and duals, Theorems.
#include "checks/redundancy/claim.hpp"
#include "checks/redundancy/witnesses.hpp"

namespace schedproof::checks {

using namespace redundancy;
using namespace redundancy_claims;
using namespace redundancy_properties;

namespace {

const std::vector<std::string> variants{"laps+r", "laps+r:oldest", "laps+r:all", "laps+r:all-oldest"};
const std::vector<std::string> shapes{"n10-m5-b1/2-det", "n10-m3-b1/3-det", "n8-m2-b1-det"};

/// e of the potential at a speed s = base + ... + e, by beta.
Rational excess(const AnyPolicy& policy, const Rational& speed, bool strengthened) {
    const Rational b = laps_r(policy).beta.value(), one(1), two(2);
    return strengthened ? speed - one - b : (speed - two - two * b) / two;
}

RunPremise fast_enough(bool strengthened) {
    return [=](const AnyPolicy& policy, const redundancy::Instance& instance) {
        return has_jobs(policy, instance) && excess(policy, instance.speed, strengthened).sign() > 0;
    };
}

/// e >= 0 in s = 1 + beta + e.
bool not_slow(const AnyPolicy& policy, const redundancy::Instance& instance) {
    return has_jobs(policy, instance) && excess(policy, instance.speed, true).sign() >= 0;
}

const std::string stated_speed = "At speed s = 2 + 2 beta + 2 e, with gamma = 2/(beta e) and c = gamma (Delta + s), ";
const std::string strong_speed =
    "At speed s = 1 + beta + e, with gamma = 2/(beta e) and c = gamma (Delta + 2 s) where jobs are served in rounds, "
    "gamma = 4/(beta e) and c = gamma (Delta (1 + 4/e) + s) where all are, ";

void add_potential(std::vector<Claim>& claims, bool strengthened) {
    const std::string against =
        "against any " + schedule_in_words +
        " the potential begins and ends at 0, no arrival or completion raises it, and n + gamma Phi' <= c n* between.";
    const auto property = strengthened ? potential_strengthened : potential;
    claims.push_back(
        claim(strengthened ? "laps-potential.strengthened" : "laps-potential")
            .statement((strengthened ? strong_speed : stated_speed) + against)
            .source(strengthened ? "[schedproof]" : source("Section 5.4, (29) to (31)"))
            .property(of_policy(property))
            .exhaustive()
            .sampled()
            .among(of_policy(fast_enough(strengthened)))
            .holds(variants, {"random-small", "random", "grid"})
            .mutant_system(policy_mutant({.name = strengthened ? "laps-potential-strong-slow" : "laps-potential-slow",
                                          .change = "policy: a hundredth of its shares",
                                          .policy = "laps+r",
                                          .instance = "fair-naive",
                                          .spoil = shares_cut(Rational(1) / Rational(100))})));
}

/// What explore finds of a statement that is false of some state.
std::string not_proved(const std::string& statement, const std::string& shape, const Settings& settings) {
    const Verdict verdict =
        verdict_of(explored_theorem(statement, Rational(1)), RedundancyFamily::instance(shape), "laps+r", settings);
    const auto* unknown = std::get_if<Unknown>(&verdict);
    return unknown && unknown->reason.starts_with("fails") ? "on " + shape + ": " + unknown->reason : "";
}

void add_drift(std::vector<Claim>& claims, bool strengthened) {
    const std::string state = "in any one state with n jobs, whatever they have lost against any " + schedule_in_words +
                              " and whatever it does there with its n* jobs, the potential has n + gamma Phi' <= c n*.";
    const auto property = strengthened ? drift_strengthened : drift;
    ClaimBuilder<RedundancyFamily> one = claim(strengthened ? "laps-drift.strengthened" : "laps-drift");
    one.statement((strengthened ? strong_speed : stated_speed) + state)
        .source(strengthened ? "[schedproof]" : source("Section 5.4, (29) to (31)"))
        .property(of_policy(property))
        .exhaustive()
        .sampled()
        .among(of_policy(fast_enough(strengthened)))
        .instances(usual_instances + "; of a drift, all states with at most so many jobs")
        .holds(variants, {"random"})
        .holds(variants, shapes);
    if (!strengthened)
        one.oracle(explored_theorem("laps-drift", Rational(1)))
            .mutant({.name = "laps-drift-speed",
                     .change = "speed: 1 + e",
                     .oracle = "explore",
                     .caught = [](const Settings& settings) {
                         return not_proved("laps-drift-slow", "n6-m1-b1-det", settings);
                     }});
    else
        one.oracle(explored_theorem([](const std::string& policy, const Shape&) -> AskedTheorem {
            const bool all = policy.find(":all") != std::string::npos;
            return {all ? "laps-drift-strong-all" : "laps-drift-strong", Rational(all ? 1 : 2)};
        }));
    claims.push_back(
        one.mutant_system(policy_mutant({.name = strengthened ? "laps-drift-strong-slow" : "laps-drift-slow",
                                         .change = "policy: a hundredth of its shares",
                                         .policy = "laps+r",
                                         .instance = "fair-naive",
                                         .spoil = shares_cut(Rational(1) / Rational(100))})));
}

/// (1 + b + e)(1 - b/2) >= 1 + e/2, or with every rank at its least (1 + b + e)(1 - b) >= 1.
std::string core(const PolicyUnderTest& under_test, const Rational& speed, bool each_rank) {
    const Rational b = laps_r(under_test.policy).beta.value(), one(1), half = one / Rational(2);
    const Rational e = speed - one - b;
    if (e.sign() < 0) return "";
    const Rational left = speed * (each_rank ? one - b : under_test.ranks(b)), right = each_rank ? one : one + half * e;
    return left >= right ? ""
                         : "b = " + b.to_string() + ", e = " + e.to_string() + ": " + left.to_string() +
                               " is less than " + right.to_string();
}

void add_core(std::vector<Claim>& claims) {
    claims.push_back(claim("laps-core")
                         .statement("(1 + beta + e)(1 - beta/2) >= 1 + e/2 for 0 < beta <= 1 and e >= 0.")
                         .source("[schedproof], docs/models/redundancy.md, Theorems")
                         .property(of_policy([](const PolicyUnderTest& under_test, const RedundancyProblem&,
                                                const Rational& speed) { return core(under_test, speed, false); }))
                         .exhaustive()
                         .sampled()
                         .among(of_policy(not_slow))
                         .holds({"laps+r"}, {"random"})
                         .holds({"laps+r"}, {"n1-m1-det"})
                         .oracle(explored_theorem("core-inequality"))
                         .mutant_system(policy_mutant({.name = "core-each-rank",
                                                       .change = "ranks: each at its least in place of their sum",
                                                       .policy = "laps+r",
                                                       .instance = "each-rank",
                                                       .spoil = [](PolicyUnderTest& under_test) {
                                                           under_test.ranks = [](const Rational& beta) {
                                                               return Rational(1) - beta;
                                                           };
                                                       }})));

    claims.push_back(
        claim("laps-core.each-rank")
            .statement("(1 + beta + e)(1 - beta) >= 1 for 0 < beta <= 1 and e >= 0.")
            .source("[schedproof], docs/models/redundancy.md, Theorems")
            .property(of_policy([](const PolicyUnderTest& under_test, const RedundancyProblem&, const Rational& speed) {
                return core(under_test, speed, true);
            }))
            .exhaustive()
            .sampled()
            .among(of_policy(not_slow))
            .fails({"laps+r"}, {"each-rank"}, "7/8 at beta = 1/2, e = 1/4: the sum of the ranks is needed"));
}

}  // namespace

void add_redundancy_laps(std::vector<Claim>& claims) {
    for (const bool strengthened : {false, true}) {
        add_potential(claims, strengthened);
        add_drift(claims, strengthened);
    }
    add_core(claims);

    claims.push_back(claim_of(
        {.id = "theorem-3",
         .statement = "The flowtime is at most 2/(beta e) (Delta + s) times the optimum at speed s = 2 + 2 beta "
                      "+ 2 e; at s = 1 + beta + e, 2/(beta e) (Delta + 2 s) times where jobs are served in "
                      "rounds and 4/(beta e) (Delta (1 + 4/e) + s) times where all are; the optimum is " +
                      optimum_in_words + ".",
         .source = source("Theorem 3; [schedproof] for the others"),
         .policies = variants,
         .shape = "n2-m2-b1/2-s2-two-point:3,0",
         .policy = "laps+r",
         .below_supremum = Rational(2) / Rational(5),
         .slowed_on = "fair-naive",
         .slowed_to = Rational(1) / Rational(1000),
         .slowed_in_words = "a thousandth"}));
}

}  // namespace schedproof::checks
