/// The oracle tested on its own: by identities that every slot obeys, by interpretations that must agree with one
/// another, and by slots worked out by hand. No other implementation of the slot takes part, except the bare chain of
/// Wang's policy on two servers that the solvers' tests use.
#include "tests/model/queueing_oracle.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "experiments/bench/jsq_maxweight_chain.hpp"
#include "model/core/errors.hpp"
#include "tests/model/queueing_generators.hpp"

namespace schedproof::oracle {
namespace {

using queueing::ArrivalLaw;
using queueing::Instance;
using queueing::InstanceData;
using queueing::Options;
using Truncation = queueing::Truncation;

template <class T>
Rational mass(const Pmf<T>& law) {
    return std::accumulate(law.begin(), law.end(), Rational(0),
                           [](const Rational& sum, const auto& entry) { return sum + entry.second; });
}

template <class T, class F>
auto image(const Pmf<T>& law, F&& f) {
    Pmf<std::decay_t<std::invoke_result_t<F&, const T&>>> result;
    for (const auto& [outcome, p] : law) result[f(outcome)] += p;
    return result;
}

long long tasks(const OracleState& state) { return std::accumulate(state.length.begin(), state.length.end(), 0LL); }

Rational mean_tasks(const Pmf<OracleState>& law) {
    Rational sum;
    for (const auto& [state, p] : law) sum += p * Rational(tasks(state));
    return sum;
}

bool all_busy(const OracleState& state) {
    return std::all_of(state.servers.begin(), state.servers.end(),
                       [](const OracleServer& s) { return s.status == Status::busy; });
}

/// One random case of everything `next_slot` takes.
struct Case {
    std::string policy;
    Instance instance;
    std::optional<Plan> plan;
    QueueShape shape;
    OracleState state;
    Pmf<OracleState> next(Truncation truncation = {}) const {
        return next_slot(instance, policy, state, plan, truncation);
    }
};

Case any_case() {
    const std::string policy = *rc::gen::elementOf(policy_ids());
    Instance instance = *small_instance(policy, with_own_rates());
    std::optional<Plan> plan = *plan_for(policy, instance);
    const QueueShape shape = queue_shape(instance, policy, plan);
    OracleState state = from_state(*valid_state(instance, shape));
    RC_TAG(policy);
    return {policy, std::move(instance), std::move(plan), shape, std::move(state)};
}

Instance with_options(const Instance& instance, const Options& options) {
    InstanceData data = instance.data();
    data.options = options;
    return Instance(std::move(data));
}

RC_GTEST_PROP(QueueingOracle, gives_a_law_on_consistent_states, ()) {
    const Case c = any_case();
    RC_ASSERT(consistent(c.shape, c.state));
    const Truncation truncation = *any_truncation();
    const Pmf<OracleState> law = c.next(truncation);
    RC_ASSERT(mass(law) == 1);
    for (const auto& [state, p] : law) {
        RC_ASSERT(p > 0);
        RC_ASSERT(consistent(c.shape, state));
        RC_ASSERT(from_state(to_state(state)) == state);
    }
}

RC_GTEST_PROP(QueueingOracle, changes_the_number_of_tasks_by_arrivals_and_completions_only, ()) {
    const Case c = any_case();
    const auto servers = static_cast<long long>(c.state.servers.size());
    const auto arrivals = static_cast<long long>(c.instance.arrivals().largest_total());
    const Pmf<OracleState> law = c.next();
    for (const auto& [state, p] : law) {
        RC_ASSERT(tasks(state) <= tasks(c.state) + arrivals);
        RC_ASSERT(tasks(state) >= tasks(c.state) - servers);
        for (std::size_t q = 0; q < state.length.size(); ++q) RC_ASSERT(state.length[q] >= c.state.length[q] - servers);
    }
    if (!all_busy(c.state)) return;
    Rational expected = Rational(tasks(c.state)) + c.instance.total_arrival_rate();
    for (const OracleServer& s : c.state.servers) expected -= c.shape.rate[s.queue][s.level];
    RC_ASSERT(mean_tasks(law) == expected);
}

RC_GTEST_PROP(QueueingOracle, truncation_by_queue_is_a_cap, ()) {
    const Case c = any_case();
    const long long cap = *rc::gen::inRange(0, 6);
    for (const auto& [state, p] : c.next({Truncation::Rule::queue, static_cast<std::uint32_t>(cap)}))
        for (std::size_t q = 0; q < state.length.size(); ++q)
            RC_ASSERT(state.length[q] <= std::max(cap, c.state.length[q]));
}

RC_GTEST_PROP(QueueingOracle, truncation_by_total_is_a_cap, ()) {
    const Case c = any_case();
    const long long cap = *rc::gen::inRange(0, 16);
    for (const auto& [state, p] : c.next({Truncation::Rule::total, static_cast<std::uint32_t>(cap)}))
        RC_ASSERT(tasks(state) <= std::max(cap, tasks(c.state)));
}

RC_GTEST_PROP(QueueingOracle, a_cap_out_of_reach_truncates_nothing, ()) {
    const Case c = any_case();
    RC_ASSERT(c.next({Truncation::Rule::total, 1000}) == c.next());
    RC_ASSERT(c.next({Truncation::Rule::queue, 1000}) == c.next());
}

RC_GTEST_PROP(QueueingOracle, a_task_that_comes_alone_is_routed_alike_in_both_interpretations, ()) {
    const Case c = any_case();
    RC_PRE(c.instance.arrivals().largest_total() <= 1U);
    Options other = c.instance.options();
    other.routing =
        other.routing == queueing::Routing::batch ? queueing::Routing::sequential : queueing::Routing::batch;
    RC_ASSERT(next_slot(with_options(c.instance, other), c.policy, c.state, c.plan) == c.next());
}

RC_GTEST_PROP(QueueingOracle, deficits_of_a_server_drift_by_owed_minus_executed, ()) {
    const std::string policy = "fluid-model-planning:deficit";
    const Instance instance = *small_instance(policy, with_own_rates());
    const std::optional<Plan> plan = *plan_for(policy, instance);
    const OracleState state = from_state(*valid_state(instance, queue_shape(instance, policy, plan)));
    std::vector<Rational> share;
    for (const Plan::Activity& a : plan->activities)
        share.push_back(a.x / (instance.rate(TaskTypeId(a.type), ServerId(a.server)) * plan->load));
    const Rational unit = common_denominator(share);
    for (const auto& [next, p] : next_slot(instance, policy, state, plan))
        for (std::size_t m = 0; m < state.servers.size(); ++m) {
            Rational change;
            for (std::size_t a = 0; a < share.size(); ++a)
                if (plan->activities[a].server == m) change += next.memory[a] - state.memory[a] - unit * share[a];
            RC_ASSERT(change == 0 || change == -unit);
            if (state.servers[m].status == Status::busy || next.servers[m].status == Status::busy)
                RC_ASSERT(change == -unit);
        }
}

/// (tasks, levels of the servers): what is left of a FIFO state when types are not looked at.
OracleState without_types(OracleState state) {
    state.waiting.clear();
    return state;
}

RC_GTEST_PROP(QueueingOracle, types_of_a_fifo_queue_may_be_revealed_late, ()) {
    const Instance drawn = *small_instance("fifo");
    InstanceData data = drawn.data();
    const Rational sum = drawn.total_arrival_rate() * 2;
    for (Rational& rate : data.rates) rate /= sum;
    data.arrivals = ArrivalLaw::single(data.rates);
    data.options.reveal = queueing::Reveal::on_start;
    const Instance late(data);
    data.options.reveal = queueing::Reveal::on_arrival;
    const Instance early(data);
    const OracleState state = from_state(*valid_state(late, queue_shape(late, "fifo"), 3));
    // The types of waiting tasks are independent, each with the probabilities of an arrival.
    Pmf<OracleState> typed{{state, 1}};
    const auto busy = std::count_if(state.servers.begin(), state.servers.end(),
                                    [](const auto& s) { return s.status == Status::busy; });
    typed = image(typed, [](OracleState s) {
        s.waiting.resize(1);
        return s;
    });
    for (long long i = busy; i < state.length[0]; ++i) {
        Pmf<OracleState> longer;
        for (const auto& [s, p] : typed)
            for (std::size_t type = 0; type < data.rates.size(); ++type) {
                if (data.rates[type] == 0) continue;
                OracleState more = s;
                more.waiting[0].push_back(type);
                longer[more] += p * late.arrival_rate(TaskTypeId(type)) * 2;
            }
        typed = longer;
    }
    Pmf<OracleState> law;
    for (const auto& [s, p] : typed)
        for (const auto& [next, q] : next_slot(early, "fifo", s)) law[without_types(next)] += p * q;
    RC_ASSERT(law == next_slot(late, "fifo", state));
}

/// Two servers without racks, types {0} and {1}, rates 4/5 and 1/5: Wang's policy on m2-half's kind of cluster.
Instance two_servers(ArrivalLaw arrivals, Options options = {}) {
    InstanceData data;
    data.name = "two servers";
    data.levels = {{"local", Rational(4, 5)}, {"remote", Rational(1, 5)}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0)}, 1, 1}, {"B", {ServerId(1)}, 1, 1}};
    data.arrivals = std::move(arrivals);
    data.options = options;
    return Instance(std::move(data));
}

