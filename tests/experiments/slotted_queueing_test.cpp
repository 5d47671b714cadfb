/// The simulator in slots against the kernel: the same answers of the policies, the same law after some slots.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "experiments/simulators/slotted/simplified_rule.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "policies/queueing/join_shortest_queue.hpp"
#include "tests/experiments/queueing_laws.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/planner.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::simulation {
namespace {

using queueing::Candidate;
using queueing::Instance;

std::vector<Candidate> tied(const IndexedView& view, const TiedSet& drawn) {
    std::vector<Candidate> list;
    view.for_each_tied(drawn, [&](const Candidate& c) { list.push_back(c); });
    std::sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) {
        return std::tie(a.queue, a.level) < std::tie(b.queue, b.level);
    });
    return list;
}

std::vector<Candidate> tied(const queueing::Ties& ties) {
    std::vector<Candidate> list(ties.begin(), ties.end());
    std::sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) {
        return std::tie(a.queue, a.level) < std::tie(b.queue, b.level);
    });
    return list;
}

/// Queues that grow and shrink at random, seen both ways.
class Twin {
  public:
    Twin(const SimulatedSystem& system, const queueing::Layout& layout, const queueing::AnyPolicy& policy)
        : layout_(layout),
          counts_(layout.queues()),
          length_(layout.queues(), CheckedInt(0)),
          in_service_(layout.queues(), 0),
          memory_(policy.deficit_counters().size(), CheckedInt(0)),
          weights_(*system.instance),
          exact(*system.instance, layout_, weights_, length_, in_service_, memory_, policy.plan()),
          indexed(system, layout_, counts_, Moment::start_of_slot, policy.plan()) {}

    /// One task more or less in the queue, or in execution there, of which the indexes hear if `tell`.
    void change(std::size_t q, int what, bool tell = true) {
        QueueCounts& counts = counts_[q];
        if (what == 0) ++counts.settled();
        if (what == 1 && counts.settled() > counts.in_service) --counts.settled();
        if (what == 2 && counts.settled() > counts.in_service) ++counts.in_service;
        if (what == 3 && counts.in_service > 0) --counts.in_service;
        length_[q] = CheckedInt(counts.settled());
        in_service_[q] = counts.in_service;
        if (tell) indexed.changed(QueueId(q));
    }

  private:
    const queueing::Layout& layout_;
    std::vector<QueueCounts> counts_;
    queueing::Vector<CheckedInt> length_;
    queueing::Vector<std::uint32_t> in_service_;
    std::vector<CheckedInt> memory_;
    queueing::Weights<CheckedInt> weights_;

  public:
    queueing::View<CheckedInt> exact;
    IndexedView indexed;
};

/// Both answers of one question: the same tied set, from which one candidate is drawn. A rule with draws of its own may
/// give any of the sets that the exact view knows.
template <class Ask>
void same_answer(const Twin& twin, const queueing::Decision& exact, Ask&& ask, statistics::Stream& stream) {
    const auto is_known = [&](const std::vector<Candidate>& seen) {
        for (std::size_t i = 0; i < exact.size(); ++i)
            if (tied(exact[i]) == seen) return true;
        return false;
    };
    const TiedSet drawn = ask();
    const std::vector<Candidate> seen = tied(twin.indexed, drawn);
    RC_ASSERT(drawn.size() == seen.size());
    RC_ASSERT(is_known(seen));
    const TiedSet again = ask();
    if (again.empty()) return;
    const Candidate one = twin.indexed.draw(again, stream);
    const std::vector<Candidate> all = candidates(exact);
    RC_ASSERT(std::find(all.begin(), all.end(), one) != all.end());
}

void answers_agree(const SimulatedSystem& system, const queueing::AnyPolicy& policy) {
    const Instance& instance = *system.instance;
    const queueing::Layout layout = policy.layout(instance);
    const IndexedRules asked(system, policy);
    Twin twin(system, layout, policy);
    statistics::Stream stream({*rc::gen::arbitrary<std::uint64_t>(), 0}, "test");
    for (int i = 0; i < 12; ++i) {
        const auto queue = *rc::gen::inRange<std::size_t>(0, layout.queues());
        const auto times = *rc::gen::inRange(1, 3);
        const auto what = *rc::gen::inRange(0, 4);
        for (int k = 0; k < times; ++k) twin.change(queue, what);
        using queueing::language::Asker;
        for (const TaskTypeId type : instance.types())
            same_answer(
                twin, decide(policy.rules().route(), twin.exact, Asker::task(type)),
                [&] { return asked.route(twin.indexed, type, stream); }, stream);
        for (const ServerId m : instance.servers())
            same_answer(
                twin, decide(policy.rules().serve(), twin.exact, Asker::idle(m)),
                [&] { return asked.serve(twin.indexed, m, stream); }, stream);
    }
}

