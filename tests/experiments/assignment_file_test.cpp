/// Instance files of the assignment family: round trips, the bundled examples, and every way to be wrong.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "model/assignment/codec/codec.hpp"
#include "model/core/errors.hpp"
#include "tests/experiments/assignment_generators.hpp"

namespace schedproof::input::assignment_files {
namespace {

using assignment::Instance;

const std::filesystem::path folder = std::filesystem::path(SCHEDPROOF_SOURCE_DIR) / "experiments/instances/assignment";

Rational q(int p, int d) { return Rational(p) / Rational(d); }

Instance toml(const std::string& text) { return assignment::parse_instance(text, base::Format::toml, "f"); }

RC_GTEST_PROP(AssignmentRoundTrip, WhatIsWrittenReadsBackEqual, ()) {
    const Instance instance = testing::random_assignment();
    const std::string as_toml = write_toml(instance), as_json = write_json(instance);
    const Instance from_toml = toml(as_toml), from_json = assignment::parse_instance(as_json, base::Format::json, "j");
    RC_ASSERT(from_toml == instance);
    RC_ASSERT(from_json == instance);
    RC_ASSERT(write_toml(from_json) == as_toml);
    RC_ASSERT(write_json(from_toml) == as_json);
}

RC_GTEST_PROP(AssignmentInstance, TicksAndRationalsAreTheSameProblem, ()) {
    const Instance instance = testing::random_assignment();
    const auto back = assignment::in_rationals(instance.ticks({q(1, 11)}));
    RC_ASSERT(back.initial == instance.problem().initial);
    RC_ASSERT(back.costs == instance.problem().costs);
    RC_ASSERT(instance.ticks({q(1, 11)}).local.value() % 11 == 0);
}

RC_GTEST_PROP(AssignmentCost, IsWhatItsFormulaSays, ()) {
    const assignment::Cost cost = testing::random_cost();
    const std::size_t tasks = *rc::gen::inRange<std::size_t>(1, 60);
    const auto g = function(cost, tasks);
    for (std::size_t n = 1; n <= tasks; ++n) {
        Rational expected;
        if (const auto* affine = std::get_if<assignment::AffineCost>(&cost)) {
            expected = 1 + affine->theta * Rational(affine->cap ? std::min<std::size_t>(n, *affine->cap) : n);
        } else if (const auto* table = std::get_if<assignment::TableCost>(&cost)) {
            const std::size_t listed = std::min(n, table->values.size());
            expected = table->values[listed - 1] + table->slope * Rational(n - listed);
        } else {
            for (const auto& step : std::get<assignment::StepCost>(cost).steps)
                if (step.from <= n) expected = step.cost;
        }
        RC_ASSERT(g(n) == expected);
    }
}

TEST(AssignmentCost, IsReadFromACommandLine) {
    using namespace assignment;
    EXPECT_EQ(parse_cost("affine:1/2")->cost, Cost(AffineCost{q(1, 2), {}}));
    EXPECT_EQ(parse_cost("capped:1,40")->cost, Cost(AffineCost{1, 40}));
    EXPECT_TRUE(parse_cost("capped:1")->cap_is_cores);
    EXPECT_EQ(parse_cost("table:1.5,2")->cost, Cost(TableCost{{q(3, 2), 2}, 0}));
    EXPECT_EQ(parse_cost("step:1=5/4,4=2")->cost, Cost(StepCost{{{1, q(5, 4)}, {4, 2}}}));
    const auto complaint = [](const char* text) { return parse_cost(text).error(); };
    EXPECT_EQ(complaint("tabel:2"),
              "expected affine:THETA, capped:THETA,CAP, table:COST,COST,... or step:FROM=COST,..., not 'tabel:2' (did "
              "you mean 'table'?)");
    EXPECT_EQ(complaint("affine:0"), "theta: expected a factor above 0, not 0");
    EXPECT_EQ(complaint("table:2,3/2"), "values[1]: expected costs that never fall, but 3/2 is below 2");
    EXPECT_EQ(complaint("step:1"), "expected steps FROM=COST, not '1'");
    EXPECT_EQ(complaint("step:2=3"), "steps[0].from: expected the first step from 1");
    EXPECT_EQ(complaint("capped:1,0"), "expected a number from 1 on, not '0'");
}

TEST(AssignmentExamples, ReadAndRoundTrip) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".toml") continue;
        ++count;
        const Instance instance = assignment::read_instance(entry.path().string());
        EXPECT_EQ(instance.name() + ".toml", entry.path().filename().string());
        EXPECT_FALSE(instance.source().empty()) << entry.path();
        EXPECT_EQ(toml(write_toml(instance)), instance) << entry.path();
        EXPECT_EQ(assignment::parse_instance(write_json(instance), base::Format::json, "j"), instance) << entry.path();
    }
    EXPECT_GE(count, 13U);
}