Instance symmetric_two_servers(Options options = {}) {
    return two_servers(ArrivalLaw::bernoulli(std::vector{Rational(1, 2), Rational(1, 2)}), options);
}

constexpr OracleServer idle{};
/// A server at work.
constexpr OracleServer at(std::size_t level, std::size_t queue) { return {Status::busy, level, queue}; }

OracleState counts(std::vector<long long> length, std::vector<OracleServer> servers) {
    return {std::move(length), std::move(servers), {}, {}};
}

TEST(QueueingOracle, wang_on_two_servers_from_an_empty_system) {
    // A task of type A finds Q_0 = Q_common = 0, so it joins either with probability 1/2. Both servers weigh 0 against
    // 0 and ask their own queues, so a task in its own queue is executed at once, one in the common queue waits.
    // Type B comes with probability zero.
    const Instance instance = two_servers(ArrivalLaw::bernoulli(std::vector{Rational(1, 2), Rational(0)}));
    const Pmf<OracleState> expected{
        {counts({0, 0, 0}, {idle, idle}), Rational(1, 2) + Rational(1, 4) * Rational(4, 5)},
        {counts({1, 0, 0}, {at(0, 0), idle}), Rational(1, 4) * Rational(1, 5)},
        {counts({0, 0, 1}, {idle, idle}), Rational(1, 4)},
    };
    EXPECT_EQ(next_slot(instance, "wang-jsq-maxweight", counts({0, 0, 0}, {idle, idle})), expected);
}