class SlottedPolicy : public testing::TestWithParam<std::string> {};

TEST_P(SlottedPolicy, TheIndexAnswersWithThePolicysOwnTiedSet) {
    const std::string id = GetParam();
    EXPECT_TRUE(rc::check(id + ": index and scan give the same tied candidates, and a draw is one of them", [&] {
        const auto instance = std::make_shared<const Instance>(*oracle::small_instance(id, oracle::with_own_rates()));
        const auto plan = *oracle::plan_for(id, *instance);
        const auto policy = queueing::make_policy(id, *instance, testing_support::planner_of(plan));
        answers_agree(SimulatedSystem{instance}, policy);
    }));
}

/// Three types on more servers than are scanned, whose orders of lengths share queues.
TEST(SlottedPolicyOnManyReplicas, QueuesStandInSeveralOrders) {
    queueing::InstanceData data;
    data.name = "overlapping";
    data.levels = {{"local", Rational(1)}, {"remote", Rational(Integer(1), Integer(2))}};
    data.types = {{"low", {}}, {"high", {}}, {"any", {}}};
    for (std::size_t m = 0; m < 30; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        if (m < 20) data.types[0].replicas.emplace_back(m);
        if (m >= 10) data.types[1].replicas.emplace_back(m);
        data.types[2].replicas.emplace_back(m);
    }
    data.rates = {Rational(1), Rational(1), Rational(1)};
    const SimulatedSystem system{std::make_shared<const Instance>(std::move(data))};
    EXPECT_TRUE(rc::check("orders that share queues give the tied candidates of a scan",
                          [&] { answers_agree(system, queueing::JoinShortestQueue{}); }));
}

/// Twenty servers in racks of five, three types on some of them and one on all.
SimulatedSystem twenty_servers(queueing::Counting counting, queueing::EmptyTarget empty) {
    queueing::InstanceData data;
    data.name = "twenty";
    data.levels = {{"local", Rational(1)},
                   {"rack", Rational(Integer(2), Integer(3))},
                   {"remote", Rational(Integer(1), Integer(2))}};
    data.types = {{"low", {}}, {"few", {ServerId(3), ServerId(4), ServerId(11)}}, {"any", {}}};
    for (std::size_t m = 0; m < 20; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {"r" + std::to_string(m / 5)}});
        if (m < 8) data.types[0].replicas.emplace_back(m);
        data.types[2].replicas.emplace_back(m);
    }
    data.rates = {Rational(1), Rational(1), Rational(1)};
    data.options.counting = counting;
    data.options.empty_target = empty;
    return {std::make_shared<const Instance>(std::move(data))};
}

bool draws(const queueing::Rules& rules) {
    return queueing::language::is_random(rules.route()) || queueing::language::is_random(rules.serve());
}

TEST(GeneratedQuestions, HaveTheTiedSetsOfAScan) {
    int indexed = 0;
    EXPECT_TRUE(rc::check("rules made of questions, on few servers and on many", [&] {
        const queueing::Rules rules = *oracle::any_rules();
        const queueing::AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
        const SimulatedSystem few{std::make_shared<const Instance>(
            *oracle::small_instance(oracle::policy_of_layout(rules), {{{}, {}, 3}, !rules.names_rates_of_levels()}))};
        answers_agree(few, policy);
        if (draws(rules)) return;
        const SimulatedSystem many =
            twenty_servers(*rc::gen::element(queueing::Counting::in_system, queueing::Counting::waiting),
                           *rc::gen::element(queueing::EmptyTarget::wasted, queueing::EmptyTarget::conserved));
        answers_agree(many, policy);
        const std::string plan = QuestionPlan(*many.instance, policy).text();
        indexed += plan.find("tournament") != std::string::npos || plan.find("order") != std::string::npos ||
                   plan.find("sum") != std::string::npos;
    }));
    EXPECT_GT(indexed, 20);
}

