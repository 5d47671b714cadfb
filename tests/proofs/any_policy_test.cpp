/// Bounds over all policies: the central scheduler's slot against a second one, its bounds against policies and known
/// optima, and that no altered bound or table passes.
///
/// Long: its second scheduler, written out
/// from the model, stands beside the tests that it serves.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <utility>

#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/queueing/bounds/any_policy_proof.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/bounds/naming_advice.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using testing_support::q;

/// A second slot of the central scheduler: joint arrivals, joint choices and joint completions, one by one, on
/// rationals. Shares the instance alone with what it checks.
class BruteForce {
  public:
    struct State {
        std::vector<int> waiting;    // per type
        std::vector<Rational> rate;  // per server, 0 when idle
        friend bool operator<(const State& a, const State& b) {
            return std::tie(a.waiting, a.rate) < std::tie(b.waiting, b.rate);
        }
        [[nodiscard]] int tasks() const {
            int sum = 0;
            for (const int n : waiting) sum += n;
            for (const Rational& r : rate) sum += r.sign() > 0 ? 1 : 0;
            return sum;
        }
    };
    using Table = std::map<State, Rational>;

    BruteForce(const Instance& instance, DecisionMode mode) : instance_(instance), mode_(mode) {}

    /// All states with at most so many tasks: servers outermost, the fastest rates first, then waiting tasks with those
    /// in execution counted in the first place, ascending.
    [[nodiscard]] std::vector<State> states(int most) const {
        std::vector<State> all;
        State state{std::vector<int>(instance_.types().size(), 0), {}};
        add_servers(state, most, all);
        return all;
    }
    /// The least mean of a function after a slot, over all choices.
    [[nodiscard]] Rational least_mean(const State& x, const Table& h, const Rational& outside) const {
        if (mode_ == DecisionMode::knows_arrivals)
            return mean_over_arrivals(x, [&](const State& z) { return least_over_starts(z, 0, h, outside); });
        std::optional<Rational> least;
        std::vector<int> names(x.rate.size(), -1);
        each_naming(x, 0, names, [&] {
            const Rational mean = mean_over_arrivals(x, [&](State z) {
                for (std::size_t m = 0; m < names.size(); ++m)
                    if (names[m] >= 0 && z.waiting[static_cast<std::size_t>(names[m])] > 0) {
                        const TaskTypeId type(static_cast<std::size_t>(names[m]));
                        --z.waiting[type.index()];
                        z.rate[m] = instance_.rate(type, instance_.level(type, ServerId(m)));
                    }
                return mean_over_services(z, 0, h, outside);
            });
            if (!least || mean < *least) least = mean;
        });
        return *least;
    }