TEST(QueueingOracle, wang_on_two_servers_with_scarce_common_tasks) {
    // Both servers idle, one task in the common queue: both ask it, server 0 gets it, server 1 goes without.
    // The arriving A (every slot brings one) sees Q_0 = 0 < Q_common = 1 and joins queue 0, where nobody serves it.
    const ArrivalLaw always_a = ArrivalLaw::bernoulli(std::vector{Rational(1), Rational(0)});
    const OracleState start = counts({0, 0, 1}, {idle, idle});
    const Pmf<OracleState> lowest{
        {counts({1, 0, 0}, {idle, idle}), Rational(1, 5)},
        {counts({1, 0, 1}, {at(1, 2), idle}), Rational(4, 5)},
    };
    EXPECT_EQ(next_slot(two_servers(always_a), "wang-jsq-maxweight", start), lowest);

    Options options;
    options.scarcity = queueing::Scarcity::uniform_subset;
    options.unmatched = queueing::Unmatched::phantom;
    const OracleServer phantom{Status::phantom, 1, 2};
    const Pmf<OracleState> uniform{
        {counts({1, 0, 0}, {idle, idle}), Rational(1, 25)},
        {counts({1, 0, 0}, {idle, phantom}), Rational(2, 25)},
        {counts({1, 0, 0}, {phantom, idle}), Rational(2, 25)},
        {counts({1, 0, 1}, {at(1, 2), idle}), Rational(2, 25)},
        {counts({1, 0, 1}, {idle, at(1, 2)}), Rational(2, 25)},
        {counts({1, 0, 1}, {at(1, 2), phantom}), Rational(8, 25)},
        {counts({1, 0, 1}, {phantom, at(1, 2)}), Rational(8, 25)},
    };
    EXPECT_EQ(next_slot(two_servers(always_a, options), "wang-jsq-maxweight", start), uniform);
}