/// What makes no difference is left out of a rule before its questions are looked for.
TEST(GeneratedQuestions, AreThoseOfTheRuleAsItIsWritten) {
    int shorter = 0;
    EXPECT_TRUE(rc::check("a simplified rule decides as the rule", [&] {
        const queueing::Rules rules = *oracle::any_rules();
        const queueing::AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
        const SimulatedSystem system{std::make_shared<const Instance>(
            *oracle::small_instance(oracle::policy_of_layout(rules), {{{}, {}, 3}, !rules.names_rates_of_levels()}))};
        const queueing::Layout layout = policy.layout(*system.instance);
        Twin twin(system, layout, policy);
        using queueing::language::Asker;
        for (int i = 0; i < 8; ++i) {
            twin.change(*rc::gen::inRange<std::size_t>(0, layout.queues()), *rc::gen::inRange(0, 4));
            for (const TaskTypeId type : system.instance->types())
                RC_ASSERT(decide(rules.route(), twin.exact, Asker::task(type)) ==
                          decide(simplified(rules.route()), twin.exact, Asker::task(type)));
            for (const ServerId m : system.instance->servers())
                RC_ASSERT(decide(rules.serve(), twin.exact, Asker::idle(m)) ==
                          decide(simplified(rules.serve()), twin.exact, Asker::idle(m)));
        }
        shorter += simplified(rules.serve()).size() < rules.serve().size() ||
                   simplified(rules.route()).size() < rules.route().size();
    }));
    EXPECT_GT(shorter, 20);
}

TEST(SimplifiedRules, AreWhatTheSameRuleIsInOtherWords) {
    using namespace queueing::language;
    constexpr Expression shared = queueing::language::common;
    constexpr Expression heaviest = argmax(nonempty(reachable), rate * length);
    const auto same = [](const Expression& written, const Expression& simple) {
        return simplified(written.tree) == simple.tree;
    };
    EXPECT_TRUE(same(first_of(heaviest, heaviest, own), first_of(heaviest, own)));
    EXPECT_TRUE(same(first_of(heaviest, heaviest), heaviest));
    EXPECT_TRUE(same(first_of(argmin(local, length), shared), argmin(local, length)));
    EXPECT_TRUE(same(where(argmin(local, length), length >= tasks(0)), argmin(local, length)));
    EXPECT_TRUE(
        same(first_of(where(heaviest, !(length < tasks(2))), own), first_of(where(heaviest, length >= tasks(2)), own)));
    EXPECT_TRUE(same(when(!(least(own, length) <= least(own, servable)), own, own_levels),
                     when(least(own, servable) < least(own, length), own, own_levels)));
    // What draws may be empty the first time and not the second; a test that may fail stays.
    const Expression drawn = nonempty(best(1, reachable, distance));
    EXPECT_TRUE(same(first_of(drawn, drawn, own), first_of(drawn, drawn, own)));
    EXPECT_FALSE(same(where(argmin(local, length), length >= tasks(1)), argmin(local, length)));
    EXPECT_FALSE(same(where(argmin(local, length), length > tasks(0)), argmin(local, length)));
}

// ---- mutants ----

/// Whether some answer of `asked` is not what `policy` decides, while queues change at random, of which the indexes
/// hear if `told`.
bool some_answer_differs(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                         const queueing::AnyPolicy& asked, bool told) {
    const queueing::Layout layout = policy.layout(*system.instance);
    const IndexedRules rules(system, asked);
    Twin twin(system, layout, policy);
    statistics::Stream stream({1, 0}, "test"), choices({2, 0}, "test");
    bool differs = false;
    for (int i = 0; i < 60; ++i) {
        for (const ServerId m : system.instance->servers())
            differs |= tied(twin.indexed, rules.serve(twin.indexed, m, stream)) !=
                       tied(decide(policy.rules().serve(), twin.exact, queueing::language::Asker::idle(m))[0]);
        for (const TaskTypeId type : system.instance->types())
            differs |= tied(twin.indexed, rules.route(twin.indexed, type, stream)) !=
                       tied(decide(policy.rules().route(), twin.exact, queueing::language::Asker::task(type))[0]);
        // One after the other: in which order arguments are evaluated is left to the compiler.
        const auto by = static_cast<int>(choices.below(2));
        twin.change(static_cast<std::size_t>(choices.below(layout.queues())), by, told);
    }
    return differs;
}

TEST(IndexMutants, AnIndexThatIsNotToldOfAChangeIsFound) {
    using namespace queueing::language;
    using queueing::Arrangement;
    const SimulatedSystem system = twenty_servers(queueing::Counting::in_system, queueing::EmptyTarget::wasted);
    const auto heaviest = argmax(nonempty(reachable), rate * length);
    const auto cost = argmax(nonempty(reachable), rate * marginal_cost);
    const Expression mine = own;
    const std::vector<queueing::Rules> all{
        {keep(Arrangement::per_server), route(argmin(local, length)), serve(mine)},
        {keep(Arrangement::per_server), route(argmin(servers, length)), serve(mine)},
        {keep(Arrangement::per_server), route(argmax(servers, length)), serve(mine)},
        {keep(Arrangement::per_server), route(when(mean(servers, length) > tasks(1), local, servers)), serve(mine)},
        {keep(Arrangement::per_server), route(local), serve(first_of(heaviest, own))},
        {keep(Arrangement::per_server), route(local), serve(argmax(nonempty(reachable), length))},
        {keep(Arrangement::per_server_and_level), route(argmin(servers, server_workload / rate)), serve(mine)},
        {keep(Arrangement::per_server_and_level), route(argmin(servers, server_length)), serve(mine)},
        {keep(Arrangement::per_type), route(own_type), serve(cost)}};
    for (const queueing::Rules& rules : all) {
        SCOPED_TRACE(to_string(rules));
        const queueing::AnyPolicy policy({"mutant", "test", "not told"}, rules);
        EXPECT_FALSE(some_answer_differs(system, policy, policy, true));
        EXPECT_TRUE(some_answer_differs(system, policy, policy, false));
    }
}

