/// Invariants as theorems: proved for all states with certificates, checked at single states by enumeration, and the
/// certificates rejected when anything in them is altered.
#include "proofs/queueing/theorems/invariants.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/core/errors.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/invariants/violation.hpp"
#include "proofs/queueing/theorems/decision_rules.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using testing_support::two_servers;

const char* const decisions[] = {"route-minimises", "serve-maximises"};
const char* const slots[] = {"tasks-balance", "execution-within-queue", "departures-by-servers", "non-preemptive",
                             "arrivals-mean"};

/// A certificate of all the named invariants.
Certificate certify(const Instance& instance, const std::string& policy, std::vector<std::string> names) {
    const auto shared = std::make_shared<const Instance>(instance.data());
    const SymbolicSystem system(*shared, make_policy(policy, *shared, capacity::fluid_plan));
    InvariantTheorem theorem{std::move(names), find_statuses(system), {}};
    if (system.policy().plan() != nullptr) theorem.plan = capacity::fluid_plan(*shared);
    Certificate certificate{shared, policy, theorem, {}};
    for (const explore::Question& question : questions(system, theorem)) {
        explore::Reply reply = explore::ask(question);
        const auto* proof = reply.proof();
        EXPECT_TRUE(proof) << question.name;
        if (proof) certificate.proofs.push_back(*proof);
    }
    return certificate;
}

TEST(Invariants, AreProvedTogetherAndAccepted) {
    const Instance instance = two_servers("4/5", "1/5", "1/2", "1/2");
    const Certificate certificate =
        certify(instance, "jsq-maxweight", {"route-minimises", "serve-maximises", "tasks-balance"});
    EXPECT_EQ(rejection(certificate), "");
    EXPECT_NE(sentence(certificate).find("smallest key"), std::string::npos);
    EXPECT_NE(sentence(certificate).find("for all queue lengths"), std::string::npos);
}

TEST(Invariants, AlteredCertificatesAreRejected) {
    const Certificate right =
        certify(two_servers("4/5", "1/5", "1/2", "1/2"), "wang-jsq-maxweight", {"route-minimises", "serve-maximises"});
    ASSERT_EQ(rejection(right), "");
    const auto altered = [&](auto&& change) {
        Certificate wrong = right;
        change(wrong, std::get<InvariantTheorem>(wrong.theorem));
        return rejection(wrong);
    };
    EXPECT_NE(altered([](Certificate&, InvariantTheorem& t) { t.names.clear(); }), "");
    EXPECT_NE(altered([](Certificate&, InvariantTheorem& t) { t.names.pop_back(); }), "");
    EXPECT_NE(altered([](Certificate&, InvariantTheorem& t) { t.names.front() = "tasks-balance"; }), "");
    EXPECT_NE(altered([](Certificate&, InvariantTheorem& t) { t.names.front() = "unknown"; }), "");
    EXPECT_NE(altered([](Certificate&, InvariantTheorem& t) { t.statuses.pop_back(); }), "");
    EXPECT_NE(altered([](Certificate&, InvariantTheorem& t) { t.statuses.front().pop_back(); }), "");
    EXPECT_NE(altered([](Certificate&, InvariantTheorem& t) { t.statuses.front().erase(t.statuses.front().begin()); }),
              "");
    EXPECT_NE(altered([](Certificate& c, InvariantTheorem&) { c.policy = "random-local"; }), "");
    EXPECT_NE(altered([](Certificate& c, InvariantTheorem&) { c.proofs.pop_back(); }), "");
    EXPECT_NE(altered([](Certificate& c, InvariantTheorem&) { std::swap(c.proofs[2], c.proofs[3]); }), "");
    EXPECT_NE(altered([](Certificate& c, InvariantTheorem&) {
                  for (auto& proof : c.proofs)
                      for (auto& leaf : proof.leaves) leaf.clear();
              }),
              "");
    EXPECT_NE(altered([](Certificate& c, InvariantTheorem&) {
                  InstanceData data = c.instance->data();
                  data.options.counting = Counting::waiting;
                  c.instance = std::make_shared<const Instance>(std::move(data));
              }),
              "");
}

