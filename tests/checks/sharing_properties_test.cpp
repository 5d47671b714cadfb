/// Properties of the sharing family, on small cases: they hold where they should and report what violates them.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "checks/families.hpp"
#include "checks/sharing/family.hpp"
#include "checks/sharing/generate.hpp"
#include "checks/sharing/misfit.hpp"
#include "checks/sharing/properties/properties.hpp"
#include "checks/sharing/reference_model.hpp"
#include "model/core/errors.hpp"
#include "policies/sharing/delay.hpp"
#include "policies/sharing/naive_fair.hpp"

namespace schedproof::checks {
namespace {

using namespace sharing;

std::string violation_at(const std::string& id, const std::string& policy, const SharingCase& at) {
    return claim_named(id).any->violation(counterexample<SharingFamily>(at, policy));
}
SharingCase witness(std::string_view name) {
    for (SharingWitness& w : sharing_witnesses())
        if (w.name == name) return std::move(w.found);
    ADD_FAILURE() << name;
    return {};
}
std::string violation(const std::string& id, const std::string& policy, std::string_view name) {
    return violation_at(id, policy, witness(name));
}

TEST(SharingProperties, SayWhatIsFalseInExactNumbers) {
    EXPECT_EQ(violation("sharing.wait-at-most-mean-rate", "delay", "both-due-at-once"),
              "waits 1 ticks with tasks due in 1, 1: more than (D/S) T = 1/2");
    EXPECT_EQ(violation("sharing.rule-as-printed", "delay", "paper-example"),
              "N = 20, M = 100, R = 3, D = 24: locality 0.936234 is below the goal 19/20");
    EXPECT_EQ(violation("sharing.rule-as-printed", "delay", "three-tasks"),
              "N = 3, M = 20, R = 1, D = 22: locality 0.830510 is below the goal 5/6");
    EXPECT_EQ(violation("sharing.no-work-lost", "fair-kill", "kill-for-a-second-job"),
              "task 1 of job 0 is launched 2 times");
    EXPECT_EQ(violation("sharing.reset-rules-alike", "delay-rack", "on-the-rack-late"),
              "job 0 is left with skip count 1, not 2");
    EXPECT_EQ(violation("sharing.single-tasks-are-fifo", "naive-fair", "urgent-second"),
              "launches a local task of job 0, not a local task of job 1");
    EXPECT_EQ(violation("sharing.slots-stick", "delay", "crossed-jobs"),
              "with jobs 1, 0 on the nodes and skip counts 0, 0, the slot of node 0 goes from job 1 to job 0");
    EXPECT_EQ(
        violation("sharing.slots-settle", "naive-fair", "crossed-jobs"),
        "with jobs 1, 0 on the nodes and skip counts 0, 0, it may come to stay with jobs 1, 0 on the nodes and skip "
        "counts 0, 0, where the part 0 of the tasks is local");
    EXPECT_EQ(violation("sharing.slots-settle", "delay", "three-jobs-apart"),
              "with jobs 0, 2, 1 on the nodes and skip counts 0, 0, 0, it may come to stay with jobs 0, 2, 1 on the "
              "nodes and skip counts 0, 1, 1, where the part 1/3 of the tasks is local");
}

TEST(SharingProperties, AreSilentOnWhatHolds) {
    EXPECT_EQ(violation("sharing.wait-at-most-rounds", "delay", "both-due-at-once"), "");
    EXPECT_EQ(violation("sharing.rule-suffices", "delay", "paper-example"), "");
    EXPECT_EQ(violation("sharing.rule-nearly-tight", "delay", "paper-example"), "");
    EXPECT_EQ(violation("sharing.locality-as-printed", "delay", "paper-example"), "");
    EXPECT_EQ(violation("sharing.no-work-lost", "naive-fair", "kill-for-a-second-job"), "");
    EXPECT_EQ(violation("sharing.slots-settle", "delay", "crossed-jobs"), "");
}

/// The plain rules on the paper's words, by hand: nodes 0 and 1 on a rack, 2 on another; a free slot of node 0.
TEST(SharingPlain, RulesByHand) {
    SharingCase c;
    c.setting.cluster = {{RackId(0), RackId(0), RackId(1)}, 1, {4, 2, 1}, {2}};
    c.setting.jobs = {{0, 2, {{NodeId(2)}}}, {0, 1, {{NodeId(1)}}}, {0, 2, {{NodeId(0)}}}};
    c.state = initial_state(c.setting);
    for (JobState& job : c.state.jobs) job = {{Stage::unlaunched}, {QueueId(3)}, 1};
    c.parameters = {2, 1, 1, 0, Order::fifo};
    const auto launch = [&](const char* id) { return reference_offer(id, c).launch; };
    const auto job = [](std::size_t j, Locality level) { return std::optional(JobLaunch{JobId(j), level}); };
    EXPECT_EQ(launch("hadoop-fifo"), job(1, Locality::rack_local));
    EXPECT_EQ(launch("naive-fair"), job(0, Locality::remote));
    EXPECT_EQ(launch("delay"), job(2, Locality::local));
    EXPECT_EQ(reference_offer("delay", c).skips, (std::vector<std::int64_t>{2, 2, 0}));
    EXPECT_EQ(launch("delay-rack"), job(1, Locality::rack_local));
    EXPECT_EQ(reference_offer("delay-rack", c).skips, (std::vector<std::int64_t>{2, 1, 1}));
    EXPECT_EQ(launch("dyndlon"), job(2, Locality::local));
    EXPECT_EQ(launch("jsq-maxweight:subqueues"), job(0, Locality::remote));
    EXPECT_EQ(launch("sparrow"), std::nullopt);
    c.state.jobs[2].reserved = {NodeId(0), NodeId(1)};
    EXPECT_EQ(launch("sparrow"), job(2, Locality::local));
    c.state.jobs[0].reserved = {NodeId(0)};
    EXPECT_EQ(launch("sparrow"), job(0, Locality::remote));
    c.parameters.w = 2;
    EXPECT_EQ(launch("quincy"), job(2, Locality::local));
    c.setting.jobs[0].submit = -5;
    EXPECT_EQ(launch("quincy"), job(0, Locality::remote));
    c.setting.jobs[1].submit = -3;
    EXPECT_EQ(launch("quincy"), job(1, Locality::rack_local));
    c.parameters.d = 1;
    EXPECT_EQ(launch("delay"), job(0, Locality::remote));
    EXPECT_EQ(reference_route(c.setting, c.state, {NodeId(1), NodeId(0)}), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(reference_level(Cluster::one_rack(2, 1), 0, {NodeId(1)}), Locality::remote);
}

TEST(SharingGrids, MeetWhatMatters) {
    std::set<std::string> seen;
    std::size_t cases = 0;
    for_each_state_with_skips([&](const SharingCase& c) {
        ++cases;
        const auto launch = reference_offer("delay", c).launch;
        seen.insert(launch ? std::to_string(launch->job.index()) + std::to_string(index(launch->level)) : "none");
        return true;
    });
    EXPECT_GT(cases, 10'000U);
    EXPECT_EQ(seen, (std::set<std::string>{"none", "00", "01", "02", "10", "11", "12"}));
    seen.clear();
    for_each_state_with_queues([&](const SharingCase& c) {
        for (const char* id : {"jsq-maxweight:subqueues", "dyndlon", "hadoop-fifo", "sparrow", "quincy"}) {
            const auto launch = reference_offer(id, c).launch;
            seen.insert(id + std::string(launch ? std::to_string(launch->job.index()) : "none"));
        }
        return true;
    });
    EXPECT_EQ(seen.size(), 15U);
    std::size_t killed = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
        Sampler randomness(StreamKey{1, i});
        const SharingCase c = random_busy_state(randomness);
        for (const SlotState& s : c.state.slots) EXPECT_TRUE(s.busy);
        killed += reference_reclaim(c.state).has_value();
    }
    EXPECT_GT(killed, 20U);
    EXPECT_LT(killed, 180U);
    std::size_t states = 0, kills = 0, kills_beside_free_slots = 0, analysed = 0;
    for_each_killing_state([&](const SharingCase& c) {
        ++states;
        const bool free =
            std::any_of(c.state.slots.begin(), c.state.slots.end(), [](const auto& s) { return !s.busy; });
        const bool dies = reference_reclaim(c.state).has_value();
        kills += dies;
        kills_beside_free_slots += dies && free;
        return true;
    });
    EXPECT_EQ(states, 7U * 7 * 7 * 27 + 5U * 5 * 5 * 5 * 9);
    EXPECT_GT(kills, 1000U);
    EXPECT_GT(kills_beside_free_slots, 100U);
    for_each_analysis([&](const SharingCase&) {
        ++analysed;
        return true;
    });
    EXPECT_EQ(analysed, 1584U);
}

/// A case of every kind of problem that a domain has, or the first few hundred.
std::vector<SharingCase> some_of(const SharingDomain& domain) {
    std::vector<SharingCase> all;
    if (const auto* listed = std::get_if<SharingDomain::Enumerated>(&domain.problems))
        listed->each([&](const SharingCase& c) {
            all.push_back(c);
            return all.size() < 300;
        });
    if (const auto* random = std::get_if<SharingDomain::Random>(&domain.problems))
        for (std::uint64_t i = 0; i < 300; ++i) {
            Sampler randomness(StreamKey{1, i});
            all.push_back(random->draw(randomness));
        }
    return all;
}

TEST(SharingUnfit, WhatIsGeneratedIsFitForTheClaimsThatAreAskedOfIt) {
    std::size_t claims = 0;
    for (const Claim& claim : sharing_family().claims()) {
        ++claims;
        for (const Line& line : claim.lines)
            for (const std::string& domain : line.instances)
                for (const SharingCase& c : some_of(*SharingFamily::instance(domain))) {
                    const auto wrong = claim.any->misfit(counterexample<SharingFamily>(c, line.policy));
                    ASSERT_FALSE(wrong) << claim.id << " " << domain << ": " << wrong->key << " " << wrong->expected;
                }
    }
    EXPECT_EQ(claims, 28U);
}

TEST(SharingUnfit, WhatCannotBeJudgedIsNamed) {
    using Change = std::function<void(SharingCase&)>;
    const auto key = [](SharingPart part, const char* policy, std::string_view name, const Change& change) {
        SharingCase c = witness(name);
        change(c);
        const auto wrong = misfit(c, part, policy);
        return wrong ? wrong->key : "";
    };
    const auto offered = [&](const Change& change, const char* policy = "naive-fair") {
        return key(SharingPart::offer, policy, "urgent-second", change);
    };
    EXPECT_EQ(offered([](auto&) {}), "");
    EXPECT_EQ(offered([](auto& c) { c.setting.cluster.rack.clear(); }), "cluster.racks");
    EXPECT_EQ(offered([](auto& c) { c.setting.cluster.slots = 0; }), "cluster.slots");
    EXPECT_EQ(offered([](auto& c) { c.setting.jobs.clear(); }), "jobs");
    EXPECT_EQ(offered([](auto& c) { c.setting.jobs[0].tasks.clear(); }), "jobs");
    EXPECT_EQ(offered([](auto& c) { c.setting.jobs[0].tasks[0] = {NodeId(1)}; }), "jobs");
    EXPECT_EQ(offered([](auto& c) { c.setting.jobs[0].tasks[0] = {NodeId(0), NodeId(0)}; }), "jobs");
    EXPECT_EQ(offered([](auto& c) { c.state.jobs.pop_back(); }), "state.jobs");
    EXPECT_EQ(offered([](auto& c) { c.state.jobs[1].tasks.push_back(Stage::done); }), "state.jobs");
    EXPECT_EQ(offered([](auto& c) { c.state.jobs[1].tasks[0] = Stage::running; }), "state.slots");
    EXPECT_EQ(offered([](auto& c) { c.state.slots[0].busy = true; }), "state.slots");
    EXPECT_EQ(offered([](auto& c) { c.state.slots.clear(); }), "state.slots");
    EXPECT_EQ(offered([](auto& c) { c.slot = SlotId(1); }), "slot");
    EXPECT_EQ(offered([](auto& c) { c.run = 0; }), "run");
    EXPECT_EQ(offered([](auto& c) { c.parameters.d = -1; }), "parameters");
    EXPECT_EQ(offered([](auto&) {}, "jsq-maxweight:subqueues"), "state.jobs") << "no queues";
    const auto queue = [](std::size_t q) {
        return [q](SharingCase& c) {
            c.setting.cluster = Cluster::one_rack(2, 1);
            c.state.slots.resize(2);
            for (JobState& job : c.state.jobs) job.queue = {QueueId(q)};
        };
    };
    EXPECT_EQ(offered(queue(0), "jsq-maxweight:subqueues"), "");
    EXPECT_EQ(offered(queue(1), "jsq-maxweight:subqueues"), "state.jobs") << "no data there";
    EXPECT_EQ(offered(queue(2), "jsq-maxweight:subqueues"), "") << "the common one";
    EXPECT_EQ(offered(queue(3), "jsq-maxweight:subqueues"), "state.jobs");
    const auto waits = [&](const Change& change) {
        return key(SharingPart::wait, "delay", "both-due-at-once", change);
    };
    EXPECT_EQ(waits([](auto&) {}), "");
    EXPECT_EQ(waits([](auto& c) { c.of.nodes = 1000; }), "analysis.nodes");
    EXPECT_EQ(waits([](auto& c) { c.setting.jobs.push_back(c.setting.jobs[0]); }), "jobs");
    const auto analysed = [&](const Change& change) {
        return key(SharingPart::analysis, "delay", "three-tasks", change);
    };
    EXPECT_EQ(analysed([](auto&) {}), "");
    EXPECT_EQ(analysed([](auto& c) { c.of.nodes = 0; }), "analysis.nodes");
    EXPECT_EQ(analysed([](auto& c) { c.goal = Rational(1); }), "analysis.goal");
    const auto endless = [&](const Change& change) {
        return key(SharingPart::endless, "delay", "crossed-jobs", change);
    };
    EXPECT_EQ(endless([](auto&) {}), "");
    EXPECT_EQ(endless([](auto& c) { c.setting.jobs[0].tasks[0] = {NodeId(0), NodeId(1)}; }), "jobs");
    EXPECT_EQ(endless([](auto& c) { c.setting.jobs[0].tasks[0] = c.setting.jobs[1].tasks[0]; }), "jobs");
    EXPECT_EQ(endless([](auto& c) { c.setting.jobs.push_back(c.setting.jobs[0]); }), "jobs");
    EXPECT_EQ(endless([](auto& c) { c.setting.cluster.slots = 2; }), "cluster.slots");
}

/// Cases larger than any property can enumerate end as such.
TEST(SharingProperties, LargeCasesEndAtALimit) {
    const auto violation = [](const std::string& id, const SharingCase& c) { return violation_at(id, "delay", c); };
    SharingCase wait = witness("both-due-at-once");
    wait.run = 1'000'000;
    EXPECT_THROW(static_cast<void>(violation("sharing.wait-at-most-rounds", wait)), LimitExceeded);
    SharingCase kill = witness("kill-for-a-second-job");
    kill.parameters.d = 10'000;
    EXPECT_THROW(static_cast<void>(violation("sharing.courses-end", kill)), LimitExceeded);
    SharingCase analysis = witness("paper-example");
    analysis.of = {1'000'000, 1'000, 1'000'000};
    EXPECT_THROW(static_cast<void>(violation("sharing.rule-suffices", analysis)), LimitExceeded);
    EXPECT_THROW(static_cast<void>(violation("sharing.locality-as-printed", analysis)), LimitExceeded);
    SharingCase offers = witness("both-due-at-once");
    offers.state.jobs[0].tasks = {Stage::unlaunched};
    offers.parameters.d = 1000;
    EXPECT_THROW(static_cast<void>(violation("sharing.local-within-d", offers)), LimitExceeded);
    SharingCase sticky = witness("crossed-jobs");
    sticky.setting.cluster = Cluster::one_rack(10, 1);
    for (std::size_t n = 2; n < 10; ++n) sticky.setting.jobs[n % 2].tasks.push_back({NodeId(n)});
    sticky.parameters.d = 100;
    EXPECT_THROW(static_cast<void>(violation("sharing.slots-settle", sticky)), LimitExceeded);
}

/// A mutant is caught for what it does, not for something beside it.
TEST(SharingMutants, AreCaughtForTheirFault) {
    const auto caught = [](const std::string& id, const std::string& name) -> std::string {
        const Claim claim = claim_named(id);
        for (const Mutant& mutant : claim.mutants)
            if (mutant.name == name) return mutant.caught({});
        return "no such mutant";
    };
    const auto says = [&](const std::string& id, const std::string& name, const std::string& words) {
        const std::string text = caught(id, name);
        EXPECT_NE(text.find(words), std::string::npos) << name << ": " << text;
    };
    says("sharing.one-launch", "launch-twice", "changes more than a task, the slot, a reservation and skip counts");
    says("sharing.one-launch", "launch-at-datas-level", "calls a remote launch local");
    says("sharing.wait-at-most-rounds", "rounds-patient", "more than ceil(D/S) T");
    says("sharing.mean-wait", "mean-wait-blind", "the mean number of offers let pass is 1, not 0");
    says("sharing.kills-by-rule", "kills-late", "kills nothing, not a task of job 2");
    says("sharing.kills-latest", "kills-first-launched", "is left with");
}

TEST(SharingShrink, EndsAtASmallCaseThatStillFails) {
    const Claim lost = claim_named("sharing.no-work-lost");
    for (std::uint64_t i = 0;; ++i) {
        ASSERT_LT(i, 1000U);
        Sampler randomness(StreamKey{1, i});
        const SharingCase found = random_sharing_trajectory(randomness);
        const auto complaint = [&](const SharingCase& c) {
            return lost.any->violation(counterexample<SharingFamily>(c, "fair-kill"));
        };
        if (complaint(found).empty()) continue;
        const auto shrunk = shrink<SharingFamily>(found, "fair-kill", complaint);
        EXPECT_NE(complaint(shrunk.problem), "");
        const std::size_t jobs = shrunk.problem.setting.jobs.size();
        EXPECT_LE(jobs, 3U);  // no smaller candidate fails: not the smallest of all
        EXPECT_EQ(shrink<SharingFamily>(shrunk.problem, "fair-kill", complaint).problem.setting.jobs.size(), jobs);
        EXPECT_LE(shrink<SharingFamily>(found, "fair-kill", complaint, 3).tried, 3U);
        break;
    }
}

TEST(SharingSimulation, TheTestIsOneSidedAndExact) {
    const Rational one(1);
    EXPECT_TRUE(surely_negative({-one, -one, -one}));
    EXPECT_FALSE(surely_negative({one, one, one}));
    EXPECT_FALSE(surely_negative({-one, one, -one, one}));
    EXPECT_FALSE(surely_negative({Rational(-10), one, one}));
    const SimulatedRun a = simulate(any_policy(Delay{6}), {}, 1, 0), b = simulate(any_policy(Delay{6}), {}, 1, 0);
    EXPECT_EQ(a.without_data, b.without_data);
    EXPECT_EQ(a.waited, b.waited);
    EXPECT_EQ(a.launches, 300U);
}

/// The tests' own error rates: every one of these seeds passes where the claims hold, none under naive fair sharing.
TEST(SharingSimulation, SeedsAgree) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const ByD delay = [](std::int64_t d) { return any_policy(Delay{d}); };
        const ByD naive = [](std::int64_t) { return any_policy(NaiveFair{}); };
        EXPECT_EQ(non_locality_does_not_halve(delay, {}, seed, sharing_replications), "");
        EXPECT_EQ(wait_is_not_inverse_to_slots(delay, {}, seed, sharing_replications), "");
        EXPECT_NE(non_locality_does_not_halve(naive, {}, seed, sharing_replications), "");
        EXPECT_NE(wait_is_not_inverse_to_slots(naive, {}, seed, sharing_replications), "");
    }
}

}  // namespace
}  // namespace schedproof::checks
