/// Claims about single offers: every sharing policy against its rule in plain words, and what follows from the rules.
#include <algorithm>

#include "checks/core/registry.hpp"
#include "checks/sharing/claim_group.hpp"
#include "checks/sharing/mutants.hpp"
#include "checks/sharing/reference_model.hpp"

namespace schedproof::checks {

using namespace sharing;
using namespace sharing_group;
using namespace sharing_judging;

namespace {

const std::vector<std::string> with_skips{"delay", "delay-rack", "delay-rack:keep"};
const std::vector<std::string> without_skips{"hadoop-fifo", "naive-fair", "fair-kill", "jsq-maxweight:subqueues",
                                             "dyndlon"};

/// The oldest job of the queue that is served, whatever runs.
SharingSubject oldest_of_queue(const SharingCase& c) {
    SharingSubject subject = sharing_subject("jsq-maxweight:subqueues", c.parameters);
    subject.offer = [own = subject.offer](const Setting& setting, const State& state, SlotId slot) {
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
    return subject;
}

bool two_jobs_wait_in_a_queue(const SharingCase& c) {
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
    SharingClaim rule = claim(
        "follows-rule",
        "At every state and offer, the job that launches, the level of its task and all skip "
        "counts afterwards are those of the policy's rule in plain words.",
        zaharia("Algorithms 1 and 2; [wang2013], Section V; [jin2018], Section 4; docs/models/sharing.md, Policies"),
        SharingPart::offer, follows_rule);
    holds(rule, with_skips, {"states", "states-with-skips"});
    holds(rule, without_skips, {"states", "states-with-queues"});
    mutant(rule, "rule-resetting-delay", "policy: any launch sets the skip count to 0", "states-with-skips",
           faulty("delay", [](const Parameters& p) { return ResettingDelay{p.d}; }), follows_rule);
    mutant(rule, "rule-patient-delay", "policy: a job is passed over D + 1 times", "states-with-skips",
           faulty("delay", [](const Parameters& p) { return PatientDelay{p.d}; }), follows_rule);
    mutant(rule, "rule-last-job", "policy: the job with the most running tasks first", "states",
           faulty("naive-fair", [](const Parameters&) { return LastJob{}; }), follows_rule);
    mutant(rule, "rule-no-priorities", "policy: naive-fair in place of hadoop-fifo", "states-with-queues",
           another("hadoop-fifo", "naive-fair"), follows_rule);
    mutant(rule, "rule-other-reset", "policy: a rack-local launch leaves the count, under the name that resets it",
           "states-with-skips", another("delay-rack", "delay-rack:keep"), follows_rule);
    mutant(rule, "rule-dyndlon-eager", "policy: dyndlon with W = 0", "states-with-queues",
           faulty("dyndlon",
                  [](const Parameters& p) {
                      return DynDlOn{0, p.order};
                  }),
           follows_rule);
    mutant(rule, "rule-oldest-of-queue", "policy: the oldest job of the queue", "states", oldest_of_queue,
           follows_rule);
    claims.emplace_back(std::move(rule));
}

void add_launches(std::vector<Claim>& claims) {
    SharingClaim one = claim("one-launch",
                             "An offer changes nothing but the stage of one waiting task, the offered slot and skip "
                             "counts, and the task is launched at the level that its data has there; under policies "
                             "that route, from the node's own queue as local or from the common one as remote.",
                             "[schedproof], docs/models/sharing.md, Interpretation S1", SharingPart::offer, one_launch);
    holds(one, with_skips, {"states", "states-with-skips"});
    holds(one, without_skips, {"states", "states-with-queues"});
    mutant(
        one, "launch-twice", "course: the first slot that is still free is used too", "states-with-skips",
        [](const SharingCase& c) {
            SharingSubject subject = sharing_subject("naive-fair", c.parameters);
            subject.offer = [own = subject.offer](const Setting& setting, const State& state, SlotId slot) {
                Offered after = own(setting, state, slot);
                for (std::size_t s = 0; s < after.next.slots.size(); ++s) {
                    if (after.next.slots[s].busy) continue;
                    Offered second = own(setting, after.next, SlotId(s));
                    return second.started ? Offered{std::move(second.next), after.started} : after;
                }
                return after;
            };
            return subject;
        },
        one_launch);
    mutant(
        one, "launch-at-datas-level", "policy: tasks of the common queue run as near as their data is",
        "states-with-queues",
        [](const SharingCase& c) {
            SharingSubject subject = sharing_subject("jsq-maxweight:subqueues", c.parameters);
            subject.offer = [own = subject.offer](const Setting& setting, const State& state, SlotId slot) {
                Offered after = own(setting, state, slot);
                if (!after.started) return after;
                const Replicas& data = setting.jobs[after.started->job.index()].tasks[after.started->task];
                after.started->level = setting.cluster.locality(setting.cluster.node_of(slot), data);
                after.next.slots[slot.index()].level = after.started->level;
                return after;
            };
            return subject;
        },
        one_launch);
    claims.emplace_back(std::move(one));

    SharingClaim counts = claim("skip-counts",
                                "A local launch sets its job's count to 0, another launch leaves it and needs a count "
                                "of D, each job asked before the launch gains 1, and no other count changes.",
                                zaharia("Algorithm 2"), SharingPart::offer, skips_in_words);
    holds(counts, {"delay"}, {"states", "states-with-skips"});
    mutant(counts, "counts-reset", "policy: any launch sets the skip count to 0", "states-with-skips",
           faulty("delay", [](const Parameters& p) { return ResettingDelay{p.d}; }), skips_in_words);
    mutant(counts, "counts-not-kept", "policy: naive-fair, which counts nothing", "states-with-skips",
           another("delay", "naive-fair"), skips_in_words);
    claims.emplace_back(std::move(counts));
}

void add_equalities(std::vector<Claim>& claims) {
    SharingClaim single = claim(
        "single-tasks-are-fifo", "With jobs of one task each and one priority, the launch is that of hadoop-fifo.",
        "[schedproof], docs/models/sharing.md, Interpretation S8", SharingPart::offer, single_task_fifo);
    single.family = "two jobs on two nodes of one or two slots, in all stages; urgent-second: one node";
    holds(single, {"naive-fair", "fair-kill"}, {"single-tasks"});
    fails(single, {"naive-fair"}, {"urgent-second"}, "with two priorities: naive-fair does not know them");
    claims.emplace_back(std::move(single));

    SharingClaim zero = claim(
        "no-wait-is-naive", "With D = 0 (D1 = D2 = 0) the launch is that of naive-fair, whatever the skip counts.",
        "[schedproof], docs/models/sharing.md, Policies", SharingPart::offer, naive_without_wait, [](SharingCase& c) {
            c.parameters.d = c.parameters.d1 = 0;
            c.parameters.d2 = 0;
        });
    holds(zero, with_skips, {"states", "states-with-skips"});
    mutant(zero, "zero-waits-once", "policy: delay with D = 1", "states-with-skips",
           faulty("delay", [](const Parameters&) { return PatientDelay{0}; }), naive_without_wait);
    claims.emplace_back(std::move(zero));
}

void add_racks(std::vector<Claim>& claims) {
    SharingClaim racks = claim("never-off-rack", "Without D2 no task is launched off the racks of its data.",
                               "[schedproof], docs/models/sharing.md, Interpretation S6", SharingPart::offer, on_racks,
                               [](SharingCase& c) { c.parameters.d2.reset(); });
    holds(racks, {"delay-rack", "delay-rack:keep"}, {"states", "states-with-skips"});
    mutant(racks, "racks-second-wait-ends", "policy: D2 = 1", "states-with-skips",
           faulty("delay-rack",
                  [](const Parameters& p) {
                      return DelayRack{p.d1, 1, AfterRackLocal::keep};
                  }),
           on_racks);
    claims.emplace_back(std::move(racks));

    SharingClaim resets =
        claim("reset-rules-alike",
              "Whether a rack-local launch starts the second wait again or not, skip counts are the "
              "same.",
              "[schedproof], docs/models/sharing.md, Interpretation S6", SharingPart::offer, resets_alike);
    fails(resets, {"delay-rack", "delay-rack:keep"}, {"on-the-rack-late"},
          "a count above D1 is set back to D1, or stays");
    claims.emplace_back(std::move(resets));
}

void add_queues(std::vector<Claim>& claims) {
    SharingClaim fewest = claim("fewest-running-of-queue",
                                "No job that waits in the queue that is served has fewer running tasks than the one "
                                "that launches.",
                                "[wang2013], Sections II-B and V", SharingPart::offer, fewest_running);
    needs(fewest, two_jobs_wait_in_a_queue);
    holds(fewest, {"jsq-maxweight:subqueues"}, {"states", "states-with-queues"});
    mutant(fewest, "fewest-oldest", "policy: the oldest job of the queue", "states", oldest_of_queue, fewest_running);
    claims.emplace_back(std::move(fewest));

    SharingClaim shortest = claim("joins-shortest",
                                  "A task joins the shortest of the queues of its data's nodes and the common one, "
                                  "any of those that tie.",
                                  "[wang2013], Section II-B", SharingPart::state, shortest_queue);
    holds(shortest, {"jsq-maxweight:subqueues"}, {"states", "states-with-queues"});
    mutant(
        shortest, "shortest-any", "policy: any of the queues", "states-with-queues",
        [](const SharingCase& c) {
            SharingSubject subject = sharing_subject("jsq-maxweight:subqueues", c.parameters);
            subject.route = [](const Setting& setting, State state, const Replicas& data) {
                return ScanningView(setting, state).own_and_common(data);
            };
            return subject;
        },
        shortest_queue);
    claims.emplace_back(std::move(shortest));
}

/// The first kill of the policy's, which takes the slot of the task launched first.
State kill_the_first_launched(const SharingSubject& subject, const Setting& setting, State state) {
    const auto job = subject.reclaim(setting, state);
    if (!job) return state;
    std::optional<std::size_t> first;
    for (std::size_t s = 0; s < state.slots.size(); ++s)
        if (state.slots[s].busy && state.slots[s].job == *job &&
            (!first || state.slots[s].since < state.slots[*first].since))
            first = s;
    State killed = complete(std::move(state), SlotId(*first), Stage::unlaunched);
    return kill_the_first_launched(subject, setting, subject.offer(setting, killed, SlotId(*first)).next);
}

void add_kills(std::vector<Claim>& claims) {
    const std::string states_in_words =
        "three jobs on three nodes of a slot, two on two nodes of two slots, each slot free or run by any of them, two "
        "times of launch, 0..2 further tasks of each job; random states, with a free slot and with none (busy-states)";
    const auto somebody_dies = [](const SharingCase& c) { return plain_reclaim(c.state).has_value(); };

    SharingClaim kills = claim(
        "kills-by-rule",
        "While the free slots are fewer than what jobs below floor(S/J) running tasks lack of it, as far as they "
        "have waiting tasks, and a job runs more, one of the job with the most running tasks is killed, and at "
        "no other time.",
        zaharia("killing running tasks; docs/models/sharing.md, Interpretation S7"), SharingPart::state, kills_by_rule);
    kills.family = states_in_words;
    needs(kills, somebody_dies);
    holds(kills, {"fair-kill"}, {"killing-states", "busy-states", "states"});
    mutant(
        kills, "kills-never", "policy: kills nothing", "busy-states",
        [](const SharingCase& c) {
            SharingSubject subject = sharing_subject("fair-kill", c.parameters);
            subject.reclaim = [](const Setting&, const State&) { return std::optional<JobId>(); };
            return subject;
        },
        kills_by_rule);
    mutant(kills, "kills-late", "policy: kills nothing while a slot is free", "killing-states",
           faulty("fair-kill", [](const Parameters&) { return LateKill{}; }), kills_by_rule);
    claims.emplace_back(std::move(kills));

    SharingClaim latest = claim("kills-latest",
                                "Of the job that is to lose a task the one launched last dies, ties on the slot of "
                                "largest number; the slot goes at once to the job with the fewest running tasks, and "
                                "so on until none is to lose one.",
                                zaharia("killing running tasks; docs/models/sharing.md, Interpretation S7"),
                                SharingPart::state, kills_latest);
    latest.family = states_in_words;
    needs(latest, somebody_dies);
    holds(latest, {"fair-kill"}, {"killing-states", "busy-states", "states"});
    mutant(
        latest, "kills-first-launched", "policy: the task launched first dies", "killing-states",
        [](const SharingCase& c) {
            SharingSubject subject = sharing_subject("fair-kill", c.parameters);
            subject.reclaim_all = [own = subject](const Setting& setting, const State& state) {
                return std::pair(kill_the_first_launched(own, setting, state), std::vector<Started>());
            };
            return subject;
        },
        kills_latest);
    claims.emplace_back(std::move(latest));
}

}  // namespace

void add_sharing_offers(std::vector<Claim>& claims) {
    add_rules(claims);
    add_launches(claims);
    add_equalities(claims);
    add_racks(claims);
    add_queues(claims);
    add_kills(claims);
}

}  // namespace schedproof::checks