  private:
    [[nodiscard]] std::vector<Rational> rates_of(std::size_t m, TaskTypeId type) const {
        std::vector<Rational> rates;
        for (std::size_t l = instance_.level(type, ServerId(m)).index(); l < instance_.levels().size(); ++l) {
            rates.push_back(instance_.rate(type, Level(l)));
            if (mode_ == DecisionMode::names_types) break;
        }
        return rates;
    }
    void add_servers(State& state, int most, std::vector<State>& all) const {
        if (state.rate.size() == instance_.servers().size()) return add_tasks(state, 0, most - state.tasks(), all);
        std::vector<Rational> rates;
        for (const TaskTypeId type : instance_.types())
            for (const Rational& rate : rates_of(state.rate.size(), type)) rates.push_back(rate);
        std::sort(rates.begin(), rates.end(), [](const Rational& a, const Rational& b) { return b < a; });
        rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
        rates.insert(rates.begin(), Rational(0));
        for (const Rational& rate : rates) {
            state.rate.push_back(rate);
            add_servers(state, most, all);
            state.rate.pop_back();
        }
    }
    static void add_tasks(State& state, std::size_t type, int left, std::vector<State>& all) {
        if (left < 0) return;
        if (type == state.waiting.size()) return all.push_back(state);
        for (int n = 0; n <= left; ++n) {
            state.waiting[type] = n;
            add_tasks(state, type + 1, left - n, all);
        }
        state.waiting[type] = 0;
    }
    template <class Value>
    Rational mean_over_arrivals(const State& x, const Value& value, std::size_t factor = 0) const {
        const auto factors = instance_.arrivals().factors();
        if (factor == factors.size()) return value(x);
        Rational mean;
        for (const ArrivalOutcome& outcome : factors[factor].outcomes()) {
            State next = x;
            for (std::size_t i = 0; i < outcome.count.size(); ++i)
                next.waiting[factors[factor].types()[i].index()] += static_cast<int>(outcome.count[i]);
            mean += outcome.probability * mean_over_arrivals(next, value, factor + 1);
        }
        return mean;
    }
    Rational least_over_starts(const State& z, std::size_t m, const Table& h, const Rational& outside) const {
        if (m == z.rate.size()) return mean_over_services(z, 0, h, outside);
        Rational least = least_over_starts(z, m + 1, h, outside);
        if (z.rate[m].sign() > 0) return least;
        for (const TaskTypeId type : instance_.types()) {
            if (z.waiting[type.index()] == 0) continue;
            for (const Rational& rate : rates_of(m, type)) {
                State next = z;
                --next.waiting[type.index()];
                next.rate[m] = rate;
                least = std::min(least, least_over_starts(next, m + 1, h, outside));
            }
        }
        return least;
    }
    Rational mean_over_services(const State& z, std::size_t m, const Table& h, const Rational& outside) const {
        if (m == z.rate.size()) {
            const auto at = h.find(z);
            return at == h.end() ? outside : at->second;
        }
        if (z.rate[m].sign() == 0) return mean_over_services(z, m + 1, h, outside);
        State done = z;
        done.rate[m] = Rational(0);
        return z.rate[m] * mean_over_services(done, m + 1, h, outside) +
               (Rational(1) - z.rate[m]) * mean_over_services(z, m + 1, h, outside);
    }
    template <class Use>
    void each_naming(const State& x, std::size_t m, std::vector<int>& names, const Use& use) const {
        if (m == names.size()) return use();
        for (int t = -1; t < static_cast<int>(x.waiting.size()); ++t) {
            if (t >= 0 && x.rate[m].sign() > 0) break;
            names[m] = t;
            each_naming(x, m + 1, names, use);
        }
        names[m] = -1;
    }

    const Instance& instance_;
    DecisionMode mode_;
};

AnyPolicyTheorem theorem_of(DecisionMode mode, std::uint32_t radius, std::vector<Fixed> table, int outside,
                            std::uint32_t bits) {
    AnyPolicyTheorem theorem{mode,
                             radius,
                             bits,
                             Rational(Integer(outside), Integer(1) << bits),
                             Rational(0),
                             "",
                             std::make_shared<const std::vector<Fixed>>(std::move(table))};
    theorem.digest = base::sha256(to_bytes({theorem.table.get()}));
    return theorem;
}

TEST(AnyPolicy, TheBoundOfAnyTableIsThatOfBruteForce) {
    for (const DecisionMode mode : {DecisionMode::knows_arrivals, DecisionMode::names_types})
        EXPECT_TRUE(rc::check(std::string(decision_mode_names[static_cast<std::size_t>(mode)]) + ": exact bounds", [&] {
            oracle::InstanceWish wish = oracle::with_own_rates();
            wish.servers = *rc::gen::inRange<std::size_t>(1, 3);
            wish.types = *rc::gen::inRange<std::size_t>(1, 3);
            const Instance instance = *oracle::small_instance("generalized-cmu", wish);
            const auto radius = *rc::gen::inRange<std::uint32_t>(0, 3);
            const BruteForce brute(instance, mode);
            const std::vector<BruteForce::State> inside = brute.states(static_cast<int>(radius));
            const auto values = *rc::gen::container<std::vector<int>>(inside.size(), rc::gen::inRange(-100, 101));
            const int outside = *rc::gen::inRange(-100, 101);
            const std::uint32_t bits = 3;
            const AnyPolicyTheorem theorem = theorem_of(mode, radius, {values.begin(), values.end()}, outside, bits);

            BruteForce::Table h;
            const auto real = [&](int value) { return Rational(Integer(value), Integer(8)); };
            for (std::size_t i = 0; i < inside.size(); ++i) h[inside[i]] = real(values[i]);
            const auto servers = static_cast<int>(instance.servers().size());
            // Two tasks beyond the layer: there the inequality is the same everywhere.
            std::optional<Rational> least;
            for (const BruteForce::State& x : brute.states(static_cast<int>(radius) + servers + 2)) {
                const auto at = h.find(x);
                const Rational here = brute.least_mean(x, h, real(outside)) -
                                      (at == h.end() ? real(outside) : at->second) + Rational(x.tasks());
                if (!least || here < *least) least = here;
            }
            const CentralBox box(CentralModel(instance, mode), radius + static_cast<std::uint32_t>(servers), 1'000'000,
                                 1);
            RC_ASSERT(bound_of_table(box, theorem) == Rational(floor(*least * Rational(8)), Integer(8)));
        }));
}