TEST(AssignmentExamples, TheWorkedExampleIsTableTwo) {
    const Instance instance = assignment::read_instance((folder / "dyndl-example.toml").string());
    EXPECT_EQ(instance.problem().initial,
              (std::vector<Rational>{q(3, 4), q(1, 2), q(1, 4), 2, q(9, 4), 14, q(5, 2), q(15, 4)}));
    EXPECT_EQ(instance.problem().cost(ServerId(3))(2), 2);
    EXPECT_EQ(instance.task_name(TaskId(4)), "t5");
    EXPECT_TRUE(instance.shape().is_local(TaskId(4), ServerId(3)));
    EXPECT_FALSE(instance.shape().is_local(TaskId(4), ServerId(1)));
    EXPECT_EQ(instance.ticks().local.value(), 4);
}

TEST(AssignmentFile, ShortFormsAreWrittenOut) {
    const Instance instance = toml(R"(
family = "assignment"
name = "short"
cost = {kind = "capped", theta = 1, cap = "cores"}
servers = {count = 3, cores = 2, load = "1/2"}
tasks = [["s2", "s0"], {count = 2, replicas = ["s1"]}]
)");
    EXPECT_EQ(instance.shape().cores().size(), 6U);
    EXPECT_EQ(instance.costs(), (std::vector<assignment::Cost>{assignment::AffineCost{1, 2}}));
    EXPECT_FALSE(instance.has_server_names());
    EXPECT_EQ(instance.task_name(TaskId(2)), "t2");
    EXPECT_EQ(instance.shape().replicas(TaskId(0))[0], ServerId(2));
}

/// A whole instance with one of its parts replaced; `cost` stands on line 3, `servers` on 4, `tasks` on 5.
struct Parts {
    std::string cost = "cost = {kind = 'affine', theta = 1}";
    std::string servers = "servers = [{name = 'a', loads = [1, 2]}, {name = 'b', loads = [0]}]";
    std::string tasks = "tasks = [['a'], ['b', 'a']]";
};

