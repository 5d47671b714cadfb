/// Claims about the model of redundancy and its policies: services, schedules, the optimum, and how far from it every
/// policy is at unit speed on two machines.
#include <algorithm>
#include <cmath>

#include "checks/core/registry.hpp"
#include "checks/redundancy/claim_group.hpp"
#include "checks/redundancy/witnesses.hpp"

namespace schedproof::checks {

using namespace redundancy;
using namespace redundancy_group;
using namespace run_judging;

namespace {

const std::vector<std::string> everywhere{"random", "grid-unit-speed"};

std::vector<std::string> all_policies() {
    std::vector<std::string> ids;
    for (const PolicyInfo& info : policies()) ids.emplace_back(info.id);
    return ids;
}
std::vector<std::string> laps_policies() {
    std::vector<std::string> ids;
    for (const PolicyInfo& info : policies())
        if (has_beta(info.id)) ids.emplace_back(info.id);
    return ids;
}

const std::vector<Rational> unit{Rational(1)};

void add_gains(std::vector<Claim>& claims) {
    RedundancyClaim first =
        claim("lemma-1",
              "Of independent machines alike, each further copy adds no more to the mean work than the one before.",
              source("Lemma 1"), lemma_1);
    holds(first, {"srpt+r"}, {"services"});
    mutant(first, "lemma-1-twins", "service: two machines of three the same",
           [] { return concave_in_copies(of_law(twins_and_one()), unit); });
    claims.emplace_back(std::move(first));

    RedundancyClaim pointwise =
        claim("lemma-1.pointwise",
              "For every value G in [0, 1] of a distribution function and r = 0..8, G^r (1 - G) >= G^(r+1) (1 - G).",
              source("Lemma 1"), lemma_1_pointwise);
    pointwise.family = "all G and r as stated; a shape has no part in it";
    holds(pointwise, {"srpt+r"}, {"n1-m1-det"});
    redundancy_group::explore(pointwise, "gains-concave");
    mutant(pointwise, "lemma-1-no-distribution", "G: -1/2, which no distribution function takes",
           [] { return gain_falls_at(Rational(-1) / Rational(2)); });
    claims.emplace_back(std::move(pointwise));

    RedundancyClaim identical =
        claim("lemma-1.identical",
              "Of machines alike, independent or not, each further copy adds no more to the mean "
              "work than the one before.",
              "[schedproof], docs/models/redundancy.md, Interpretation R1", lemma_1_for_identical_machines,
              [](const AnyPolicy&, const redundancy::Instance& instance) { return speaks_of_twins(instance.problem); });
    identical.family = "three machines two-point:2,0, two of them the same";
    fails(identical, {"srpt+r"}, {"identical-machines"}, "two machines that are the same, and one: 1, 1, 3/2");
    claims.emplace_back(std::move(identical));
}

void add_services(std::vector<Claim>& claims) {
    RedundancyClaim second =
        claim("lemma-2", "For r >= 1 copies, D <= h(r, D) <= min(r, Delta) D.", source("Lemma 2"), lemma_2);
    holds(second, {"srpt+r"}, {"services"});
    mutant(second, "lemma-2-work-lost", "service: machines that may undo work", [] {
        const Rational half = Rational(1) / Rational(2);
        return between_one_and_all(of_law(independent({{half, Rational(5)}, {half, Rational(-3)}}, 8)), Rational(5),
                                   unit);
    });
    claims.emplace_back(std::move(second));

    RedundancyClaim checkpoints = claim(
        "checkpoints-never-hurt", "h(r, D) falls neither with r nor with D, and h(r, D + E) <= h(r, D) + h(r, E).",
        "[schedproof], docs/models/redundancy.md, Model", checkpoints_never_hurt);
    holds(checkpoints, {"srpt+r"}, {"services"});
    mutant(checkpoints, "checkpoints-square", "service: work that grows with the square of time",
           [] { return monotone_and_sub_additive([](std::uint32_t, const Rational& d) { return d * d; }, unit); });
    claims.emplace_back(std::move(checkpoints));
}

const std::string section = "[schedproof], docs/models/redundancy.md, Policies";

void add_schedules(std::vector<Claim>& claims) {
    RedundancyClaim follows = claim("follows-specification",
                                    "The schedule is that of the policy's list of copies and shares, event by event.",
                                    source("Algorithms 1 to 3; ") + section, follows_specification);
    holds(follows, all_policies(), everywhere);
    mutant(follows, "follows-oldest", "policy: leftover copies for the oldest", follows_specification, "laps+r",
           "laps-ceiling", another_policy("laps+r:oldest", Rational(7) / Rational(25)));
    claims.emplace_back(std::move(follows));

    RedundancyClaim fits = claim("fits-machines",
                                 "Shares of machines sum to at most M, to M exactly under policies with copies while a "
                                 "job is there, and no job has more copies than there are machines.",
                                 section, fits_machines);
    holds(fits, all_policies(), everywhere);
    mutant(fits, "fits-all-for-all", "policy: M copies for every job", fits_machines, "srpt+r", "srpt-r-not-optimal",
           another_rule({false, [](std::size_t n, std::size_t machines) {
                             return std::vector<PlainShare>(n, {machines, Rational(1)});
                         }}));
    mutant(fits, "fits-idle-machine", "policy: SRPT under the name of SRPT+R", fits_machines, "srpt+r",
           "one-job-two-machines", another_policy("srpt"));
    claims.emplace_back(std::move(fits));

    RedundancyClaim completes = claim("completes-all", "Every job is done when its work is: s int x h dt = p.",
                                      source("Section 3.1, (8)"), completes_all);
    holds(completes, all_policies(), everywhere);
    mutant(completes, "completes-late", "policy: half its speed", completes_all, "fair", "fair-naive",
           slowed(Rational(1) / Rational(2)));
    claims.emplace_back(std::move(completes));
}

void add_orders(std::vector<Claim>& claims) {
    RedundancyClaim order =
        claim("srpt-order", "No job overtakes another in the order of remaining work.", section, srpt_order_kept);
    holds(order, {"srpt", "srpt+r"}, everywhere);
    mutant(order, "order-of-fair", "policy: FAIR+R", srpt_order_kept, "srpt+r", "srpt-r-ratio-58-51",
           another_policy("fair+r"));
    claims.emplace_back(std::move(order));

    RedundancyClaim latest = claim("fair-favours-latest", "At every instant rates do not fall in the order of arrival.",
                                   section, latest_favoured);
    holds(latest, {"fair", "fair+r"}, everywhere);
    mutant(latest, "latest-oldest", "policy: leftover copies for the oldest", latest_favoured, "fair+r", "laps-ceiling",
           another_policy("laps+r:oldest"));
    claims.emplace_back(std::move(latest));

    RedundancyClaim general = claim("laps-generalises-fair", "With beta = 1 the schedule is that of FAIR+R.",
                                    source("Section 5"), fair_is_laps_of_1);
    holds(general, {"laps+r"}, everywhere);
    fails(general, {"laps+r:all"}, {"laps-all-not-fair"},
          "with all served, one job more than machines halves all shares");
    claims.emplace_back(std::move(general));
}

/// At some instant as many jobs are there as machines.
bool has_as_many_as_machines(const AnyPolicy& policy, const redundancy::Instance& instance) {
    const std::vector<PlainInterval> all = plain_schedule(policy, instance.problem, instance.speed).intervals;
    return std::any_of(all.begin(), all.end(), [&](const PlainInterval& interval) {
        return interval.active.size() == instance.problem.machines;
    });
}

void add_special_cases(std::vector<Claim>& claims) {
    RedundancyClaim steady = claim("no-gain", "On machines of constant rate every job is done when SRPT does it.",
                                   section, plain_without_gain);
    holds(steady, {"srpt+r"}, everywhere);
    mutant(steady, "no-gain-one-job", "policy: all machines to the smallest job", plain_without_gain, "srpt+r",
           "srpt-r-not-optimal", another_rule({true, [](std::size_t n, std::size_t machines) {
                                                   std::vector<PlainShare> shares(n);
                                                   shares.front() = {machines, Rational(1)};
                                                   return shares;
                                               }}));
    claims.emplace_back(std::move(steady));

    RedundancyClaim many = claim("as-many-jobs-as-machines", "With as many jobs as machines each has one machine.",
                                 section, plain_with_as_many_jobs, has_as_many_as_machines);
    holds(many, {"srpt+r", "fair+r"}, {"random", "grid"});
    mutant(many, "as-many-half", "policy: LAPS+R with beta = 1/2", plain_with_as_many_jobs, "fair+r",
           "srpt-r-not-optimal", another_policy("laps+r", Rational(1) / Rational(2)));
    claims.emplace_back(std::move(many));
}

void add_rounding(std::vector<Claim>& claims) {
    RedundancyClaim up = claim("beta-rounded-up",
                               "Of n jobs the ceil(beta n) latest are served, or as many of them as fill whole rounds.",
                               "[schedproof], docs/models/redundancy.md, Interpretation R5", beta_rounded_up);
    std::vector<std::string> with_ceiling = everywhere;
    with_ceiling.emplace_back("laps-ceiling");
    holds(up, laps_policies(), with_ceiling);
    mutant(up, "beta-in-doubles", "policy: beta n rounded up in floating point", beta_rounded_up, "laps+r:all",
           "laps-ceiling", another_rule({false, [](std::size_t n, std::size_t) {
                                             const double served = std::ceil(0.28 * static_cast<double>(n));
                                             std::vector<PlainShare> shares(n);
                                             for (std::size_t i = n - static_cast<std::size_t>(served); i < n; ++i)
                                                 shares[i] = {1, Rational(1)};
                                             return shares;
                                         }}));
    claims.emplace_back(std::move(up));

    RedundancyClaim down =
        claim("beta-rounded-down", "With floor(beta n) jobs served every job is done.",
              "[schedproof], docs/models/redundancy.md, Interpretation R5", beta_rounded_down_serves);
    fails(down, {"laps+r"}, {"laps-one-job"}, "floor(beta) = 0: a single job waits for ever");
    claims.emplace_back(std::move(down));
}

/// The exact suprema of F/OPT at speed 1 over two jobs on two machines, two-point:3,0, found by the adversary
/// (proofs/redundancy/worst.hpp).
Rational unit_speed_supremum(const std::string& policy) {
    if (policy.starts_with("laps+r")) return 2;
    if (policy.starts_with("laps")) return Rational(10) / Rational(3);
    return policy.ends_with("+r") ? Rational(10) / Rational(9) : Rational(5) / Rational(3);
}

std::string ratio_at_most(const RunSubject& subject, const RedundancyProblem& problem, const Rational& speed,
                          const Rational& bound) {
    const Rational own = subject.schedule(problem, speed).flowtime(problem), least = optimum(problem).value;
    return own <= bound * least ? ""
                                : "flowtime " + own.to_string() + " is more than " + bound.to_string() +
                                      " times the optimum " + least.to_string();
}

/// How an instance of the shape exceeds the policy's supremum less 1/100.
std::string above_smaller_bound(const std::string& policy, const std::string& shape, const Settings& settings) {
    const Rational less = unit_speed_supremum(policy) - Rational(1) / Rational(100);
    const Verdict verdict =
        explored_theorem("ratio", less).run({named_redundancy_domain(shape), policy, policy}, settings);
    const auto* refuted = std::get_if<Refuted>(&verdict);
    if (!refuted) return "";
    const redundancy::Instance& found = *std::get<RedundancyCounterexample>(refuted->counterexample).problem;
    return ratio_at_most(subject_of(make_policy(policy, found.beta)), found.problem, found.speed, less);
}

void add_unit_speed(std::vector<Claim>& claims) {
    RedundancyClaim ratio = claim(
        "unit-speed-ratio",
        "At speed 1, with two jobs on two machines of rate 3 or 0, the flowtime is at most 10/9 (SRPT+R, FAIR+R), 5/3 "
        "(SRPT, FAIR), 2 (LAPS+R with beta = 1/2), 10/3 (LAPS with beta = 1/2) times the optimum, " +
            optimum_in_words + ", and 1/100 less is not enough.",
        "[schedproof], `schedproof worst`",
        [](const RunSubject& subject, const RedundancyProblem& problem, const Rational& speed) {
            return ratio_at_most(subject, problem, speed, unit_speed_supremum(policy_id(subject.policy)));
        });
    ratio.oracles.clear();
    explore_by_policy(ratio, "ratio", unit_speed_supremum);
    ratio.family = "two jobs on two machines, two-point:3,0";
    for (const std::string& id : all_policies()) {
        const std::string shape = has_beta(id) ? "n2-m2-b1/2-two-point:3,0" : "n2-m2-two-point:3,0";
        holds(ratio, {id}, {shape});
        ratio.mutants.push_back({"below-supremum-" + id, "bound: 1/100 less than the supremum of " + id, "explore",
                                 [=](const Settings& settings) { return above_smaller_bound(id, shape, settings); }});
    }
    claims.emplace_back(std::move(ratio));
}

void add_optimum(std::vector<Claim>& claims) {
    RedundancyClaim least =
        claim("optimum-exact", "The optimum found is " + optimum_in_words + ".", source("Section 4"), optimum_is_least);
    holds(least, {"srpt+r"}, {"random-small", "srpt-r-not-optimal", "srpt-r-ratio-58-51", "srpt-r-ratio-22-19"});
    mutant(least, "optimum-of-srpt-r", "optimum: SRPT+R's flowtime", [] {
        const RedundancyProblem problem = redundancy_witness("srpt-r-not-optimal").instance.problem;
        const Rational own = subject_of(SrptR{}).schedule(problem, Rational(1)).flowtime(problem);
        const Rational best = least_flowtime(problem);
        return own == best ? "" : own.to_string() + " is not the least, " + best.to_string();
    });
    claims.emplace_back(std::move(least));

    RedundancyClaim help = claim(
        "copies-help-fair-and-laps", "FAIR+R costs no more than FAIR, and LAPS+R no more than LAPS of the same beta.",
        "[schedproof], docs/models/redundancy.md, Which statements hold", copies_help_their_kind);
    const std::string why = "copies move the decisions, and another job waits when fewer are left";
    holds(help, {"fair+r", "laps+r"}, {"grid-unit-speed"});
    fails(help, {"fair+r"}, {"fair-copies-hurt", "fair-copies-hurt-apart"}, why);
    fails(help, {"laps+r", "laps+r:oldest", "laps+r:all", "laps+r:all-oldest"}, {"laps-copies-hurt"}, why);
    claims.emplace_back(std::move(help));
}

}  // namespace

void add_redundancy_model(std::vector<Claim>& claims) {
    add_gains(claims);
    add_services(claims);
    add_schedules(claims);
    add_orders(claims);
    add_special_cases(claims);
    add_rounding(claims);
    add_unit_speed(claims);
    add_optimum(claims);
}

}  // namespace schedproof::checks
