/// Proofs in continuous time: means and verdicts that are known without a proof, theorems against the exact chain,
/// alterations that the checker must notice, batches of tasks, and queues that no task joins.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "model/core/errors.hpp"
#include "model/queueing/load.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/bounds/any_policy_proof.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/drift/closed_set_search.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/queueing/theorems/transience.hpp"
#include "proofs/queueing/transience/transience_search.hpp"
#include "tests/model/event_oracle.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using namespace language;
using testing_support::q;

/// One type of tasks, of a rate at each server.
InstanceData one_type(const std::vector<const char*>& rates, const char* lambda) {
    InstanceData data;
    data.name = "one-type";
    data.time = ContinuousTime{};
    data.types = {{"A", {}}};
    for (std::size_t m = 0; m < rates.size(); ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types.front().at_servers.emplace_back(q(rates[m]));
    }
    data.rates = {q(lambda)};
    return data;
}

std::shared_ptr<const Instance> shared(InstanceData data) { return std::make_shared<const Instance>(std::move(data)); }

constexpr Rules shortest_anywhere{keep(Arrangement::per_server), route(argmin(servers, length)), serve(own)};
constexpr Rules two_choices{keep(Arrangement::per_server), route(argmin(sample(2, servers), length)), serve(own)};
constexpr Rules fastest_first{keep(Arrangement::per_type), route(own_type),
                              serve(argmax(nonempty(reachable), rate* tasks(1)))};

AnyPolicy policy_of(const Rules& rules) { return {{"of-test", "test", "of this test"}, rules}; }

/// A proved interval of the mean number of tasks, which the checker accepts.
struct Interval {
    Rational lower, upper;
    [[nodiscard]] bool has(const Rational& mean, const Rational& error = Rational(0)) const {
        return lower <= mean + error && mean - error <= upper;
    }
};
Interval mean_of(const std::shared_ptr<const Instance>& instance, const AnyPolicy& policy, const char* width) {
    const SymbolicSystem symbolic(*instance, policy);
    const ExactSystem exact(*instance, policy);
    MeanGoal goal;
    goal.width = q(width);
    const MeanOutcome outcome = prove_mean(symbolic, exact, goal);
    if (const auto* unknown = std::get_if<MeanUnknown>(&outcome)) throw ContractViolation(unknown->reason);
    const auto& proof = std::get<MeanProof>(outcome);
    EXPECT_EQ(arithmetic_rejection(symbolic, proof.theorem), "");
    EXPECT_LE(proof.theorem.upper - proof.theorem.at_least(), goal.width);
    return {proof.theorem.at_least(), proof.theorem.upper};
}
/// Two servers that each hold the data of a type, at rates 4/5 and 1/5.
InstanceData two_servers_with_data() {
    InstanceData data;
    data.name = "two-types";
    data.time = ContinuousTime{};
    data.levels = {{"local", q("4/5")}, {"remote", q("1/5")}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0)}}, {"B", {ServerId(1)}}};
    data.rates = {q("1/2"), q("1/2")};
    return data;
}

AnyPolicy registered(const std::string& id) { return make_policy(id); }

/// Erlang's mean number of tasks with c servers of rate 1: a + C(c, a) rho / (1 - rho).
Rational erlang(unsigned c, const Rational& a) {
    Rational term(1), sum;
    for (unsigned n = 0; n < c; ++n) {
        sum += term;
        term *= a / Rational(n + 1);
    }
    const Rational rho = a / Rational(c), wait = term / (Rational(1) - rho);
    return a + wait / (sum + wait) * rho / (Rational(1) - rho);
}

TEST(ContinuousTime, HasErlangsMeanBeforeOneQueue) {
    EXPECT_TRUE(mean_of(shared(one_type({"1"}, "1/2")), registered("fifo"), "1e-9").has(Rational(1)));
    EXPECT_TRUE(mean_of(shared(one_type({"1", "1", "1"}, "9/4")), registered("fifo"), "1e-9").has(erlang(3, q("9/4"))));
    EXPECT_TRUE(
        mean_of(shared(one_type({"1", "1", "1", "1", "1"}, "4")), registered("fifo"), "1e-9").has(erlang(5, q("4"))));
    InstanceData interrupted = one_type({"1", "1", "1", "1", "1"}, "4");
    interrupted.options.preemption = Preemption::resume;
    EXPECT_TRUE(mean_of(shared(std::move(interrupted)), registered("fifo"), "1e-9").has(erlang(5, q("4"))));
}

