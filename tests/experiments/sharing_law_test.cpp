/// The simulator of jobs that share a cluster against the model: with run times that are not drawn, every submission,
/// launch, kill and completion of a run is the one that the functions of model/sharing/trajectory.hpp give, under every
/// policy. Ties among queues are broken by the same stream, so that policies with queues are compared as well.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "experiments/simulators/sharing/run_policy.hpp"
#include "experiments/statistics/stream.hpp"
#include "model/sharing/trajectory.hpp"
#include "tests/support/trees/sharing.hpp"

namespace schedproof::simulation {
namespace {

using namespace sharing;

enum class Kind { complete, submit, kill, launch };
struct Event {
    Ticks time;
    Kind kind;
    std::size_t slot, job;
    std::uint32_t task;
    Locality level;
    friend bool operator==(const Event&, const Event&) = default;
};

/// Tasks that end at one tick do so in any order.
void order_completions(std::vector<Event>& events) {
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        const auto rank = [](const Event& e) {
            const bool ends = e.kind == Kind::complete;
            return std::tuple(e.time, !ends, ends ? e.slot : 0);
        };
        return rank(a) < rank(b);
    });
}

/// Writes down what the simulator does.
class Transcript final : public SharingWatcher {
  public:
    explicit Transcript(bool routed) : routed_(routed) {}
    std::vector<Event> events;
    std::vector<Job> jobs;

    void submitted(Ticks now, std::uint64_t job, const Job& what) override {
        events.push_back({now, Kind::submit, 0, job - 1, 0, Locality::local});
        jobs.push_back(what);
    }
    void launched(Ticks now, SlotId slot, std::uint64_t job, std::uint32_t task, Locality level) override {
        events.push_back({now, Kind::launch, slot.index(), job - 1, routed_ ? 0 : task, level});
    }
    void completed(Ticks now, SlotId slot, std::uint64_t job) override {
        events.push_back({now, Kind::complete, slot.index(), job - 1, 0, Locality::local});
    }
    void killed(Ticks now, SlotId slot, std::uint64_t job, std::uint32_t task) override {
        events.push_back({now, Kind::kill, slot.index(), job - 1, task, Locality::local});
    }

  private:
    bool routed_;  // tasks of a queue are alike: they have no numbers
};

/// Breaks ties as the simulator does.
class Ties {
  public:
    explicit Ties(const statistics::Replication& replication) : stream_(replication, "ties") {}
    std::size_t draw(const DiscreteDistribution&) { throw ContractViolation("no policy of this family draws"); }
    std::size_t uniform(std::size_t n) { return n == 1 ? 0 : static_cast<std::size_t>(stream_.below(n)); }
    std::size_t proportional(std::span<const std::uint64_t>) { return draw(DiscreteDistribution::bernoulli(1)); }

  private:
    statistics::Stream stream_;
};

/// The same world by the model: tick by tick, on a plain state.
template <class P>
class Model {
  public:
    Model(const SharingWorld& world, const P& policy, std::vector<Job> jobs, const statistics::Replication& replication)
        : world_(world),
          policy_(policy),
          setting_{world.cluster, std::move(jobs)},
          state_(initial_state(setting_)),
          ties_(replication) {}

    std::vector<Event> run() {
        setting_.validate();
        const auto ended = [&] { return world_.end && state_.now >= *world_.end; };
        for (std::size_t next = 0; !ended() && (next < setting_.jobs.size() || unfinished()); ++state_.now) {
            complete_due();
            for (; next < setting_.jobs.size() && setting_.jobs[next].submit <= state_.now; ++next) {
                state_ = submit(setting_, std::move(state_), policy_, JobId(next), ties_);
                record(Kind::submit, 0, JobId(next), 0, Locality::local);
            }
            take_back();
            for (std::size_t n = 0; n < world_.cluster.nodes(); ++n) {
                if (!offers(n)) continue;
                offer_node(NodeId(n));
                if (world_.heartbeat > 0) take_back();
            }
            take_back();
        }
        return std::move(events_);
    }

  private:
    struct Running {
        JobId job;
        std::uint32_t task;
        Ticks finish;
    };