/// Where a policy's state is as the central scheduler sees it; nothing where the types of waiting tasks are unknown.
class Projection {
  public:
    Projection(const ExactSystem& system, const CentralModel& model) : system_(system), model_(model) {}

    [[nodiscard]] bool known() const {
        const Layout& layout = system_.layout();
        return model_.types() == 1 || layout.arrangement() == Arrangement::per_type ||
               (layout.queues() == 1 && layout.lists_tasks());
    }
    [[nodiscard]] ExactState operator()(const ExactState& state) const {
        const Instance& instance = system_.instance();
        ExactState central;
        central.length.assign(model_.types(), CheckedInt(0));
        const auto add = [&](std::size_t type, std::int64_t tasks) {
            central.length[type] = central.length[type] + CheckedInt(tasks);
        };
        const bool by_type = system_.layout().arrangement() == Arrangement::per_type;
        for (std::size_t queue = 0; queue < state.length.size(); ++queue)
            if (model_.types() == 1 || by_type) add(by_type ? queue : 0, state.length[queue].value());
        if (model_.types() > 1 && !by_type)
            for (const TaskTypeId type : state.waiting[0]) add(type.index(), 1);
        for (std::size_t m = 0; m < state.serving.size(); ++m) {
            const Service& service = state.serving[m];
            if (service.status != Service::Status::busy) {
                central.serving.push_back(Service{});
                continue;
            }
            const Rational& rate = system_.layout().rate(instance, service.queue, service.level);
            const auto& rates = model_.rates(m);
            const auto at = std::find(rates.begin(), rates.end(), rate);
            RC_ASSERT(at != rates.end());
            central.serving.push_back(
                {Service::Status::busy, Level(static_cast<std::size_t>(at - rates.begin())), QueueId(std::size_t{0})});
            // One in execution counts in the first place.
            if (by_type) add(service.queue.index(), -1);
            if (by_type || model_.types() > 1) add(0, 1);
        }
        return central;
    }

  private:
    const ExactSystem& system_;
    const CentralModel& model_;
};

/// The mean of a random function of the central state after a slot of the policy, less the least over all choices.
Rational mean_above_least(const Instance& instance, const std::string& id, const ExactState& state, DecisionMode mode,
                          const std::function<int(const CentralBox&, CentralBox::Index)>& value) {
    const ExactSystem system(instance, make_policy(id, instance, {}));
    const CentralModel model(instance, mode);
    const Projection project(system, model);
    RC_ASSERT(project.known());
    std::uint32_t tasks = 0;
    for (const CheckedInt n : state.length) tasks += static_cast<std::uint32_t>(n.value());
    const auto radius = static_cast<std::uint32_t>(tasks + instance.arrivals().largest_total() + model.servers());
    const CentralBox box(model, radius, 10'000'000, 1);
    std::vector<Fixed> h(box.size());
    const Fixed outside = 7;
    for (CentralBox::Index i = 0; i < h.size(); ++i)
        h[i] = box.tasks()[i] + model.servers() > radius ? outside : Fixed{value(box, i)};
    const StateBox numbered = model.box(radius);
    Rational mean;
    for (const Move& move : system.moves(state))
        mean += move.probability * rational(h[*numbered.index(project(move.slot.next))]);
    const Fixed least = box.least_mean(h, outside)[*numbered.index(project(state))];
    return mean - rational(least) / rational(model.common_of_step());
}

TEST(AnyPolicy, NoSlotOfARegisteredPolicyFallsBelowTheLeastMean) {
    for (const std::string& id : oracle::policy_ids()) {
        if (oracle::needs_plan(id)) continue;
        EXPECT_TRUE(rc::check(id + ": a slot is a choice of the central scheduler", [&] {
            oracle::InstanceWish wish = oracle::with_own_rates();
            const bool types_known = id == "generalized-cmu" || id == "fifo";
            if (!types_known) wish.types = 1;
            if (types_known) wish.servers = *rc::gen::inRange<std::size_t>(1, 3);
            const Instance instance = *oracle::small_instance(id, wish);
            const auto seed = *rc::gen::inRange<std::size_t>(1, 1'000'000);
            const auto value = [&](const CentralBox&, std::size_t i) {
                return static_cast<int>((i + 1) * seed * 2654435761U % 4294967291U % 201U) - 100;
            };
            const ExactSystem system(instance, make_policy(id, instance, {}));
            ExactState state = system.initial();
            Sampler randomness(StreamKey{seed});
            for (int slots = *rc::gen::inRange(0, 9); slots > 0; --slots) state = system.sample(state, randomness);
            // A queue whose types are drawn on start does not know them.
            if (instance.types().size() > 1 &&
                !Projection(system, CentralModel(instance, DecisionMode::knows_arrivals)).known())
                return;
            RC_ASSERT(mean_above_least(instance, id, state, DecisionMode::knows_arrivals, value) >= Rational(0));
        }));
    }
}

