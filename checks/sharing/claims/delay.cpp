/// Claims about locality under delay scheduling: how it grows with D, what the rule for D reaches, what waiting costs
/// in the mean.

#include "checks/core/registry.hpp"
#include "checks/sharing/claim_group.hpp"
#include "checks/sharing/mutants.hpp"

namespace schedproof::checks {

using namespace sharing;
using namespace sharing_group;
using namespace sharing_judging;

namespace {

const std::string one_job_in_words = "a job of one task with data on n of M nodes, offers from any node alike";
const std::string grid_in_words = "M = 1..4, n = 0..M, D = 0..4, by enumeration of every course of offers";
const std::string head_in_words =
    "M = 1..4, n = 0..M, D = 0..3, behind the job one with data everywhere and a running task, by enumeration of every "
    "course of offers";

ByD by_d(const std::string& policy) {
    return [policy](std::int64_t d) { return make_policy(policy, {.d = d}); };
}

/// A simulated test that a policy under another's name must fail.
void simulation_mutant(SharingClaim& claim, const std::string& name, const std::string& fault, SimulationTest test,
                       const std::string& policy) {
    claim.mutants.push_back({name, fault, "simulation", [test = std::move(test), policy](const Settings& settings) {
                                 return test(policy, Scenario{}, settings.seed, sharing_replications);
                             }});
}

void add_locality(std::vector<Claim>& claims) {
    SharingClaim within =
        claim("local-within-d",
              "With p = n/M, " + one_job_in_words +
                  ", some of the first D offers is local, and the job launches there, with "
                  "probability 1 - (1-p)^D.",
              zaharia("Analysis of Delay Scheduling, Observation 1"), SharingPart::one_job, local_in_time);
    within.family = grid_in_words;
    holds(within, {"delay"}, {"one-job"});
    mutant(within, "within-naive", "policy: naive-fair", "one-job", another("delay", "naive-fair"), local_in_time);
    mutant(within, "within-d-less-two", "policy: D - 2", "one-job",
           faulty("delay", [](const Parameters& p) { return Delay{p.d > 1 ? p.d - 2 : 0}; }), local_in_time);
    claims.emplace_back(std::move(within));

    SharingClaim falls =
        claim("non-locality-exponential",
              "The task of " + one_job_in_words +
                  ", is launched without data with probability (1-p)^(D+1): by a constant factor "
                  "less with each further skip. In simulated courses of a backlog of jobs it at least "
                  "halves from D = 0 to 6, and from 6 to 12.",
              zaharia("Analysis of Delay Scheduling, Observation 1"), SharingPart::one_job, non_locality);
    falls.family = grid_in_words +
                   "; simulated: 20 nodes, 60 jobs present, 4 replicas, 30 replications, one-sided "
                   "paired z tests at z^2 = 11";
    const SimulationTest halves = [](const std::string& policy, const Scenario& scenario, std::uint64_t seed,
                                     std::uint64_t replications) {
        return non_locality_does_not_halve(by_d(policy), scenario, seed, replications);
    };
    falls.oracles.push_back(simulated(halves));
    holds(falls, {"delay"}, {"one-job", "backlog"});
    mutant(falls, "falls-naive", "policy: naive-fair", "one-job", another("delay", "naive-fair"), non_locality);
    simulation_mutant(falls, "falls-naive-simulated", "policy: naive-fair, simulated", halves, "naive-fair");
    claims.emplace_back(std::move(falls));
}

void add_head_of_line(std::vector<Claim>& claims) {
    SharingClaim head =
        claim("head-of-line",
              "A job of one task at the head is launched on local data with probability n/M only, "
              "whatever else could run on the node.",
              zaharia("Naive Fair Sharing, head-of-line scheduling"), SharingPart::one_job, head_of_line);
    head.family = head_in_words;
    holds(head, {"naive-fair", "fair-kill"}, {"head-of-line"});
    mutant(head, "head-delay", "policy: delay", "head-of-line", another("naive-fair", "delay"), head_of_line);
    claims.emplace_back(std::move(head));

    SharingClaim waits = claim("head-of-line-waits",
                               "Delayed, a job of one task at the head is launched on local data with probability "
                               "1 - (1-n/M)^(D+1), more than n/M unless D = 0 or n is 0 or M.",
                               zaharia("Delay Scheduling"), SharingPart::one_job, head_waits);
    waits.family = head_in_words;
    holds(waits, {"delay"}, {"head-of-line"});
    mutant(waits, "head-naive", "policy: naive-fair", "head-of-line", another("delay", "naive-fair"), head_waits);
    claims.emplace_back(std::move(waits));
}

void add_wait(std::vector<Claim>& claims) {
    SharingClaim wait = claim("mean-wait",
                              "With memoryless tasks of mean T on S = M L busy slots, " + one_job_in_words +
                                  ", lets pass sum of (1-p)^i, i = 1..D, offers in the mean, so that it waits (D/S) T "
                                  "at most in the mean: half as long with twice the slots per node. In simulated "
                                  "courses of a backlog the mean wait falls to between 1/3 and 2/3 with each doubling.",
                              zaharia("Analysis of Delay Scheduling, Observation 2"), SharingPart::one_job, mean_wait);
    wait.family = grid_in_words +
                  "; L = 1..4; simulated: 20 nodes of 1, 2, 4 slots, D = 8, 60 jobs present, 30 "
                  "replications, one-sided paired z tests at z^2 = 11";
    const SimulationTest inverse = [](const std::string& policy, const Scenario& scenario, std::uint64_t seed,
                                      std::uint64_t replications) {
        return wait_is_not_inverse_to_slots(by_d(policy), scenario, seed, replications);
    };
    wait.oracles.push_back(simulated(inverse));
    holds(wait, {"delay"}, {"one-job", "backlog"});
    mutant(wait, "mean-wait-blind", "policy: passed over D times, local data or not", "one-job",
           faulty("delay", [](const Parameters& p) { return BlindDelay{p.d}; }), mean_wait);
    simulation_mutant(wait, "mean-wait-naive-simulated", "policy: naive-fair, simulated", inverse, "naive-fair");
    claims.emplace_back(std::move(wait));
}

/// A judge of another D than the rule's.
template <class OtherD, class JudgeOfD>
std::function<sharing_judging::Judge> at(OtherD other, JudgeOfD judge) {
    return [=](const SharingSubject&, const SharingCase& c) { return judge(c, other(rule_for_skips(c.of, c.goal))); };
}

void add_rule(std::vector<Claim>& claims) {
    const std::string analysis_grid =
        "M in {1, 2, 3, 5, 10, 20, 50, 100, 200}, R in {1, 2, 3, 5}, N in {1, 2, 3, 5, 10, 20, 50, 100} up to M, "
        "goals 0, 1/10, 1/2, 3/4, 4/5, 9/10, 19/20, 99/100, 999/1000";
    SharingClaim suffices = claim("rule-suffices",
                                  "For the least whole D >= (M/R) ln((1 + (1-g)N) / ((1-g)N)), the mean of "
                                  "1 - (1-K/M)^(RD) over K = 1..N is at least g.",
                                  zaharia("How to set D"), SharingPart::analysis, rule_suffices);
    suffices.family = analysis_grid;
    holds(suffices, {"delay"}, {"analysis", "paper-example"});
    mutant(suffices, "rule-halved", "rule: half of D", "analysis", another("delay", "delay"),
           at([](std::uint64_t d) { return d / 2; }, goal_missed));
    mutant(suffices, "rule-two-less", "rule: D - 2, at the paper's example", "paper-example", another("delay", "delay"),
           at([](std::uint64_t d) { return d - 2; }, goal_missed));
    claims.emplace_back(std::move(suffices));

    SharingClaim tight = claim("rule-nearly-tight",
                               "The rule's D is less than 1 + M/(R N) + D/M above the least one at which that mean "
                               "reaches the goal.",
                               "[schedproof]", SharingPart::analysis, rule_tight);
    tight.family = analysis_grid;
    holds(tight, {"delay"}, {"analysis", "paper-example"});
    mutant(tight, "rule-doubled", "rule: twice D", "analysis", another("delay", "delay"),
           at([](std::uint64_t d) { return 2 * d + 2; }, slack_too_large));
    claims.emplace_back(std::move(tight));
}

void add_printed(std::vector<Claim>& claims) {
    SharingClaim printed =
        claim("locality-as-printed",
              "While K tasks are left let an offer be local with probability 1 - (1-K/M)^R. The part "
              "of a job's N tasks that the algorithm launches on local data is, in the mean, that of "
              "the chain in which a launch without data leaves the count at D.",
              zaharia("Algorithm 2; docs/models/sharing.md, Interpretation S3"), SharingPart::analysis, printed_mean);
    printed.family =
        "M in {1, 2, 3, 5, 12}, R = 1..3, N in {1, 2, 3, 8} up to M, D in {0, 1, 2, 5, 12}; N = 20, R = 3, "
        "M = 100, D = 24";
    holds(printed, {"delay"}, {"small-analysis", "paper-example"});
    mutant(printed, "printed-resets", "policy: any launch sets the skip count to 0", "small-analysis",
           faulty("delay", [](const Parameters& p) { return ResettingDelay{p.d}; }), printed_mean);
    claims.emplace_back(std::move(printed));

    SharingClaim reached = claim("rule-as-printed",
                                 "With the rule's D the algorithm launches at least the part g of a job's tasks on "
                                 "local data, in the mean.",
                                 zaharia("How to set D, of Algorithm 2"), SharingPart::analysis, rule_as_printed);
    reached.family = "N = 3, R = 1, M = 20, goal 5/6; N = 20, R = 3, M = 100, goal 19/20";
    fails(reached, {"delay"}, {"three-tasks", "paper-example"},
          "once passed over D times a job launches tasks without waiting until it meets a local one");
    claims.emplace_back(std::move(reached));
}

}  // namespace

void add_sharing_delay(std::vector<Claim>& claims) {
    add_locality(claims);
    add_head_of_line(claims);
    add_wait(claims);
    add_rule(claims);
    add_printed(claims);
}

}  // namespace schedproof::checks
