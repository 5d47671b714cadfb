/// The bundled instances: each reads, round-trips, and has the load that the README's table states.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "model/queueing/codec/codec.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "tests/experiments/input_equal.hpp"

namespace schedproof::input {
namespace {

const std::filesystem::path folder = std::filesystem::path(SCHEDPROOF_SOURCE_DIR) / "experiments/instances";

/// File and rho* of each row `| `file` | ... | rho* |`.
std::map<std::string, Rational> stated_loads() {
    std::map<std::string, Rational> loads;
    std::ifstream in(folder / "README.md");
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with("| `")) continue;
        const std::size_t start = line.rfind("| ", line.size() - 3) + 2;
        loads[line.substr(3, line.find('`', 3) - 3)] =
            Rational::parse(line.substr(start, line.size() - 2 - start)).value();
    }
    return loads;
}

TEST(Instances, HaveTheLoadsThatTheTableStates) {
    const std::map<std::string, Rational> loads = stated_loads();
    EXPECT_GE(loads.size(), 21U);
    for (const auto& [file, rho] : loads) {
        const queueing::Instance instance = queueing::read_instance((folder / file).string());
        const capacity::CapacityCertificate certificate = capacity::solve(instance);
        EXPECT_TRUE(certificate.exact()) << file;
        EXPECT_EQ(certificate.upper, rho) << file;
        EXPECT_EQ(instance.name() + ".toml", file);
        EXPECT_FALSE(instance.data().source.empty()) << file;
    }
}

TEST(Instances, AreAllInTheTable) {
    const std::map<std::string, Rational> loads = stated_loads();
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".toml") {
            EXPECT_TRUE(loads.contains(entry.path().filename().string())) << entry.path();
        }
    }
}

TEST(Instances, RoundTrip) {
    for (const auto& [file, rho] : stated_loads()) {
        const queueing::Instance instance = queueing::read_instance((folder / file).string());
        EXPECT_TRUE(testing::same(queueing::parse_instance(write_toml(instance), base::Format::toml, file).data(),
                                  instance.data()))
            << file;
        EXPECT_TRUE(testing::same(queueing::parse_instance(write_json(instance), base::Format::json, file).data(),
                                  instance.data()))
            << file;
    }
}

TEST(Instances, WangClusterIsTheOneOfThePaper) {
    const queueing::Instance instance = queueing::read_instance((folder / "wang-cluster.toml").string());
    EXPECT_EQ(instance.servers().size(), 1000U);
    EXPECT_EQ(instance.types().size(), 800U);
    EXPECT_EQ(instance.total_arrival_rate(), 630);
    EXPECT_EQ(instance.options().routing, queueing::Routing::sequential);
    EXPECT_EQ(instance.type(TaskTypeId(799)).replicas, (std::vector{ServerId(0), ServerId(1), ServerId(799)}));
}

}  // namespace
}  // namespace schedproof::input