TEST(AnyPolicy, ServersThatNameATypeDoNotBoundAQueueOfSeveralTypes) {
    // A server that takes the head of a common queue starts whatever has arrived; one that names a type may miss it.
    InstanceData data = testing_support::one_server("4/5", "1/2").data();
    data.types.push_back({"B", {ServerId(0)}});
    const std::vector<Rational> halves{q("1/2"), q("1/2")};
    data.rates.clear();
    data.arrivals = ArrivalLaw::single(halves);
    const Instance instance(std::move(data));
    const ExactState empty = ExactSystem(instance, make_policy("fifo", instance, {})).initial();
    const auto busy_is_good = [](const CentralBox& box, CentralBox::Index i) {
        return box.status(0, i) == 1 ? -100 : 0;
    };
    const auto above = [&](DecisionMode mode) { return mean_above_least(instance, "fifo", empty, mode, busy_is_good); };
    EXPECT_EQ(above(DecisionMode::knows_arrivals), Rational(0));
    EXPECT_EQ(above(DecisionMode::names_types), Rational(-10));
}

AnyPolicyProof bound_on(const Instance& instance, std::uint32_t radius,
                        DecisionMode mode = DecisionMode::knows_arrivals) {
    AnyPolicyGoal goal;
    goal.mode = mode;
    goal.radius = radius;
    return bound_any_policy(instance, goal);
}

TEST(AnyPolicy, TwoServersWithATypeEachAreBoundedNearTwoThirds) {
    // Join-shortest-queue keeps each task at its own server: two independent queues with mean 1/3 each.
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    const Rational least = bound_on(instance, 20).theorem.lower, better = bound_on(instance, 40).theorem.lower;
    EXPECT_GE(least, q("0.666665"));
    EXPECT_GE(better, q("0.66666591"));
    EXPECT_LE(least, better);
    EXPECT_LE(better, q("2/3"));
    const Rational named = bound_on(instance, 40, DecisionMode::names_types).theorem.lower;
    EXPECT_GE(named, q("0.6666666"));
    EXPECT_LE(named, q("2/3"));
}

TEST(AnyPolicy, ASingleServerHasNoBetterPolicyThanToServe) {
    EXPECT_TRUE(rc::check("a discrete-time queue with one server", [] {
        const auto mu = *rc::gen::inRange(3, 11), lambda = *rc::gen::inRange(1, 10);
        RC_PRE(lambda < mu);
        const std::string service = std::to_string(mu) + "/10", arrival = std::to_string(lambda) + "/10";
        const Instance instance = testing_support::one_server(service.c_str(), arrival.c_str());
        const Rational p = q(arrival.c_str()), rate = q(service.c_str());
        const Rational ratio = p * (Rational(1) - rate) / ((Rational(1) - p) * rate);
        const Rational mean = ratio / (Rational(1) - ratio);
        for (const DecisionMode mode : {DecisionMode::knows_arrivals, DecisionMode::names_types}) {
            const Rational lower = bound_on(instance, 150, mode).theorem.lower;
            RC_ASSERT(lower <= mean);
            RC_ASSERT(lower >= mean - q("1/1000"));
        }
    }));
}

TEST(AnyPolicy, LargerBoxesGiveLargerBounds) {
    for (const Instance& instance :
         {testing_support::n2(), testing_support::two_servers("9/10", "1/3", "3/4", "3/4")}) {
        Rational before(0);
        for (const std::uint32_t radius : {4U, 8U, 12U}) {
            const Rational lower = bound_on(instance, radius).theorem.lower;
            EXPECT_GE(lower, before) << instance.name() << " " << radius;
            before = lower;
        }
        EXPECT_GT(before, q("1/2"));
    }
}

