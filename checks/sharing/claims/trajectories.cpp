/// Claims about whole courses: that they end, what is lost by killing, how long a job may wait, where slots stick.
#include "checks/core/registry.hpp"
#include "checks/sharing/claim_group.hpp"
#include "checks/sharing/mutants.hpp"

namespace schedproof::checks {

using namespace sharing;
using namespace sharing_group;
using namespace sharing_judging;

namespace {

void add_work(std::vector<Claim>& claims) {
    SharingClaim end = claim("courses-end",
                             "When every free slot is offered in every tick and every task runs T ticks, all tasks are "
                             "done in the end.",
                             "[schedproof]", SharingPart::course, all_end);
    holds(end, all_policies(), {"courses"});
    mutant(end, "end-idle", "policy: launches nothing", "courses",
           faulty("naive-fair", [](const Parameters&) { return Idle{}; }), all_end);
    claims.emplace_back(std::move(end));

    std::vector<std::string> gentle = all_policies();
    std::erase(gentle, "fair-kill");
    SharingClaim lost =
        claim("no-work-lost", "Every task is launched once, when every free slot is offered in every tick.",
              zaharia("killing wastes work"), SharingPart::course, nothing_lost);
    holds(lost, gentle, {"courses"});
    fails(lost, {"fair-kill"}, {"kill-for-a-second-job", "courses"}, "a killed task is launched again");
    claims.emplace_back(std::move(lost));
}

void add_waits(std::vector<Claim>& claims) {
    const std::string waits_in_words =
        "1..3 nodes, at most 4 slots, D = 0..4, T = 1..3, all phases of the slots, data on one of the nodes or on none";
    SharingClaim bound =
        claim("wait-at-most-mean-rate",
              "A job at the head waits at most (D/S) T until it may launch anywhere, when S slots run "
              "tasks of T.",
              zaharia("Analysis of Delay Scheduling, Observation 2"), SharingPart::wait, wait_in_mean_rate);
    bound.family = waits_in_words;
    fails(bound, {"delay"}, {"both-due-at-once", "waits"},
          "a mean rate: with all tasks due at once, nothing is offered for T");
    claims.emplace_back(std::move(bound));

    SharingClaim rounds =
        claim("wait-at-most-rounds",
              "When S slots run tasks of T and are offered the moment these end, a job at the head waits at most "
              "ceil(D/S) T until it may launch anywhere: every slot is offered once in any T.",
              "[schedproof]", SharingPart::wait, wait_in_rounds);
    rounds.family = waits_in_words;
    holds(rounds, {"delay"}, {"waits"});
    mutant(rounds, "rounds-forgetful", "policy: counts no skips", "waits",
           faulty("delay", [](const Parameters&) { return ForgetfulDelay{}; }), wait_in_rounds);
    mutant(rounds, "rounds-patient", "policy: a job is passed over D + 1 times", "waits",
           faulty("delay", [](const Parameters& p) { return PatientDelay{p.d}; }), wait_in_rounds);
    claims.emplace_back(std::move(rounds));
}

void add_slots(std::vector<Claim>& claims) {
    const std::string own_nodes =
        "endless jobs with data on nodes of their own, two jobs on two nodes or four, three on three, a slot each, all "
        "ways to run them at equal shares";
    SharingClaim stick = claim("slots-stick",
                               "While all jobs run equally many tasks, a slot returns to the job whose task ended on "
                               "it.",
                               zaharia("Naive Fair Sharing, sticky slots"), SharingPart::endless, slots_stick);
    stick.family = own_nodes;
    holds(stick, {"naive-fair", "fair-kill"}, {"own-nodes"});
    fails(stick, {"delay"}, {"crossed-jobs", "own-nodes"}, "a job without data on the node lets it pass");
    claims.emplace_back(std::move(stick));

    SharingClaim settle = claim("slots-settle",
                                "Whoever runs where at first, nobody passed over yet, in the long run every task is "
                                "local: in each closed class of the chain in which each slot is equally likely the "
                                "next to become free.",
                                zaharia("Delay Scheduling"), SharingPart::endless, slots_settle);
    settle.family = own_nodes + "; D = 1, 2";
    holds(settle, {"delay"}, {"two-jobs-own-nodes"});
    fails(settle, {"delay"}, {"three-jobs-apart"},
          "two jobs passed over D times keep each other's slot: a launch without data does not start the count anew");
    fails(settle, {"naive-fair"}, {"crossed-jobs", "own-nodes"}, "slots stick to the jobs that have them");
    claims.emplace_back(std::move(settle));
}

}  // namespace

void add_sharing_courses(std::vector<Claim>& claims) {
    add_work(claims);
    add_waits(claims);
    add_slots(claims);
}

}  // namespace schedproof::checks
