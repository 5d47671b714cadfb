/// Claims about single offers: every sharing policy against its rule in plain words, and what follows from the rules.
#include <algorithm>

#include "checks/claims/registry.hpp"
#include "checks/claims/sharing_group.hpp"

namespace schedproof::checks {

using namespace sharing;
using namespace sharing_group;
using namespace sharing_judging;

namespace {

const std::vector<std::string> with_skips{"delay", "delay-rack", "delay-rack:keep"};
const std::vector<std::string> without_skips{"hadoop-fifo", "naive-fair", "fair-kill", "jsq-maxweight:subqueues",
                                             "dyndlon"};

// Faults, written like policies.

/// Any launch starts the count anew.
struct ResettingDelay {
    static constexpr PolicyInfo info{"resetting-delay", "mutant", "any launch sets the skip count to 0"};
    std::int64_t d = 1;
    template <SharingView V>
    [[nodiscard]] std::optional<Launch> offer(V& now, NodeId n) const {
        const auto launch = Delay{d}.offer(now, n);
        if (launch) now.set_skips(launch->job, 0);
        return launch;
    }
};

/// Passed over once too often.
struct PatientDelay {
    static constexpr PolicyInfo info{"patient-delay", "mutant", "waits D + 1 times"};
    std::int64_t d = 1;
    template <SharingView V>
    [[nodiscard]] std::optional<Launch> offer(V& now, NodeId n) const {
        return Delay{d + 1}.offer(now, n);
    }
};

/// The last of the order, not the first.
struct LastJob {
    static constexpr PolicyInfo info{"last-job", "mutant", "the job with the most running tasks"};
    template <SharingView V>
    [[nodiscard]] std::optional<Launch> offer(V& now, NodeId n) const {
        std::optional<Launch> last;
        for (const JobId j : now.jobs(Order::fair)) last = Launch{j, now.nearest(j, n)};
        return last;
    }
};

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

void add_rules(std::vector<Claim>& claims) {
    SharingClaim rule = claim("follows-rule",
                              "At every state and offer, the job that launches, the level of its task and all skip "
                              "counts afterwards are those of the policy's rule in plain words.",
                              zaharia("2-3.5; Wang et al. VI; Jin et al. 4; specification 2"), follows_rule);
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
                             "counts, and under policies without queues of their own a task is launched at the level that "
                             "its data has there.",
                             "specification 2", one_launch);
    holds(one, with_skips, {"states", "states-with-skips"});
    holds(one, without_skips, {"states", "states-with-queues"});
    mutant(
        one, "launch-twice", "course: the slot before the offered one is used too", "states-with-skips",
        [](const SharingCase& c) {
            SharingSubject subject = sharing_subject("naive-fair", c.parameters);
            subject.offer = [own = subject.offer](const Setting& setting, const State& state, SlotId slot) {
                Offered after = own(setting, state, slot);
                for (std::size_t s = 0; s < after.next.slots.size(); ++s)
                    if (!after.next.slots[s].busy) return own(setting, after.next, SlotId(s));
                return after;
            };
            return subject;
        },
        one_launch);
    claims.emplace_back(std::move(one));

