/// `simulate --view-age`: what tasks see of the queues is old. Against a second simulation in slots, and against what
/// is known where nothing is ever seen.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "model/core/errors.hpp"
#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using testing_support::contains;

/// Three servers that end a task with probability 1/2; 0, 1 or 2 tasks with probabilities 1/5, 2/5 and 2/5, each
/// joining a shortest of the queues `age` slots ago. The mean number of tasks between two slots.
double second_simulation(std::size_t age, int slots) {
    std::mt19937 random(7);
    using Queues = std::array<int, 3>;
    Queues queues{};
    std::deque<Queues> past;  // the earliest first, this slot's last
    double sum = 0;
    for (int slot = 0; slot < slots; ++slot) {
        past.push_back(queues);
        if (past.size() > age + 1) past.pop_front();
        const Queues seen = past.size() == age + 1 ? past.front() : Queues{};
        const int draw = static_cast<int>(random() % 5);
        for (int task = 0; task < (draw == 0 ? 0 : draw < 3 ? 1 : 2); ++task) {
            std::vector<std::size_t> shortest;
            for (std::size_t m = 0; m < 3; ++m)
                if (seen[m] == *std::min_element(seen.begin(), seen.end())) shortest.push_back(m);
            ++queues[shortest[random() % shortest.size()]];
        }
        for (int& queue : queues)
            if (queue > 0 && random() % 2 == 0) --queue;
        sum += queues[0] + queues[1] + queues[2];
    }
    return sum / slots;
}

class ViewAge : public testing_support::CommandTest {
  protected:
    struct Mean {
        double mean, half_width;
    };
    [[nodiscard]] Mean tasks(const std::string& arguments) const {
        const auto answer =
            nlohmann::json::parse(good("simulate experiments/instances/" + arguments + " --format json"));
        for (const auto& quantity : answer["points"][0]["policies"][0]["quantities"])
            if (quantity["name"] == "tasks in system") return {quantity["mean"], quantity["half_width"]};
        throw ContractViolation("tasks in system are measured");
    }
};

TEST_F(ViewAge, IsThatOfASecondSimulation) {
    for (const std::size_t age : {std::size_t{1}, std::size_t{4}, std::size_t{25}}) {
        const Mean found = tasks(fmt::format(
            "three-alike.toml -p join-shortest-queue --view-age {} --horizon 300000 --replications 4", age));
        EXPECT_NEAR(found.mean, second_simulation(age, 2'000'000), 3 * found.half_width) << age;
        EXPECT_LT(found.half_width, 0.02 * found.mean) << age;
        // An age beside the one that is asked for is noticed.
        EXPECT_GT(std::abs(found.mean - second_simulation(age + (age + 1) / 2, 2'000'000)), 3 * found.half_width)
            << age;
    }
}

/// Whoever sees empty queues for ever joins any: each queue is M/M/1 at a load of 9/10, with nine tasks.
TEST_F(ViewAge, OfARunIsJoiningAnyQueue) {
    const Mean blind =
        tasks("mm2-jsq.toml -p join-shortest-queue --view-age 1000000 --horizon 400000 --replications 4");
    EXPECT_NEAR(blind.mean, 18, 3 * blind.half_width);
    const auto aged = [&](int age) {
        return tasks(
            fmt::format("mm2-jsq.toml -p join-shortest-queue --view-age {} --horizon 200000 --replications 4", age));
    };
    const Mean sharp = aged(0), late = aged(8), later = aged(30);
    EXPECT_GT(late.mean, sharp.mean + 3 * (late.half_width + sharp.half_width));
    // All who come see the same short queue: worse than to see none.
    EXPECT_GT(later.mean, blind.mean + 3 * (later.half_width + blind.half_width));
}

TEST_F(ViewAge, IsToldAndRefused) {
    expect_lines("simulate experiments/instances/three-alike.toml -p join-shortest-queue --view-age 3 --horizon 1000",
                 {"view       tasks see the queues of 3 slots ago", "engine     indexed"});
    const auto refuse = [&](const std::string& arguments, const std::string& words) {
        expect_refused("simulate experiments/instances/" + arguments + " --horizon 1000", words);
    };
    refuse("three-alike.toml -p join-shortest-queue --view-age 1/2", "--view-age: expected a whole number of slots");
    refuse("three-alike.toml -p join-shortest-queue --view-age -1", "--view-age");
    refuse("three-alike.toml -p join-shortest-queue --view-age 2 --tail 'P(tasks>9)'", "expected 0 with --tail");
    refuse("n-system-preemptive.toml -p docs/policies/shared-first.policy --view-age 2",
           "expected 0 where tasks may be interrupted");
}

}  // namespace
}  // namespace schedproof