TEST(QueueingOracle, wang_sequential_tasks_see_each_other) {
    // Two A in each slot, both servers busy far from done. Batch: both compare (0, 0) and go either way by themselves.
    // Sequential: the second takes the queue that the first left empty.
    const ArrivalLaw pairs({queueing::ArrivalFactor({TaskTypeId(0)}, {{{2}, 1}})});
    Options options;
    const OracleState start = counts({1, 1, 1}, {at(0, 0), at(0, 1)});
    const auto lengths_before_completions = [&](const Instance& instance) {
        return image(next_slot(instance, "wang-jsq-maxweight", start), [](const OracleState& s) {
            std::vector<long long> before = s.length;
            for (std::size_t m = 0; m < 2; ++m) before[m] += s.servers[m].status == Status::idle ? 1 : 0;
            return before;
        });
    };
    using Lengths = Pmf<std::vector<long long>>;
    EXPECT_EQ(lengths_before_completions(two_servers(pairs, options)),
              (Lengths{{{3, 1, 1}, Rational(1, 4)}, {{2, 1, 2}, Rational(1, 2)}, {{1, 1, 3}, Rational(1, 4)}}));
    options.routing = queueing::Routing::sequential;
    EXPECT_EQ(lengths_before_completions(two_servers(pairs, options)), (Lengths{{{2, 1, 2}, Rational(1)}}));
    options.counting = queueing::Counting::waiting;  // now queue 0 is empty and the common queue holds one
    EXPECT_EQ(lengths_before_completions(two_servers(pairs, options)),
              (Lengths{{{3, 1, 1}, Rational(1, 2)}, {{2, 1, 2}, Rational(1, 2)}}));
}

TEST(QueueingOracle, wang_on_two_servers_equals_the_solvers_chain) {
    const int cap = 2;
    const bench::JsqMaxWeightChain chain = bench::jsq_maxweight_chain(cap, bench::Truncation::per_task);
    const auto plain = [](const bench::JsqMaxWeightChain::State& s) {
        OracleState state = counts({s.queue[0], s.queue[1], s.queue[2]}, {});
        for (std::size_t m = 0; m < 2; ++m)
            state.servers.push_back(s.work[m] == 0 ? idle : s.work[m] == 1 ? at(0, m) : at(1, 2));
        return state;
    };
    const Instance instance = symmetric_two_servers();
    for (std::size_t i = 0; i < chain.states.size(); ++i) {
        Pmf<OracleState> row;
        for (const markov::Transition& move : chain.matrix.row(i))
            row[plain(chain.states[move.target])] = move.probability;
        ASSERT_EQ(next_slot(instance, "wang-jsq-maxweight", plain(chain.states[i]), {}, {Truncation::Rule::queue, cap}),
                  row);
    }
}

/// Probability that server m, which was idle, started a task of queue q at a level with the given rate.
Rational started(const Pmf<OracleState>& law, std::size_t m, std::size_t q, const Rational& rate) {
    Rational unfinished;
    for (const auto& [state, p] : law)
        if (state.servers[m].status == Status::busy && state.servers[m].queue == q) unfinished += p;
    return unfinished / (Rational(1) - rate);
}

/// Racks {s0, s1} and {s2}, rates 1/2, 2/5 and 1/10; types {s0}, {s1, s2}, {s2}; no arrivals unless given.
Instance three_servers(std::vector<Rational> rates = {0, 0, 0}) {
    InstanceData data;
    data.name = "three servers";
    data.levels = {{"local", Rational(1, 2)}, {"rack", Rational(2, 5)}, {"remote", Rational(1, 10)}};
    data.servers = {{"s0", {"r"}}, {"s1", {"r"}}, {"s2", {"t"}}};
    data.types = {{"A", {ServerId(0)}, 1, 1}, {"B", {ServerId(1), ServerId(2)}, 1, 2}, {"C", {ServerId(2)}, 3, 1}};
    data.arrivals = ArrivalLaw::bernoulli(rates);
    return Instance(std::move(data));
}