std::string complaint(const Parts& parts, const std::string& family = "family = 'assignment'") {
    try {
        static_cast<void>(
            toml(family + "\nname = 'x'\n" + parts.cost + "\n" + parts.servers + "\n" + parts.tasks + "\n"));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}
std::string of_cost(const std::string& value) { return complaint({.cost = "cost = " + value}); }
std::string of_servers(const std::string& value) { return complaint({.servers = "servers = " + value}); }
std::string of_tasks(const std::string& value) { return complaint({.tasks = "tasks = " + value}); }

TEST(AssignmentFileErrors, NameTheKindOfCost) {
    EXPECT_EQ(of_cost("{kind = 'stepp', steps = []}"),
              "f:3: cost.kind: expected affine, capped, table or step, not 'stepp' (did you mean 'step'?)");
    EXPECT_EQ(of_cost("{kind = 'affine', theta = 0}"), "f:3: cost.theta: expected a factor above 0, not 0");
    EXPECT_EQ(of_cost("{kind = 'table', values = [1]}"),
              "f:3: cost.values[0]: expected a cost above 1, which a local task costs, not 1");
    EXPECT_EQ(of_cost("{kind = 'table', values = [2, 3, '5/2']}"),
              "f:3: cost.values[2]: expected costs that never fall, but 5/2 is below 3");
    EXPECT_EQ(of_cost("{kind = 'table', values = []}"), "f:3: cost.values: expected at least one cost");
    EXPECT_EQ(of_cost("{kind = 'table', values = [2], slope = -1}"),
              "f:3: cost.slope: expected costs that never fall: a slope of at least 0");
    EXPECT_EQ(of_cost("{kind = 'step', steps = [{from = 2, cost = 3}]}"),
              "f:3: cost.steps[0].from: expected the first step from 1");
    EXPECT_EQ(of_cost("{kind = 'step', steps = [{from = 1, cost = 3}, {from = 4, cost = 2}]}"),
              "f:3: cost.steps[1].cost: expected costs that never fall, but 2 is below 3");
    EXPECT_EQ(of_cost("{kind = 'capped', theta = 1, cap = 'core'}"),
              "f:3: cost.cap: expected a number of tasks or \"cores\", not 'core'");
    EXPECT_EQ(of_cost("{kind = 'affine', thetta = 1}").substr(0, 75),
              "f:3: cost.thetta: expected a known key (did you mean 'theta'?); known here:");
    EXPECT_EQ(of_cost("{kind = 'table', values = [1.5]}").substr(0, 55),
              "f:3: cost.values[0]: expected an exact number: 1.5 is a");
    EXPECT_EQ(complaint({.cost = ""}),
              "f:4: servers[0]: expected a 'cost', here or for all servers at the top of the file");
}

TEST(AssignmentFileErrors, NameTheServer) {
    EXPECT_EQ(of_servers("[{name = 'a', loads = []}]"), "f:4: servers[0].loads: expected at least one core");
    EXPECT_EQ(of_servers("[{name = 'a', cores = 0}]"),
              "f:4: servers[0].cores: expected a number of cores, an integer from 1 to 5000000, not 0");
    EXPECT_EQ(of_servers("[{name = 'a', loads = [1, '-1/2']}]"),
              "f:4: servers[0].loads[1]: expected a load of at least 0, not -1/2");
    EXPECT_EQ(of_servers("[{name = 'a', loads = [1]}, {name = 'a', loads = [1]}]"),
              "f:4: servers[1]: expected different names, but 'a' stands twice");
    EXPECT_EQ(of_servers("[{name = 'a', loads = ['9223372036854775808']}]"),
              "f:4: servers[0].loads[0]: expected loads that fit 64-bit ticks: 9223372036854775808 does not");
    EXPECT_EQ(of_servers("[{name = 'a', loads = ['4611686018427387904', '1/3']}]"),
              "f:4: servers[0].loads[1]: expected loads that fit 64-bit ticks: with 1/3, ticks of 1/3 do not");
    EXPECT_EQ(of_servers("[{name = 'a'}]"),
              "f:4: servers[0]: expected the key 'loads': a list of initial loads, one for each core; or 'cores', "
              "their number");
    EXPECT_EQ(of_servers("[{name = 'a', loads = [1], cores = 1}]"),
              "f:4: servers[0].loads: expected either 'loads' or 'cores' with 'load', not both");
    EXPECT_EQ(of_servers("[]"), "f:4: servers: expected at least one server");
    EXPECT_EQ(of_servers("[{name = 'a', load = [1]}]").substr(0, 20), "f:4: servers[0]: exp");
    EXPECT_EQ(of_servers("{count = 2000000, cores = 5000000}"), "f:4: servers: expected at most 5000000 cores in all");
}

TEST(AssignmentFileErrors, NameTheTask) {
    EXPECT_EQ(of_tasks("[['a'], []]"), "f:5: tasks[1]: expected at least one replica");
    EXPECT_EQ(of_tasks("[['a'], {replicas = ['aa']}]"),
              "f:5: tasks[1].replicas[0]: expected a known server, not 'aa' (did you mean 'a'?)");
    EXPECT_EQ(of_tasks("[['a', 'b', 'a']]"), "f:5: tasks[0][2]: expected each server once, but 'a' stands twice");
    EXPECT_EQ(of_tasks("[{name = 'x', replicas = ['a']}, {name = 'x', replicas = ['b']}]"),
              "f:5: tasks[1]: expected different names, but 'x' stands twice");
    EXPECT_EQ(of_tasks("[{replicas = ['a'], job = 'j'}, {replicas = ['a']}]"),
              "f:5: tasks: expected a 'job' of every task or of none");
    EXPECT_EQ(of_tasks("[{replicas = ['a'], job = 'j'}, {replicas = ['a'], job = 'k'}, {replicas = ['a'], job = 'j'}]"),
              "f:5: tasks[2].job: expected the tasks of a job together, but 'j' is taken up again");
    EXPECT_EQ(of_tasks("[3]"),
              "f:5: tasks[0]: expected a task: a list of servers, or a table with name and replicas, not 3");
}

TEST(AssignmentFileErrors, NameTheFamily) {
    EXPECT_EQ(complaint({}, "family = 'queueing'"), "f:1: family: expected the family \"assignment\", not 'queueing'");
}

}  // namespace
}  // namespace schedproof::input::assignment_files
