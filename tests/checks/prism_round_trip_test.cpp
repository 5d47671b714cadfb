#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "checks/pictures/state_label.hpp"
#include "checks/prism/prism.hpp"
#include "model/base/output_file.hpp"
#include "tests/checks/graph_systems.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::graph {
namespace {

namespace fs = std::filesystem;
using queueing::Chain;
using queueing::ExactState;
using testing::Cluster;

template <class Write>
std::string text_of(Write&& write) {
    std::ostringstream out;
    write(out);
    return out.str();
}

bool same(const markov::TransitionMatrix& a, const markov::TransitionMatrix& b) {
    if (a.states() != b.states() || a.transitions() != b.transitions()) return false;
    for (std::size_t s = 0; s < a.states(); ++s) {
        const auto x = a.row(s), y = b.row(s);
        if (!std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& p, const auto& q) {
                return p.target == q.target && p.probability == q.probability;
            }))
            return false;
    }
    return true;
}

class PrismFilesTest : public ::testing::Test {
  protected:
    testing_support::TemporaryDirectory own_;
    const fs::path directory_ = own_.path();
};

TEST_F(PrismFilesTest, EveryPolicysChainComesBackExactly) {
    for (const std::string_view name : testing::plan_free_policies) {
        const Cluster cluster(name, 3);
        const Chain chain = cluster.system().chain();
        const PrismModel written = prism_model(cluster.system(), chain);
        const PrismModel read = read_prism(write_prism(written, (directory_ / "chain").string()));
        EXPECT_TRUE(same(read.matrix, chain.matrix)) << name;
        EXPECT_EQ(read.variables, written.variables);
        EXPECT_EQ(read.values, written.values);
        EXPECT_EQ(read.labels, written.labels);
        EXPECT_EQ(read.rewards, written.rewards);
        EXPECT_EQ(read.rewards[1].value, chain.completed);
        EXPECT_EQ(read.rewards[2].value, chain.blocked);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(directory_), fs::directory_iterator()), 6);
}

TEST_F(PrismFilesTest, AnErrorLeavesNoFileOfTheSet) {
    const Cluster cluster("fifo", 1);
    const PrismModel model = prism_model(cluster.system(), cluster.system().chain());
    fs::create_directory(directory_ / "x3.srew");
    EXPECT_THROW((void)write_prism(model, (directory_ / "x").string()), InputError);
    EXPECT_EQ(std::distance(fs::directory_iterator(directory_), fs::directory_iterator()), 1);
    EXPECT_THROW((void)write_prism(model, (directory_ / "no" / "x").string()), InputError);
    EXPECT_THROW((void)read_prism(PrismFiles::of_stem((directory_ / "x").string(), 0)), InputError);
}

TEST_F(PrismFilesTest, MissingPartsMayBeSkipped) {
    base::write_file((directory_ / "x.tra").string(), "1 1\n0 0 1\n");
    const PrismModel model = read_prism({(directory_ / "x.tra").string(), "", "", {}});
    EXPECT_EQ(model.matrix.states(), 1u);
    EXPECT_TRUE(model.variables.empty() && model.labels.empty() && model.rewards.empty());
}

/// The chain of two servers in continuous time, and what its file says of rates.
TEST_F(PrismFilesTest, AChainInContinuousTimeComesBackByItsRates) {
    auto data = testing::two_server_data();
    data.time = queueing::ContinuousTime{};
    data.arrivals.reset();
    data.rates.assign(data.types.size(), Rational(Integer(1), Integer(2)));
    for (const auto& [preemptive, batches] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
        data.batches.clear();
        if (batches) data.batches.assign(data.types.size(), {{2, Rational(Integer(1), Integer(3))}});
        data.options.preemption = preemptive ? queueing::Preemption::resume : queueing::Preemption::none;
        const Cluster cluster("join-shortest-queue", 3, data);
        const Chain chain = cluster.system().chain();
        const PrismModel written = prism_model(cluster.system(), chain);
        const PrismFiles files = write_prism(written, (directory_ / "chain").string());
        ASSERT_TRUE(files.rates);
        const PrismModel read = read_prism(files);
        EXPECT_TRUE(same(read.matrix, chain.matrix));
        EXPECT_EQ(read.event_rate, cluster.system().instance().event_rate());
        EXPECT_EQ(read.rewards, written.rewards);
        const auto text = [](const PrismModel& of) {
            return text_of([&](auto& out) { write_tra(out, of.matrix, of.event_rate); });
        };
        EXPECT_EQ(text(read), text(written));
        for (std::size_t s = 0; s < chain.states.size(); ++s)
            EXPECT_EQ(written.rewards[1].value[s], *written.event_rate * chain.completed[s]);
        const bool tells = std::any_of(written.labels.begin(), written.labels.end(),
                                       [](const PrismLabel& label) { return label.name == "all_busy"; });
        EXPECT_NE(tells, preemptive);
    }
}

