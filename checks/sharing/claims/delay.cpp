/// Claims about locality under delay scheduling: how it grows with D, what the rule for D reaches, what waiting costs.
///
/// The law of one job's launch is exact: every sequence of offers is enumerated. Trends in a backlog of jobs are
/// simulated, with paired one-sided tests; such a test can support a claim but neither prove nor refute it. The rule
/// for D is claimed twice, of the paper's own formula, where it holds, and of the algorithm as printed, where it fails.
/// Mutants replace the policy, its D or the rule.
/// Source: [zaharia2010], Analysis of Delay Scheduling and How to set D; docs/models/sharing.md, Analysis of delay
/// scheduling, Interpretations S3, S12 and S13.
#include "checks/sharing/claim.hpp"
#include "checks/sharing/mutants.hpp"

namespace schedproof::checks {

using namespace sharing;
using namespace sharing_claims;
using namespace sharing_properties;

namespace {

const std::string one_job_in_words = "a job of one task with data on n of M nodes, offers from any node alike";
const std::string grid_in_words = "M = 1..4, n = 0..M, D = 0..4, by enumeration of every sequence of offers";
const std::string head_in_words =
    "M = 1..4, n = 0..M, D = 0..3, behind the job one with data everywhere and a running task, by enumeration of every "
    "sequence of offers";

ByD by_d(const std::string& policy) {
    return [policy](std::int64_t d) { return make_policy(policy, {.d = d}); };
}

/// A simulated test that a policy under another's name must fail.
Mutant simulation_mutant(const std::string& name, const std::string& change, SimulationTest test,
                         const std::string& policy) {
    return {name, change, "simulation", [test = std::move(test), policy](const Settings& settings) {
                return test(policy, Scenario{}, settings.seed, sharing_replications);
            }};
}

void add_locality(std::vector<Claim>& claims) {
    claims.push_back(
        claim("local-within-d", SharingPart::one_job)
            .statement(
                "With p = n/M, " + one_job_in_words +
                ", some of the first D offers is local, and the job launches there, with probability 1 - (1-p)^D.")
            .source(zaharia("Analysis of Delay Scheduling, Observation 1"))
            .property(of_policy(local_in_time))
            .exhaustive()
            .sampled()
            .instances(grid_in_words)
            .holds({"delay"}, {"one-job"})
            .mutant_system(policy_mutant({.name = "within-naive",
                                          .change = "policy: naive-fair",
                                          .domain = "one-job",
                                          .policy = another("delay", "naive-fair")}))
            .mutant_system(policy_mutant(
                {.name = "within-d-less-two",
                 .change = "policy: D - 2",
                 .domain = "one-job",
                 .policy = mutant_policy("delay", [](const Parameters& p) { return Delay{p.d > 1 ? p.d - 2 : 0}; })})));

    const SimulationTest halves = [](const std::string& policy, const Scenario& scenario, std::uint64_t seed,
                                     std::uint64_t replications) {
        return non_locality_does_not_halve(by_d(policy), scenario, seed, replications);
    };
    claims.push_back(
        claim("non-locality-exponential", SharingPart::one_job)
            .statement(
                "The task of " + one_job_in_words +
                ", is launched without data with probability (1-p)^(D+1): by a constant factor less with each further "
                "skip. In simulated trajectories of a backlog of jobs it at least halves from D = 0 to 6, and from 6 "
                "to 12.")
            .source(zaharia("Analysis of Delay Scheduling, Observation 1"))
            .property(of_policy(non_locality))
            .exhaustive()
            .sampled()
            .instances(grid_in_words + "; simulated: 20 nodes, 60 jobs present, 4 replicas, 30 replications, one-sided "
                                       "paired z tests at z^2 = 11")
            .oracle(simulated(halves))
            .holds({"delay"}, {"one-job", "backlog"})
            .mutant_system(policy_mutant({.name = "falls-naive",
                                          .change = "policy: naive-fair",
                                          .domain = "one-job",
                                          .policy = another("delay", "naive-fair")}))
            .mutant(simulation_mutant("falls-naive-simulated", "policy: naive-fair, simulated", halves, "naive-fair")));
}

void add_head_of_line(std::vector<Claim>& claims) {
    claims.push_back(
        claim("head-of-line", SharingPart::offer)
            .statement("An offer launches a task of the job at the head, the first of those with the fewest running "
                       "tasks, as near to its data as the node is: a job of one task at the head is launched on local "
                       "data with probability n/M only, whatever else could run on the node.")
            .source(zaharia("Naive Fair Sharing, head-of-line scheduling"))
            .property(of_policy(head_of_line))
            .oracle(explored_theorem("head-of-line"))
            .exhaustive()
            .sampled()
            .instances(head_in_words +
                       "; random states; n3, all moments with up to three jobs that have tasks to launch")
            .holds({"naive-fair", "fair-kill"}, {"head-of-line", "states", "n3"})
            .asks(added_policies("head-of-line"), {"n3"})
            .mutant_system(policy_mutant({.name = "head-delay",
                                          .change = "policy: delay",
                                          .domain = "head-of-line",
                                          .policy = another("naive-fair", "delay")}))
            .mutant_system(policy_mutant({.name = "head-delay-explored",
                                          .change = "policy: delay",
                                          .domain = "n1",
                                          .policy = another("naive-fair", "delay")})));

    claims.push_back(claim("head-of-line-waits", SharingPart::one_job)
                         .statement("Delayed, a job of one task at the head is launched on local data with probability "
                                    "1 - (1-n/M)^(D+1), more than n/M unless D = 0 or n is 0 or M.")
                         .source(zaharia("Delay Scheduling"))
                         .property(of_policy(head_waits))
                         .exhaustive()
                         .sampled()
                         .instances(head_in_words)
                         .holds({"delay"}, {"head-of-line"})
                         .mutant_system(policy_mutant({.name = "head-naive",
                                                       .change = "policy: naive-fair",
                                                       .domain = "head-of-line",
                                                       .policy = another("delay", "naive-fair")})));
}

void add_wait(std::vector<Claim>& claims) {
    const SimulationTest inverse = [](const std::string& policy, const Scenario& scenario, std::uint64_t seed,
                                      std::uint64_t replications) {
        return wait_is_not_inverse_to_slots(by_d(policy), scenario, seed, replications);
    };
    claims.push_back(
        claim("mean-wait", SharingPart::one_job)
            .statement(
                "With memoryless tasks of mean T on S = M L busy slots, " + one_job_in_words +
                ", lets pass sum of (1-p)^i, i = 1..D, offers in the mean, so that it waits (D/S) T at most in "
                "the mean: half as long with twice the slots per node. In simulated trajectories of a backlog the "
                "mean wait falls to between 1/3 and 2/3 with each doubling.")
            .source(zaharia("Analysis of Delay Scheduling, Observation 2"))
            .property(of_policy(mean_wait))
            .exhaustive()
            .sampled()
            .instances(grid_in_words + "; L = 1..4; simulated: 20 nodes of 1, 2, 4 slots, D = 8, 60 jobs present, 30 "
                                       "replications, one-sided paired z tests at z^2 = 11")
            .oracle(simulated(inverse))
            .holds({"delay"}, {"one-job", "backlog"})
            .mutant_system(
                policy_mutant({.name = "mean-wait-blind",
                               .change = "policy: passed over D times, local data or not",
                               .domain = "one-job",
                               .policy = mutant_policy("delay", [](const Parameters& p) { return BlindDelay{p.d}; })}))
            .mutant(simulation_mutant("mean-wait-naive-simulated", "policy: naive-fair, simulated", inverse,
                                      "naive-fair")));
}

void add_rule(std::vector<Claim>& claims) {
    const std::string analysis_grid =
        "M in {1, 2, 3, 5, 10, 20, 50, 100, 200}, R in {1, 2, 3, 5}, N in {1, 2, 3, 5, 10, 20, 50, 100} up to M, "
        "goals 0, 1/10, 1/2, 3/4, 4/5, 9/10, 19/20, 99/100, 999/1000";
    claims.push_back(
        claim("rule-suffices", SharingPart::analysis)
            .statement("For the least whole D >= (M/R) ln((1 + (1-g)N) / ((1-g)N)), the mean of 1 - "
                       "(1-K/M)^(RD) over K = 1..N is at least g.")
            .source(zaharia("How to set D"))
            .property(of_policy(rule_suffices))
            .exhaustive()
            .sampled()
            .instances(analysis_grid)
            .holds({"delay"}, {"analysis", "paper-example"})
            .mutant_system(policy_mutant({.name = "rule-halved",
                                          .change = "rule: half of D",
                                          .domain = "analysis",
                                          .policy = another_rule("delay", [](std::uint64_t d) { return d / 2; })}))
            .mutant_system(policy_mutant({.name = "rule-two-less",
                                          .change = "rule: D - 2, at the paper's example",
                                          .domain = "paper-example",
                                          .policy = another_rule("delay", [](std::uint64_t d) { return d - 2; })})));

    claims.push_back(
        claim("rule-nearly-tight", SharingPart::analysis)
            .statement(
                "The rule's D is less than 1 + M/(R N) + D/M above the least one at which that mean reaches the goal.")
            .source("[schedproof]")
            .property(of_policy(rule_tight))
            .exhaustive()
            .sampled()
            .instances(analysis_grid)
            .holds({"delay"}, {"analysis", "paper-example"})
            .mutant_system(
                policy_mutant({.name = "rule-doubled",
                               .change = "rule: twice D",
                               .domain = "analysis",
                               .policy = another_rule("delay", [](std::uint64_t d) { return 2 * d + 2; })})));
}

void add_printed(std::vector<Claim>& claims) {
    claims.push_back(
        claim("locality-as-printed", SharingPart::analysis)
            .statement("While K tasks are left let an offer be local with probability 1 - (1-K/M)^R. The part of a "
                       "job's N tasks that the algorithm launches on local data is, in the mean, that of the chain in "
                       "which a launch without data leaves the count at D.")
            .source(zaharia("Algorithm 2; docs/models/sharing.md, Interpretation S3"))
            .property(of_policy(printed_mean))
            .exhaustive()
            .sampled()
            .instances(
                "M in {1, 2, 3, 5, 12}, R = 1..3, N in {1, 2, 3, 8} up to M, D in {0, 1, 2, 5, 12}; N = 20, R = 3, "
                "M = 100, D = 24")
            .holds({"delay"}, {"small-analysis", "paper-example"})
            .mutant_system(policy_mutant(
                {.name = "printed-resets",
                 .change = "policy: any launch sets the skip count to 0",
                 .domain = "small-analysis",
                 .policy = mutant_policy("delay", [](const Parameters& p) { return ResettingDelay<>{p.d}; })})));

    claims.push_back(
        claim("rule-as-printed", SharingPart::analysis)
            .statement("With the rule's D the algorithm launches at least the part g of a job's tasks on local data, "
                       "in the mean.")
            .source(zaharia("How to set D, of Algorithm 2"))
            .property(of_policy(rule_as_printed))
            .exhaustive()
            .sampled()
            .instances("N = 3, R = 1, M = 20, goal 5/6; N = 20, R = 3, M = 100, goal 19/20")
            .fails({"delay"}, {"three-tasks", "paper-example"},
                   "once passed over D times a job launches tasks without waiting until it meets a local one"));
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