/// What is decided sees how long queues are, not which tasks they list; what becomes of the tasks is not so.
TEST(Invariants, OfQueuesThatListTheirTasksSpeakOfDecisionsAlone) {
    const Instance instance = two_servers("4/5", "1/5", "1/2", "1/2");
    Certificate certificate = certify(instance, "random-any", {"route-minimises", "serve-maximises"});
    EXPECT_EQ(rejection(certificate), "");
    std::get<InvariantTheorem>(certificate.theorem).names.emplace_back("tasks-balance");
    EXPECT_EQ(rejection(certificate), "the policy's queues list their tasks: its shapes are infinitely many");
    const SymbolicSystem system(instance, make_policy("random-any"));
    const InvariantTheorem slot{{"tasks-balance"}, find_statuses(system), {}};
    EXPECT_THROW((void)explore::ask(questions(system, slot).back()), LimitExceeded);
    DriftGoal goal;
    goal.v = find_lyapunov("squares", instance, system.layout()).form;
    EXPECT_THROW((void)prove_drift(system, ExactSystem(instance, make_policy("random-any")), goal), LimitExceeded);
    // A state that is found is one: its queues list as many tasks as wait.
    Shape shape;
    shape.serving.assign(2, Service{});
    const ExactState state = system.at(shape, {Rational(3), Rational(2)});
    EXPECT_NO_THROW(Kernel<CheckedInt>(instance, make_policy("random-any")).require_valid(state));
    EXPECT_THROW((void)system.at(shape, {Rational(2'000'000), Rational(2)}), LimitExceeded);
}

/// A theorem about a policy that follows a plan holds the plan, with which its policy is made again.
TEST(Invariants, OfAPlanHoldThePlan) {
    const Instance instance = two_servers("4/5", "1/5", "3/4", "1/2");
    for (const char* policy : {"fluid-model-planning:static", "fluid-model-planning:deficit"}) {
        SCOPED_TRACE(policy);
        const Certificate right = certify(instance, policy, {"route-minimises", "serve-maximises"});
        ASSERT_EQ(rejection(right), "");
        EXPECT_NE(sentence(right).find("where the plan is "), std::string::npos) << sentence(right);
        const auto altered = [&](auto&& change) {
            Certificate wrong = right;
            change(*std::get<InvariantTheorem>(wrong.theorem).plan);
            return rejection(wrong);
        };
        EXPECT_NE(altered([](FluidPlan& plan) { plan.activities.front().amount *= Rational(2); }), "");
        EXPECT_NE(altered([](FluidPlan& plan) { plan.activities.front().amount = Rational(-1); }), "");
        EXPECT_NE(altered([](FluidPlan& plan) { plan.activities.front().type = TaskTypeId(9); }), "");
        EXPECT_NE(altered([](FluidPlan& plan) { plan.activities.front().server = ServerId(9); }), "");
        EXPECT_NE(altered([](FluidPlan& plan) { plan.activities.push_back(plan.activities.front()); }), "");
        EXPECT_NE(altered([](FluidPlan& plan) { plan.activities.clear(); }), "");
        EXPECT_NE(altered([](FluidPlan& plan) { plan.load = Rational(0); }), "");
        Certificate without = right;
        std::get<InvariantTheorem>(without.theorem).plan.reset();
        EXPECT_THROW((void)rejection(without), InputError);  // the policy cannot be made
    }
    Certificate other = certify(instance, "jsq-maxweight", {"route-minimises"});
    std::get<InvariantTheorem>(other.theorem).plan = capacity::fluid_plan(instance);
    EXPECT_EQ(rejection(other), "the policy follows no plan");
}

/// Where nothing arrives, a plan has no activity and load 0.
TEST(Invariants, OfAPlanThatServesNothing) {
    const Certificate certificate =
        certify(two_servers("4/5", "1/5", "0", "0"), "fluid-model-planning:deficit", {"serve-maximises"});
    EXPECT_EQ(rejection(certificate), "");
    EXPECT_NE(sentence(certificate).find("where the plan is nothing a slot, of load 0"), std::string::npos);
}

