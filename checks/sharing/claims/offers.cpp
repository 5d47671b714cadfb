/// Claims about single offers: every sharing policy against its rule in plain words, and what follows from the rules.
///
/// A rule is claimed of all states, reachable or not, because a policy decides an offer from the state alone; so grids
/// of small states are enumerated, and random states are sampled besides. One claim compares launch and skip counts
/// with the reference model. Single consequences (one launch, skip counts, racks, queues, equal policies) have
/// claims of their own, so that a failure names the part of the rule that is broken. Mutants change one decision of a
/// policy.
/// Source: [zaharia2010], Algorithms 1 and 2; [wang2013], Sections II-B and V; docs/models/sharing.md, Policies.
#include <algorithm>

#include "checks/sharing/claim.hpp"
#include "checks/sharing/mutants.hpp"
#include "checks/sharing/reference_model.hpp"
#include "policies/sharing/delay_rack.hpp"
#include "policies/sharing/dyndlon_offers.hpp"

namespace schedproof::checks {

using namespace sharing;
using namespace sharing_claims;
using namespace sharing_properties;

namespace {

const std::vector<std::string> with_skips{"delay", "delay-rack", "delay-rack:keep"};
const std::vector<std::string> without_skips{
    "hadoop-fifo",           "naive-fair", "fair-kill", "jsq-maxweight:subqueues", "dyndlon", "delay-time",
    "delay-time:one-remote", "sparrow",    "quincy"};

/// The registered policies that the claim does not mention.
std::vector<std::string> others(const ClaimBuilder<SharingFamily>& made) {
    std::vector<std::string> ids = all_policies();
    std::erase_if(ids, [&](const std::string& id) { return made.mentions(id); });
    return ids;
}

/// The oldest job of the queue that is served, whatever runs.
SharingPolicyUnderTest oldest_of_queue(const SharingCase& c) {
    SharingPolicyUnderTest under_test = policy_under_test("jsq-maxweight:subqueues", c.parameters);
    under_test.offer = [own = under_test.offer](const Setting& setting, const State& state, SlotId slot) {
        Offered after = own(setting, state, slot);
        if (!after.started) return after;
        const QueueId queue = state.jobs[after.started->job.index()].queue[after.started->task];
        for (std::size_t j = 0; j < after.started->job.index(); ++j)
            for (std::size_t t = 0; t < state.jobs[j].tasks.size(); ++t)
                if (state.jobs[j].tasks[t] == Stage::unlaunched && state.jobs[j].queue[t] == queue) {
                    after.started->job = JobId(j);
                    after.started->task = static_cast<std::uint32_t>(t);
                    return after;
                }
        return after;
    };
    return under_test;
}

bool two_jobs_wait_in_a_queue(const SharingFamily::Policy&, const SharingCase& c) {
    std::vector<QueueId> seen;
    for (const JobState& job : c.state.jobs) {
        const std::size_t of_others = seen.size();
        for (std::size_t t = 0; t < job.tasks.size(); ++t) {
            if (job.tasks[t] != Stage::unlaunched) continue;
            const auto others = seen.begin() + static_cast<std::ptrdiff_t>(of_others);
            if (std::find(seen.begin(), others, job.queue[t]) != others) return true;
            seen.push_back(job.queue[t]);
        }
    }
    return false;
}

void add_rules(std::vector<Claim>& claims) {
    ClaimBuilder<SharingFamily> follows = claim("follows-rule", SharingPart::offer);
    follows
        .statement(
            "At every state and offer, the job that launches, the level of its task and all skip counts "
            "afterwards are those of the policy's rule in plain words.")
        .source(zaharia("Algorithms 1 and 2; [wang2013], Section V; [jin2018], Section 4; [ousterhout2013], Section 3; "
                        "[isard2009], "
                        "Section 4; docs/models/sharing.md, Policies"))
        .property(of_policy(follows_rule))
        .oracle(explored_theorem("follows-rule"))
        .exhaustive()
        .sampled()
        .holds(with_skips, {"states", "states-with-skips", "n3"})
        .holds(without_skips, {"states", "states-with-queues", "n3"})
        .mutant_system(
            policy_mutant({.name = "rule-patient-delay-explored",
                           .change = "policy: a job is passed over D + 1 times",
                           .domain = "n1",
                           .policy = mutant_policy("delay", [](const Parameters& p) { return PatientDelay<>{p.d}; })}))
        .mutant_system(policy_mutant(
            {.name = "rule-heavier-queue-only",
             .change = "policy: the own queue only where it weighs more",
             .domain = "n2",
             .policy = mutant_policy("jsq-maxweight:subqueues", [](const Parameters&) { return HeavierOnly{}; })}))
        .mutant_system(policy_mutant({.name = "rule-sparrow-anywhere-explored",
                                      .change = "policy: the first job, whether it has a reservation or not",
                                      .domain = "n1",
                                      .policy = another("sparrow", "hadoop-fifo")}))
        .mutant_system(policy_mutant({.name = "rule-sparrow-anywhere",
                                      .change = "policy: the first job, whether it has a reservation or not",
                                      .domain = "states-with-queues",
                                      .policy = another("sparrow", "hadoop-fifo")}))
        .mutant_system(
            policy_mutant({.name = "rule-quincy-flat-explored",
                           .change = "policy: a transfer across racks costs what one within a rack costs",
                           .domain = "n1",
                           .policy = mutant_policy("quincy", [](const Parameters& p) { return FlatQuincy<>{p.w}; })}))
        .mutant_system(
            policy_mutant({.name = "rule-quincy-flat",
                           .change = "policy: a transfer across racks costs what one within a rack costs",
                           .domain = "states-with-queues",
                           .policy = mutant_policy("quincy", [](const Parameters& p) { return FlatQuincy<>{p.w}; })}))
        .mutant_system(policy_mutant(
            {.name = "rule-resetting-delay",
             .change = "policy: any launch sets the skip count to 0",
             .domain = "states-with-skips",
             .policy = mutant_policy("delay", [](const Parameters& p) { return ResettingDelay<>{p.d}; })}))
        .mutant_system(
            policy_mutant({.name = "rule-patient-delay",
                           .change = "policy: a job is passed over D + 1 times",
                           .domain = "states-with-skips",
                           .policy = mutant_policy("delay", [](const Parameters& p) { return PatientDelay<>{p.d}; })}))
        .mutant_system(
            policy_mutant({.name = "rule-last-job",
                           .change = "policy: the job with the most running tasks first",
                           .domain = "states",
                           .policy = mutant_policy("naive-fair", [](const Parameters&) { return LastJob{}; })}))
        .mutant_system(policy_mutant({.name = "rule-no-priorities",
                                      .change = "policy: naive-fair in place of hadoop-fifo",
                                      .domain = "states-with-queues",
                                      .policy = another("hadoop-fifo", "naive-fair")}))
        .mutant_system(
            policy_mutant({.name = "rule-other-reset",
                           .change = "policy: a rack-local launch leaves the count, under the name that resets it",
                           .domain = "states-with-skips",
                           .policy = another("delay-rack", "delay-rack:keep")}))
        .mutant_system(policy_mutant({.name = "rule-dyndlon-eager",
                                      .change = "policy: dyndlon with W = 0",
                                      .domain = "states-with-queues",
                                      .policy = mutant_policy("dyndlon",
                                                              [](const Parameters& p) {
                                                                  return DynDlOn{0, p.order};
                                                              })}))
        .mutant_system(policy_mutant({.name = "rule-all-local-first",
                                      .change = "policy: dyndlon under the name of delay-time",
                                      .domain = "states-with-queues",
                                      .policy = another("delay-time", "dyndlon")}))
        .mutant_system(policy_mutant({.name = "rule-second-remote",
                                      .change = "policy: delay-time under the name of its variant",
                                      .domain = "states",
                                      .policy = another("delay-time:one-remote", "delay-time")}))
        .mutant_system(policy_mutant({.name = "rule-oldest-of-queue",
                                      .change = "policy: the oldest job of the queue",
                                      .domain = "states",
                                      .policy = oldest_of_queue}));
    for (const std::string& id : others(follows)) follows.leaves_out(id, "the reference model has no rule of it");
    claims.push_back(follows);
}

/// An offer also uses the first slot that is still free.
SharingPolicyUnderTest next_free_slot_too(const SharingCase& c) {
    SharingPolicyUnderTest under_test = policy_under_test("naive-fair", c.parameters);
    under_test.offer = [own = under_test.offer](const Setting& setting, const State& state, SlotId slot) {
        Offered after = own(setting, state, slot);
        for (std::size_t s = 0; s < after.next.slots.size(); ++s) {
            if (after.next.slots[s].busy) continue;
            Offered second = own(setting, after.next, SlotId(s));
            return second.started ? Offered{std::move(second.next), after.started} : after;
        }
        return after;
    };
    return under_test;
}

/// A task runs as near as its data is, even when it comes from the common queue.
SharingPolicyUnderTest level_of_its_data(const SharingCase& c) {
    SharingPolicyUnderTest under_test = policy_under_test("jsq-maxweight:subqueues", c.parameters);
    under_test.offer = [own = under_test.offer](const Setting& setting, const State& state, SlotId slot) {
        Offered after = own(setting, state, slot);
        if (!after.started) return after;
        const Replicas& data = setting.jobs[after.started->job.index()].tasks[after.started->task];
        after.started->level = setting.cluster.locality(setting.cluster.node_of(slot), data);
        after.next.slots[slot.index()].level = after.started->level;
        return after;
    };
    return under_test;
}

void add_launches(std::vector<Claim>& claims) {
    ClaimBuilder<SharingFamily> one = claim("one-launch", SharingPart::offer);
    one.statement(
           "An offer changes nothing but the stage of one waiting task, the offered slot, skip counts and, where its "
           "job has one at the node, a reservation that is used up, and the task is launched at the level that its "
           "data has there; under policies that route, from "
           "the node's own queue as local or from the common one as remote.")
        .source("[schedproof], docs/models/sharing.md, Interpretation S1")
        .property(of_policy(one_launch))
        .oracle(explored_theorem("one-launch"))
        .instances(
            "as named: random states have at most 4 jobs of 4 tasks on 4 nodes of 2 slots; states-with-skips and "
            "states-with-queues one or two jobs of at most two tasks on three nodes of a slot; n2 one or two jobs of "
            "a few tasks on three nodes of a slot, two on one rack, at all times and with all skip counts and, of a "
            "registered policy, all parameters")
        .exhaustive()
        .sampled()
        .holds(with_skips, {"states", "states-with-skips", "n2"})
        .holds(without_skips, {"states", "states-with-queues", "n2"})
        .mutant_system(policy_mutant({.name = "launch-twice",
                                      .change = "trajectory: the first slot that is still free is used too",
                                      .domain = "states-with-skips",
                                      .policy = next_free_slot_too}))
        .mutant_system(policy_mutant({.name = "launch-at-datas-level",
                                      .change = "policy: tasks of the common queue run as near as their data is",
                                      .domain = "states-with-queues",
                                      .policy = level_of_its_data}));
    claims.push_back(one.holds(others(one), {"states", "states-with-skips", "states-with-queues", "n2"}));
}

void add_skip_counts(std::vector<Claim>& claims) {
    claims.push_back(
        claim("skip-counts", SharingPart::offer)
            .statement("A local launch sets its job's count to 0, another launch leaves it and needs a count of D, "
                       "each job asked before the launch gains 1, and no other count changes.")
            .source(zaharia("Algorithm 2"))
            .property(of_policy(skips_in_words))
            .oracle(explored_theorem("skip-counts"))
            .exhaustive()
            .sampled()
            .holds({"delay"}, {"states", "states-with-skips", "n3"})
            .asks(added_policies("skip-counts"), {"n3"})
            .mutant_system(policy_mutant(
                {.name = "counts-reset-explored",
                 .change = "policy: any launch sets the skip count to 0",
                 .domain = "n1",
                 .policy = mutant_policy("delay", [](const Parameters& p) { return ResettingDelay<>{p.d}; })}))
            .mutant_system(policy_mutant(
                {.name = "counts-reset",
                 .change = "policy: any launch sets the skip count to 0",
                 .domain = "states-with-skips",
                 .policy = mutant_policy("delay", [](const Parameters& p) { return ResettingDelay<>{p.d}; })}))
            .mutant_system(policy_mutant({.name = "counts-not-kept",
                                          .change = "policy: naive-fair, which counts nothing",
                                          .domain = "states-with-skips",
                                          .policy = another("delay", "naive-fair")})));
}

void add_equalities(std::vector<Claim>& claims) {
    claims.push_back(
        claim("single-tasks-are-fifo", SharingPart::offer)
            .statement("With jobs of one task each and one priority, the launch is that of hadoop-fifo.")
            .source("[schedproof], docs/models/sharing.md, Interpretation S8")
            .property(of_policy(single_task_fifo))
            .oracle(explored_theorem("single-tasks-are-fifo"))
            .exhaustive()
            .sampled()
            .instances("two jobs on two nodes of one or two slots, in all stages; urgent-second: one node")
            .holds({"naive-fair", "fair-kill"}, {"single-tasks", "n3"})
            .asks(added_policies("single-tasks-are-fifo"), {"n3"})
            .fails({"naive-fair"}, {"urgent-second"}, "with two priorities: naive-fair does not know them"));

    claims.push_back(
        claim("no-wait-is-naive", SharingPart::offer)
            .statement("With D = 0 (D1 = D2 = 0) the launch is that of naive-fair, whatever the skip counts.")
            .source("[schedproof], docs/models/sharing.md, Policies")
            .property(of_policy(naive_without_wait,
                                [](SharingCase& c) {
                                    c.parameters.d = c.parameters.d1 = 0;
                                    c.parameters.d2 = 0;
                                }))
            .oracle(explored_theorem("no-wait-is-naive"))
            .exhaustive()
            .sampled()
            .holds(with_skips, {"states", "states-with-skips", "n3"})
            .asks(added_policies("no-wait-is-naive"), {"n3"})
            .mutant_system(policy_mutant(
                {.name = "zero-waits-once",
                 .change = "policy: delay with D = 1",
                 .domain = "states-with-skips",
                 .policy = mutant_policy("delay", [](const Parameters&) { return PatientDelay<>{0}; })})));
}

void add_head(std::vector<Claim>& claims) {
    claims.push_back(
        claim("head-passed-over", SharingPart::offer)
            .statement("An offer launches a task of the job at the head, the first of those with the fewest running "
                       "tasks, or adds 1 to the skip count of that job, which was below D (D1 + D2 with two waits): "
                       "while it stays at the head, a job is passed over no more often in a row.")
            .source(zaharia("Delay Scheduling, Algorithm 2"))
            .property(of_policy(head_is_passed_over))
            .oracle(explored_theorem("head-passed-over"))
            .exhaustive()
            .sampled()
            .holds(with_skips, {"states", "states-with-skips", "n3"})
            .mutant_system(policy_mutant(
                {.name = "head-patient",
                 .change = "policy: a job is passed over D + 1 times",
                 .domain = "states-with-skips",
                 .policy = mutant_policy("delay", [](const Parameters& p) { return PatientDelay<>{p.d}; })}))
            .mutant_system(policy_mutant(
                {.name = "head-patient-explored",
                 .change = "policy: a job is passed over D + 1 times",
                 .domain = "n1",
                 .policy = mutant_policy("delay", [](const Parameters& p) { return PatientDelay<>{p.d}; })})));
}

void add_racks(std::vector<Claim>& claims) {
    claims.push_back(claim("never-off-rack", SharingPart::offer)
                         .statement("Without D2 no task is launched off the racks of its data.")
                         .source("[schedproof], docs/models/sharing.md, Interpretation S6")
                         .property(of_policy(on_racks, [](SharingCase& c) { c.parameters.d2.reset(); }))
                         .oracle(explored_theorem("never-off-rack"))
                         .exhaustive()
                         .sampled()
                         .holds({"delay-rack", "delay-rack:keep"}, {"states", "states-with-skips", "n3"})
                         .asks(added_policies("never-off-rack"), {"n3"})
                         .mutant_system(policy_mutant({.name = "racks-second-wait-ends",
                                                       .change = "policy: D2 = 1",
                                                       .domain = "states-with-skips",
                                                       .policy = mutant_policy("delay-rack", [](const Parameters& p) {
                                                           return DelayRack{p.d1, 1, AfterRackLocal::keep};
                                                       })})));

    claims.push_back(
        claim("reset-rules-alike", SharingPart::offer)
            .statement("Whether a rack-local launch starts the second wait again or not, skip counts are the same.")
            .source("[schedproof], docs/models/sharing.md, Interpretation S6")
            .property(of_policy(resets_alike))
            .oracle(explored_theorem("reset-rules-alike"))
            .exhaustive()
            .sampled()
            .fails({"delay-rack", "delay-rack:keep"}, {"on-the-rack-late", "n1"},
                   "a count above D1 is set back to D1, or stays"));
}

void add_queues(std::vector<Claim>& claims) {
    claims.push_back(
        claim("fewest-running-of-queue", SharingPart::offer)
            .statement(
                "No job that waits in the queue that is served has fewer running tasks than the one that launches.")
            .source("[wang2013], Sections II-B and V")
            .property(of_policy(fewest_running))
            .oracle(explored_theorem("fewest-running-of-queue"))
            .exhaustive()
            .sampled()
            .needs(two_jobs_wait_in_a_queue)
            .holds({"jsq-maxweight:subqueues"}, {"states", "states-with-queues", "n4"})
            .asks(added_policies("fewest-running-of-queue"), {"n4"})
            .mutant_system(policy_mutant({.name = "fewest-oldest",
                                          .change = "policy: the oldest job of the queue",
                                          .domain = "states",
                                          .policy = oldest_of_queue})));

    claims.push_back(
        claim("joins-shortest", SharingPart::state)
            .statement("A task joins the shortest of the queues of its data's nodes and the common one, "
                       "any of those that tie.")
            .source("[wang2013], Section II-B")
            .property(of_policy(shortest_queue))
            .oracle(explored_theorem("joins-shortest"))
            .exhaustive()
            .sampled()
            .holds({"jsq-maxweight:subqueues"}, {"states", "states-with-queues", "n4"})
            .asks(added_policies("joins-shortest"), {"n4"})
            .mutant_system(policy_mutant({.name = "shortest-own-only",
                                          .change = "policy: the queues of the nodes alone",
                                          .domain = "n1",
                                          .policy = mutant_policy("jsq-maxweight:subqueues",
                                                                  [](const Parameters&) { return OwnQueuesOnly{}; })}))
            .mutant_system(policy_mutant({.name = "shortest-any",
                                          .change = "policy: any of the queues",
                                          .domain = "states-with-queues",
                                          .policy = [](const SharingCase& c) {
                                              SharingPolicyUnderTest under_test =
                                                  policy_under_test("jsq-maxweight:subqueues", c.parameters);
                                              under_test.route = [](const Setting& setting, State state,
                                                                    const Replicas& data) {
                                                  return ScanningView(setting, state).own_and_common(data);
                                              };
                                              return under_test;
                                          }})));
}

}  // namespace

void add_sharing_offers(std::vector<Claim>& claims) {
    add_rules(claims);
    add_launches(claims);
    add_skip_counts(claims);
    add_equalities(claims);
    add_head(claims);
    add_racks(claims);
    add_queues(claims);
}

}  // namespace schedproof::checks
