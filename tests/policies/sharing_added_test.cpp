/// Policies that are added while the program runs: the code behind the interface decides what the type decides, in
/// every engine; what a stranger may bring is refused with the reason; claims ask it what they ask of every policy.
///
/// Long: its strangers are each a policy, written out beside the test that sees it refused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "checks/core/run.hpp"
#include "checks/families.hpp"
#include "checks/sharing/agreement.hpp"
#include "checks/sharing/family.hpp"
#include "checks/sharing/generate.hpp"
#include "experiments/simulators/sharing/asked_policy.hpp"
#include "experiments/simulators/sharing/lockstep.hpp"
#include "experiments/simulators/sharing/run_policy.hpp"
#include "experiments/simulators/sharing/sharing_experiment.hpp"
#include "experiments/simulators/sharing/sharing_world.hpp"
#include "model/core/errors.hpp"
#include "policies/core/definition.hpp"
#include "policies/sharing/delay.hpp"
#include "policies/sharing/delay_rack.hpp"
#include "policies/sharing/delay_time.hpp"
#include "policies/sharing/dyndlon_offers.hpp"
#include "policies/sharing/fair_kill.hpp"
#include "policies/sharing/hadoop_fifo.hpp"
#include "policies/sharing/jsq_maxweight_subqueues.hpp"
#include "policies/sharing/quincy.hpp"
#include "policies/sharing/sparrow.hpp"
#include "tests/experiments/seeded/sharing_kills_too_soon.hpp"
#include "tests/experiments/seeded/sharing_waits_beside_data.hpp"
#include "tests/experiments/seeded/sharing_waits_once_more.hpp"
#include "tests/support/trees/sharing.hpp"

namespace schedproof::checks::sharing_added {
namespace {

using namespace sharing;

/// The code of a policy under another name.
class Renamed final : public PolicyCode {
  public:
    Renamed(std::string id, AddedPolicy policy) : id_(std::move(id)), policy_(std::move(policy)) {}
    [[nodiscard]] PolicyInfo info() const override { return {id_, "test", "a copy"}; }
    [[nodiscard]] PolicyForm form() const override { return policy_.code().form(); }
    [[nodiscard]] std::string definition() const override { return policy_.code().definition(); }
    [[nodiscard]] Parameters parameters() const override { return policy_.code().parameters(); }
    [[nodiscard]] std::shared_ptr<const PolicyCode> with(const Parameters& p) const override {
        return policy_.code().with(p);
    }
    [[nodiscard]] std::shared_ptr<const PolicyAnswers<AffineCount>> on_affine_counts(
        const ParametersOf<AffineCount>& p) const override {
        return policy_.code().on_affine_counts(p);
    }
    [[nodiscard]] std::optional<JobLaunch> offer(AnyOfferSource& now, NodeId n) const override {
        return policy_.code().offer(now, n);
    }
    [[nodiscard]] std::optional<JobLaunch> offer(AnyQueueSource& now, NodeId n) const override {
        return policy_.code().offer(now, n);
    }
    [[nodiscard]] QueueSet route(DataRef data) const override { return policy_.code().route(data); }
    [[nodiscard]] std::optional<JobId> reclaim(const AnyReclaimSource& now) const override {
        return policy_.code().reclaim(now);
    }

  private:
    std::string id_;
    AddedPolicy policy_;
};

/// As the row `delay-rack:keep`, whose type is that of `delay-rack`.
struct DelayRackKeep {
    static constexpr PolicyInfo info{"delay-rack-keep", "test", "delay-rack:keep"};
    std::int64_t d1 = 1;
    std::optional<std::int64_t> d2 = {1};
    static constexpr std::tuple parameters{Parameter("D1", &DelayRackKeep::d1), Parameter("D2", &DelayRackKeep::d2)};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        return DelayRack{d1, d2, AfterRackLocal::keep}.offer(now, n);
    }
};

/// As the row `delay-time:one-remote`.
struct DelayTimeOneRemote {
    static constexpr PolicyInfo info{"delay-time-one-remote", "test", "delay-time:one-remote"};
    Ticks w = 0;
    Order order = Order::fifo;
    static constexpr std::tuple parameters{Parameter("W", &DelayTimeOneRemote::w),
                                           Parameter("order", &DelayTimeOneRemote::order)};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        return DelayTime{w, order, true}.offer(now, n);
    }
};