TEST(AnyPolicy, NoCertifiedMeanIsBelowTheBound) {
    // Two theorems from different tables, one of them about the policy's code.
    struct Case {
        Instance instance;
        std::vector<const char*> policies;
    };
    const Case cases[] = {
        {testing_support::two_servers("4/5", "1/5", "1/2", "1/3"), {"join-shortest-queue", "jsq-maxweight"}},
        {testing_support::two_servers("9/10", "1/2", "2/5", "3/5"), {"generalized-cmu"}},
        {testing_support::one_server("3/5", "1/2"), {"jsq-maxweight"}},
    };
    for (const Case& one : cases) {
        const Rational lower = bound_on(one.instance, 30).theorem.lower;
        for (const char* id : one.policies) {
            const ExactSystem exact(one.instance, make_policy(id, one.instance, {}));
            const SymbolicSystem symbolic(one.instance, make_policy(id, one.instance, {}));
            MeanGoal goal;
            goal.width = q("1/1000");
            const MeanOutcome outcome = prove_mean(symbolic, exact, goal);
            ASSERT_TRUE(std::holds_alternative<MeanProof>(outcome)) << id;
            EXPECT_LE(lower, std::get<MeanProof>(outcome).theorem.upper) << id;
        }
    }
}

TEST(AnyPolicy, AdviceIsToServeTheOwnTypeWhereHelpIsSlow) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    const AnyPolicyProof proof = bound_on(instance, 20, DecisionMode::names_types);
    const NamingAdvice advice(instance, proof.theorem, 1);
    const auto at = advice.with_waiting({5, 0});
    ASSERT_TRUE(at);
    EXPECT_EQ(advice.best(*at), (Names{1, 2}));
    EXPECT_NEAR(advice.cost(*at, {1, 2}), 0, least_cost);
    EXPECT_GT(advice.cost(*at, {1, 1}), 0.01);
    EXPECT_GT(advice.cost(*at, {0, 2}), 0.1);
    EXPECT_FALSE(advice.with_waiting({50, 0}));
}

Instance with_arrivals(const Instance& of, ArrivalLaw law) {
    InstanceData data = of.data();
    data.rates.clear();
    data.arrivals = std::move(law);
    return Instance(std::move(data));
}

TEST(AnyPolicy, OddInstancesAreBounded) {
    const Instance two = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    // Three tasks at once now and then; a task in every slot, so that the system is never empty after arrivals; a batch
    // that leads beyond the box from anywhere; no arrivals at all.
    const TaskTypeId a(0), b(1);
    const Instance batches =
        with_arrivals(two, ArrivalLaw({ArrivalFactor({a, b}, {{{0, 0}, q("4/5")}, {{3, 1}, q("1/5")}})}));
    EXPECT_GT(bound_on(batches, 20).theorem.lower, q("1"));
    const Instance steady = with_arrivals(two, ArrivalLaw({ArrivalFactor({a, b}, {{{1, 0}, Rational(1)}})}));
    EXPECT_GT(bound_on(steady, 20).theorem.lower, q("1/10"));
    const Instance flood =
        with_arrivals(two, ArrivalLaw({ArrivalFactor({a, b}, {{{0, 0}, q("99/100")}, {{1000, 0}, q("1/100")}})}));
    EXPECT_GE(bound_on(flood, 5).theorem.lower, Rational(0));
    EXPECT_LE(bound_on(testing_support::two_servers("4/5", "1/5", "0", "0"), 5).theorem.lower, Rational(0));
    // Overloaded: the mean grows without end under every policy, and every bound holds.
    const Instance overload = testing_support::two_servers("1/5", "1/10", "1/2", "1/2");
    EXPECT_GT(bound_on(overload, 20).theorem.lower, q("5"));
}