/// Clocks of servers alike lead to few next states, however many servers there are.
TEST(ContinuousTime, HasErlangsMeanOnAHundredServers) {
    InstanceData data = one_type(std::vector<const char*>(100, "1"), "95");
    data.options.preemption = Preemption::resume;
    EXPECT_TRUE(mean_of(shared(std::move(data)), registered("fifo"), "1e-12").has(erlang(100, q("95"))));
}

/// [adan1990]: by the compensation method, coded apart from this project.
TEST(ContinuousTime, HasTheMeansOfTheShortestOfTwoQueues) {
    const AnyPolicy jsq = registered("join-shortest-queue");
    const Rational digits = q("1e-12");
    EXPECT_TRUE(mean_of(shared(one_type({"1", "1"}, "1")), jsq, "1e-9").has(q("1.426320751167"), digits));
    EXPECT_TRUE(mean_of(shared(one_type({"1", "1"}, "8/5")), jsq, "1e-6").has(q("4.729178588220"), digits));
    // Unlike the slot's, the unit of time makes no difference.
    EXPECT_TRUE(mean_of(shared(one_type({"7", "7"}, "7")), jsq, "1e-9").has(q("1.426320751167"), digits));
}

/// [winston1977], [weber1978]: of rules that send a task to a queue at once the shortest is best, and one queue before
/// all servers is better still. [vvedenskaya1996]: mean delays under two choices of three servers and of four.
TEST(ContinuousTime, OrdersOneQueueTheShortestOfFourAndTheShorterOfTwoDrawn) {
    const Interval three = mean_of(shared(one_type({"1", "1", "1"}, "3/2")), policy_of(two_choices), "1/1000");
    EXPECT_TRUE(three.has(q("1.352003") * q("3/2"), q("1e-6")));
    const auto four = shared(one_type({"1", "1", "1", "1"}, "2"));
    const Interval shortest = mean_of(four, registered("join-shortest-queue"), "1/100"),
                   drawn = mean_of(four, policy_of(two_choices), "1/50");
    EXPECT_TRUE(shortest.has(q("2.31630"), q("1e-5")));
    EXPECT_TRUE(drawn.has(q("2.64892"), q("1e-5")));
    EXPECT_EQ(erlang(4, q("2")), q("50/23"));
    EXPECT_LT(q("50/23"), shortest.lower);
    EXPECT_LT(shortest.upper, drawn.lower);
}

/// [lu2011], [stolyar2015]: joining an idle queue is stable at every load below 1 where servers are alike.
TEST(ContinuousTime, JoiningAnIdleQueueIsStableOnServersThatAreAlike) {
    constexpr Rules idle{keep(Arrangement::per_server), route(first_of(where(servers, length < tasks(1)), servers)),
                         serve(own)};
    const auto instance = shared(one_type({"1", "1", "1"}, "57/20"));
    const SymbolicSystem symbolic(*instance, policy_of(idle));
    const ExactSystem exact(*instance, policy_of(idle));
    DriftGoal goal;
    goal.v = named_lyapunov("squares", *instance, exact.layout());
    const DriftOutcome outcome = prove_drift(symbolic, exact, goal);
    ASSERT_TRUE(std::holds_alternative<DriftProof>(outcome));
    EXPECT_EQ(stability_gap(symbolic, std::get<DriftProof>(outcome).theorem), "");
}

/// Two classes, the faster first: 1/3 + 7/3 when the slower is interrupted, by the formula of preemptive priority.
TEST(ContinuousTime, HasTheMeansOfTwoClasses) {
    InstanceData data;
    data.name = "two-classes";
    data.time = ContinuousTime{};
    data.servers = {{"s0", {}}};
    data.types = {{"fast", {}}, {"slow", {}}};
    data.types[0].at_servers = {q("2")};
    data.types[1].at_servers = {q("1")};
    data.rates = {q("1/2"), q("1/2")};
    // Not interrupted: with R = sum lambda / mu^2 = 5/8, rho = (1/4, 3/4): N = rho + lambda R / ((1-rho1)(1-...)).
    const Rational r = q("5/8"), first = q("1/4") + q("1/2") * r / q("3/4"),
                   second = q("1/2") + q("1/2") * r / (q("3/4") * q("1/4"));
    EXPECT_TRUE(mean_of(shared(data), policy_of(fastest_first), "1e-6").has(first + second));
    data.options.preemption = Preemption::resume;
    EXPECT_TRUE(mean_of(shared(data), policy_of(fastest_first), "1e-6").has(q("8/3")));
}