/// Makes a policy with the parameters of a case.
using Make = std::function<SharingPolicyUnderTest(const Parameters&)>;
Make named(const std::string& id) {
    return [id](const Parameters& parameters) { return policy_under_test(id, parameters); };
}
/// The type itself, compiled into the model.
template <class P>
P with(const Parameters& parameters) {
    P policy;
    for_each_settable<P>([&](auto its, auto known) { policy.*its = parameters.*known; });
    return policy;
}

struct Copy {
    std::string of, id;
    Make type;
};
template <class P>
Copy copy_of(const std::string& id) {
    Copy copy{id, "copy-" + id, [](const Parameters& p) { return policy_under_test(with<P>(p), p); }};
    add_policy(AddedPolicy(std::make_shared<Renamed>(copy.id, added<P>())));
    return copy;
}
/// Every registered policy once more, added.
const std::vector<Copy>& copies() {
    static const std::vector<Copy> all{copy_of<HadoopFifo>("hadoop-fifo"),
                                       copy_of<NaiveFair>("naive-fair"),
                                       copy_of<FairKill>("fair-kill"),
                                       copy_of<Delay>("delay"),
                                       copy_of<DelayRack>("delay-rack"),
                                       copy_of<DelayRackKeep>("delay-rack:keep"),
                                       copy_of<JsqMaxWeightSubqueues>("jsq-maxweight:subqueues"),
                                       copy_of<DynDlOn>("dyndlon"),
                                       copy_of<DelayTime>("delay-time"),
                                       copy_of<DelayTimeOneRemote>("delay-time:one-remote"),
                                       copy_of<Sparrow>("sparrow"),
                                       copy_of<Quincy>("quincy")};
    return all;
}

/// What is answered, or the contract that is broken.
template <class Ask>
auto told(const Ask& ask) {
    using Told = std::pair<std::optional<decltype(ask())>, std::string>;
    try {
        return Told(ask(), "");
    } catch (const ContractViolation& broken) {
        return Told(std::nullopt, broken.what());
    }
}

TEST(SharingAdded, ThereIsACopyOfEveryRegisteredPolicy) {
    static_cast<void>(copies());
    for (const PolicyInfo& info : policies()) {
        if (is_added(info.id)) continue;
        EXPECT_TRUE(std::any_of(copies().begin(), copies().end(), [&](const Copy& c) { return c.of == info.id; }))
            << info.id;
    }
}

/// Whether two policies answer differently at a random state.
bool differ(const Make& first, const Make& second, std::uint64_t seed) {
    Sampler randomness(StreamKey{seed});
    const bool offered = randomness.below(3) > 0;
    const SharingCase c = offered ? random_sharing_state(randomness) : random_busy_state(randomness);
    const SharingPolicyUnderTest a = first(c.parameters), b = second(c.parameters);
    bool same = static_cast<bool>(a.route) == static_cast<bool>(b.route) &&
                static_cast<bool>(a.reclaim) == static_cast<bool>(b.reclaim);
    const auto compare = [&](const auto& ask) {
        same = same && told([&] { return ask(a); }) == told([&] { return ask(b); });
    };
    if (offered) compare([&](const auto& p) { return p.offer(c.setting, c.state, c.slot); });
    compare([&](const auto& p) { return p.reclaim_all(c.setting, c.state); });
    if (a.reclaim) compare([&](const auto& p) { return p.reclaim(c.setting, c.state); });
    if (a.route)
        for (const Job& job : c.setting.jobs)
            for (const Replicas& data : job.tasks)
                compare([&](const auto& p) { return p.route(c.setting, c.state, data); });
    return !same;
}