TEST(AnyPolicy, AlteredTheoremsAreRejected) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    AnyPolicyTheorem right = bound_on(instance, 12).theorem;
    const CentralBox box(CentralModel(instance, right.mode), right.radius + 2, 100'000, 1);
    right.lower = bound_of_table(box, right);
    EXPECT_EQ(arithmetic_rejection(instance, right), "");
    const auto with_table = [&](const std::function<void(std::vector<Fixed>&)>& change) {
        AnyPolicyTheorem wrong = right;
        std::vector<Fixed> table = *right.table;
        change(table);
        wrong.digest = base::sha256(to_bytes({&table}));
        wrong.table = std::make_shared<const std::vector<Fixed>>(std::move(table));
        return arithmetic_rejection(instance, wrong);
    };
    const std::string fails = "an inequality of the lower bound fails";
    EXPECT_EQ(with_table([](auto& table) { table[table.size() / 2] += 16; }), fails);
    EXPECT_EQ(with_table([](auto& table) { table[0] += 16; }), fails);
    EXPECT_EQ(with_table([](auto& table) { table.back() += 16; }), fails);
    EXPECT_EQ(with_table([](auto& table) {
                  for (Fixed& entry : table) entry = -entry;
              }),
              fails);
    EXPECT_NE(with_table([](auto& table) { table.pop_back(); }).find("states, the table"), std::string::npos);
    EXPECT_NE(with_table([](auto& table) { table.push_back(0); }).find("states, the table"), std::string::npos);
    const auto with = [&](const std::function<void(AnyPolicyTheorem&)>& change) {
        AnyPolicyTheorem wrong = right;
        change(wrong);
        return arithmetic_rejection(instance, wrong);
    };
    EXPECT_EQ(with([](auto& t) { t.lower += Rational(1) / Rational(t.scale()); }), fails);
    EXPECT_EQ(with([](auto& t) { t.outside -= Rational(1); }), fails);
    EXPECT_EQ(with([](auto& t) { t.outside += Rational(100000); }), fails);
    EXPECT_EQ(with([](auto& t) { t.outside = -t.outside; }), fails);
    EXPECT_NE(with([](auto& t) { ++t.radius; }).find("states, the table"), std::string::npos);
    // A box that misses states of the one that the table is of.
    EXPECT_NE(with([](auto& t) { --t.radius; }).find("states, the table"), std::string::npos);
    EXPECT_NE(with([](auto& t) { --t.bits; }), "");
    EXPECT_EQ(with([](auto& t) { ++t.bits; }), fails);
    EXPECT_EQ(with([](auto& t) { t.bits = 1000; }), "the unit of the table is too small");
    EXPECT_EQ(with([](auto& t) { t.digest[0] = t.digest[0] == '0' ? '1' : '0'; }),
              "the table is not the one of the digest");
    // Naming types is a choice that knows the arrivals too, and here the rates are the same; but not the other way.
    EXPECT_EQ(with([](auto& t) { t.mode = DecisionMode::names_types; }), "");
    AnyPolicyTheorem named = bound_on(instance, 12, DecisionMode::names_types).theorem;
    EXPECT_EQ(arithmetic_rejection(instance, named), "");
    named.mode = DecisionMode::knows_arrivals;
    EXPECT_EQ(arithmetic_rejection(instance, named), fails);
    EXPECT_NE(arithmetic_rejection(testing_support::two_servers("9/10", "1/5", "1/2", "1/2"), right), "");
    EXPECT_NE(arithmetic_rejection(testing_support::two_servers("4/5", "1/5", "2/5", "1/2"), right), "");
}

/// Where leaving the box hardly matters the table is so fine that 2^-40 in any one entry is noticed.
TEST(AnyPolicy, ATableIsRejectedWhenOneEntryIsOffBy2ToTheMinus40) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/5", "1/5");
    AnyPolicyTheorem right = bound_on(instance, 20).theorem;
    right.lower = bound_of_table(CentralBox(CentralModel(instance, right.mode), right.radius + 2, 100'000, 1), right);
    ASSERT_EQ(arithmetic_rejection(instance, right), "");
    ASSERT_GE(right.bits, 44U);
    const std::size_t size = right.table->size();
    for (const std::size_t at : {std::size_t{0}, size / 4, size / 2, 3 * size / 4, size - 1}) {
        AnyPolicyTheorem wrong = right;
        std::vector<Fixed> table = *right.table;
        table[at] += Fixed{1} << (right.bits - 40);
        wrong.digest = base::sha256(to_bytes({&table}));
        wrong.table = std::make_shared<const std::vector<Fixed>>(std::move(table));
        EXPECT_EQ(arithmetic_rejection(instance, wrong), "an inequality of the lower bound fails") << at;
    }
    // The table of another instance, of as many states.
    AnyPolicyTheorem other = bound_on(testing_support::two_servers("4/5", "1/5", "2/5", "1/5"), 20).theorem;
    other.lower = right.lower;
    EXPECT_EQ(arithmetic_rejection(instance, other), "an inequality of the lower bound fails");
}

TEST(AnyPolicy, ABoxBeyondTheLimitIsSaidBeforeItIsFilled) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    AnyPolicyGoal goal;
    goal.radius = 1000;
    goal.max_states = 10'000;
    EXPECT_THROW(static_cast<void>(bound_any_policy(instance, goal)), LimitExceeded);
}

}  // namespace
}  // namespace schedproof::queueing