TEST(QueueingOracle, pandas_helps_where_help_beats_idling) {
    // Server 0 has no own task. Weights of the others: 2/5 Q_1 (rack) and 1/10 Q_2 (remote), against 1/2.
    const Instance instance = three_servers();
    const auto helped = [&](const std::string& policy, long long q1, long long q2, std::size_t q) {
        const OracleState state = counts({0, q1, q2}, {idle, at(0, 1), at(0, 2)});
        return started(next_slot(instance, policy, state), 0, q, q == 1 ? Rational(2, 5) : Rational(1, 10));
    };
    EXPECT_EQ(helped("pandas:plain", 1, 1, 1), 0);  // 2/5 < 1/2, and its only task is in execution besides
    EXPECT_EQ(helped("pandas:plain", 2, 1, 1), 1);  // 4/5
    EXPECT_EQ(helped("pandas:plain", 2, 4, 1), 0);  // the longest queue is 2, with 4/10 < 1/2
    EXPECT_EQ(helped("pandas:plain", 2, 5, 2), 1);  // 5/10
    EXPECT_EQ(helped("pandas:plain", 5, 5, 2), Rational(1, 2));
    EXPECT_EQ(helped("pandas:rackaware", 2, 4, 1), 1);
    EXPECT_EQ(helped("pandas:rackaware", 2, 8, 2), Rational(1, 2));
    EXPECT_EQ(helped("jsq-maxweight", 2, 4, 1), 1);
    EXPECT_EQ(helped("jsq-maxweight", 2, 9, 2), 1);
}

TEST(QueueingOracle, balanced_pandas_routes_by_workload_and_serves_its_own) {
    // W = (2, 2, 8) / (1/2, 1/2, 1/2): a task of type A costs 4/(1/2) = 8 at s0 and 4/(2/5) = 10 at s1.
    const Instance instance = three_servers({1, 0, 0});
    const auto joined = [&](long long own0, long long rack0) {
        OracleState state = counts({own0, rack0, 0, 2, 0, 0, 8, 0, 0}, {at(0, 0), at(0, 3), at(0, 6)});
        const Pmf<OracleState> law = next_slot(instance, "balanced-pandas", state);
        Rational at_s1;
        for (const auto& [next, p] : law)
            if (next.length[4] == 1) at_s1 += p;
        return at_s1;
    };
    EXPECT_EQ(joined(2, 0), 0);
    EXPECT_EQ(joined(3, 0), 1);  // 6/(1/2) = 12 > 10
    EXPECT_EQ(joined(1, 1), 0);  // (2 + 5/2)/(1/2) = 9 < 10
    EXPECT_EQ(joined(1, 2), 1);  // (2 + 5)/(1/2) = 14 > 10
    const OracleState work = counts({0, 1, 1, 0, 0, 0, 0, 0, 0}, {idle, idle, idle});
    const Pmf<OracleState> law = next_slot(three_servers(), "balanced-pandas", work);
    EXPECT_EQ(started(law, 0, 1, Rational(2, 5)), 1);
    EXPECT_EQ(law.size(), 2U);  // nobody else works
}

TEST(QueueingOracle, balanced_pandas_without_work_turns_to_its_local_queue) {
    const OracleState empty = counts({0, 0, 0, 0, 0, 0, 0, 0, 0}, {idle, idle, idle});
    const Instance instance = three_servers({1, 0, 0});
    const auto stays_empty = [&](const char* policy) { return next_slot(instance, policy, empty).count(empty); };
    EXPECT_EQ(stays_empty("balanced-pandas"), 1U);  // the task of the slot starts and may end
    EXPECT_EQ(stays_empty("balanced-pandas:idle"), 0U);
}