TEST(SharingAdded, DecidesAsTheTypeAtEveryState) {
    for (const Copy& copy : copies())
        for (const std::string& id : {copy.of, copy.id})
            EXPECT_TRUE(
                rc::check(id, [&] { RC_ASSERT(!differ(copy.type, named(id), *rc::gen::arbitrary<std::uint64_t>())); }));
}

template <class P>
std::string add_once() {
    std::string id(P::info.id);
    if (!is_added(id)) add_policy(added<P>());
    return id;
}

TEST(SharingAdded, ThatOtherCodeDecidesOtherwiseIsSeen) {
    const auto differ_somewhere = [](const std::string& first, const std::string& second) {
        for (std::uint64_t seed = 0; seed < 1000; ++seed)
            if (differ(named(first), named(second), seed)) return true;
        return false;
    };
    EXPECT_TRUE(differ_somewhere("delay", add_once<WaitsBesideData>()));
    EXPECT_TRUE(differ_somewhere("delay", add_once<WaitsOnceMore>()));
    EXPECT_TRUE(differ_somewhere("fair-kill", add_once<KillsTooSoon>()));
}

// Generated policies: the compiler sees that they decline, and the engines the tree that was drawn last.
struct DrawnOffers {
    static constexpr PolicyInfo info{"drawn-offers", "test", "rules tried on each job in an order"};
    static inline std::shared_ptr<const trees::JobTree> tree;
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        if (std::is_constant_evaluated()) return {};
        return trees::JobTreePolicy{tree}.offer(now, n);
    }
};
struct DrawnKills : DrawnOffers {
    static constexpr PolicyInfo info{"drawn-kills", "test", "kills while slots are wanted"};
    static inline trees::KillTree kills;
    template <ReclaimingView V>
    [[nodiscard]] constexpr std::optional<JobRef> reclaim(const V& now) const {
        if (std::is_constant_evaluated()) return {};
        return trees::KillTreePolicy{tree, kills}.reclaim(now);
    }
};
struct DrawnQueues {
    static constexpr PolicyInfo info{"drawn-queues", "test", "joins and serves queues by weights"};
    static inline trees::QueueTree queues;
    template <RoutingView V>
    [[nodiscard]] constexpr typename V::Tied route(const V& now, DataRef data) const {
        if (std::is_constant_evaluated()) return now.shortest(now.own(data));
        return trees::QueueTreePolicy{queues}.route(now, data);
    }
    template <QueueView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        if (std::is_constant_evaluated()) return {};
        return trees::QueueTreePolicy{queues}.offer(now, n);
    }
};

/// Whether the code of a generated policy answers differently from its type, at some of ten random states.
template <class P>
bool differ(const P& type, const std::string& code) {
    const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>() % 1'000'000;
    for (std::uint64_t i = 0; i < 10; ++i)
        if (differ([&](const Parameters& p) { return policy_under_test(type, p); }, named(code), seed + i)) return true;
    return false;
}

TEST(SharingAdded, DecidesAsTheTypeOfGeneratedPolicies) {
    const std::string offers = add_once<DrawnOffers>(), kills = add_once<DrawnKills>(),
                      queues = add_once<DrawnQueues>();
    EXPECT_TRUE(rc::check("offers", [&] {
        DrawnOffers::tree = std::make_shared<const trees::JobTree>(*trees::job_trees());
        RC_ASSERT(!differ(trees::JobTreePolicy{DrawnOffers::tree}, offers));
    }));
    EXPECT_TRUE(rc::check("kills", [&] {
        DrawnOffers::tree = std::make_shared<const trees::JobTree>(*trees::job_trees());
        DrawnKills::kills = *trees::kill_trees();
        RC_ASSERT(!differ(trees::KillTreePolicy{DrawnOffers::tree, DrawnKills::kills}, kills));
    }));
    EXPECT_TRUE(rc::check("queues", [&] {
        DrawnQueues::queues = *trees::queue_trees();
        RC_ASSERT(!differ(trees::QueueTreePolicy{DrawnQueues::queues}, queues));
    }));
}

