/// Claims about whole trajectories: that they end, what is lost by killing, how long a job may wait, where slots stick.
#include <fmt/core.h>

#include "checks/sharing/claim.hpp"
#include "checks/sharing/mutants.hpp"

namespace schedproof::checks {

using namespace sharing;
using namespace sharing_claims;
using namespace sharing_properties;

namespace {

void add_work(std::vector<Claim>& claims) {
    claims.push_back(
        claim("courses-end", SharingPart::trajectory)
            .statement(fmt::format(
                "When every free slot is offered in every tick and every task runs T ticks, all tasks are done within "
                "{} ticks, where the last submission and, for each task, T, D, D1, D2, 2 W, the longest remote time "
                "and 1 add up to no more, and each job has a reservation for every task.",
                most_ticks))
            .source("[schedproof]")
            .property(of_policy(all_end))
            .exhaustive()
            .sampled()
            .holds(all_policies(), {"courses"})
            .mutant_system(
                policy_mutant({.name = "end-idle",
                               .change = "policy: launches nothing",
                               .domain = "courses",
                               .policy = mutant_policy("naive-fair", [](const Parameters&) { return Idle{}; })})));

    claims.push_back(
        claim("no-work-lost", SharingPart::trajectory)
            .statement("No task is launched twice, when every free slot is offered in every tick.")
            .source(zaharia("killing wastes work"))
            .property(of_policy(nothing_lost))
            .exhaustive()
            .sampled()
            .holds(policies_that_never_kill(), {"courses"})
            .fails({"fair-kill"}, {"kill-for-a-second-job", "courses"}, "a killed task is launched again"));
}

void add_waits(std::vector<Claim>& claims) {
    const std::string waits_in_words =
        "1..3 nodes, at most 4 slots, D = 0..4, T = 1..3, all phases of the slots, data on one of the nodes or on none";
    claims.push_back(
        claim("wait-at-most-mean-rate", SharingPart::wait)
            .statement(
                "A job at the head waits at most (D/S) T until it may launch anywhere, when S slots run tasks of T.")
            .source(zaharia("Analysis of Delay Scheduling, Observation 2"))
            .property(of_policy(wait_in_mean_rate))
            .exhaustive()
            .sampled()
            .instances(waits_in_words)
            .fails({"delay"}, {"both-due-at-once", "waits"},
                   "a mean rate: with all tasks due at once, nothing is offered for T"));

    claims.push_back(
        claim("wait-at-most-rounds", SharingPart::wait)
            .statement("When S slots run tasks of T and are offered the moment these end, a job at the head waits at "
                       "most ceil(D/S) T until it may launch anywhere: every slot is offered once in any T.")
            .source("[schedproof]")
            .property(of_policy(wait_in_rounds))
            .exhaustive()
            .sampled()
            .instances(waits_in_words)
            .holds({"delay"}, {"waits"})
            .mutant_system(
                policy_mutant({.name = "rounds-forgetful",
                               .change = "policy: counts no skips",
                               .domain = "waits",
                               .policy = mutant_policy("delay", [](const Parameters&) { return ForgetfulDelay{}; })}))
            .mutant_system(policy_mutant(
                {.name = "rounds-patient",
                 .change = "policy: a job is passed over D + 1 times",
                 .domain = "waits",
                 .policy = mutant_policy("delay", [](const Parameters& p) { return PatientDelay<>{p.d}; })})));
}

void add_fairness(std::vector<Claim>& claims) {
    claims.push_back(
        claim("fair-after-a-turn", SharingPart::state)
            .statement("Once the task of every slot has ended and the slot was offered, one slot after another, no job "
                       "with waiting tasks runs two tasks fewer than another, or more: the shares are max-min fair, as "
                       "far as slots divide.")
            .source(zaharia("Naive Fair Sharing, \"as long as slots become free quickly enough\""))
            .property(of_policy(fair_after_a_turn))
            .exhaustive()
            .sampled()
            .instances("three jobs on three nodes of a slot, two on two nodes of two slots, each slot free or run by "
                       "any of them, two times of launch, 0..2 further tasks of each job; random states")
            .holds({"naive-fair", "fair-kill"}, {"killing-states", "busy-states", "states"})
            .fails({"hadoop-fifo"}, {"killing-states"}, "the first job takes every slot while it has tasks")
            .fails({"delay"}, {"states"}, "a job without a task local to the node lets others go first")
            .mutant_system(policy_mutant({.name = "fair-after-fifo",
                                          .change = "policy: hadoop-fifo, whoever runs how much",
                                          .domain = "killing-states",
                                          .policy = another("naive-fair", "hadoop-fifo")})));
}

void add_slots(std::vector<Claim>& claims) {
    const std::string own_nodes =
        "endless jobs with data on nodes of their own, two jobs on two nodes or four, three on three, a slot each, all "
        "ways to run them at equal shares";
    claims.push_back(
        claim("slots-stick", SharingPart::endless)
            .statement("While all jobs run equally many tasks, a slot returns to the job whose task ended on it.")
            .source(zaharia("Naive Fair Sharing, sticky slots"))
            .property(of_policy(slots_stick))
            .oracle(explored_theorem("slots-stick"))
            .exhaustive()
            .sampled()
            .instances(own_nodes)
            .holds({"naive-fair", "fair-kill"}, {"own-nodes", "n3"})
            .asks(added_policies("slots-stick"), {"own-nodes", "n3"})
            .fails({"delay"}, {"crossed-jobs", "own-nodes"}, "a job without data on the node lets it pass"));

    claims.push_back(
        claim("slots-settle", SharingPart::endless)
            .statement("Whoever runs where at first, nobody passed over yet, in the long run every task is local: in "
                       "each closed class of the chain in which each slot is equally likely the next to become free.")
            .source(zaharia("Delay Scheduling"))
            .property(of_policy(slots_settle))
            .oracle(explored_theorem("slots-settle"))
            .exhaustive()
            .sampled()
            .instances(own_nodes + "; D = 1, 2, and on n2, of two jobs on two nodes, every D")
            .holds({"delay"}, {"two-jobs-own-nodes", "n2"})
            .fails({"delay"}, {"three-jobs-apart"},
                   "two jobs passed over D times keep each other's slot: a launch without data does not start the "
                   "count anew")
            .fails({"naive-fair"}, {"crossed-jobs", "own-nodes"}, "slots stick to the jobs that have them")
            .mutant_system(policy_mutant({.name = "settle-without-counts",
                                          .change = "policy: naive-fair, which counts nothing",
                                          .domain = "n2",
                                          .policy = another("delay", "naive-fair")})));
}

}  // namespace

void add_sharing_trajectories(std::vector<Claim>& claims) {
    add_work(claims);
    add_waits(claims);
    add_fairness(claims);
    add_slots(claims);
}

}  // namespace schedproof::checks