TEST(QueueingOracle, generalized_cmu_weighs_marginal_costs) {
    // Server 2: A 2 Q_A/10, B 3 Q_B^2/2, C 6 Q_C/2.
    const auto served = [](std::vector<long long> lengths, std::size_t type, const Rational& rate) {
        return started(
            next_slot(three_servers(), "generalized-cmu", counts(std::move(lengths), {at(0, 0), at(0, 1), idle})), 2,
            type, rate);
    };
    EXPECT_EQ(served({15, 2, 1}, 1, Rational(1, 2)), 1);
    EXPECT_EQ(served({15, 2, 2}, 1, Rational(1, 2)), Rational(1, 2));
    EXPECT_EQ(served({15, 2, 3}, 2, Rational(1, 2)), 1);
    EXPECT_EQ(served({50, 2, 3}, 0, Rational(1, 10)), 1);
}

TEST(QueueingOracle, fifo_takes_the_tasks_of_one_slot_in_random_order) {
    // One A and one B come; the lists AB and BA are alike likely, and server 0 takes the head: both tasks are served at
    // their local servers or both remotely.
    const Instance instance = two_servers(ArrivalLaw::bernoulli(std::vector{Rational(1), Rational(1)}));
    OracleState empty = empty_state(instance, queue_shape(instance, "fifo"));
    const Pmf<OracleState> law = next_slot(instance, "fifo", empty);
    EXPECT_EQ(law.at(empty), Rational(1, 2) * Rational(16, 25) + Rational(1, 2) * Rational(1, 25));
    OracleState listed = empty;
    listed.length = {1};
    listed.waiting = {{1}};  // a B is at the head: server 0 takes it, server 1 one of the new tasks
    for (const auto& [next, p] : next_slot(instance, "fifo", listed)) {
        EXPECT_EQ(next.waiting[0].size(), 1U);
        EXPECT_TRUE(next.servers[0] == idle || next.servers[0] == at(1, 0));
    }
}

TEST(QueueingOracle, planned_tasks_follow_the_plan) {
    const Instance instance = three_servers({Rational(1, 2), 0, 1});
    const std::optional<Plan> plan = Plan{{{0, 0, Rational(1, 3)}, {0, 1, Rational(1, 6)}, {2, 2, 1}}, 2};
    OracleState empty = empty_state(instance, queue_shape(instance, "fluid-model-planning:static", plan));
    const Pmf<OracleState> law = next_slot(instance, "fluid-model-planning:static", empty, plan);
    EXPECT_EQ(started(law, 0, 0, Rational(1, 2)), Rational(1, 3));
    EXPECT_EQ(started(law, 1, 1, Rational(2, 5)), Rational(1, 6));
    EXPECT_EQ(started(law, 2, 2, Rational(1, 2)), 1);
    // Shares 1/3, 5/24 and 1, so S = 24. Server 0 takes the waiting A; server 1, which asks the same queue, works only
    // if another A comes.
    empty = empty_state(instance, queue_shape(instance, "fluid-model-planning:deficit", plan));
    OracleState waiting = empty;
    waiting.length = {1, 0, 1};
    for (const auto& [next, p] :
         next_slot(three_servers({Rational(1, 2), 0, 1}), "fluid-model-planning:deficit", waiting, plan)) {
        EXPECT_EQ(next.memory[0], 8 - 24);
        EXPECT_TRUE(next.memory[1] == 5 || next.memory[1] == 5 - 24);
        EXPECT_EQ(next.memory[2], 0);
    }
}

TEST(QueueingOracle, refuses_what_is_not_defined) {
    Options options;
    options.unmatched = queueing::Unmatched::phantom;
    const Instance phantom = symmetric_two_servers(options);
    const OracleState empty = empty_state(phantom, queue_shape(phantom, "fifo"));
    EXPECT_THROW((void)next_slot(phantom, "fifo", empty), ContractViolation);
    const Instance plain = symmetric_two_servers();
    EXPECT_THROW((void)next_slot(plain, "no-such-policy", empty), ContractViolation);
    EXPECT_THROW((void)next_slot(plain, "fluid-model-planning:static", empty), ContractViolation);
    EXPECT_THROW((void)next_slot(plain, "jsq-maxweight", counts({0, 0}, {at(0, 0), idle})), ContractViolation);
}

}  // namespace
}  // namespace schedproof::oracle