/// All states from an empty cluster to the end, or a while.
std::vector<State> trajectory(const SharingPolicyUnderTest& policy, const SharingCase& c) {
    std::vector<State> all{c.state};
    State state = c.state;
    for (state.now = 0; state.now < 200; ++state.now) {
        for (std::size_t s = 0; s < state.slots.size(); ++s)
            if (state.slots[s].busy && state.slots[s].since + c.run == state.now) state = complete(state, SlotId(s));
        for (const JobId j : IdRange<JobId>(c.setting.jobs.size()))
            if (c.setting.jobs[j.index()].submit == state.now) state = policy.submit(c.setting, state, j);
        state = policy.reclaim_all(c.setting, state).first;
        for (std::size_t s = 0; s < state.slots.size(); ++s)
            if (!state.slots[s].busy) state = policy.offer(c.setting, state, SlotId(s)).next;
        all.push_back(state);
    }
    return all;
}

TEST(SharingAdded, RunsTheTrajectoriesOfTheType) {
    for (const Copy& copy : copies())
        EXPECT_TRUE(rc::check(copy.id, [&] {
            Sampler randomness(StreamKey{*rc::gen::arbitrary<std::uint64_t>()});
            const SharingCase c = random_sharing_trajectory(randomness);
            const std::vector<State> of_type = trajectory(copy.type(c.parameters), c);
            RC_ASSERT(of_type == trajectory(policy_under_test(copy.of, c.parameters), c));
            RC_ASSERT(of_type == trajectory(policy_under_test(copy.id, c.parameters), c));
        }));
}

/// Whether the simulator asks a policy over its own views.
bool is_asked_directly(const AnyPolicy& policy) {
    return std::visit([](const auto& p) { return simulation::direct_questions(p).policy != nullptr; }, policy);
}

TEST(SharingAdded, RegisteredTypesAreAskedDirectlyAndCodeOfTheSameTypeIsNot) {
    for (const PolicyInfo& info : policies())
        EXPECT_EQ(is_asked_directly(make_policy(info.id, {})), !is_added(info.id)) << info.id;
    EXPECT_FALSE(is_asked_directly(any_policy(std::make_shared<const sharing::detail::CodeOf<Delay>>())));
}

simulation::SharingSettings busy_cluster(const char* heartbeat) {
    simulation::SharingSettings s;
    s.nodes = 12;
    s.slots = 3;
    s.racks = 3;
    s.sizes = "3:1..10,1:20..60";
    s.load = "1";
    s.run_time = "exponential:5";
    s.contention = "1/2";
    s.heartbeat = heartbeat;
    s.horizon = "600";
    return s;
}

/// Passes over a job that runs and has a reservation left at the node: it asks for reservations after launches alone.
struct AsksLate {
    static constexpr PolicyInfo info{"asks-late", "test", "spares its reservations"};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fifo))
            if (now.running(j) == 0 || now.reserved(j, n) == 0) return Launch{j, now.nearest(j, n)};
        return {};
    }
};

/// Whoever watches sees one run, so launches are kept from its start; without a watcher the run begins again.
TEST(SharingAdded, LaunchesAreThereForAPolicyThatAsksLate) {
    struct Watcher final : simulation::SharingWatcher {
        void submitted(Ticks, std::uint64_t, const Job&) override {}
        void launched(Ticks, SlotId, std::uint64_t, std::uint32_t, Locality) override { ++launches; }
        void completed(Ticks, SlotId, std::uint64_t) override {}
        void killed(Ticks, SlotId, std::uint64_t, std::uint32_t) override {}
        std::size_t launches = 0;
    } watcher;
    const simulation::SharingWorld world = simulation::detail::world_of(busy_cluster("3"), nullptr);
    const simulation::Observation kept = simulation::run_policy(world, AsksLate{}, {1, 0}, {}, &watcher);
    EXPECT_EQ(simulation::run_policy(world, AsksLate{}, {1, 0}, {}, nullptr), kept);
    EXPECT_GT(watcher.launches, 100U);
    EXPECT_FALSE(simulation::run_policy(world, HadoopFifo{}, {1, 0}, {}, nullptr) == kept) << "nothing was spared";
}

