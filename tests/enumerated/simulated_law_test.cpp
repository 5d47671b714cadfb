/// The law of each simulator in slots is the kernel's: not within an interval, but the same rational numbers.
///
/// Compared is the joint law of what every queue holds, and of it what is in execution, after each of 1 to 3 slots.
/// The number of slots is the largest whose outcomes are few enough to be run through.
#include "tests/enumerated/simulated_law.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <string>

#include "policies/queueing/exact.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/planner.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::simulation {
namespace {

using queueing::Instance;
using queueing::InstanceData;

void append(Trajectory& seen, const queueing::ExactState& state) {
    const std::size_t begin = seen.size();
    for (const CheckedInt length : state.length) {
        seen.push_back(length.value());
        seen.push_back(0);
    }
    for (const queueing::Service& s : state.serving)
        if (s.status == queueing::Service::Status::busy) ++seen[begin + 2 * s.queue.index() + 1];
}

/// The kernel's law of the same.
Law<Trajectory> exact_law(const queueing::ExactSystem& system, int slots) {
    using Point = std::pair<Trajectory, queueing::ExactState>;
    Law<Point> law;
    law.add({{}, system.initial()}, Rational(1));
    for (int t = 0; t < slots; ++t) {
        std::map<queueing::ExactState, Law<queueing::ExactState>> kernel;
        Law<Point> next;
        for (const auto& [point, p] : law) {
            const auto known = kernel.find(point.second);
            const auto& row =
                (known != kernel.end() ? known : kernel.emplace(point.second, system.kernel(point.second)).first)
                    ->second;
            for (const auto& [to, q] : row) {
                Trajectory seen = point.first;
                append(seen, to);
                next.add({std::move(seen), to}, p * q);
            }
        }
        law = std::move(next);
    }
    return law.map([](const Point& point) { return point.first; });
}

struct Compared {
    int slots = 0;  ///< 0: one slot has too many outcomes
    bool equal = true;
};

/// Compares the laws after as many slots as may be, up to three.
Compared compare(const SimulatedSystem& simulated, const queueing::AnyPolicy& policy,
                 const queueing::ExactSystem& exact, EnumeratedRun run, Ties ties = Ties::uniform) {
    Compared result;
    std::optional<SimulatedLaw> known;
    std::size_t first = 1;
    for (run.slots = 1; run.slots <= 3; ++run.slots) {
        // A later slot has as many outcomes as the first one, mostly more.
        if (known && known->runs * first > run.most_runs) break;
        std::optional<SimulatedLaw> further = simulated_law(simulated, policy, run, ties);
        if (!further) break;
        if (run.slots == 1) first = further->runs;
        known = std::move(further);
        result.slots = run.slots;
    }
    if (result.slots > 0) result.equal = known->law == exact_law(exact, result.slots);
    return result;
}

EnumeratedRun any_run() {
    EnumeratedRun run;
    run.truncation = *oracle::any_truncation();
    run.delays = *rc::gen::arbitrary<bool>();
    run.watched = *rc::gen::element<std::size_t>(0, 16);
    return run;
}

class EnumeratedSimulator : public testing::TestWithParam<std::string> {};

/// The options that occur with equal probability under any policy; what restricts the others is in options_for.
std::vector<std::string> values_of_options(const queueing::Options& options) {
    std::vector<std::string> values;
    queueing::for_each_option(options, [&](const auto& field) {
        using Names = queueing::OptionNames<std::decay_t<decltype(field)>>;
        values.push_back(std::string(Names::key) + "=" + std::string(Names::values[static_cast<std::size_t>(field)]));
    });
    return values;
}

TEST_P(EnumeratedSimulator, HasTheKernelsLawExactly) {
    const std::string id = GetParam();
    std::array<int, 4> cases_of_slots{};
    std::map<std::string, int> cases_of_option;
    EXPECT_TRUE(rc::check(id + ": the enumerated simulator has the kernel's law", [&] {
        const SimulatedSystem system{
            std::make_shared<const Instance>(*oracle::small_instance(id, oracle::with_own_rates()))};
        const auto plan = *oracle::plan_for(id, *system.instance);
        const auto policy = queueing::make_policy(id, *system.instance, testing_support::planner_of(plan));
        const EnumeratedRun run = any_run();
        const queueing::ExactSystem exact(*system.instance, policy, run.truncation);
        const Compared compared = compare(system, policy, exact, run);
        RC_ASSERT(compared.equal);
        ++cases_of_slots[static_cast<std::size_t>(compared.slots)];
        if (compared.slots > 1)
            for (const std::string& value : values_of_options(system.instance->options())) ++cases_of_option[value];
    }));
    std::printf("%s: compared after 1, 2, 3 slots: %d, %d, %d; too many outcomes: %d\n", id.c_str(), cases_of_slots[1],
                cases_of_slots[2], cases_of_slots[3], cases_of_slots[0]);
    EXPECT_GT(cases_of_slots[2] + cases_of_slots[3], 50);
    EXPECT_GT(cases_of_slots[3], 10);
    const queueing::Options all;
    queueing::for_each_option(all, [&](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        using Names = queueing::OptionNames<Field>;
        for (const std::string_view value : Names::values) {
            const bool phantom = value == "phantom";
            if (phantom && (id == "fifo" || id == "random-any" || id == "fluid-model-planning:static")) continue;
            EXPECT_GT(cases_of_option[std::string(Names::key) + "=" + std::string(value)], 4) << Names::key << value;
        }
    });
}

/// What task_drift.hpp says of every policy and option: over some slots the sums have the means of what has grown.
TEST_P(EnumeratedSimulator, GrowsByItsDriftInTheMean) {
    const std::string id = GetParam();
    int compared = 0, apart = 0;
    EXPECT_TRUE(rc::check(id + ": the drift of tasks and of their square is their mean growth", [&] {
        const SimulatedSystem system{
            std::make_shared<const Instance>(*oracle::small_instance(id, oracle::with_own_rates()))};
        const auto plan = *oracle::plan_for(id, *system.instance);
        const auto policy = queueing::make_policy(id, *system.instance, testing_support::planner_of(plan));
        EnumeratedRun run = any_run();
        run.truncation = {};
        run.slots = *rc::gen::inRange(1, 4);
        const auto means = enumerated_drift(system, policy, run);
        if (!means) return;
        RC_ASSERT(std::abs(means->tasks - means->grown) < 1e-9);
        RC_ASSERT(std::abs(means->squares - means->squares_grown) < 1e-9);
        ++compared;
        apart += means->apart > 1e-3 ? 1 : 0;
    }));
    // In the mean only: on most systems single runs grow otherwise.
    std::printf("%s: compared %d, of which runs grow otherwise %d\n", id.c_str(), compared, apart);
    EXPECT_GT(compared, 20);
    EXPECT_GT(2 * apart, compared);
}

INSTANTIATE_TEST_SUITE_P(Policies, EnumeratedSimulator, testing::ValuesIn(oracle::policy_ids()),
                         testing_support::named_by_id);

TEST(EnumeratedSimulatorOfGeneratedPolicies, HasTheKernelsLawExactly) {
    std::array<int, 4> cases_of_slots{};
    for (int round = 0; round < 3; ++round)
        EXPECT_TRUE(rc::check("generated policies: the enumerated simulator has the kernel's law", [&] {
            const queueing::Rules rules = *oracle::any_rules();
            const SimulatedSystem system{std::make_shared<const Instance>(*oracle::small_instance(
                oracle::policy_of_layout(rules),
                {{{}, {}, 1 + static_cast<std::size_t>(round)}, !rules.names_rates_of_levels()}))};
            const queueing::AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
            const EnumeratedRun run = any_run();
            const queueing::ExactSystem exact(*system.instance, policy, run.truncation);
            const Compared compared = compare(system, policy, exact, run);
            RC_ASSERT(compared.equal);
            ++cases_of_slots[static_cast<std::size_t>(compared.slots)];
        }));
    std::printf("compared after 1, 2, 3 slots: %d, %d, %d; too many outcomes: %d\n", cases_of_slots[1],
                cases_of_slots[2], cases_of_slots[3], cases_of_slots[0]);
    EXPECT_GT(cases_of_slots[1] + cases_of_slots[2] + cases_of_slots[3], 200);
    EXPECT_GT(cases_of_slots[2] + cases_of_slots[3], 100);
}

TEST(EnumeratedSimulatorOfGeneratedPolicies, HasTheKernelsLawOnUnlikeServers) {
    int compared_cases = 0, several_rates = 0, refused = 0;
    EXPECT_TRUE(rc::check("unlike servers: the enumerated simulator has the kernel's law", [&] {
        const queueing::Rules rules = *oracle::any_rules();
        const bool tells = rules.arrangement() == queueing::Arrangement::per_type ||
                           rules.arrangement() == queueing::Arrangement::per_server_and_level;
        const Instance drawn = *oracle::small_instance(oracle::policy_of_layout(rules), {{{}, {}, 2}});
        const SimulatedSystem system{std::make_shared<const Instance>(*oracle::with_rates_at_servers(drawn, !tells))};
        const queueing::AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
        const EnumeratedRun run = any_run();
        try {
            const queueing::ExactSystem exact(*system.instance, policy, run.truncation);
            const Compared compared = compare(system, policy, exact, run);
            RC_ASSERT(compared.equal);
            compared_cases += compared.slots > 1 ? 1 : 0;
            several_rates += compared.slots > 1 && system.instance->rate_rows() > 1 ? 1 : 0;
        } catch (
            const InputError&) {  // the rules name rates of levels, or route a task to servers that cannot serve it
            ++refused;
        }
    }));
    std::printf("compared %d, of which types have unlike rates %d; refused: %d\n", compared_cases, several_rates,
                refused);
    EXPECT_GT(compared_cases, 30);
    EXPECT_GT(several_rates, 3);
}

TEST(EnumeratedSimulatorOfTables, HasTheKernelsLawExactly) {
    int compared_cases = 0;
    EXPECT_TRUE(rc::check("decisions by table: the enumerated simulator has the kernel's law", [&] {
        const SimulatedSystem system{
            std::make_shared<const Instance>(*oracle::small_instance("generalized-cmu", {{{}, {}, 2}}))};
        const queueing::AnyPolicy policy({"generated", "test", "drawn at random"},
                                         *oracle::tabulated_rules(*system.instance));
        const EnumeratedRun run = any_run();
        const Compared compared =
            compare(system, policy, queueing::ExactSystem(*system.instance, policy, run.truncation), run);
        RC_ASSERT(compared.equal);
        compared_cases += compared.slots > 1 ? 1 : 0;
    }));
    EXPECT_GT(compared_cases, 30);
}

// ---- the other engines ----

struct EngineCase {
    Engine engine;
    std::string name, policy;
};
void PrintTo(const EngineCase& c, std::ostream* out) { *out << c.name << ", " << c.policy; }

std::vector<EngineCase> engine_cases() {
    std::vector<EngineCase> cases;
    for (const char* id :
         {"wang-jsq-maxweight", "never-common", "jsq-maxweight", "pandas:plain", "join-shortest-queue", "random-local"})
        cases.push_back({Engine::dense, "dense", id});
    for (const char* id : {"balanced-pandas", "balanced-pandas:idle", "gate"})
        cases.push_back({Engine::workloads, "workloads", id});
    for (const char* id : {"wang-jsq-maxweight", "jsq-maxweight", "pandas:rackaware", "balanced-pandas",
                           "generalized-cmu", "join-shortest-queue"})
        cases.push_back({Engine::lanes, "lanes", id});
    return cases;
}

class EnumeratedEngine : public testing::TestWithParam<EngineCase> {};

/// A policy that an engine takes without its being registered, or a registered one.
queueing::AnyPolicy policy_of(const std::string& id, const Instance& instance) {
    using namespace queueing::language;
    const auto shared = queueing::language::common;
    const auto longest = greatest(servers, server_length), shortest = least(servers, server_length);
    if (id == "never-common")
        return {{id, "test", "joins a shortest local queue"},
                queueing::Rules{
                    keep(queueing::Arrangement::per_server_and_common), route(first_of(argmin(local, length), shared)),
                    serve(when(least(own, rate * servable) >= least(shared, rate * servable), own, shared))}};
    if (id == "gate")
        return {{id, "test", "leaves the local servers where lengths differ"},
                queueing::Rules{keep(queueing::Arrangement::per_server_and_level),
                                route(when(longest - shortest >= tasks(1) && !(2 * longest < 3 * shortest),
                                           argmin(servers, server_length), argmin(local, server_length))),
                                serve(first_of(most_local(nonempty(own_levels)), own))}};
    return queueing::make_policy(id, instance, queueing::no_planner);
}
/// One of the same arrangement of queues.
std::string registered(const std::string& id) {
    return id == "never-common" ? "wang-jsq-maxweight" : id == "gate" ? "balanced-pandas" : id;
}

/// An instance that the engine takes, mostly of two servers, since it draws for each of them in every slot.
Instance instance_for(Engine engine, const std::string& id) {
    oracle::InstanceWish wish;
    if (engine != Engine::lanes) wish.levels = 2;
    wish.servers = *rc::gen::element<std::size_t>(1, 2, 2, 2, 3);
    InstanceData data = (*oracle::small_instance(registered(id), wish)).data();
    data.options.common_rate = queueing::CommonRate::remote;
    data.options.unmatched = queueing::Unmatched::idle;
    data.options.scarcity = queueing::Scarcity::lowest_index;
    if (engine == Engine::lanes) return Instance(std::move(data));
    data.options.counting = queueing::Counting::in_system;
    data.options.empty_target = queueing::EmptyTarget::wasted;
    if (engine == Engine::workloads) data.options.routing = queueing::Routing::sequential;
    return Instance(std::move(data));
}

TEST_P(EnumeratedEngine, HasTheKernelsLawExactly) {
    const auto& [engine, name, id] = GetParam();
    std::array<int, 4> cases_of_slots{};
    int refused = 0;
    EXPECT_TRUE(rc::check(name + ", " + id + ": has the kernel's law", [&, engine = engine, &id = id] {
        const SimulatedSystem system{std::make_shared<const Instance>(instance_for(engine, id))};
        const queueing::AnyPolicy policy = policy_of(id, *system.instance);
        EnumeratedRun run = any_run();
        run.engine = engine;
        if (engine == Engine::workloads) run.truncation = {};
        if (!engine_suits(system, policy, run)) {
            ++refused;
            return;
        }
        const Compared compared =
            compare(system, policy, queueing::ExactSystem(*system.instance, policy, run.truncation), run);
        RC_ASSERT(compared.equal);
        ++cases_of_slots[static_cast<std::size_t>(compared.slots)];
    }));
    std::printf("%s, %s: compared after 1, 2, 3 slots: %d, %d, %d; too many outcomes: %d; not for the engine: %d\n",
                name.c_str(), id.c_str(), cases_of_slots[1], cases_of_slots[2], cases_of_slots[3], cases_of_slots[0],
                refused);
    EXPECT_GT(cases_of_slots[1] + cases_of_slots[2] + cases_of_slots[3], 20);
    EXPECT_GT(cases_of_slots[2] + cases_of_slots[3], 5);
}

// ---- mutants ----

/// Two servers that hold the data of the only type; a task comes in every other slot, in the mean.
InstanceData two_servers_of_one_type(const Rational& local, queueing::Routing routing) {
    InstanceData data;
    data.name = "two-servers";
    data.levels = {{"local", local}, {"remote", local / Rational(2)}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0), ServerId(1)}}};
    data.rates = {Rational(1) / Rational(2)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(data.rates);
    data.options.routing = routing;
    data.options.common_rate = queueing::CommonRate::remote;
    return data;
}