TEST(IndexMutants, AWrongKeyIsFound) {
    using namespace queueing::language;
    using queueing::Arrangement;
    const SimulatedSystem system = twenty_servers(queueing::Counting::in_system, queueing::EmptyTarget::wasted);
    const auto served = [](const Expression& set) {
        return queueing::AnyPolicy({"mutant", "test", "key"},
                                   queueing::Rules{keep(Arrangement::per_server), route(local), serve(set)});
    };
    const auto longest = argmax(nonempty(reachable), length), heaviest = argmax(nonempty(reachable), rate * length);
    EXPECT_TRUE(some_answer_differs(system, served(longest), served(heaviest), true));
    EXPECT_TRUE(some_answer_differs(system, served(where(heaviest, length > tasks(2))),
                                    served(where(heaviest, length > tasks(3))), true));
}

SeenLengths simulated_lengths(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                              const queueing::Truncation& truncation, int slots, std::uint64_t runs,
                              const StartState& start = {}) {
    SeenLengths seen;
    for (std::uint64_t r = 0; r < runs; ++r) {
        // With and without delays, and servers asked by groups that would be woken.
        SlottedRun<> run(system, policy, {100, 1, r % 2 == 0, truncation, start}, {7, r},
                         {20'000, r % 4 < 2 ? 0U : 16U});
        for (int t = 0; t < slots; ++t) run.step();
        ++seen[lengths_of(run)];
    }
    return seen;
}

/// With every case of the property, one more random instance and choice of options is compared. A p-value below the
/// bound would come by chance in one of ten million cases.
TEST_P(SlottedPolicy, TheLawAfterSomeSlotsIsTheKernels) {
    const std::string id = GetParam();
    EXPECT_TRUE(rc::check(id + ": queue lengths after some slots follow the exact law", [&] {
        const auto instance = std::make_shared<const Instance>(*oracle::small_instance(id, oracle::with_own_rates()));
        const auto plan = *oracle::plan_for(id, *instance);
        const auto truncation = *oracle::any_truncation();
        const auto policy = queueing::make_policy(id, *instance, testing_support::planner_of(plan));
        const queueing::ExactSystem exact(*instance, policy, truncation);
        const int slots = *rc::gen::inRange(1, 4);
        constexpr std::uint64_t runs = 400;
        const auto expected = exact_lengths(exact, slots);
        const SeenLengths seen = simulated_lengths(SimulatedSystem{instance}, policy, truncation, slots, runs);
        RC_ASSERT(fit(expected, seen, static_cast<double>(runs)) > 1e-7);
    }));
}

/// The same from any state: servers that execute tasks of any queue that they serve, phantoms, lists, counters. One
/// slot tells little of who executes what, so some runs go on.
TEST_P(SlottedPolicy, TheLawFromAGivenStateIsTheKernels) {
    const std::string id = GetParam();
    EXPECT_TRUE(rc::check(id + ": queue lengths after some slots from a state follow the exact law", [&] {
        const auto instance = std::make_shared<const Instance>(*oracle::small_instance(id, oracle::with_own_rates()));
        const auto plan = *oracle::plan_for(id, *instance);
        const auto policy = queueing::make_policy(id, *instance, testing_support::planner_of(plan));
        const queueing::ExactSystem exact(*instance, policy);
        const queueing::ExactState start = *oracle::valid_state(*instance, oracle::queue_shape(*instance, id, plan), 3);
        const int slots = *rc::gen::inRange(1, 3);
        constexpr std::uint64_t runs = 400;
        const auto expected = exact_lengths(exact, slots, start);
        const auto seen = simulated_lengths(SimulatedSystem{instance}, policy, {}, slots, runs,
                                            std::make_shared<const queueing::ExactState>(start));
        RC_ASSERT(fit(expected, seen, static_cast<double>(runs)) > 1e-7);
    }));
}

INSTANTIATE_TEST_SUITE_P(Policies, SlottedPolicy, testing::ValuesIn(oracle::policy_ids()),
                         testing_support::named_by_id);

}  // namespace
}  // namespace schedproof::simulation