/// Rates as another tool may write them: without loops, one state slower than the other.
TEST(PrismText, RatesAreMadeUniform) {
    const PrismRates chain = parse_rates("2 2\n0 1 3\n1 0 1/2\n", "x");
    EXPECT_EQ(chain.event_rate, Rational(3));
    EXPECT_EQ(chain.matrix.row(0).size(), 1U);
    EXPECT_EQ(chain.matrix.row(1)[0].probability, Rational(Integer(1), Integer(6)));
    EXPECT_EQ(chain.matrix.row(1)[1].probability, Rational(Integer(5), Integer(6)));
    EXPECT_THROW(static_cast<void>(parse_rates("4000000000 1\n0 0 1\n", "x")), InputError);
    EXPECT_THROW(static_cast<void>(parse_rates("1 1\n0 0 0\n", "x")), InputError);
    EXPECT_THROW(static_cast<void>(parse_rates("1 1\n0 0 -1\n", "x")), InputError);
}

TEST(PrismText, IsWhatTheManualSays) {
    PrismModel model;
    model.matrix.append_row({{0, Rational(Integer(1), Integer(3))}, {1, Rational(Integer(2), Integer(3))}});
    model.matrix.append_row({{0, Rational(1)}});
    model.variables = {"q_s0", "f_s0"};
    model.values = {{0, 0}, {1, -1}};
    model.labels = {{"init", {0}}, {"deadlock", {}}, {"empty", {0}}, {"blocking", {1}}};
    model.rewards = {{"tasks", {Rational(0), Rational(Integer(1), Integer(2))}}};
    EXPECT_EQ(text_of([&](auto& out) { write_tra(out, model.matrix); }), "2 3\n0 0 1/3\n0 1 2/3\n1 0 1\n");
    EXPECT_EQ(text_of([&](auto& out) { write_sta(out, model); }), "(q_s0,f_s0)\n0:(0,0)\n1:(1,-1)\n");
    EXPECT_EQ(text_of([&](auto& out) { write_lab(out, model); }),
              "0=\"init\" 1=\"deadlock\" 2=\"empty\" 3=\"blocking\"\n0: 0 2\n1: 3\n");
    EXPECT_EQ(text_of([&](auto& out) { write_srew(out, model.rewards[0]); }),
              "# Reward structure \"tasks\"\n# State rewards\n2 1\n1 1/2\n");
}

void expect_distinct_values(std::string_view policy, queueing::InstanceData data) {
    const Cluster cluster(policy, 3, std::move(data));
    const PrismModel model = prism_model(cluster.system(), cluster.system().chain());
    const std::set<std::vector<std::int32_t>> distinct(model.values.begin(), model.values.end());
    EXPECT_EQ(distinct.size(), model.values.size()) << policy;
    for (const auto& value : model.values) EXPECT_EQ(value.size(), model.variables.size());
}

TEST(PrismModel, TellsAllStatesApart) {
    for (const std::string_view name : testing::plan_free_policies)
        expect_distinct_values(name, testing::two_server_data());
    auto data = testing::two_server_data();
    data.options.unmatched = queueing::Unmatched::phantom;
    expect_distinct_values("wang-jsq-maxweight", data);
    data.options.unmatched = queueing::Unmatched::idle;
    data.options.common_rate = queueing::CommonRate::by_type;
    expect_distinct_values("wang-jsq-maxweight", data);
}

TEST(PrismModel, EncodesListsPositionByPosition) {
    const Cluster cluster("fifo", 3);
    const PrismModel model = prism_model(cluster.system(), cluster.system().chain());
    EXPECT_EQ(model.variables, (std::vector<std::string>{"q_queue", "f_s0", "f_s1", "w_queue_1"}));
}

TEST(PrismModel, MakesDistinctIdentifiersOfAnyNames) {
    auto data = testing::two_server_data();
    data.servers[0].name = "a b\"";
    data.servers[1].name = "a-b,";
    const Cluster cluster("wang-jsq-maxweight", 1, data);
    const PrismModel model = prism_model(cluster.system(), cluster.system().chain());
    EXPECT_EQ(model.variables, (std::vector<std::string>{"q_a_b_", "q_a_b___2", "q_common", "f_a_b_", "f_a_b___2"}));
}

