/// Claims about SRPT+R: dual fitting, its ratio to the optimum, and SRPT beside it.
#include <algorithm>

#include "checks/core/registry.hpp"
#include "checks/redundancy/claim_group.hpp"
#include "checks/redundancy/witnesses.hpp"

namespace schedproof::checks {

using namespace redundancy;
using namespace redundancy_group;
using namespace run_judging;

namespace {

const std::vector<std::string> everywhere{"random", "grid"};
const std::string section = source("Section 4.2");

std::vector<std::string> with(std::vector<std::string> instances, const std::vector<std::string>& more) {
    instances.insert(instances.end(), more.begin(), more.end());
    return instances;
}

/// SRPT that has a quarter of each machine.
PlainPolicy quarters() {
    return {true, [](std::size_t n, std::size_t machines) {
                std::vector<PlainShare> shares(n);
                for (std::size_t i = 0; i < std::min(n, machines); ++i) shares[i] = {1, Rational(1) / Rational(4)};
                return shares;
            }};
}

void add_relaxation(std::vector<Claim>& claims) {
    RedundancyClaim third = claim("lemma-3",
                                  "In the relaxed problem P1 with any constant C, any " + schedule_in_words +
                                      " costs at most 1 + C Delta times its flowtime.",
                                  source("Lemma 3"), lemma_3);
    holds(third, {"srpt+r"}, {"random-small", "random"});
    mutant(third, "lemma-3-peak", "Delta: 1 where the peak rate is 3", [] {
        const RedundancyProblem problem = redundancy_problem_of(2, "two-point:3,0", "0 1");
        return relaxation(work_path(optimum(problem), problem), problem, Rational(1), Rational(1));
    });
    claims.emplace_back(std::move(third));

    RedundancyClaim weak = claim(
        "weak-duality",
        "With the constant that makes the dual variables feasible, their value is at most the cost in P1 of any " +
            schedule_in_words + ", and 1/(1 + C Delta) of it at most the least flowtime of these.",
        source("Section 4.2"), weak_duality);
    holds(weak, {"srpt+r", "fair+r"}, {"random-small", "random"});
    mutant(weak, "weak-duality-more-machines", "schedule: more machines than the policy has", [] {
        const RedundancyProblem one = redundancy_problem_of(1, "det", "0 1, 0 1, 0 1, 0 1");
        const Duals<Rational> made = duals(DualRule::srpt, one, Rational(2));
        RedundancyProblem many = one;
        many.machines = 4;
        const Rational cost = relaxed_cost(work_path(optimum(many), many), many, least_constant(made, one));
        const Rational value = objective(made, one.machines);
        return value > cost ? value.to_string() + " is above " + cost.to_string() : std::string();
    });
    claims.emplace_back(std::move(weak));
}

void add_values(std::vector<Claim>& claims) {
    RedundancyClaim fifth =
        claim("lemma-5", "Finishing n jobs p_1 <= ... <= p_n alone costs sum_k ceil((n-k+1)/M) p_k.", source("Lemma 5"),
              remaining_flowtime);
    holds(fifth, {"srpt"}, with(everywhere, {"n8-m3-det", "n6-m2-det"}));
    redundancy_group::explore(fifth, "remaining-flowtime");
    mutant(fifth, "lemma-5-of-fair", "policy: FAIR", remaining_flowtime, "srpt", "fair-naive", another_policy("fair"));
    claims.emplace_back(std::move(fifth));

    RedundancyClaim increment = claim(
        "alpha-is-an-increment", "alpha_j is what inserting job j adds to the cost of finishing what is there, over s.",
        source("Section 4.2.1, (9)"), alpha_is_an_increment);
    holds(increment, {"srpt+r"}, with(everywhere, {"one-job", "insertion-instant"}));
    mutant(increment, "increment-forgets", "alpha: ranks that do not count the job itself", alpha_is_an_increment,
           "srpt+r", "one-job", dual_rule(DualRule::srpt_forget));
    claims.emplace_back(std::move(increment));

    RedundancyClaim value =
        claim("srpt-dual-value",
              "sum alpha = F and M int beta = F/s, F the flowtime of SRPT at speed s: the dual value is "
              "F (s - 1)/s.",
              section, srpt_dual_value);
    holds(value, {"srpt+r"}, with(everywhere, {"n3-m2-det", "n4-m3-det"}));
    redundancy_group::explore(value, "srpt-dual-value");
    mutant(value, "dual-value-floor", "alpha: floor in place of ceil", srpt_dual_value, "srpt+r",
           "one-job-two-machines", dual_rule(DualRule::srpt_floor));
    mutant(value, "dual-value-unscaled", "beta: n/M, so that the dual value vanishes", srpt_dual_value, "srpt+r",
           "one-job", dual_rule(DualRule::srpt_unscaled));
    claims.emplace_back(std::move(value));
}

const std::string lemma = source("Lemma 4; [schedproof] for C*");

void add_feasibility(std::vector<Claim>& claims) {
    RedundancyClaim fourth =
        claim("lemma-4", "The dual variables of SRPT+R are feasible with C* = (1 - 1/M)/s.", lemma, srpt_feasible);
    holds(fourth, {"srpt+r"},
          with(everywhere, {"n3-m1-det", "n3-m2-two-point:3,0", "n4-m2-det", "n4-m3-det", "insertion-instant",
                            "beta-of-srpt-r", "one-job-two-machines"}));
    explore_with_c_star(fourth, "srpt-dual-feasible");
    mutant(fourth, "lemma-4-own-count", "beta: n(t) of SRPT+R in place of SRPT's", srpt_feasible, "srpt+r",
           "beta-of-srpt-r", dual_rule(DualRule::srpt_own_count));
    mutant(fourth, "lemma-4-forgets", "alpha: ranks that do not count the job itself", srpt_feasible, "srpt+r",
           "one-job", dual_rule(DualRule::srpt_forget));
    claims.emplace_back(std::move(fourth));

    RedundancyClaim last =
        claim("lemma-4.static",
              "For a job of any rank after which no other arrives, the dual variables of SRPT+R meet eq. 8 with C* = "
              "(1 - 1/M)/s when it arrives and at every later completion.",
              lemma, srpt_feasible);
    holds(last, {"srpt+r"}, {"n16-m5-det", "n8-m3-det"});
    explore_with_c_star(last, "srpt-static");
    mutant(last, "lemma-4-static-less", "C: 99/100 of C*", srpt_feasible_with_99_percent, "srpt+r",
           "one-job-two-machines", [](RunSubject&) {});
    claims.emplace_back(std::move(last));
}

/// The last job comes with 1 more to do.
void enlarge_last(RunSubject& subject) {
    subject.schedule = [own = subject.schedule](RedundancyProblem problem, const Rational& speed) {
        problem.jobs.back().size += Rational(1);
        return own(problem, speed);
    };
}

void add_dominance(std::vector<Claim>& claims) {
    RedundancyClaim step =
        claim("dominance-step",
              "Where one of two clusters under SRPT has more work left, in the order of sizes, it still has after an "
              "interval without an event.",
              "[schedproof], docs/models/redundancy.md, Theorems", later_jobs_add, has_two_jobs);
    holds(step, {"srpt"}, with(everywhere, {"n5-m3-det", "n4-m2-det"}));
    redundancy_group::explore(step, "dominance-step");
    mutant(step, "dominance-step-slower", "policy: a quarter of each machine where there is less work", later_jobs_add,
           "srpt", "fair-naive", another_rule(quarters()));
    claims.emplace_back(std::move(step));

    RedundancyClaim arrival =
        claim("dominance-arrival",
              "Where one of two clusters under SRPT has more work left, in the order of sizes, it still has after the "
              "arrival of a job at both or at it alone.",
              "[schedproof], docs/models/redundancy.md, Theorems", arrivals_add);
    holds(arrival, {"srpt"}, with(everywhere, {"n5-m3-det", "n4-m2-det"}));
    redundancy_group::explore(arrival, "dominance-arrival");
    mutant(arrival, "dominance-arrival-larger", "instance: a larger job arrives where there is less work", arrivals_add,
           "srpt", "fair-naive", enlarge_last);
    claims.emplace_back(std::move(arrival));
}

void add_false_constants(std::vector<Claim>& claims) {
    const auto false_one = [&](const std::string& id, const std::string& statement,
                               std::function<run_judging::Judge> judge, const std::string& instance,
                               const std::string& why) {
        RedundancyClaim wrong = claim(id, statement, lemma, std::move(judge));
        fails(wrong, {"srpt+r"}, {instance}, why);
        return wrong;
    };
    claims.emplace_back(false_one("lemma-4.constant-0", "The dual variables of SRPT+R are feasible with C = 0.",
                                  srpt_feasible_with_0, "one-job-two-machines",
                                  "alpha/p - beta = 1/2 - 1/4 when the job arrives"));
    claims.emplace_back(false_one("lemma-4.below-c-star",
                                  "The dual variables of SRPT+R are feasible with 99/100 of C* = (1 - 1/M)/s.",
                                  srpt_feasible_with_99_percent, "one-job-two-machines", "C* is attained: it is 1/4"));
    RedundancyClaim own =
        false_one("lemma-4.own-count",
                  "With n(t) of SRPT+R itself in beta the dual variables of SRPT+R are feasible with C* = (1 - 1/M)/s.",
                  srpt_feasible_by_own_count, "beta-of-srpt-r", "needs C = 1/2 where C* = 1/4");
    fails(own, {"srpt+r"}, {"n3-m2-two-point:2,0"}, "SRPT+R is ahead of SRPT, whose alpha stays");
    explore_with_c_star(own, "srpt-dual-feasible-own-count");
    claims.emplace_back(std::move(own));
}

void add_ratio(std::vector<Claim>& claims) {
    RedundancyClaim first =
        claim("theorem-1",
              "At speed s = 1 + e the flowtime is at most (1 + 2 Delta)(1 + 1/e) and at most (s + Delta "
              "(1 - 1/M))/e times the optimum, " +
                  optimum_in_words + ".",
              source("Theorem 1; [schedproof] for the second constant"), theorem, bounded);
    holds(first, {"srpt+r", "srpt"}, {"random-small", "grid"});
    mutant(first, "theorem-1-slow", "policy: a hundredth of its speed", theorem, "srpt+r", "beta-of-srpt-r",
           slowed(Rational(1) / Rational(100)));
    claims.emplace_back(std::move(first));

    RedundancyClaim help = claim("copies-help-srpt", "SRPT+R costs no more than SRPT at the same speed.",
                                 source("Section 4.2.1, the right way round"), copies_help);
    holds(help, {"srpt+r"}, with(everywhere, {"n3-m2-two-point:2,0", "n3-m4-two-point:3,0"}));
    redundancy_group::explore(help, "redundancy-helps", Rational(1));
    mutant(help, "copies-for-the-largest", "policy: all machines to the largest job", copies_help, "srpt+r",
           "fair-naive", another_rule({true, [](std::size_t n, std::size_t machines) {
                                           std::vector<PlainShare> shares(n);
                                           shares.back() = {machines, Rational(1)};
                                           return shares;
                                       }}));
    claims.emplace_back(std::move(help));
}

void add_work_left(std::vector<Claim>& claims) {
    RedundancyClaim step = claim(
        "copies-leave-less", "At every event the i-th largest remaining work under SRPT+R is at most that under SRPT.",
        "[schedproof], docs/models/redundancy.md, Theorems", copies_leave_less);
    holds(step, {"srpt+r"}, everywhere);
    mutant(step, "copies-leave-less-slow", "policy: a quarter of each machine", copies_leave_less, "srpt+r",
           "fair-naive", another_rule(quarters()));
    claims.emplace_back(std::move(step));

    RedundancyClaim once = claim("copies-leave-less.step",
                                 "Where SRPT has more work left than SRPT+R, in the order of sizes, it still has after "
                                 "an interval without an event.",
                                 "[schedproof], docs/models/redundancy.md, Theorems", copies_leave_less_at_once);
    once.family += "; of a step, all states of at most so many jobs in either cluster";
    holds(once, {"srpt+r"}, with(everywhere, {"n4-m3-det", "n3-m4-det"}));
    redundancy_group::explore(once, "redundancy-step");
    mutant(once, "copies-step-slow", "policy: a quarter of each machine", copies_leave_less_at_once, "srpt+r",
           "fair-naive", another_rule(quarters()));
    claims.emplace_back(std::move(once));
}

void add_false_costs(std::vector<Claim>& claims) {
    RedundancyClaim hurt = claim("cost-lower-bound", "SRPT's cost is a lower bound of SRPT+R's.", section, copies_hurt);
    fails(hurt, {"srpt+r"}, {"srpt-cost-no-lower-bound"}, "one job on two machines: 1 against 2/3");
    claims.emplace_back(std::move(hurt));

    RedundancyClaim best = claim("optimal-at-unit-speed", "At speed 1 SRPT+R has " + optimum_in_words + ".",
                                 "[schedproof], docs/models/redundancy.md, Which statements hold", optimal);
    fails(best, {"srpt+r"}, {"srpt-r-not-optimal", "srpt-r-ratio-58-51", "srpt-r-ratio-22-19"},
          "it gives the smallest job more copies than are best");
    claims.emplace_back(std::move(best));
}

}  // namespace

void add_redundancy_srpt(std::vector<Claim>& claims) {
    add_relaxation(claims);
    add_values(claims);
    add_feasibility(claims);
    add_dominance(claims);
    add_false_constants(claims);
    add_ratio(claims);
    add_work_left(claims);
    add_false_costs(claims);
}

}  // namespace schedproof::checks