    [[nodiscard]] bool waiting() const {
        return std::any_of(state_.jobs.begin(), state_.jobs.end(), [](const JobState& j) {
            return std::find(j.tasks.begin(), j.tasks.end(), Stage::unlaunched) != j.tasks.end();
        });
    }
    [[nodiscard]] bool unfinished() const { return waiting() || !running_.empty(); }
    /// Slotted, every node in every slot; with heartbeats, at floor(n h / M) in every period h.
    [[nodiscard]] bool offers(std::size_t n) const {
        if (world_.heartbeat == 0) return true;
        const auto phase = static_cast<Ticks>(n) * world_.heartbeat / static_cast<Ticks>(world_.cluster.nodes());
        return state_.now % world_.heartbeat == phase;
    }
    void record(Kind kind, std::size_t slot, JobId job, std::uint32_t task, Locality level) {
        const bool numbered = !RoutingPolicy<P> && (kind == Kind::launch || kind == Kind::kill);
        events_.push_back({state_.now, kind, slot, job.index(), numbered ? task : 0, level});
    }
    void complete_due() {
        for (auto it = running_.begin(); it != running_.end();) {
            if (it->second.finish > state_.now) {
                ++it;
                continue;
            }
            record(Kind::complete, it->first, it->second.job, 0, Locality::local);
            state_ = complete(std::move(state_), SlotId(it->first));
            it = running_.erase(it);
        }
    }
    /// Each free slot once, the longest free first.
    void offer_node(NodeId n) {
        std::vector<SlotId> free;
        for (std::size_t i = 0; i < world_.cluster.slots; ++i)
            if (const SlotId s = world_.cluster.slot(n, i); !state_.slots[s.index()].busy) free.push_back(s);
        std::stable_sort(free.begin(), free.end(), [&](SlotId a, SlotId b) {
            return state_.slots[a.index()].since < state_.slots[b.index()].since;
        });
        for (const SlotId s : free) {
            if (!waiting()) return;
            Offered after = offer(setting_, std::move(state_), policy_, s);
            state_ = std::move(after.next);
            if (after.started) launch(*after.started);
        }
    }
    void take_back() {
        auto [next, started] = reclaim(setting_, std::move(state_), policy_);
        state_ = std::move(next);
        for (const Started& s : started) {
            const Running& killed = running_.at(s.slot.index());
            record(Kind::kill, s.slot.index(), killed.job, killed.task, Locality::local);
            running_.erase(s.slot.index());
            launch(s);
        }
    }
    void launch(const Started& started) {
        const auto& [slot, job, task, level] = started;
        record(Kind::launch, slot.index(), job, task, level);
        running_[slot.index()] = {job, task, state_.now + time(level, slot)};
        if (level != Locality::remote || !world_.laws.times.contended()) return;
        for (auto& [other, run] : running_) {
            const SlotState& s = state_.slots[other];
            if (s.level == Locality::remote && world_.cluster.node_of(SlotId(other)) == world_.cluster.node_of(slot))
                run.finish = std::max(run.finish, s.since + time(level, slot));
        }
    }
    /// Of a task at a level, among the remote tasks that its node runs now.
    [[nodiscard]] Ticks time(Locality level, SlotId slot) {
        const ScanningView view(setting_, state_);
        statistics::Stream unused({0, 0}, "unused");
        const RunTimes& times = world_.laws.times;
        return times.at(level, times.alone(0, unused),
                        static_cast<std::size_t>(view.remote_tasks(world_.cluster.node_of(slot))), unused);
    }

    const SharingWorld& world_;
    const P& policy_;
    Setting setting_;
    State state_;
    Ties ties_;
    std::map<std::size_t, Running> running_;  // by slot
    std::vector<Event> events_;
};

int drawn(int from, int to) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to)); }

/// The jobs with the reservations that are drawn for them.
std::vector<Job> with_probes(std::vector<Job> jobs, const SharingWorld& world,
                             const statistics::Replication& replication) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        statistics::Stream random(replication, "probes", j + 1);
        const Probes drawn = draw_probes(world.laws.probes * jobs[j].tasks.size(), world.cluster.nodes(), random);
        jobs[j].probes = drawn.more;
        for (std::size_t i = 0; i < drawn.everywhere; ++i)
            for (const NodeId n : IdRange<NodeId>(world.cluster.nodes())) jobs[j].probes.push_back(n);
        std::sort(jobs[j].probes.begin(), jobs[j].probes.end());
    }
    return jobs;
}

SharingWorld random_world() {
    Cluster cluster;
    const int nodes = drawn(1, 5), racks = drawn(1, 3);
    for (int n = 0; n < nodes; ++n) cluster.rack.emplace_back(static_cast<std::size_t>(n * racks / nodes));
    cluster.slots = static_cast<std::size_t>(drawn(1, 4));
    cluster.rate = {4, 2, 1};
    cluster.routing = drawn(0, 2) == 0 ? Routing::batch : Routing::sequential;
    cluster.counting = drawn(0, 2) == 0 ? Counting::waiting : Counting::in_system;
    std::vector<Factor> contended;
    if (drawn(0, 2) == 0) contended = {{2, 1}, {5, 2}, {4, 1}};
    cluster.remote_time = contended.empty() ? std::vector<Ticks>{6} : std::vector<Ticks>{6, 8, 12};
    std::vector<TracedJob> jobs;
    Ticks submit = 0;
    for (int j = drawn(1, 9); j > 0; --j)
        jobs.push_back({submit += drawn(0, 6), static_cast<std::uint32_t>(drawn(1, 10)), 0});
    return {std::move(cluster),
            {Placements(static_cast<std::size_t>(drawn(1, nodes + 1)), static_cast<std::size_t>(nodes)),
             RunTimes(ConstantTime{3}, {Factor{1, 1}, Factor{3, 2}, Factor{2, 1}}, std::move(contended)),
             {1, 2, 4, 2, 1},
             static_cast<std::size_t>(drawn(1, 4))},
            std::move(jobs),
            drawn(0, 6),
            OfferOrder::index,
            {},
            1,
            {},
            {}};
}