/// One policy of each form, compiled into the simulator as a type.
template <class P>
void is_simulated_as_its_type(const std::string& id) {
    const auto agree = [&](simulation::SharingSettings s, const Parameters& parameters) {
        const simulation::SharingWorld world = simulation::detail::world_of(s, nullptr);
        const simulation::Observation of_type = simulation::run_policy(world, with<P>(parameters), {1, 0}, {}, nullptr);
        for (const std::string& name : {id, "copy-" + id}) {
            s.policy = name;
            EXPECT_EQ(simulation::make_sharing_experiment(s)->run({1, 0}, {}), of_type) << name;
        }
        EXPECT_GT(of_type.work, 100U) << "launches";
    };
    for (const char* heartbeat : {"3", "0"}) {
        simulation::SharingSettings s = busy_cluster(heartbeat);
        agree(s, {});
        s.skips = "4";
        agree(s, {.d = 4});
    }
}
TEST(SharingAdded, IsSimulatedAsTheType) {
    static_cast<void>(copies());
    is_simulated_as_its_type<Delay>("delay");
    is_simulated_as_its_type<FairKill>("fair-kill");
    is_simulated_as_its_type<JsqMaxWeightSubqueues>("jsq-maxweight:subqueues");
}

TEST(SharingAdded, AgreesInAllWaysOfRunningIt) {
    for (const Copy& copy : copies()) {
        EXPECT_EQ(SharingFamily::refusal(copy.id), "") << copy.id;
        EXPECT_EQ(simulation::lockstep_refusal(make_policy(copy.id, usual_parameters(copy.id))), "") << copy.id;
    }
}

/// Parameters of its own, some of which the user can set.
struct Patient {
    static constexpr PolicyInfo info{"patient", "test", "waits for its turn"};
    std::int64_t d = 5;
    std::int64_t w = 7;
    std::int64_t patience = 9;
    Order order = Order::fair;
    static constexpr std::tuple parameters{Parameter("D", &Patient::d), Parameter("w", &Patient::w),
                                           Parameter("patience", &Patient::patience),
                                           Parameter("order", &Patient::order)};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        return Delay{d}.offer(now, n);
    }
};

TEST(SharingAdded, IsGivenTheParametersThatItHasByName) {
    static_cast<void>(add_once<Patient>());
    const Parameters own = usual_parameters("patient");
    EXPECT_EQ(own.d, 5);
    EXPECT_EQ(own.order, Order::fair);
    EXPECT_EQ(own.w, 0) << "another name";
    EXPECT_EQ(definition(make_policy("patient", own)), "D = 5, w = 7, patience = 9, order = fair");
    EXPECT_EQ(definition(make_policy("patient", {.d = 2, .w = 3})), "D = 2, w = 7, patience = 9, order = fifo");
    EXPECT_THROW(static_cast<void>(make_policy("patient", {.d = -1})), InputError);
    EXPECT_THROW(static_cast<void>(usual_parameters("nobody")), InputError);
    EXPECT_EQ(usual_parameters("delay").d, 1);
    simulation::SharingSettings s;
    const simulation::SharingSystem system(s);
    EXPECT_EQ(system.definition("patient", ""), "D = 5, w = 7, patience = 9, order = fair");
    EXPECT_EQ(system.definition("patient", "3"), "D = 3, w = 7, patience = 9, order = fair");
}

TEST(SharingAdded, HasAPlainNameOfItsOwn) {
    const auto add = [](const char* id) { add_policy(AddedPolicy(std::make_shared<Renamed>(id, added<NaiveFair>()))); };
    EXPECT_THROW(add("delay"), InputError);
    EXPECT_FALSE(is_added("delay"));
    EXPECT_THROW(add("two words"), InputError);
    EXPECT_THROW(add(""), InputError);
    EXPECT_FALSE(is_added("two words"));
    if (!is_added("of-a-name")) add("of-a-name");
    EXPECT_THROW(add("of-a-name"), InputError);
    EXPECT_TRUE(is_added("of-a-name"));
    EXPECT_EQ(resolve_policy("of-a-name"), "of-a-name");
    EXPECT_EQ(policies().back().summary, "a copy") << "its texts outlive the code's";
}

