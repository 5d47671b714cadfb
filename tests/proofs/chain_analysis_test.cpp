/// Exact chains in equilibrium: against closed forms, against elimination written here, and against mutants.
#include "proofs/queueing/chains/chain_analysis.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using testing_support::q;

ExactSystem system_of(const Instance& instance, const char* policy, Truncation truncation) {
    return ExactSystem(instance, make_policy(policy, instance, capacity::fluid_plan), truncation);
}

Chain small_chain(const ExactSystem& system) { return system.chain({20'000, {}}); }

/// pi by Gaussian elimination on (P^T - I) with the last equation replaced by sum pi = 1.
std::vector<Rational> eliminate(const markov::TransitionMatrix& matrix) {
    const std::size_t n = matrix.states();
    std::vector<std::vector<Rational>> a(n, std::vector<Rational>(n + 1));
    for (std::size_t s = 0; s < n; ++s) {
        for (const markov::Transition& move : matrix.row(s)) a[move.target][s] += move.probability;
        a[s][s] -= 1;
    }
    a[n - 1].assign(n + 1, Rational(1));
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        while (a[pivot][k].sign() == 0) ++pivot;
        std::swap(a[k], a[pivot]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k || a[i][k].sign() == 0) continue;
            const Rational factor = a[i][k] / a[k][k];
            for (std::size_t j = k; j <= n; ++j)
                if (a[k][j].sign() != 0) a[i][j] -= factor * a[k][j];
        }
    }
    std::vector<Rational> pi;
    for (std::size_t k = 0; k < n; ++k) pi.push_back(a[k][n] / a[k][k]);
    return pi;
}

TEST(ChainAnalysis, TheSingleServerQueueHasItsClosedForm) {
    // Up with u = lambda (1-alpha), down with d = (1-lambda) alpha; at the cap K arrivals are lost and down is alpha.
    const Instance instance = testing_support::one_server("3/5", "2/5");
    constexpr std::uint32_t cap = 5;
    const ExactSystem system = system_of(instance, "jsq-maxweight", {Truncation::Rule::total, cap});
    const Chain chain = small_chain(system);
    const ChainAnalysis analysis = analyse(system, chain);
    const Rational alpha = q("3/5"), lambda = q("2/5"), u = lambda * (Rational(1) - alpha),
                   d = (Rational(1) - lambda) * alpha;
    std::vector<Rational> pi{1};
    for (std::uint32_t n = 1; n < cap; ++n) pi.push_back(pi.back() * u / d);
    pi.push_back(pi.back() * u / alpha);
    Rational sum, mean;
    for (std::size_t n = 0; n <= cap; ++n) {
        sum += pi[n];
        mean += pi[n] * Rational(n);
    }
    EXPECT_EQ(analysis.means.tasks, mean / sum);
    EXPECT_EQ(analysis.means.blocked_rate, lambda * pi[cap] / sum);
    EXPECT_EQ(*analysis.means.delay, mean / sum / (lambda * (Rational(1) - pi[cap] / sum)));
}

TEST(ChainAnalysis, AgreesWithEliminationForEveryPolicy) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/3");
    for (const PolicyInfo& info : policies()) {
        if (info.id == "fluid-model-planning:deficit") continue;  // its deficits are unbounded: see below
        const ExactSystem system = system_of(instance, info.id.data(), {Truncation::Rule::total, 2});
        const Chain chain = small_chain(system);
        ASSERT_LT(chain.states.size(), 200U) << info.id;
        const ChainAnalysis analysis = analyse(system, chain);
        const std::vector<Rational> expected = eliminate(chain.matrix);
        for (std::size_t s = 0; s < expected.size(); ++s)
            ASSERT_EQ(analysis.law.probability(static_cast<markov::StateIndex>(s)), expected[s]) << info.id;
        EXPECT_FALSE(analysis.identities.empty());
    }
}

TEST(ChainAnalysis, ADeficitChainIsInfiniteAndSaysSo) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/3");
    const ExactSystem system = system_of(instance, "fluid-model-planning:deficit", {Truncation::Rule::total, 2});
    EXPECT_THROW((void)system.chain({2'000, {}}), LimitExceeded);
}

TEST(ChainAnalysis, SmallWangChainsHaveTheSpecifiedSizes) {
    // Two servers and at most two tasks in the system: 19 states with both types, 10 with one.
    const Instance both = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    EXPECT_EQ(small_chain(system_of(both, "wang-jsq-maxweight", {Truncation::Rule::total, 2})).states.size(), 19U);
    EXPECT_EQ(small_chain(system_of(both, "wang-jsq-maxweight", {Truncation::Rule::queue, 3})).states.size(), 374U);
}

TEST(ChainAnalysis, AWrongLawViolatesAnIdentity) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/3");
    const ExactSystem system = system_of(instance, "wang-jsq-maxweight", {Truncation::Rule::total, 2});
    const Chain chain = small_chain(system);
    const ChainAnalysis analysis = analyse(system, chain);
    for (std::size_t s = 0; s < chain.states.size(); ++s) {
        markov::Stationary wrong = analysis.law;
        wrong.weight[s] += 1;
        wrong.total += 1;
        bool noticed = false;
        for (const Identity& identity : identities(system, chain, wrong))
            noticed = noticed || identity.residual.sign() != 0;
        EXPECT_TRUE(noticed) << "state " << s;
    }
}

TEST(ChainAnalysis, ThroughputIsCountedByCompletionsNotByArrivals) {
    const Instance instance = testing_support::n2();
    const ExactSystem system = system_of(instance, "balanced-pandas", {Truncation::Rule::total, 2});
    const Chain chain = small_chain(system);
    const ChainAnalysis analysis = analyse(system, chain);
    EXPECT_EQ(analysis.means.throughput, analysis.means.arrival_rate - analysis.means.blocked_rate);
    Chain mutant = chain;
    mutant.completed[1] += Rational(1);
    EXPECT_THROW((void)analyse(system, mutant), OracleConflict);
}

/// Mean delay of the tasks that one server admits, at most `cap` in the system. Rate 1/2, an arrival in one slot of a
/// hundred.
Rational delay_of_one_server(const char* policy, std::uint32_t cap) {
    const Instance instance = testing_support::one_server("1/2", "1/100");
    const ExactSystem system = system_of(instance, policy, {Truncation::Rule::total, cap});
    return analyse(system, small_chain(system)).means.delay.value();
}

TEST(ChainAnalysis, AServerWithoutWorkStartsATaskInTheSlotInWhichItArrives) {
    // One task at a time. Started in the slot in which it arrives, it ends in that slot and in each later one with
    // probability 1/2, hence 1/(1/2) - 1 slots later on average. A server that turned to no queue starts it in the next
    // slot.
    EXPECT_EQ(delay_of_one_server("jsq-maxweight", 1), Rational(1));
    EXPECT_EQ(delay_of_one_server("balanced-pandas", 1), Rational(1));
    EXPECT_EQ(delay_of_one_server("balanced-pandas:idle", 1), Rational(2));
    // With room for tasks that wait: still that of JSQ-MaxWeight, and a slot more but for tasks that find others.
    EXPECT_EQ(delay_of_one_server("balanced-pandas", 5), delay_of_one_server("jsq-maxweight", 5));
    const Rational later = delay_of_one_server("balanced-pandas:idle", 5) - delay_of_one_server("balanced-pandas", 5);
    EXPECT_LT(later, Rational(1) + q("1/100"));
    EXPECT_GT(later, Rational(1) - q("1/100"));
}

}  // namespace
}  // namespace schedproof::queueing
