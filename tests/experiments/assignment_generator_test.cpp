/// The paper's generator: ranges, shards that have the bytes of the whole, distinct replicas, and what it refuses.
#include "experiments/workload/assignment_generator.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <vector>

namespace schedproof::workload {
namespace {

AssignmentWorkload small() {
    AssignmentWorkload w;
    w.tasks = 500;
    w.servers = 20;
    w.cores = 4;
    w.alpha = Rational(10);
    w.ticks = 8;
    return w;
}

TEST(AssignmentGenerator, LoadsLieInTheirRangeAndReachIntoAllOfIt) {
    const auto problem = generate(small());
    assignment::validate(problem);
    CheckedInt largest_first(0), largest_last(0);
    for (const CoreId p : problem.shape->cores()) {
        const auto server = static_cast<std::int64_t>(problem.shape->server_of(p).index());
        EXPECT_GE(problem.load(p), CheckedInt(0));
        EXPECT_LE(problem.load(p), CheckedInt((10 * server + 100) * 8));
        CheckedInt& largest = server < 10 ? largest_first : largest_last;
        largest = std::max(largest, problem.load(p));
    }
    EXPECT_GT(largest_last, largest_first);
}

TEST(AssignmentGenerator, CostsRiseToTheNumberOfCores) {
    AssignmentWorkload w = small();
    w.theta = *Rational::parse("1/2");
    const auto g = generate(w).costs.at(0);
    EXPECT_EQ(g(1), CheckedInt(12));
    EXPECT_EQ(g(4), CheckedInt(24));
    EXPECT_EQ(g(100), CheckedInt(24));
}

TEST(AssignmentGenerator, ReplicasAreDistinctAndSpread) {
    const auto problem = generate(small());
    std::vector<int> tasks_on(20, 0);
    for (const TaskId t : problem.shape->tasks()) {
        EXPECT_EQ(problem.shape->replicas(t).size(), 3U);  // Shape refuses equal ones
        for (const ServerId s : problem.shape->replicas(t)) ++tasks_on[s.index()];
    }
    for (const int count : tasks_on) {
        EXPECT_GT(count, 40);  // 75 expected, standard deviation 8
        EXPECT_LT(count, 110);
    }
}

/// A core or task drawn alone, in any order, is the one of the whole; another size changes nothing of the others.
TEST(AssignmentGenerator, ShardsHaveTheBytesOfTheWhole) {
    const auto problem = generate(small());
    AssignmentWorkload larger = small();
    larger.tasks = 900;
    const AssignmentGenerator generator(small()), other(larger);
    std::vector<ServerId> servers;
    for (std::size_t t = 500; t-- > 0;) {
        other.replicas(TaskId(t), servers);
        const auto whole = problem.shape->replicas(TaskId(t));
        EXPECT_TRUE(std::equal(servers.begin(), servers.end(), whole.begin(), whole.end()));
    }
    for (std::size_t p = 80; p-- > 0;) EXPECT_EQ(generator.load(CoreId(p)), problem.load(CoreId(p)));
}

TEST(AssignmentGenerator, SeedsDiffer) {
    AssignmentWorkload w = small();
    const auto first = generate(w).initial;
    EXPECT_EQ(generate(w).initial, first);
    w.seed = 2;
    EXPECT_NE(generate(w).initial, first);
}

TEST(AssignmentGenerator, MeaninglessParametersAreRefused) {
    const auto refused = [](const std::function<void(AssignmentWorkload&)>& change) {
        AssignmentWorkload w = small();
        change(w);
        EXPECT_THROW((void)generate(w), InputError);
    };
    refused([](auto& w) { w.servers = 0; });
    refused([](auto& w) { w.cores = 0; });
    refused([](auto& w) { w.replicas = 0; });
    refused([](auto& w) { w.replicas = 21; });
    refused([](auto& w) { w.ticks = 0; });
    refused([](auto& w) { w.alpha = Rational(-1); });
    refused([](auto& w) { w.beta = Rational(-1); });
    refused([](auto& w) { w.theta = Rational(0); });
    refused([](auto& w) { w.theta = *Rational::parse("1/3"); });
    AssignmentWorkload w = small();
    w.beta = *Rational::parse("1e30");
    EXPECT_THROW((void)generate(w), LimitExceeded);
}

TEST(AssignmentGenerator, NoTasks) {
    AssignmentWorkload w = small();
    w.tasks = 0;
    EXPECT_EQ(generate(w).shape->tasks().size(), 0U);
}

}  // namespace
}  // namespace schedproof::workload