struct MutantCase {
    SimulatedSystem simulated;
    queueing::AnyPolicy policy;
    Instance exact;
};

MutantCase with_local_rate(const std::string& id, const Rational& simulated,
                           queueing::Routing routing = queueing::Routing::batch) {
    Instance exact(two_servers_of_one_type(Rational(1) / Rational(2), routing));
    return {
        {std::make_shared<const Instance>(two_servers_of_one_type(simulated, routing))}, policy_of(id, exact), exact};
}

bool is_told_apart(const MutantCase& c, Ties ties, Engine engine = Engine::indexed) {
    EnumeratedRun run;
    run.engine = engine;
    if (engine != Engine::indexed) run.most_runs = 200'000;  // two slots, as the first may start no service
    EXPECT_TRUE(engine_suits(c.simulated, c.policy, run));
    const Compared compared = compare(c.simulated, c.policy, queueing::ExactSystem(c.exact, c.policy), run, ties);
    EXPECT_GE(compared.slots, engine == Engine::indexed ? 3 : 1);
    return !compared.equal;
}

TEST(EnumeratedSimulatorMutants, AreToldApart) {
    const Rational half = Rational(1) / Rational(2);
    for (const std::string id : {"jsq-maxweight", "wang-jsq-maxweight", "balanced-pandas", "random-local"}) {
        SCOPED_TRACE(id);
        EXPECT_FALSE(is_told_apart(with_local_rate(id, half), Ties::uniform));
        EXPECT_TRUE(is_told_apart(with_local_rate(id, half), Ties::first)) << "a tie for the first candidate";
        const Rational above = half + Rational(1) / Rational(1'000'000'007);
        EXPECT_TRUE(is_told_apart(with_local_rate(id, above), Ties::uniform)) << "a probability that is off by 1e-9";
    }
}

TEST_P(EnumeratedEngine, IsToldApartFromItsMutants) {
    const auto& [engine, name, id] = GetParam();
    const Rational half = Rational(1) / Rational(2), above = half + Rational(1) / Rational(1'000'000'007);
    const auto routing = engine == Engine::workloads ? queueing::Routing::sequential : queueing::Routing::batch;
    EXPECT_FALSE(is_told_apart(with_local_rate(id, half, routing), Ties::uniform, engine));
    EXPECT_TRUE(is_told_apart(with_local_rate(id, above, routing), Ties::uniform, engine)) << "off by 1e-9";
    if (id == "generalized-cmu") return;  // the tasks of one type have nothing to choose from
    EXPECT_TRUE(is_told_apart(with_local_rate(id, half, routing), Ties::first, engine)) << "a tie for the first";
}

INSTANTIATE_TEST_SUITE_P(Engines, EnumeratedEngine, testing::ValuesIn(engine_cases()), [](const auto& tested) {
    return testing_support::test_name(tested.param.name + "_" + tested.param.policy);
});

/// Ties broken in favour of the first candidate change the law of many generated policies.
TEST(EnumeratedSimulatorMutants, OfGeneratedPoliciesAreToldApart) {
    int told_apart = 0;
    EXPECT_TRUE(rc::check("ties for the first candidate", [&] {
        const queueing::Rules rules = *oracle::any_rules();
        const SimulatedSystem system{
            std::make_shared<const Instance>(*oracle::small_instance(oracle::policy_of_layout(rules), {{{}, {}, 1}}))};
        const queueing::AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
        EnumeratedRun run;
        run.most_runs = 400;
        const queueing::ExactSystem exact(*system.instance, policy);
        told_apart += compare(system, policy, exact, run, Ties::first).equal ? 0 : 1;
    }));
    EXPECT_GT(told_apart, 10);
}

}  // namespace
}  // namespace schedproof::simulation