/// At random lengths and counters an idle server turns to the planned queues with work that are furthest behind, and
/// no other answer is accepted.
TEST(Invariants, ServingByAPlanIsFurthestBehind) {
    EXPECT_TRUE(rc::check("one answer is right, which is the policy's", [] {
        const Instance instance = two_servers("4/5", "1/5", *rc::gen::element("3/4", "1/2"), "1/2");
        const ExactSystem system(instance, make_policy("fluid-model-planning:deficit", instance, capacity::fluid_plan));
        ExactState state = system.initial();
        for (CheckedInt& length : state.length) length = CheckedInt(*rc::gen::inRange(0, 3));
        for (CheckedInt& counter : state.memory) counter = CheckedInt(*rc::gen::inRange(-2, 3));
        const FluidPlan plan = capacity::fluid_plan(instance);
        for (const ServerId m : instance.servers()) {
            std::set<QueueId> right;
            std::optional<std::int64_t> most;
            std::size_t counter = 0;
            for (const ServerId other : instance.servers())
                for (const FluidPlan::Activity& activity : plan.activities) {
                    if (activity.server != other) continue;
                    const std::int64_t behind = state.memory.at(counter++).value();
                    const QueueId q(activity.type.index());
                    if (other != m || state.length[q.index()].value() == 0) continue;
                    if (!most || behind > *most) right.clear();
                    if (!most || behind >= *most) right.insert(q), most = behind;
                }
            std::set<QueueId> answered;
            for (const Candidate& c : system.serve(state, m)) answered.insert(c.queue);
            RC_ASSERT(answered == right);
            RuleContext context{instance, system.layout(), system.decisions(), &plan, system.plan(), {}};
            for (const CheckedInt& n : state.memory) context.counters.emplace_back(Rational(n.value()));
            Lengths length;
            for (const CheckedInt& n : state.length) length.emplace_back(Rational(n.value()));
            for (const std::vector<QueueId>& some :
                 {std::vector<QueueId>{}, {QueueId(0)}, {QueueId(1)}, {QueueId(0), QueueId(1)}}) {
                std::vector<Candidate> chosen;
                for (const QueueId q : some) chosen.push_back({q, Level(0)});
                const auto forbidden = serving_forbids(context, length, m, chosen);
                const bool broken = std::any_of(forbidden.begin(), forbidden.end(), [](const auto& all) {
                    return std::all_of(all.begin(), all.end(), [](const auto& c) { return c.holds({}); });
                });
                RC_ASSERT(broken == (std::set<QueueId>(some.begin(), some.end()) != right));
            }
        }
    }));
}

/// At random valid states of random instances nothing is violated, whatever the options of the slot.
TEST(Invariants, HoldAtRandomStatesOfEveryPolicy) {
    for (const PolicyInfo& info : policies()) {
        const std::string id(info.id);
        if (id.starts_with("fluid")) continue;  // needs a plan
        EXPECT_TRUE(rc::check(id + ": invariants of the slot, and of the decisions where they are stated", [&] {
            const Instance instance = *oracle::small_instance(id, oracle::with_own_rates());
            const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, id), 9);
            const ExactSystem system(instance, make_policy(id, instance, {}));
            for (const char* name : slots) RC_ASSERT(invariant_violation(system, state, name).text == "");
            for (const char* name : decisions)
                if (not_stated(instance, system.layout(), system.decisions(), name).empty())
                    RC_ASSERT(invariant_violation(system, state, name).text == "");
        }));
    }
}

/// The witness of docs/models/queueing.md, Interpretation Q5: Pandas stays with its own queue although all of it is in
/// execution.
TEST(Invariants, PandasWastesASlotWhileATaskWaits) {
    const Instance instance = two_servers("4/5", "1/5", "1/2", "1/2");
    const ExactSystem system(instance, make_policy("pandas:plain", instance, {}));
    ExactState state = system.initial();
    state.length = {CheckedInt(1), CheckedInt(4)};
    state.serving[1] = {Service::Status::busy, Level(1), QueueId(0)};
    EXPECT_NE(invariant_violation(system, state, "serve-takes-waiting").text, "");
    EXPECT_EQ(invariant_violation(system, state, "serve-maximises").text, "");
    state.serving[1] = {};
    EXPECT_EQ(invariant_violation(system, state, "serve-takes-waiting").text, "");
}