// What strangers bring. The compiler runs a policy and sees none of it: they behave there.

/// Every third offer is declined.
struct Counts {
    static constexpr PolicyInfo info{"counts", "test", "counts its calls"};
    static inline int calls = 0;
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        if (!std::is_constant_evaluated() && ++calls % 3 == 0) return {};
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, now.nearest(j, n)};
        return {};
    }
};
/// Takes what it was offered last.
struct TakesTheSecondTime {
    static constexpr PolicyInfo info{"takes-the-second-time", "test", "declines a node, and takes it the next time"};
    static inline std::optional<NodeRef> last;
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        if (!std::is_constant_evaluated() && std::exchange(last, n) != n) return {};
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, now.nearest(j, n)};
        return {};
    }
};
/// A job that was there once.
struct TakesAnOldJob {
    static constexpr PolicyInfo info{"takes-an-old-job", "test", "launches the last job that it saw"};
    static inline std::optional<JobRef> last;
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fifo)) {
            if (std::is_constant_evaluated()) return Launch{j, now.nearest(j, n)};
            const JobRef taken = last.value_or(j);
            for (const JobRef other : now.jobs(Order::fifo)) last = other;
            return Launch{taken, now.nearest(taken, n)};
        }
        return {};
    }
};
struct NamesNoTask {
    static constexpr PolicyInfo info{"names-no-task", "test", "launches local tasks, whether there are any or not"};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef) const {
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, Locality::local};
        return {};
    }
};
struct NamesNoLevel {
    static constexpr PolicyInfo info{"names-no-level", "test", "launches at a fourth level"};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef) const {
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, static_cast<Locality>(3)};
        return {};
    }
};
struct NamesNoQueue {
    static constexpr PolicyInfo info{"names-no-queue", "test", "launches tasks of the common queue as rack-local"};
    template <RoutingView V>
    [[nodiscard]] constexpr typename V::Tied route(const V& now, DataRef data) const {
        return now.shortest(now.own_and_common(data));
    }
    template <QueueView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef) const {
        if (const auto j = now.fewest_running(now.common())) return Launch{*j, Locality::rack_local};
        return {};
    }
};
struct KillsForEver {
    static constexpr PolicyInfo info{"kills-for-ever", "test", "kills as long as anything runs"};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, now.nearest(j, n)};
        return {};
    }
    template <ReclaimingView V>
    [[nodiscard]] constexpr std::optional<JobRef> reclaim(const V& now) const {
        return now.most_running();
    }
};
/// The compiler has no answer of two.
struct CountsOutOfRange {
    static constexpr PolicyInfo info{"counts-out-of-range", "test", "sets a skip count below 0"};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef) const {
        for (const JobRef j : now.jobs(Order::fair)) now.set_skips(j, now.skips(j) == 2 ? -1 : 2);
        return {};
    }
};
struct Throws {
    static constexpr PolicyInfo info{"throws", "test", "throws"};
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            if (now.skips(j) == 2) throw std::runtime_error("two is too much");
            return Launch{j, now.nearest(j, n)};
        }
        return {};
    }
};

template <class P>
std::string refused() {
    return SharingFamily::refusal(add_once<P>());
}
template <class P>
std::string out_of_step() {
    const std::string id = add_once<P>();
    return simulation::lockstep_refusal(make_policy(id, usual_parameters(id)));
}

