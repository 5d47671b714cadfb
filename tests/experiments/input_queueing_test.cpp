#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "tests/experiments/input_equal.hpp"

namespace schedproof::input::queueing_instances {
namespace {

using queueing::Instance;
using testing::same;

Instance toml(const std::string& text) { return queueing::parse_instance(text, base::Format::toml, "test.toml"); }
Instance json(const std::string& text) { return queueing::parse_instance(text, base::Format::json, "test.json"); }

std::string head(const std::string& servers = "4") {
    return "family = 'queueing'\nname = 'x'\nlevels = [{name = 'local', rate = '4/5'}, {name = 'remote', rate = "
           "'0.2'}]\nservers = " +
           servers + "\n";
}
std::string two_types(const std::string& arrivals) {
    return head() + "types = [{name = 'A', replicas = ['s0']}, {name = 'B', replicas = ['s1', 's3']}]\n[arrivals]\n" +
           arrivals;
}
std::vector<std::vector<std::size_t>> sets(const Instance& instance) {
    std::vector<std::vector<std::size_t>> result;
    for (const auto& type : instance.data().types) {
        result.emplace_back();
        for (const ServerId m : type.replicas) result.back().push_back(m.index());
    }
    return result;
}
using Sets = std::vector<std::vector<std::size_t>>;

TEST(QueueingFile, ReadsTheSameFromTomlAndJson) {
    const Instance a = toml(R"(
family = "queueing"
name = "both"
source = "a test"
levels = [{name = "local", rate = "1/2"}, {name = "rack", rate = "0.4"}, {name = "remote", rate = "5e-2"}]
servers = [{name = "a", rack = "r0"}, {name = "b", rack = "r0"}, {name = "c", groups = ["r1", "dc"]}]
types = [{name = "A", replicas = ["a"], cost = 2, exponent = 3}, {name = "B", replicas = ["c", "b"]}]
[arrivals]
kind = "bernoulli"
values = {B = "9/20", A = "22/25"}
[options]
routing = "sequential"
empty-target = "conserved"
)");
    const Instance b = json(R"({"family": "queueing", "name": "both", "source": "a test",
"levels": [{"name": "local", "rate": "1/2"}, {"name": "rack", "rate": "0.4"}, {"name": "remote", "rate": "5e-2"}],
"servers": [{"name": "a", "rack": "r0"}, {"name": "b", "rack": "r0"}, {"name": "c", "groups": ["r1", "dc"]}],
"types": [{"name": "A", "replicas": ["a"], "cost": 2, "exponent": 3}, {"name": "B", "replicas": ["c", "b"]}],
"arrivals": {"kind": "bernoulli", "values": ["22/25", "9/20"]},
"options": {"routing": "sequential", "empty-target": "conserved"}})");
    EXPECT_TRUE(same(a.data(), b.data()));
    EXPECT_EQ(a.rate(Level(2)), Rational(1) / Rational(20));
    EXPECT_EQ(a.type(TaskTypeId(1)).replicas, (std::vector{ServerId(1), ServerId(2)}));
    EXPECT_EQ(a.type(TaskTypeId(0)).cost, 2);
    EXPECT_EQ(a.type(TaskTypeId(0)).exponent, 3U);
    EXPECT_EQ(a.arrival_rate(TaskTypeId(0)), Rational(22) / Rational(25));
    EXPECT_EQ(a.options().routing, queueing::Routing::sequential);
    EXPECT_EQ(a.options().empty_target, queueing::EmptyTarget::conserved);
    EXPECT_EQ(a.options().scarcity, queueing::Scarcity::lowest_index);
}

/// The key stands in what is written only where a type has rates of its own, so other instances keep their digests.
TEST(QueueingFile, ReadsRatesOfTypes) {
    const auto text = [](const std::string& rates) {
        return "family = \"queueing\"\nname = \"one-home\"\n"
               "levels = [{name = \"local\", rate = \"2/5\"}, {name = \"remote\", rate = \"1/40\"}]\nservers = 2\n"
               "types = [{name = \"A\", replicas = [\"s0\"]}, {name = \"C\", replicas = [\"s0\"]" +
               rates + "}]\n[arrivals]\nkind = \"single\"\nvalues = [\"3/10\", \"1/4\"]\n";
    };
    const std::string key = "rates = [\"2/5\", \"1/5\"]";
    const Instance own = toml(text(", " + key)), same_as_levels = toml(text(", rates = [\"2/5\", \"1/40\"]")),
                   plain = toml(text(""));
    EXPECT_EQ(own.rate(TaskTypeId(1), Level(1)), Rational(1) / Rational(5));
    EXPECT_EQ(own.rate(TaskTypeId(0), Level(1)), Rational(1) / Rational(40));
    EXPECT_NE(queueing::write_toml(own).find(key), std::string::npos);
    EXPECT_EQ(queueing::write_toml(plain).find("rates"), std::string::npos);
    EXPECT_EQ(queueing::write_json(plain).find("rates"), std::string::npos);
    EXPECT_EQ(queueing::write_toml(same_as_levels), queueing::write_toml(plain));
    EXPECT_TRUE(same(toml(queueing::write_toml(own)).data(), own.data()));
    EXPECT_TRUE(same(json(queueing::write_json(own)).data(), own.data()));
    const Instance ring = toml(
        "family = \"queueing\"\nname = \"ring\"\n"
        "levels = [{name = \"local\", rate = \"2/5\"}, {name = \"remote\", rate = \"1/40\"}]\nservers = 3\n"
        "types = [{cyclic = {replicas = 1}, " +
        key + "}]\n[arrivals]\nkind = \"bernoulli\"\neach = \"1/10\"\n");
    for (const TaskTypeId type : ring.types()) EXPECT_EQ(ring.rate(type, Level(1)), Rational(1) / Rational(5));
}

TEST(QueueingFile, ExpandsServers) {
    const auto names = [](const Instance& instance) {
        std::vector<std::string> result;
        for (const auto& server : instance.data().servers)
            result.push_back(server.name + (server.groups.empty() ? "" : "/" + server.groups[0]));
        return result;
    };
    const std::string rest = "types = [{cyclic = {replicas = 1}}]\n[arrivals]\nkind = 'rates'\neach = 1\n";
    EXPECT_EQ(names(toml(head("2") + rest)), (std::vector<std::string>{"s0", "s1"}));
    EXPECT_EQ(names(toml(head("['a', {name = 'b'}, {rack = 'r'}]") + rest)),
              (std::vector<std::string>{"a", "b", "s2/r"}));
    EXPECT_EQ(names(toml(head("[{count = 2, rack = 'r0'}, {count = 1, rack = 'r1'}, {count = 2, name = 'x'}]") + rest)),
              (std::vector<std::string>{"s0/r0", "s1/r0", "s2/r1", "x0", "x1"}));
    const Instance regular = toml(head("{count = 5, group-sizes = [2, 4]}") + rest);
    EXPECT_EQ(names(regular), (std::vector<std::string>{"s0/rack0", "s1/rack0", "s2/rack1", "s3/rack1", "s4/rack2"}));
    EXPECT_EQ(regular.server(ServerId(4)).groups, (std::vector<std::string>{"rack2", "group2-1"}));
}

TEST(QueueingFile, ExpandsTypes) {
    const auto of = [](const std::string& types) {
        return toml(head() + "types = [" + types + "]\n[arrivals]\nkind = 'rates'\ntotal = 1\n");
    };
    EXPECT_EQ(sets(of("{cyclic = {replicas = 2}}")), (Sets{{0, 1}, {1, 2}, {2, 3}, {0, 3}}));
    EXPECT_EQ(sets(of("{cyclic = {replicas = 2, servers = 2, first = 1}}")), (Sets{{1, 2}}));
    EXPECT_EQ(sets(of("{combinations = {replicas = 2, servers = 3}}")), (Sets{{0, 1}, {0, 2}, {1, 2}}));
    EXPECT_EQ(sets(of("{combinations = {replicas = 4}}")), (Sets{{0, 1, 2, 3}}));
    const Instance random =
        of("{random = {count = 50, replicas = 3, servers = 4, seed = 7}, name = 'r'}, {replicas = ['s2']}");
    ASSERT_EQ(random.types().size(), 51U);
    EXPECT_EQ(random.type(TaskTypeId(49)).name, "r49");
    EXPECT_EQ(random.type(TaskTypeId(50)).name, "t50");
    EXPECT_EQ(sets(random),
              sets(of("{random = {count = 50, replicas = 3, servers = 4, seed = 7}}, {replicas = ['s2']}")));
    EXPECT_EQ(random.arrival_rate(TaskTypeId(3)), Rational(1) / Rational(51));
}

TEST(QueueingFile, ReadsEveryKindOfArrivals) {
    EXPECT_EQ(toml(two_types("kind = 'rates'\nvalues = [3, '1/7']")).data().rates[1], Rational(1) / Rational(7));
    EXPECT_FALSE(toml(two_types("kind = 'rates'\nvalues = [3, '1/7']")).data().arrivals.has_value());
    EXPECT_EQ(toml(two_types("kind = 'bernoulli'\neach = '0.5'")).arrivals().factors().size(), 2U);
    EXPECT_EQ(toml(two_types("kind = 'single'\ntotal = '7/10'\nweights = {A = 1, B = 6}")).arrival_rate(TaskTypeId(1)),
              Rational(3) / Rational(5));
    const Instance joint = toml(two_types(
        "kind = 'joint'\noutcomes = [{probability = '1/4', tasks = {B = 2}}, {probability = '3/4', tasks = [1, 0]}]"));
    EXPECT_EQ(joint.arrival_rate(TaskTypeId(0)), Rational(3) / Rational(4));
    EXPECT_EQ(joint.arrival_rate(TaskTypeId(1)), Rational(1) / Rational(2));
    const Instance product = toml(two_types(
        "kind = 'product'\n[[arrivals.factors]]\ntypes = ['B']\noutcomes = [{probability = '1/2', tasks = [3]}, "
        "{probability = '1/2', tasks = [0]}]\n[[arrivals.factors]]\ntypes = ['A']\noutcomes = [{probability = 1, tasks "
        "= [1]}]"));
    EXPECT_EQ(product.arrivals().factors().size(), 2U);
    EXPECT_EQ(product.data().rates, (std::vector<Rational>{1, Rational(3) / Rational(2)}));
}

TEST(QueueingFile, TellsTheFormatByContentWhenTheExtensionDoesNot) {
    EXPECT_EQ(base::detect_format("a.json", "family = 1"), base::Format::json);
    EXPECT_EQ(base::detect_format("a.toml", "{"), base::Format::toml);
    EXPECT_EQ(base::detect_format("-", " \n {"), base::Format::json);
    EXPECT_EQ(base::detect_format("a.txt", "# {"), base::Format::toml);
    const auto path = std::filesystem::temp_directory_path() / "schedproof-input-test.instance";
    std::ofstream(path) << write_json(toml(two_types("kind = 'rates'\neach = 1")));
    EXPECT_EQ(queueing::read_instance(path.string()).types().size(), 2U);
    std::filesystem::remove(path);
}

TEST(QueueingFile, ReadsLargeClustersQuickly) {
    const Instance instance = toml(
        head("100_000") +
        "types = [{cyclic = {servers = 80_000, replicas = 3}}]\n[arrivals]\nkind = 'bernoulli'\ntotal = '63000'\n");
    EXPECT_EQ(instance.types().size(), 80'000U);
    EXPECT_TRUE(same(json(write_json(instance)).data(), instance.data()));
}

TEST(QueueingFile, WritesNamesThatNeedEscapes) {
    const Instance instance = toml(head("['a\"b', \"\\\\ \\n\\u007f\", 'ж']") +
                                   "types = [{cyclic = {replicas = 2}}]\n[arrivals]\nkind = 'rates'\neach = 0\n");
    EXPECT_TRUE(same(toml(write_toml(instance)).data(), instance.data()));
    EXPECT_TRUE(same(json(write_json(instance)).data(), instance.data()));
    queueing::InstanceData data = instance.data();
    data.servers[0].name = "\xff";
    EXPECT_THROW(static_cast<void>(write_toml(Instance(data))), ContractViolation);
}

}  // namespace
}  // namespace schedproof::input::queueing_instances