Certificate stability(const std::shared_ptr<const Instance>& instance, const std::string& policy) {
    const SymbolicSystem symbolic(*instance, registered(policy));
    const ExactSystem exact(*instance, registered(policy));
    DriftGoal goal;
    goal.v = named_lyapunov("squares", *instance, exact.layout());
    DriftOutcome outcome = prove_drift(symbolic, exact, goal);
    auto& proof = std::get<DriftProof>(outcome);
    return {instance, policy, std::move(proof.theorem), std::move(proof.proofs)};
}

TEST(ContinuousTime, CertificatesAreAcceptedAndAlteredOnesRejected) {
    const auto instance = shared(one_type({"1", "1"}, "9/5"));
    const Certificate right = stability(instance, "join-shortest-queue");
    EXPECT_EQ(rejection(right), "");
    EXPECT_NE(sentence(right).find("in continuous time"), std::string::npos);
    const auto altered = [&](const std::function<void(Certificate&)>& alter) {
        Certificate wrong = right;
        alter(wrong);
        return rejection(wrong);
    };
    const auto on = [&](const std::function<void(InstanceData&)>& alter) {
        return altered([&](Certificate& c) {
            InstanceData data = instance->data();
            alter(data);
            c.instance = shared(std::move(data));
        });
    };
    EXPECT_NE(altered([](Certificate& c) { std::get<DriftTheorem>(c.theorem).threshold -= Rational(1); }), "");
    EXPECT_NE(altered([](Certificate& c) { std::get<DriftTheorem>(c.theorem).delta *= Rational(2); }), "");
    EXPECT_NE(altered([](Certificate& c) { c.proofs.pop_back(); }), "");
    EXPECT_NE(altered([](Certificate& c) { std::get<DriftTheorem>(c.theorem).empty = {QueueId(1)}; }), "");
    EXPECT_NE(on([](InstanceData& data) { data.rates[0] = q("19/10"); }), "");
    EXPECT_NE(on([](InstanceData& data) { data.options.preemption = Preemption::resume; }), "");
    EXPECT_NE(on([](InstanceData& data) {
                  data.time.reset();
                  data.rates[0] = q("9/10");
                  data.arrivals = ArrivalLaw::single(data.rates);
              }),
              "");
}

/// A leaf on which nothing is asked must be one that no event leads to.
TEST(ContinuousTime, ALeafWithoutAnObligationMustBeUnsettled) {
    const auto instance = shared(one_type({"1", "1"}, "9/5"));
    Certificate wrong = stability(instance, "join-shortest-queue");
    std::size_t emptied = 0;
    for (proof::ExploredProof& one : wrong.proofs)
        for (auto& leaf : one.leaves)
            if (!leaf.empty() && emptied == 0) {
                leaf.clear();
                ++emptied;
            }
    ASSERT_EQ(emptied, 1U);
    EXPECT_NE(rejection(wrong), "");
}

TEST(ContinuousTime, TheoremsAboutSlotsAreRefused) {
    const auto instance = shared(one_type({"1", "1"}, "9/5"));
    EXPECT_EQ(rejection({instance, "join-shortest-queue", HeavyUpperTheorem{}, {}}),
              "the theorem is about slots, and time is continuous in its instance");
    EXPECT_THROW(require_slots(*instance, "this"), InputError);
}

bool transient(const std::shared_ptr<const Instance>& instance, const AnyPolicy& policy) {
    return std::holds_alternative<TransienceProof>(search_transience(SymbolicSystem(*instance, policy)));
}

TEST(ContinuousTime, IsTransientBeyondTheCapacityAndNotProvedSoWithin) {
    for (const char* policy : {"join-shortest-queue", "fifo"}) {
        EXPECT_TRUE(transient(shared(one_type({"1", "1"}, "21/10")), registered(policy)));
        EXPECT_FALSE(transient(shared(one_type({"1", "1"}, "19/10")), registered(policy)));
    }
}