TEST(SharingAdded, RefusesStrangersWithTheReason) {
    const auto is = [](const std::string& said, std::initializer_list<const char*> one_of) {
        EXPECT_TRUE(std::any_of(one_of.begin(), one_of.end(), [&](const char* begin) {
            return said.starts_with(begin);
        })) << said;
    };
    is(refused<Counts>(), {"asked twice about an offer", "made twice"});
    is(out_of_step<Counts>(), {"the simulator and a scan of the state differ in whether the policy takes a slot"});
    is(refused<TakesTheSecondTime>(), {"asked twice about an offer", "made twice"});
    is(out_of_step<TakesTheSecondTime>(), {"the simulator and a scan of the state differ in whether the policy takes"});
    is(refused<TakesAnOldJob>(), {"asked twice", "made twice", "it breaks a contract: a policy speaks of a job"});
    is(refused<NamesNoTask>(), {"it breaks a contract: a policy launches a task that there is"});
    is(out_of_step<NamesNoTask>(), {"it breaks a contract: a policy launches a task that there is"});
    is(refused<NamesNoQueue>(), {"it breaks a contract: a policy launches a task that there is"});
    is(out_of_step<NamesNoQueue>(), {"it breaks a contract: a policy launches a task that there is"});
    is(refused<KillsForEver>(), {"it breaks a contract: a policy kills at a moment at most as many tasks"});
    is(out_of_step<KillsForEver>(), {"it breaks a contract: a policy kills at a moment at most as many tasks"});
    is(refused<CountsOutOfRange>(), {"it breaks a contract: a policy sets a skip count out of range"});
    is(out_of_step<CountsOutOfRange>(), {"it breaks a contract: a policy sets a skip count out of range"});
    is(refused<Throws>(), {"it breaks a contract: a policy throws an exception: two is too much"});
    is(refused<NamesNoLevel>(), {"it breaks a contract: a policy launches at a level that there is"});
}

/// The verdict of a claim on one of its domains, asked of a policy of which no line may speak.
Verdict asked(const std::string& claim, const std::string& policy, const std::string& domain) {
    const Claim of = claim_named(claim);
    const auto trial = of.any->trial(SharingFamily::instance(domain), policy);
    for (std::size_t i = 0; i < of.any->oracles().size(); ++i)
        if (of.any->suits(i, *SharingFamily::instance(domain))) return trial->ask(i, {});
    return Unknown{"no oracle"};
}

TEST(SharingAdded, IsAskedWhatIsClaimedOfEveryPolicy) {
    const auto speaks = [](const std::string& claim, const std::string& policy) {
        const Claim of = claim_named(claim);
        return std::any_of(of.lines.begin(), of.lines.end(), [&](const Line& l) { return l.policy == policy; });
    };
    for (const Copy& copy : copies()) {
        EXPECT_TRUE(speaks("sharing.one-launch", copy.id)) << copy.id;
        EXPECT_TRUE(speaks("sharing.courses-end", copy.id)) << copy.id;
        EXPECT_EQ(speaks("sharing.no-work-lost", copy.id), copy.of != "fair-kill") << copy.id;
        EXPECT_FALSE(speaks("sharing.follows-rule", copy.id)) << copy.id;
        EXPECT_EQ(kind_of(asked("sharing.follows-rule", copy.id, "states")), VerdictKind::unknown) << copy.id;
        EXPECT_TRUE(affirms(asked("sharing.courses-end", copy.id, "courses"))) << copy.id;
        EXPECT_TRUE(affirms(asked("sharing.one-launch", copy.id, "states-with-skips"))) << copy.id;
    }
}

/// What is proved of a registered policy for all moments is proved of its copy, with the copy's parameters.
TEST(SharingAdded, IsProvedWhatIsProvedOfRegisteredPolicies) {
    for (const Copy& copy : copies()) {
        EXPECT_EQ(kind_of(asked("sharing.one-launch", copy.id, "n1")), VerdictKind::proved) << copy.id;
        for (const char* statement :
             {"skip-counts", "head-of-line", "no-wait-is-naive", "never-off-rack", "single-tasks-are-fifo",
              "fewest-running-of-queue", "joins-shortest", "kills-by-rule"}) {
            const StatementInfo& what = sharing::statement(statement);
            if (!speaks_of(what, copy.of)) continue;
            const std::string claim = std::string("sharing.") + statement;
            EXPECT_TRUE(speaks_of(what, copy.id)) << statement << " " << copy.id;
            const Verdict verdict = asked(claim, copy.id, "n2");
            EXPECT_EQ(kind_of(verdict), VerdictKind::proved) << statement << " " << copy.id;
            const auto lines = claim_named(claim).lines;
            EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const Line& l) { return l.policy == copy.id; }));
        }
    }
    for (const char* statement : {"skip-counts", "head-of-line"})
        EXPECT_EQ(kind_of(asked(std::string("sharing.") + statement, "copy-quincy", "n2")), VerdictKind::refuted);
    EXPECT_FALSE(speaks_of(sharing::statement("joins-shortest"), "copy-delay"));
    EXPECT_FALSE(speaks_of(sharing::statement("kills-by-rule"), "copy-delay"));
    EXPECT_FALSE(speaks_of(sharing::statement("follows-rule"), "copy-delay"));
}

