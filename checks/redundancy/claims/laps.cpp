/// Claims about LAPS+R: the potential function along exact courses and for every state, and its ratio to the optimum.
#include "checks/core/registry.hpp"
#include "checks/redundancy/claim_group.hpp"
#include "checks/redundancy/witnesses.hpp"

namespace schedproof::checks {

using namespace redundancy;
using namespace redundancy_group;
using namespace run_judging;

namespace {

const std::vector<std::string> variants{"laps+r", "laps+r:oldest", "laps+r:all", "laps+r:all-oldest"};
const std::vector<std::string> shapes{"n10-m5-b1/2-det", "n10-m3-b1/3-det", "n8-m2-b1-det"};

/// e of the potential at a speed s = base + ... + e, by beta.
Rational excess(const AnyPolicy& policy, const Rational& speed, bool strengthened) {
    const Rational b = std::get<LapsR>(policy).beta.value(), one(1), two(2);
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
    const auto judge = strengthened ? potential_strengthened : potential;
    RedundancyClaim whole =
        claim(strengthened ? "laps-potential.strengthened" : "laps-potential",
              (strengthened ? strong_speed : stated_speed) + against,
              strengthened ? "[schedproof]" : source("Section 5.4, (29) to (31)"), judge, fast_enough(strengthened));
    holds(whole, variants, {"random-small", "random", "grid"});
    mutant(whole, strengthened ? "laps-potential-strong-slow" : "laps-potential-slow",
           "policy: a hundredth of its shares", judge, "laps+r", "fair-naive", shares_cut(Rational(1) / Rational(100)));
    claims.emplace_back(std::move(whole));
}

/// What explore finds of a statement that is false of some state.
std::string not_proved(const std::string& statement, const std::string& shape, const Settings& settings) {
    const RedundancyTrial trial{named_redundancy_domain(shape), "laps+r", "laps+r"};
    const Verdict verdict = explored_theorem(statement, Rational(1)).run(trial, settings);
    const auto* unknown = std::get_if<Unknown>(&verdict);
    return unknown && unknown->reason.starts_with("fails") ? "on " + shape + ": " + unknown->reason : "";
}

void add_drift(std::vector<Claim>& claims, bool strengthened) {
    const std::string state = "in any one state with n jobs, whatever they have lost against any " + schedule_in_words +
                              " and whatever it does there with its n* jobs, the potential has n + gamma Phi' <= c n*.";
    const auto judge = strengthened ? drift_strengthened : drift;
    RedundancyClaim one = claim(
        strengthened ? "laps-drift.strengthened" : "laps-drift", (strengthened ? strong_speed : stated_speed) + state,
        strengthened ? "[schedproof]" : source("Section 5.4, (29) to (31)"), judge, fast_enough(strengthened));
    one.family += "; of a drift, all states with at most so many jobs";
    holds(one, variants, {"random"});
    holds(one, variants, shapes);
    if (!strengthened) {
        redundancy_group::explore(one, "laps-drift", Rational(1));
        one.mutants.push_back({"laps-drift-speed", "speed: 1 + e", "explore", [](const Settings& settings) {
                                   return not_proved("laps-drift-slow", "n6-m1-b1-det", settings);
                               }});
    } else {
        RedundancyOracle oracle = explored_theorem("laps-drift-strong");
        oracle.run = [](const RedundancyTrial& trial, const Settings& settings) {
            const bool all = trial.policy.find(":all") != std::string::npos;
            return explored_theorem(all ? "laps-drift-strong-all" : "laps-drift-strong", Rational(all ? 1 : 2))
                .run(trial, settings);
        };
        one.oracles.push_back(std::move(oracle));
    }
    mutant(one, strengthened ? "laps-drift-strong-slow" : "laps-drift-slow", "policy: a hundredth of its shares", judge,
           "laps+r", "fair-naive", shares_cut(Rational(1) / Rational(100)));
    claims.emplace_back(std::move(one));
}

/// (1 + b + e)(1 - b/2) >= 1 + e/2, or with every rank at its least (1 + b + e)(1 - b) >= 1.
std::string core(const RunSubject& subject, const Rational& speed, bool each_rank) {
    const Rational b = std::get<LapsR>(subject.policy).beta.value(), one(1), half = one / Rational(2);
    const Rational e = speed - one - b;
    if (e.sign() < 0) return "";
    const Rational left = speed * (each_rank ? one - b : one - half * b), right = each_rank ? one : one + half * e;
    return left >= right ? ""
                         : "b = " + b.to_string() + ", e = " + e.to_string() + ": " + left.to_string() +
                               " is less than " + right.to_string();
}

void add_core(std::vector<Claim>& claims) {
    RedundancyClaim sum = claim(
        "laps-core", "(1 + beta + e)(1 - beta/2) >= 1 + e/2 for 0 < beta <= 1 and e >= 0.",
        "[schedproof], docs/models/redundancy.md, Theorems",
        [](const RunSubject& subject, const RedundancyProblem&, const Rational& speed) {
            return core(subject, speed, false);
        },
        not_slow);
    holds(sum, {"laps+r"}, {"random"});
    holds(sum, {"laps+r"}, {"n1-m1-det"});
    redundancy_group::explore(sum, "core-inequality");
    mutant(sum, "core-each-rank", "ranks: each at its least in place of their sum",
           [] { return core(subject_of(LapsR{}), Rational(7) / Rational(4), true); });
    claims.emplace_back(std::move(sum));

    RedundancyClaim each = claim(
        "laps-core.each-rank", "(1 + beta + e)(1 - beta) >= 1 for 0 < beta <= 1 and e >= 0.",
        "[schedproof], docs/models/redundancy.md, Theorems",
        [](const RunSubject& subject, const RedundancyProblem&, const Rational& speed) {
            return core(subject, speed, true);
        },
        not_slow);
    fails(each, {"laps+r"}, {"each-rank"}, "7/8 at beta = 1/2, e = 1/4: the sum of the ranks is needed");
    claims.emplace_back(std::move(each));
}

}  // namespace

void add_redundancy_laps(std::vector<Claim>& claims) {
    for (const bool strengthened : {false, true}) {
        add_potential(claims, strengthened);
        add_drift(claims, strengthened);
    }
    add_core(claims);

    RedundancyClaim third =
        claim("theorem-3",
              "The flowtime is at most 2/(beta e) (Delta + s) times the optimum at speed s = 2 + 2 beta + 2 e; at s = "
              "1 + beta + e, 2/(beta e) (Delta + 2 s) times where jobs are served in rounds and 4/(beta e) (Delta (1 + "
              "4/e) + s) times where all are; the optimum is " +
                  optimum_in_words + ".",
              source("Theorem 3; [schedproof] for the others"), theorem, bounded);
    holds(third, variants, {"random-small", "grid"});
    mutant(third, "theorem-3-slow", "policy: a thousandth of its speed", theorem, "laps+r", "fair-naive",
           slowed(Rational(1) / Rational(1000)));
    claims.emplace_back(std::move(third));
}

}  // namespace schedproof::checks
