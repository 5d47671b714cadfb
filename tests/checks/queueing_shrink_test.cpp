/// Smaller counterexamples of the queueing family: they fail as the one that was found, and none of them is smaller
/// still.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "checks/core/run.hpp"
#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/queueing/mutants.hpp"
#include "checks/queueing/sampling.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "tests/checks/registered_claims.hpp"

namespace schedproof::checks {
namespace {

std::int64_t tasks(const ExactState& state) {
    std::int64_t sum = 0;
    for (const CheckedInt n : state.length) sum += n.value();
    return sum;
}

/// The first refutation of a claim for a policy on an instance.
Counterexample refutation(const QueueingClaim& c, const std::string& policy, const std::string& instance) {
    const auto trial = trial_of<QueueingFamily>(QueueingFamily::instance(instance), policy);
    for (const QueueingOracle& oracle : c.oracles) {
        Verdict verdict = consult(c, oracle, trial, {});
        if (auto* refuted = std::get_if<Refuted>(&verdict)) return refuted->counterexample;
    }
    ADD_FAILURE() << "nothing refutes " << c.id;
    return {};
}

const ClusterState& state_of(const Shrunk& shrunk) { return case_of<QueueingFamily>(shrunk.counterexample); }
Shrunk shrunk_of(const QueueingClaim& c, const Counterexample& found, std::optional<std::size_t> limit = {}) {
    return Claim(c).any->shrink(found, limit);
}

TEST(Shrinking, KeepsTheViolationAndIsDeterministic) {
    const QueueingClaim& c = queueing_claim("queueing.serve-takes-waiting");
    const Counterexample found = refutation(c, "pandas:rackaware", "m3-racks");
    const Shrunk once = shrunk_of(c, found), again = shrunk_of(c, found);
    EXPECT_EQ(state_of(once).state, state_of(again).state);
    EXPECT_EQ(write_toml(*state_of(once).instance), write_toml(*state_of(again).instance));
    EXPECT_EQ(once.tried, again.tried);
    // What is left has no smaller variant that fails: shrinking it once more takes none.
    EXPECT_TRUE(once.minimal);
    const Shrunk further = shrunk_of(c, once.counterexample);
    EXPECT_TRUE(further.minimal);
    EXPECT_EQ(state_of(further).state, state_of(once).state);
    EXPECT_EQ(write_toml(*state_of(further).instance), write_toml(*state_of(once).instance));
    EXPECT_FALSE(shrunk_of(c, found, once.tried - 1).minimal);
    EXPECT_NE(Claim(c).any->violation(once.counterexample), "");
    EXPECT_LE(state_of(once).instance->servers().size(), 2U);
    EXPECT_LE(tasks(state_of(once).state), 2);
}

TEST(Shrinking, ADriftCounterexampleStaysARay) {
    const QueueingClaim& c = queueing_claim("queueing.squares-drift-negative");
    const Shrunk shrunk = shrunk_of(c, refutation(c, "wang-jsq-maxweight", "m2-half"));
    const ClusterState& ray = state_of(shrunk);
    ASSERT_FALSE(ray.direction.empty());
    std::int64_t steps = 0;
    for (const std::int64_t step : ray.direction) steps += step;
    EXPECT_GE(steps, 1);
    EXPECT_LE(steps, 3);
    EXPECT_LE(tasks(ray.state), 3);
    EXPECT_EQ(c.outside(*all_states(ray.instance)), "");
}

/// A smaller state that fails in another way is another counterexample.
TEST(Shrinking, KeepsTheKindOfViolation) {
    QueueingClaim c = queueing_claim("queueing.tasks-balance");
    c.property = [](const System&, const ClusterState& at) -> Violation {
        if (at.state.length.size() < 2) return {};
        const std::int64_t first = at.state.length[0].value(), second = at.state.length[1].value();
        return first == second ? Violation("tie", "equal queues") : Violation("longer", "unequal queues");
    };
    const System start = registered(named_instance("m2-half"), "random-local");
    ExactState state = start.exact.initial();
    state.length = {CheckedInt(5), CheckedInt(3)};
    Counterexample found = counterexample<QueueingFamily>({start.instance, state}, "random-local");
    const Shrunk unequal = shrunk_of(c, found);
    EXPECT_EQ(unequal.counterexample.kind, "longer");
    EXPECT_EQ(tasks(state_of(unequal).state), 1);
    state.length = {CheckedInt(4), CheckedInt(4)};
    found = counterexample<QueueingFamily>({start.instance, state}, "random-local");
    EXPECT_EQ(shrunk_of(c, found).counterexample.kind, "tie");
}

/// JSQ that joins the longest queue breaks its rule in two ways.
TEST(Shrinking, JoiningTheLongerQueueIsNotDroppingATie) {
    const System longest = mutants::jsq_routes_to_longest(named_instance("m2-shared"));
    const auto property = queueing_claim("queueing.route-minimises").property;
    ExactState state = longest.exact.initial();
    state.length[0] = CheckedInt(2);
    const Violation joins = property(longest, {longest.instance, state});
    EXPECT_EQ(joins.kind, "joins another queue");
    EXPECT_EQ(joins.text, "type AB joins s0, expected s1; compared: s0 = 2, s1 = 0");
    state.length[0] = CheckedInt(0);
    const System lowest = mutants::jsq_drops_routing_ties(named_instance("m2-shared"));
    EXPECT_EQ(property(lowest, {lowest.instance, state}).kind, "drops a tie");
}

TEST(Shrinking, EndsAtItsBound) {
    const QueueingClaim& c = queueing_claim("queueing.squares-drift-negative");
    const Counterexample found = refutation(c, "pandas:plain", "m2-uneven");
    const Shrunk none = shrunk_of(c, found, 0);
    EXPECT_EQ(none.tried, 0U);
    EXPECT_FALSE(none.minimal);
    EXPECT_EQ(state_of(none).state, case_of<QueueingFamily>(found).state);
    EXPECT_LE(shrunk_of(c, found, 7).tried, 7U);
}

/// Violations that hold for other reasons, so that every way to shrink is taken.
TEST(Shrinking, ReachesTheSmallestOfASimpleProperty) {
    QueueingClaim c = queueing_claim("queueing.tasks-balance");
    c.property = [](const ExactSystem& system, const ClusterState& at) {
        return system.instance().total_arrival_rate().sign() > 0 && tasks(at.state) >= 1 ? std::string("a task") : "";
    };
    const System start = registered(named_instance("n2-pandas"), "jsq-maxweight");
    Settings settings;
    Sampler randomness = sampler(settings, 7);
    const ExactState state = random_state(start.exact, randomness, 1000);
    ASSERT_GE(tasks(state), 1);
    const Shrunk shrunk =
        shrunk_of(c, counterexample<QueueingFamily>({start.instance, state}, "jsq-maxweight", "a task"));
    EXPECT_EQ(state_of(shrunk).instance->servers().size(), 1U);
    EXPECT_EQ(state_of(shrunk).instance->types().size(), 1U);
    EXPECT_EQ(tasks(state_of(shrunk).state), 1);
    for (const queueing::Service& s : state_of(shrunk).state.serving)
        EXPECT_EQ(s.status, queueing::Service::Status::idle);
}

TEST(Shrinking, LeavesOutBatchesAndTypesInContinuousTime) {
    QueueingClaim c = queueing_claim("queueing.squares-drift-negative");
    c.property = [](const ExactSystem& system, const ClusterState&) {
        return system.instance().total_arrival_rate() * 4 >= Rational(1) ? std::string("a task comes") : "";
    };
    queueing::InstanceData data = named_instance("two-classes")->data();
    data.rates.assign(2, Rational(Integer(1), Integer(4)));
    data.batches.assign(2, {{2, Rational(Integer(1), Integer(2))}, {3, Rational(Integer(1), Integer(4))}});
    const auto instance = std::make_shared<const queueing::Instance>(std::move(data));
    const System start = registered(instance, "generalized-cmu");
    const Shrunk shrunk = shrunk_of(
        c, counterexample<QueueingFamily>({instance, start.exact.initial()}, "generalized-cmu", "a task comes"));
    EXPECT_EQ(state_of(shrunk).instance->types().size(), 1U);
    EXPECT_FALSE(state_of(shrunk).instance->batches());
    EXPECT_EQ(state_of(shrunk).instance->total_arrival_rate(), Rational(Integer(1), Integer(4)));
}

}  // namespace
}  // namespace schedproof::checks