/// Of what a property needs and a policy lacks nothing is said.
TEST(SharingAdded, IsNotRefutedForWhatItIsNot) {
    static_cast<void>(copies());
    EXPECT_EQ(kind_of(asked("sharing.joins-shortest", "copy-naive-fair", "states")), VerdictKind::unknown);
    EXPECT_EQ(kind_of(asked("sharing.fewest-running-of-queue", "copy-naive-fair", "states")), VerdictKind::unknown);
    EXPECT_EQ(kind_of(asked("sharing.slots-stick", "copy-jsq-maxweight:subqueues", "own-nodes")), VerdictKind::unknown);
    EXPECT_EQ(kind_of(asked("sharing.locality-as-printed", "copy-jsq-maxweight:subqueues", "small-analysis")),
              VerdictKind::unknown);
}

/// Sound until it is armed: what the comparisons with itself have not met.
struct BreaksLater {
    static constexpr PolicyInfo info{"breaks-later", "test", "launches local tasks that there are not, one day"};
    static inline bool armed = false;
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            if (!std::is_constant_evaluated() && armed) return Launch{j, Locality::local};
            return Launch{j, now.nearest(j, n)};
        }
        return {};
    }
};

TEST(SharingAdded, IsBlamedForAContractThatItBreaksLater) {
    BreaksLater::armed = false;
    EXPECT_EQ(refused<BreaksLater>(), "");
    BreaksLater::armed = true;
    const Verdict verdict = asked("sharing.one-launch", "breaks-later", "states-with-queues");
    ASSERT_EQ(kind_of(verdict), VerdictKind::refuted);
    EXPECT_EQ(std::get<Refuted>(verdict).counterexample.violation,
              "it breaks a contract: a policy launches a task that there is");
    EXPECT_EQ(kind_of(asked("sharing.mean-wait", "breaks-later", "backlog")), VerdictKind::unknown);
    simulation::SharingSettings s;
    s.policy = "breaks-later";
    s.horizon = "2000";
    EXPECT_THROW(static_cast<void>(simulation::make_sharing_experiment(s)->run({1, 0}, {})), OracleConflict);
}

/// Each seeded fault is refuted by the claim that its file hopes for, of which its sound twin is not.
template <class P>
void refuted_where_its_twin_is_not(const std::string& twin, std::initializer_list<const char*> domains) {
    static_cast<void>(copies());
    const std::string id = add_once<P>();
    EXPECT_EQ(SharingFamily::refusal(id), "");
    for (const char* claim : P::hopes)
        for (const char* domain : domains) {
            EXPECT_EQ(kind_of(asked(claim, id, domain)), VerdictKind::refuted) << id << ", " << claim << ", " << domain;
            EXPECT_TRUE(affirms(asked(claim, twin, domain))) << twin << ", " << claim << ", " << domain;
        }
}

TEST(SharingAdded, SeededFaultsAreRefuted) {
    refuted_where_its_twin_is_not<WaitsBesideData>("copy-delay", {"one-job"});
    refuted_where_its_twin_is_not<WaitsOnceMore>("copy-delay", {"waits"});
    refuted_where_its_twin_is_not<KillsTooSoon>("copy-fair-kill", {"killing-states", "states"});
}

}  // namespace
}  // namespace schedproof::checks::sharing_added