    SharingClaim counts = claim("skip-counts",
                                "A local launch sets its job's count to 0, another launch leaves it and needs a count "
                                "of D, each job asked before the launch gains 1, and no other count changes.",
                                zaharia("Algorithm 2"), skips_in_words);
    holds(counts, {"delay"}, {"states", "states-with-skips"});
    mutant(counts, "counts-reset", "policy: any launch sets the skip count to 0", "states-with-skips",
           faulty("delay", [](const Parameters& p) { return ResettingDelay{p.d}; }), skips_in_words);
    mutant(counts, "counts-not-kept", "policy: naive-fair, which counts nothing", "states-with-skips",
           another("delay", "naive-fair"), skips_in_words);
    claims.emplace_back(std::move(counts));
}

void add_equalities(std::vector<Claim>& claims) {
    SharingClaim single = claim("single-tasks-are-fifo",
                                "With jobs of one task each and one priority, the launch is that of hadoop-fifo.",
                                "specification 2", single_task_fifo);
    holds(single, {"naive-fair", "fair-kill"}, {"single-tasks"});
    fails(single, {"naive-fair"}, {"urgent-second"}, "with two priorities: naive-fair does not know them");
    claims.emplace_back(std::move(single));

    SharingClaim zero = claim("no-wait-is-naive",
                              "With D = 0 (D1 = D2 = 0) the launch is that of naive-fair, whatever the skip counts.",
                              "specification 2", naive_without_wait, any, [](SharingCase& c) {
                                  c.parameters.d = c.parameters.d1 = 0;
                                  c.parameters.d2 = 0;
                              });
    holds(zero, with_skips, {"states", "states-with-skips"});
    mutant(zero, "zero-waits-once", "policy: delay with D + 1", "states-with-skips",
           faulty("delay", [](const Parameters&) { return PatientDelay{0}; }), naive_without_wait);
    claims.emplace_back(std::move(zero));
}

void add_racks(std::vector<Claim>& claims) {
    SharingClaim racks = claim("never-off-rack", "Without D2 no task is launched off the racks of its data.",
                               "specification 2", on_racks, any, [](SharingCase& c) { c.parameters.d2.reset(); });
    holds(racks, {"delay-rack", "delay-rack:keep"}, {"states", "states-with-skips"});
    mutant(racks, "racks-second-wait-ends", "policy: D2 = 1", "states-with-skips",
           faulty("delay-rack",
                  [](const Parameters& p) {
                      return DelayRack{p.d1, 1, AfterRackLocal::keep};
                  }),
           on_racks);
    claims.emplace_back(std::move(racks));

    SharingClaim resets = claim("reset-rules-alike",
                                "Whether a rack-local launch starts the second wait again or not, skip counts are the "
                                "same.",
                                "specification 2, two readings", resets_alike);
    fails(resets, {"delay-rack", "delay-rack:keep"}, {"on-the-rack-late"},
          "a count above D1 is set back to D1, or stays");
    claims.emplace_back(std::move(resets));
}

void add_queues(std::vector<Claim>& claims) {
    SharingClaim fewest = claim("fewest-running-of-queue",
                                "No job that waits in the queue that is served has fewer running tasks than the one "
                                "that launches.",
                                "Wang et al., INFOCOM 2013, VI", fewest_running);
    holds(fewest, {"jsq-maxweight:subqueues"}, {"states", "states-with-queues"});
    mutant(fewest, "fewest-oldest", "policy: the oldest job of the queue", "states", oldest_of_queue, fewest_running);
    claims.emplace_back(std::move(fewest));

    SharingClaim shortest = claim("joins-shortest",
                                  "A task joins the shortest of the queues of its data's nodes and the common one, "
                                  "any of those that tie.",
                                  "Wang et al., INFOCOM 2013, II-B", shortest_queue);
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

    SharingClaim kills =
        claim("kills-by-rule",
              "While no slot is free, a job with a waiting task runs fewer than floor(S/J) tasks and another more, one "
              "of the job with the most running tasks is killed, and at no other time.",
              zaharia("3"), kills_by_rule);
    holds(kills, {"fair-kill"}, {"busy-states", "states-with-queues"});
    mutant(
        kills, "kills-never", "policy: naive-fair", "busy-states",
        [](const SharingCase& c) {
            SharingSubject subject = sharing_subject("fair-kill", c.parameters);
            subject.reclaim = [](const Setting&, const State&) { return std::optional<JobId>(); };
            return subject;
        },
        kills_by_rule);
    claims.emplace_back(std::move(kills));
}

}  // namespace

void add_sharing_offers(std::vector<Claim>& claims) {
    add_rules(claims);
    add_launches(claims);
    add_equalities(claims);
    add_racks(claims);
    add_queues(claims);
}

}  // namespace schedproof::checks
