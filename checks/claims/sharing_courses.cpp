/// Claims about whole courses: that they end, what is lost by killing, how long a job may wait, where slots stick.
#include "checks/claims/registry.hpp"
#include "checks/claims/sharing_group.hpp"

namespace schedproof::checks {

using namespace sharing;
using namespace sharing_group;
using namespace sharing_judging;

namespace {

/// Lets everything pass, always.
struct Idle {
    static constexpr PolicyInfo info{"idle", "mutant", "launches nothing"};
    template <SharingView V>
    [[nodiscard]] std::optional<Launch> offer(V&, NodeId) const {
        return {};
    }
};

/// Counts no skips.
struct ForgetfulDelay {
    static constexpr PolicyInfo info{"forgetful-delay", "mutant", "waits for local data, for ever"};
    template <SharingView V>
    [[nodiscard]] std::optional<Launch> offer(V& now, NodeId n) const {
        const auto local = now.first_local(Order::fair, n);
        return local ? std::optional(Launch{*local, Locality::local}) : std::nullopt;
    }
};

void add_work(std::vector<Claim>& claims) {
    SharingClaim end = claim("courses-end",
                             "When every free slot is offered in every tick and every task runs T ticks, all tasks are "
                             "done in the end.",
                             "this project", all_end);
    holds(end, all_policies(), {"courses"});
    mutant(end, "end-idle", "policy: launches nothing", "courses",
           faulty("naive-fair", [](const Parameters&) { return Idle{}; }), all_end);
    claims.emplace_back(std::move(end));

    std::vector<std::string> gentle = all_policies();
    std::erase(gentle, "fair-kill");
    SharingClaim lost =
        claim("no-work-lost", "Every task is launched once.", zaharia("3 (notes: killing wastes work)"), nothing_lost);
    holds(lost, gentle, {"courses"});
    fails(lost, {"fair-kill"}, {"kill-for-a-second-job", "courses"}, "a killed task is launched again");
    claims.emplace_back(std::move(lost));
}

void add_waits(std::vector<Claim>& claims) {
    const std::string waits_in_words =
        "1..3 nodes, at most 4 slots, D = 0..4, T = 1..3, all phases of the slots, data on one of the nodes or on none";
    SharingClaim bound = claim("wait-at-most-mean-rate",
                               "A job at the head waits at most (D/S) T until it may launch anywhere, when S slots run "
                               "tasks of T.",
                               zaharia("4.2"), wait_in_mean_rate);
    bound.family = waits_in_words;
    fails(bound, {"delay"}, {"both-due-at-once", "waits"},
          "a mean rate: with all tasks due at once, nothing is offered for T");
    claims.emplace_back(std::move(bound));

    SharingClaim rounds =
        claim("wait-at-most-rounds", "It waits at most ceil(D/S) T: every slot is offered once in any T.",
              "this project", wait_in_rounds);
    rounds.family = waits_in_words;
    holds(rounds, {"delay"}, {"waits"});
    mutant(rounds, "rounds-forgetful", "policy: counts no skips", "waits",
           faulty("delay", [](const Parameters&) { return ForgetfulDelay{}; }), wait_in_rounds);
    claims.emplace_back(std::move(rounds));
}

void add_slots(std::vector<Claim>& claims) {
    const std::string own_nodes =
        "endless jobs with data on nodes of their own, 2..4 nodes of a slot, all ways to run them at equal shares";
    SharingClaim stick = claim("slots-stick",
                               "While all jobs run equally many tasks, a slot returns to the job whose task ended on "
                               "it.",
                               zaharia("3 (notes: sticky slots)"), slots_stick);
    stick.family = own_nodes;
    holds(stick, {"naive-fair", "fair-kill"}, {"own-nodes"});
    fails(stick, {"delay"}, {"crossed-jobs", "own-nodes"}, "a job without data on the node lets it pass");
    claims.emplace_back(std::move(stick));

    SharingClaim settle = claim("slots-settle",
                                "Whoever runs where at first, nobody passed over yet, in the long run every task is "
                                "local: in each closed class of the chain in which each slot is equally likely the "
                                "next to become free.",
                                zaharia("3.4"), slots_settle);
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