TEST(PrismModel, LabelsHoldByTheirDefinition) {
    const Cluster cluster("wang-jsq-maxweight", 2);
    const Chain chain = cluster.system().chain();
    const PrismModel model = prism_model(cluster.system(), chain);
    const auto holds = [&](const char* name, markov::StateIndex s) {
        for (const PrismLabel& label : model.labels)
            if (label.name == name) return std::find(label.states.begin(), label.states.end(), s) != label.states.end();
        throw ContractViolation("no such label");
    };
    for (markov::StateIndex s = 0; s < chain.states.size(); ++s) {
        std::int64_t busy = 0;
        for (const auto& f : chain.states[s].serving) busy += f.status == queueing::Service::Status::busy ? 1 : 0;
        const std::int64_t tasks = total_tasks(chain.states[s]);
        EXPECT_EQ(holds("init", s), s == 0);
        EXPECT_FALSE(holds("deadlock", s));
        EXPECT_EQ(holds("empty", s), tasks == 0);
        EXPECT_EQ(holds("all_busy", s), busy == 2);
        EXPECT_EQ(holds("idle_with_waiting", s), busy < 2 && tasks > busy);
        EXPECT_EQ(holds("blocking", s), tasks == 2);
        EXPECT_EQ(model.rewards[0].value[s], Rational(tasks));
    }
}

/// Any chain: states, and per state some distinct targets with positive integer weights.
markov::TransitionMatrix random_matrix(std::size_t states) {
    markov::TransitionMatrix matrix;
    for (std::size_t s = 0; s < states; ++s) {
        std::map<std::size_t, std::uint64_t> weights{{s, 1}};
        for (std::size_t moves = *rc::gen::inRange<std::size_t>(0, 5); moves > 0; --moves)
            weights[*rc::gen::inRange<std::size_t>(0, states)] = *rc::gen::inRange<std::uint64_t>(1, 1'000'000'000'000);
        Rational total;
        for (const auto& [target, weight] : weights) total += Rational(weight);
        std::vector<markov::Transition> row;
        for (const auto& [target, weight] : weights)
            row.push_back({static_cast<markov::StateIndex>(target), Rational(weight) / total});
        matrix.append_row(std::move(row));
    }
    return matrix;
}

RC_GTEST_PROP(PrismText, AnyModelComesBackExactly, ()) {
    const auto states = *rc::gen::inRange<std::size_t>(1, 12);
    PrismModel model;
    model.matrix = random_matrix(states);
    model.variables = {"a", "b"};
    for (std::size_t s = 0; s < states; ++s)
        model.values.push_back({*rc::gen::arbitrary<std::int32_t>(), *rc::gen::arbitrary<std::int32_t>()});
    model.labels = {{"init", {0}}, {"some", {}}};
    for (std::size_t s = 0; s < states; ++s)
        if (*rc::gen::arbitrary<bool>()) model.labels[1].states.push_back(static_cast<markov::StateIndex>(s));
    PrismReward reward{"r", {}};
    for (std::size_t s = 0; s < states; ++s)
        reward.value.emplace_back(Integer(*rc::gen::inRange(-3, 4)), Integer(*rc::gen::inRange(1, 100)));
    RC_ASSERT(same(parse_tra(text_of([&](auto& out) { write_tra(out, model.matrix); }), "x.tra"), model.matrix));
    const PrismStates read = parse_sta(text_of([&](auto& out) { write_sta(out, model); }), states, "x.sta");
    RC_ASSERT(read.variables == model.variables && read.values == model.values);
    RC_ASSERT(parse_lab(text_of([&](auto& out) { write_lab(out, model); }), states, "x.lab") == model.labels);
    RC_ASSERT(parse_srew(text_of([&](auto& out) { write_srew(out, reward); }), states, "x.srew") == reward);
}

RC_GTEST_PROP(PrismText, ACutFileIsAnErrorOrTheSameChain, ()) {
    const markov::TransitionMatrix matrix = random_matrix(*rc::gen::inRange<std::size_t>(1, 6));
    const std::string whole = text_of([&](auto& out) { write_tra(out, matrix); });
    const auto end = *rc::gen::inRange<std::size_t>(0, whole.size());
    try {
        RC_ASSERT(same(parse_tra(std::string_view(whole).substr(0, end), "x.tra"), matrix));
    } catch (const InputError& error) {
        RC_ASSERT(error.place().file == "x.tra");
    }
}

}  // namespace
}  // namespace schedproof::graph