/// [schedproof], the law of two choices: the two slow servers of four get a sixth of the tasks whatever their queues.
TEST(ContinuousTime, TwoChoicesOverloadSlowServers) {
    const auto instance = shared(one_type({"1", "1", "1/25", "1/25"}, "1"));
    EXPECT_TRUE(transient(instance, policy_of(two_choices)));
    EXPECT_FALSE(transient(instance, policy_of(shortest_anywhere)));
}

/// The mean change of V after each event, by the second implementation of an event, is what the certificate bounds.
TEST(ContinuousTime, ADriftIsTheOneOfTheOracle) {
    EXPECT_TRUE(rc::check("the drift of squares at settled states", [] {
        const std::string id = "join-shortest-queue";
        const Instance instance = *oracle::small_cluster_in_time(id);
        const ExactSystem system(instance, registered(id));
        const LyapunovForm v = named_lyapunov("squares", instance, system.layout());
        ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, id));
        if (instance.preemptive()) std::fill(state.serving.begin(), state.serving.end(), Service{});
        Rational expected;
        const auto squares = [](const oracle::OracleState& s) {
            long long sum = 0;
            for (const long long n : s.length) sum += n * n;
            return Rational(sum);
        };
        const oracle::OracleState now = oracle::from_state(state);
        for (const auto& [next, p] : oracle::next_event(instance, id, now))
            expected += p * (squares(next) - squares(now));
        RC_ASSERT(drift(system, state, v) == expected);
    }));
}

/// Clocks that do the same are taken together, which changes no law.
TEST(ContinuousTime, WeighedMovesAreTheLawOfTheNextState) {
    EXPECT_TRUE(rc::check("of every policy, with and without preemption", [] {
        const std::string id = *rc::gen::element<std::string>("join-shortest-queue", "fifo", "jsq-maxweight");
        const Instance instance = *oracle::small_cluster_in_time(id);
        const ExactSystem system(instance, registered(id));
        ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, id));
        if (instance.preemptive()) std::fill(state.serving.begin(), state.serving.end(), Service{});
        std::map<ExactState, Rational> law, weighed;
        for (const Move& move : system.moves(state)) law[move.slot.next] += move.probability;
        WeightedMoves moves;
        system.weigh_moves(state, moves);
        for (std::size_t k = 0; k < moves.next.size(); ++k)
            weighed[moves.next[k]] += Rational(Integer(moves.weight[k]), Integer(moves.common));
        RC_ASSERT(law == weighed);
    }));
    InstanceData data = one_type({"1", "1", "1", "2", "2"}, "4");
    data.options.preemption = Preemption::resume;
    const Instance instance(std::move(data));
    const ExactSystem system(instance, registered("fifo"));
    ExactState state = system.initial();
    state.length[0] = 4;
    WeightedMoves moves;
    system.weigh_moves(state, moves);
    EXPECT_EQ(moves.next.size(), 3U) << "an arrival, an end, and the clock of the idle server";
}

// -------------------------------------------------------------------------------------------------------- batches

/// One server of rate 1, whose tasks come in batches of these sizes with these probabilities, at this load.
InstanceData batches_before_one_server(std::vector<BatchSize> sizes, const char* load) {
    InstanceData data = one_type({"1"}, load);
    data.batches = {std::move(sizes)};
    return data;
}

/// rho (1 + E X^2 / E X) / (2 (1 - rho)), X being the number of tasks of an arrival ([gross1974]).
Rational mean_with_batches(const Instance& instance) {
    Rational first, second;
    for (const auto& [tasks, probability] : instance.arriving_together(TaskTypeId(0))) {
        first += probability * Rational(tasks);
        second += probability * Rational(tasks) * Rational(tasks);
    }
    const Rational rho = instance.arrival_rate(TaskTypeId(0));
    return rho * (Rational(1) + second / first) / (Rational(2) * (Rational(1) - rho));
}