TEST(SharingLaw, EveryEventIsTheModels) {
    for (const PolicyInfo& info : policies()) {
        std::size_t events = 0, kills = 0;
        EXPECT_TRUE(rc::check(std::string(info.id), [&] {
            const SharingWorld world = random_world();
            const statistics::Replication replication{*rc::gen::inRange<std::uint64_t>(0, 1000), 0};
            Parameters parameters;
            parameters.d = parameters.d1 = drawn(0, 4);
            parameters.w = drawn(0, 8);
            parameters.order = drawn(0, 2) == 0 ? Order::fair : Order::fifo;
            const AnyPolicy policy = make_policy(info.id, parameters);
            Transcript seen(std::holds_alternative<ErasedAs<PolicyForm::routes>>(policy));
            static_cast<void>(run_sharing(world, policy, replication, {}, &seen));
            std::vector<Event> expected = std::visit(
                [&]<class P>(const P& p) {
                    return Model<P>(world, p, with_probes(seen.jobs, world, replication), replication).run();
                },
                policy);
            order_completions(seen.events);
            order_completions(expected);
            RC_ASSERT(seen.events.size() == expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) RC_ASSERT(seen.events[i] == expected[i]);
            events += expected.size();
            for (const Event& e : expected) kills += e.kind == Kind::kill ? 1 : 0;
        }));
        EXPECT_GT(events, 1000U) << info.id;
        EXPECT_EQ(kills > 0, info.id == "fair-kill") << info.id;
    }
}

/// What a run came to: its events, or the contract that the policy broke.
struct Told {
    std::vector<Event> events;
    std::string broken;
};
template <class Run>
Told told(const Run& run) {
    try {
        return {run(), {}};
    } catch (const ContractViolation& violation) {
        return {{}, violation.what()};
    }
}

/// The simulator and the model tell the same of a policy, be it sensible or not. A policy that waits for ever is cut
/// off. Returns whether it broke no contract.
template <class P>
bool same_events(const P& policy) {
    SharingWorld world = random_world();
    world.end = 60;
    std::vector<Job> jobs;
    const statistics::Replication replication{*rc::gen::inRange<std::uint64_t>(0, 1000), 0};
    Transcript seen(RoutingPolicy<P>);
    const Told simulated = told([&] {
        static_cast<void>(run_policy(world, policy, replication, {}, &seen));
        order_completions(seen.events);
        return seen.events;
    });
    const Told expected = told([&] {
        // Jobs that the simulator had not come to when it stopped are those of a run under which nothing launches.
        Transcript all(false);
        static_cast<void>(
            run_policy(world, trees::JobTreePolicy{std::make_shared<trees::JobTree>()}, replication, {}, &all));
        std::vector<Event> events =
            Model<P>(world, policy, with_probes(all.jobs, world, replication), replication).run();
        order_completions(events);
        return events;
    });
    RC_ASSERT(simulated.broken == expected.broken);
    RC_ASSERT(simulated.events == expected.events);
    return simulated.broken.empty();
}

TEST(SharingLaw, HoldsForGeneratedPolicies) {
    std::size_t sound = 0;
    const auto shared = [](trees::JobTree tree) { return std::make_shared<const trees::JobTree>(std::move(tree)); };
    EXPECT_TRUE(rc::check("offers", [&] {
        const trees::JobTree tree = *trees::job_trees();
        sound += same_events(trees::JobTreePolicy{shared(tree)}) ? 1 : 0;
    }));
    EXPECT_GT(sound, 20U);
    sound = 0;
    EXPECT_TRUE(rc::check("queues", [&] {
        const trees::QueueTree tree = *trees::queue_trees();
        sound += same_events(trees::QueueTreePolicy{tree}) ? 1 : 0;
    }));
    EXPECT_GT(sound, 20U);
    sound = 0;
    EXPECT_TRUE(rc::check("kills", [&] {
        const trees::JobTree tree = *trees::job_trees();
        const trees::KillTree kills = *trees::kill_trees();
        sound += same_events(trees::KillTreePolicy{shared(tree), kills}) ? 1 : 0;
    }));
    EXPECT_GT(sound, 10U);
}

}  // namespace
}  // namespace schedproof::simulation
