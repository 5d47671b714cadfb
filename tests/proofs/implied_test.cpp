/// What the answers of rules imply, against the exact kernel.
#include "proofs/queueing/theorems/summands/implied.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "model/core/errors.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/proofs/summand_support.hpp"

namespace schedproof::queueing {
namespace {

using namespace language;
using proof::LinearForm;

/// Of every answer at a state: whether each candidate is one that may be in it, and a case of what that implies holds.
bool is_implied(const Implied& rule, const Decision& answer, const std::vector<Rational>& point) {
    const std::vector<Candidate> candidates = rule.candidates();
    for (std::size_t i = 0; i < answer.size(); ++i) {
        if (answer[i].empty() && !(one_holds(rule.empty(), point) && one_holds(rule.declines(), point))) return false;
        for (const Candidate& c : answer[i])
            if (std::find(candidates.begin(), candidates.end(), c) == candidates.end() ||
                !one_holds(rule.contains(c), point))
                return false;
    }
    return true;
}

/// Whether premises hold for generated rules of the whole language at a random state, if they are told of so many tasks
/// in execution; nothing where a primitive is met that nothing is derived for.
std::optional<bool> is_implied_at_random(const std::function<std::uint32_t(std::uint32_t)>& told) {
    const Rules rules = *oracle::any_rules();
    const std::string like = oracle::policy_of_layout(rules);
    oracle::InstanceWish wish;
    wish.own_rates = !rules.names_rates_of_levels();
    const Instance instance = *oracle::small_instance(like, wish);
    const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, like), 6);
    const AnyPolicy policy = policy_with(rules);
    const Layout layout = policy.layout(instance);
    const Kernel<CheckedInt> kernel(instance, policy);
    std::vector<std::uint32_t> executing(layout.queues(), 0);
    for (const Service& s : state.serving)
        if (s.status == Service::Status::busy) ++executing[s.queue.index()];
    for (std::uint32_t& tasks : executing) tasks = told(tasks);
    try {
        bool holds = true;
        for (const TaskTypeId type : instance.types())
            holds = holds && is_implied({instance, layout, rules.route(), Asker::task(type), executing, nullptr},
                                        kernel.route(state, type), point_of(state));
        for (const ServerId m : instance.servers())
            holds = holds && is_implied({instance, layout, rules.serve(), Asker::idle(m), executing, nullptr},
                                        kernel.serve(state, m), point_of(state));
        return holds;
    } catch (const LimitExceeded&) {
        return std::nullopt;
    }
}

TEST(Implied, HoldsWhereverGeneratedRulesAnswer) {
    int derived = 0;
    EXPECT_TRUE(rc::check("premises hold", [&] {
        const auto holds = is_implied_at_random([](std::uint32_t tasks) { return tasks; });
        RC_ASSERT(holds.value_or(true));
        derived += holds ? 1 : 0;
    }));
    EXPECT_GT(derived, 50);
}

/// The comparison can fail.
TEST(Implied, IsNoticedToFailWhereTasksInExecutionAreForgotten) {
    int failed = 0;
    EXPECT_TRUE(rc::check("", [&] { failed += is_implied_at_random([](std::uint32_t) { return 0U; }) == false; }));
    EXPECT_GT(failed, 3);
}

/// The rules as the paper has them, with premises that are known.
TEST(Implied, SaysOfTheShortestQueueThatOthersAreAsLong) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    constexpr Rules rules{keep(Arrangement::per_server), route(argmin(servers, length)),
                          serve(first_of(argmax(nonempty(reachable), rate * length), own))};
    const AnyPolicy policy = policy_with(rules);
    const Layout layout = policy.layout(instance);
    const auto form = [](const char* constant, const char* first, const char* second) {
        LinearForm all{q(constant)};
        if (q(first).sign() != 0) all.append(0, q(first));
        if (q(second).sign() != 0) all.append(1, q(second));
        return all;
    };
    const Implied route(instance, layout, policy.rules().route(), Asker::task(TaskTypeId(0)), {1, 1}, nullptr);
    EXPECT_EQ(route.contains({QueueId(0), Level(0)}), (Cases{{form("0", "-1", "1")}}));
    const Implied serve(instance, layout, policy.rules().serve(), Asker::idle(ServerId(0)), {0, 1}, nullptr);
    // Its own queue is empty, so is the other but for the task that its server executes.
    const std::vector<Range> idle = common_ranges(serve.declines(), 2).value();
    EXPECT_EQ(idle[0].most, q("0"));
    EXPECT_EQ(idle[1].most, q("1"));
}

TEST(Implied, TakesDrawsOfARouteApart) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    constexpr Rules rules{keep(Arrangement::per_server),
                          route(mix(Ratio(1, 4), argmin(sample(1, servers), length), local)), serve(own)};
    const AnyPolicy policy = policy_with(rules);
    const Layout layout = policy.layout(instance);
    const Implied route(instance, layout, policy.rules().route(), Asker::task(TaskTypeId(0)), {1, 1}, nullptr);
    Rational sum(0), local_only(0);
    for (const auto& [p, outcome] : route.drawn()) {
        sum += p;
        if (outcome.candidates().size() == 1 && outcome.candidates().front().queue == QueueId(0)) local_only += p;
    }
    EXPECT_EQ(sum, q("1"));
    EXPECT_EQ(local_only, q("7/8"));
}

}  // namespace
}  // namespace schedproof::queueing