TEST(BatchesInTime, HaveTheKnownMeanBeforeOneServer) {
    InstanceData some = batches_before_one_server({{3, q("1/2")}}, "3/5"), resumed = some;
    resumed.options.preemption = Preemption::resume;
    for (const InstanceData& data : {some, resumed, batches_before_one_server({{2, q("1")}}, "1/2")}) {
        const auto instance = shared(data);
        const Interval mean = mean_of(instance, registered("fifo"), "1e-6");
        EXPECT_TRUE(mean.has(mean_with_batches(*instance)));
        // As many tasks that come one by one would be fewer.
        const Rational rho = instance->total_arrival_rate();
        EXPECT_LT(rho / (Rational(1) - rho), mean.lower);
    }
    EXPECT_EQ(mean_with_batches(Instance(batches_before_one_server({{3, q("1/2")}}, "3/5"))), q("21/8"));
}

/// The largest jump of W counts the tasks of a batch, and growth those of all arrivals.
TEST(BatchesInTime, AreTransientBeyondTheCapacityOfTheirTasks) {
    for (const char* load : {"9/10", "11/10"}) {
        InstanceData data = one_type({"1", "1"}, load);
        data.rates[0] *= Rational(2);
        data.batches = {{{4, q("1/3")}}};
        const auto instance = shared(std::move(data));
        EXPECT_EQ(transient(instance, registered("join-shortest-queue")), q(load) > Rational(1)) << load;
        EXPECT_EQ(transient(instance, registered("fifo")), q(load) > Rational(1)) << load;
        if (q(load) < Rational(1)) continue;
        const SymbolicSystem system(*instance, registered("fifo"));
        TransienceProof proof = std::get<TransienceProof>(search_transience(system));
        EXPECT_EQ(proof.theorem.jump, jump_bound(system, proof.theorem));
        EXPECT_GE(proof.theorem.jump, Rational(4));  // W is at least 1 a task
        EXPECT_EQ(arithmetic_rejection(system, proof.theorem), "");
    }
}

/// What was proved of single tasks at the same rates is not accepted of batches, nor the other way round.
TEST(BatchesInTime, AreNotWhatSingleTasksAre) {
    InstanceData data = one_type({"1", "1"}, "8/5");
    const auto single = shared(data);
    data.batches = {{{2, q("1/2")}}};
    const auto batches = shared(data);
    EXPECT_EQ(single->arrival_rate(TaskTypeId(0)), batches->arrival_rate(TaskTypeId(0)));
    Certificate of_single = stability(single, "join-shortest-queue"),
                of_batches = stability(batches, "join-shortest-queue");
    EXPECT_EQ(rejection(of_single), "");
    EXPECT_EQ(rejection(of_batches), "");
    std::swap(of_single.instance, of_batches.instance);
    EXPECT_NE(rejection(of_single), "");
    EXPECT_NE(rejection(of_batches), "");
    const SymbolicSystem symbolic(*single, registered("fifo")), other(*batches, registered("fifo"));
    const ExactSystem exact(*single, registered("fifo"));
    MeanGoal goal;
    goal.width = q("1/1000");
    const MeanProof proof = std::get<MeanProof>(prove_mean(symbolic, exact, goal));
    EXPECT_EQ(arithmetic_rejection(symbolic, proof.theorem), "");
    EXPECT_NE(arithmetic_rejection(other, proof.theorem), "");
    const AnyPolicyTheorem bound = bound_any_policy(*batches, {}).theorem;
    EXPECT_EQ(arithmetic_rejection(*batches, bound), "");
    EXPECT_NE(arithmetic_rejection(*single, bound), "");
}

/// On one server no policy has fewer tasks, so the bound of all policies is near the known mean and not above it.
TEST(BatchesInTime, AreBoundedUnderEveryPolicy) {
    for (const Preemption preemption : {Preemption::none, Preemption::resume}) {
        InstanceData data = batches_before_one_server({{3, q("1/2")}}, "3/5");
        data.options.preemption = preemption;
        const Instance instance(std::move(data));
        const AnyPolicyTheorem bound = bound_any_policy(instance, {}).theorem;
        EXPECT_LE(bound.at_least(), q("21/8"));
        EXPECT_GT(bound.at_least(), q("262/100"));
        EXPECT_EQ(arithmetic_rejection(instance, bound), "");
    }
}