/// A decision that breaks its rule is told with the answer, the expected one and the numbers compared.
TEST(Invariants, ABreachSaysWhatWasAnsweredAndWhatWasExpected) {
    const Instance instance = two_servers("4/5", "1/5", "1/2", "1/2");
    const ExactSystem pandas(instance, make_policy("pandas:plain", instance, {}));
    ExactState state = pandas.initial();
    state.length = {CheckedInt(1), CheckedInt(4)};
    state.serving[1] = {Service::Status::busy, Level(1), QueueId(0)};
    const InvariantViolation waits = invariant_violation(pandas, state, "serve-takes-waiting");
    EXPECT_EQ(waits.kind, "turns to another queue");
    EXPECT_EQ(waits.text, "idle s0 turns to s0, expected s1; compared: waiting tasks s0 = 0, s1 = 4");

    // The slot of one state offered as that of another.
    const ExactSystem jsq(instance, make_policy("jsq-maxweight", instance, {}));
    ExactState other = jsq.initial();
    other.length = {CheckedInt(5), CheckedInt(0)};
    const InvariantViolation lost = invariant_violation(jsq, other, jsq.moves(jsq.initial()), "tasks-balance");
    EXPECT_EQ(lost.kind, "tasks-balance");
    EXPECT_NE(lost.text.find("the queues go from (5, 0) to (0, 0)"), std::string::npos) << lost.text;
    EXPECT_NE(lost.text.find("; expected: the number of tasks changes by arrivals minus completions"),
              std::string::npos)
        << lost.text;
    EXPECT_EQ(invariant_violation(jsq, other, jsq.moves(other), "tasks-balance").text, "");
    std::vector<Move> fewer = jsq.moves(other);
    fewer.pop_back();
    EXPECT_NE(invariant_violation(jsq, other, fewer, "arrivals-mean").text.find("lambda 1;"), std::string::npos);
}

/// What a rule compares is told with its numbers, and nothing where it compares none.
TEST(Invariants, TheNumbersThatARuleComparesAreTold) {
    const Instance instance = two_servers("4/5", "1/5", "1/2", "1/2");
    const auto told = [&](std::string_view policy, const std::vector<int>& length) {
        const ExactSystem system(instance, make_policy(policy, instance, {}));
        ExactState state = system.initial();
        for (std::size_t q = 0; q < length.size(); ++q) state.length[q] = CheckedInt(length[q]);
        return std::pair(routing_compares(system, state, TaskTypeId(0)), serving_compares(system, state, ServerId(0)));
    };
    const auto [route, serve] = told("wang-jsq-maxweight", {5, 2, 3});
    EXPECT_EQ(route, "s0 = 5, common = 3");
    EXPECT_EQ(serve, "s0 = 4, common = 3/5");
    EXPECT_EQ(told("jsq-maxweight", {5, 2}).second, "s0 = 4, s1 = 2/5");
    EXPECT_EQ(told("jsq-maxweight", {5, 2}).first, "");  // one local server
    EXPECT_EQ(told("random-any", {5, 2}), std::pair(std::string(), std::string()));
    EXPECT_EQ(told("fifo", {5}), std::pair(std::string(), std::string()));
}

TEST(Invariants, AreNotStatedWhereThePapersAreSilent) {
    InstanceData data = two_servers("4/5", "1/5", "1/2", "1/2").data();
    data.options.counting = Counting::waiting;
    const Instance waiting(data);
    const ExactSystem system(waiting, make_policy("jsq-maxweight", waiting, {}));
    EXPECT_NE(not_stated(waiting, system.layout(), system.decisions(), "route-minimises"), "");
    EXPECT_EQ(not_stated(waiting, system.layout(), system.decisions(), "tasks-balance"), "");
    EXPECT_NE(not_stated(waiting, system.layout(), system.decisions(), "no-such-invariant"), "");
    EXPECT_THROW((void)invariant_violation(system, system.initial(), "route-minimises"), InputError);
    EXPECT_EQ(invariants().size(), 8U);
}

}  // namespace
}  // namespace schedproof::queueing