TEST(BatchesInTime, AreRefusedByTheArgumentOfMaxWeight) {
    InstanceData data = two_servers_with_data();
    const Instance single(data);
    data.batches = {{{2, q("1/2")}}, {}};
    const Instance batches(std::move(data));
    for (const Instance* instance : {&single, &batches}) {
        const SymbolicSystem system(*instance, registered("jsq-maxweight"));
        const MaxWeightOutcome outcome = prove_max_weight(system, Rational(1));
        EXPECT_EQ(std::holds_alternative<MaxWeightProof>(outcome), instance == &single);
        if (instance == &single) continue;
        EXPECT_NE(std::get<UniformUnknown>(outcome).reason.find("batches"), std::string::npos);
        EXPECT_THROW(static_cast<void>(drift_bound(*instance, system.layout(), q("1/2"), {})), InputError);
    }
}

TEST(BatchesInTime, AreCountedByTheLoadAndByEvents) {
    const Instance instance(batches_before_one_server({{3, q("1/2")}}, "3/5"));
    EXPECT_EQ(instance.total_arrival_rate(), q("3/5"));
    EXPECT_EQ(instance.total_batch_rate(), q("3/10"));
    EXPECT_EQ(instance.event_rate(), q("13/10"));
    EXPECT_EQ(instance.arrivals().largest_total(), 3U);
    EXPECT_EQ(with_load(instance, q("1/2")).total_batch_rate(), q("3/20"));
    // A slot has one arrival at most, of one task or of three.
    const Instance slots = in_slots(instance, q("1/5"));
    EXPECT_EQ(slots.total_arrival_rate(), q("3/25"));
    EXPECT_EQ(slots.arrivals().largest_total(), 3U);
    EXPECT_THROW(static_cast<void>(in_slots(instance, q("4"))), InputError);
    EXPECT_EQ(in_other_time(instance).name(), "one-type-in-slots-of-1");
}

// --------------------------------------------------------------------------------------------- queues that none
// joins

/// Only the faster server has the data, so that nobody joins the queue of the slower one.
TEST(ReachableQueues, AreTheOnlyOnesThatProofsSpeakOf) {
    for (const bool continuous : {false, true}) {
        InstanceData data = one_type({"9/10", "1/10"}, "4/5");
        if (!continuous) {
            data.time.reset();
            data.arrivals = ArrivalLaw::single(data.rates);
        }
        const auto instance = shared(std::move(data));
        const SymbolicSystem system(*instance, registered("join-shortest-queue"));
        const ClosedSet closed = find_closed_set(system, {});
        EXPECT_EQ(closed.empty, std::vector<QueueId>{QueueId(1)});
        EXPECT_EQ(closed.statuses[1], std::vector<Service>{Service{}});
        const Certificate right = stability(instance, "join-shortest-queue");
        EXPECT_EQ(std::get<DriftTheorem>(right.theorem).empty, closed.empty);
        EXPECT_EQ(rejection(right), "");
        EXPECT_NE(sentence(right).find("no task in Q[s1], which none joins"), std::string::npos);
        EXPECT_NE(sentence(right).find("(Foster)"), std::string::npos);
        Certificate wrong = right;
        std::get<DriftTheorem>(wrong.theorem).empty.clear();
        EXPECT_NE(rejection(wrong), "");
        wrong = right;
        std::get<DriftTheorem>(wrong.theorem).empty = {QueueId(0), QueueId(1)};
        EXPECT_NE(rejection(wrong), "");
        const Interval mean = mean_of(instance, registered("join-shortest-queue"), "1e-6");
        if (continuous) {
            EXPECT_TRUE(mean.has(Rational(8)));  // one server at load 8/9
        }
    }
}

/// A set that a policy leaves is rejected: tasks join the queue that is said to be empty.
TEST(ReachableQueues, AreRejectedWhereTasksJoinTheOthers) {
    const auto instance = shared(one_type({"9/10", "9/10"}, "4/5"));
    Certificate wrong = stability(instance, "join-shortest-queue");
    auto& theorem = std::get<DriftTheorem>(wrong.theorem);
    EXPECT_TRUE(theorem.empty.empty());
    theorem.empty = {QueueId(1)};
    theorem.statuses[1] = {Service{}};
    EXPECT_NE(rejection(wrong), "");
}

}  // namespace
}  // namespace schedproof::queueing
