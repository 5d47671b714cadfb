/// Settings of the sharing family: what is wrong is said of the option, or of the place in the file.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "experiments/simulators/sharing/sharing_world.hpp"
#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::simulation {
namespace {

using Change = std::function<void(SharingSettings&)>;

/// The place that is complained of; empty when nothing is.
std::string complaint(const Change& change) {
    SharingSettings settings;
    change(settings);
    try {
        static_cast<void>(make_sharing_experiment(settings));
    } catch (const InputError& error) {
        return error.place().key;
    }
    return {};
}

TEST(SharingSettings, ComplaintsNameTheOption) {
    const std::vector<std::pair<std::string, Change>> cases{
        {"", [](auto&) {}},
        {"policy", [](auto& s) { s.policy = "dealy"; }},
        {"--skips", [](auto& s) { s.skips = "-1"; }},
        {"--skips", [](auto& s) { s.skips = "1/2"; }},
        {"--skips", [](auto& s) { s.skips = "many"; }},
        {"--rack-skips", [](auto& s) { s.rack_skips = "infinite"; }},
        {"", [](auto& s) { s.rack_skips = "inf"; }},
        {"--wait", [](auto& s) { s.wait = "-3"; }},
        {"--wait", [](auto& s) { s.wait = "0.0001"; }},
        {"--wait-from", [](auto& s) { s.wait_from = "submit"; }},
        {"--job-order", [](auto& s) { s.job_order = "lifo"; }},
        {"--routing", [](auto& s) { s.routing = "random"; }},
        {"", [](auto& s) { s.routing = "batch"; }},
        {"--counting", [](auto& s) { s.counting = "all"; }},
        {"", [](auto& s) { s.counting = "waiting"; }},
        {"--nodes", [](auto& s) { s.nodes = 0; }},
        {"--nodes", [](auto& s) { s.nodes = 100'000'000; }},
        {"--slots", [](auto& s) { s.slots = 0; }},
        {"--racks", [](auto& s) { s.racks = 101; }},
        {"--block-replicas", [](auto& s) { s.replicas = 101; }},
        {"--block-replicas", [](auto& s) { s.replicas = 0; }},
        {"--data-nodes", [](auto& s) { s.data_nodes = 101; }},
        {"--probes", [](auto& s) { s.probes = 0; }},
        {"--probes", [](auto& s) { s.probes = 1001; }},
        {"--load", [](auto& s) { s.load = "0"; }},
        {"--sizes", [](auto& s) { s.sizes = "10..1"; }},
        {"--sizes", [](auto& s) { s.sizes = "0"; }},
        {"--sizes", [](auto& s) { s.sizes = ""; }},
        {"--sizes", [](auto& s) { s.sizes = "0:5"; }},
        {"--sizes", [](auto& s) { s.sizes = "1:1..10,"; }},
        {"--horizon", [](auto& s) { s.horizon = "0"; }},
        {"--priorities", [](auto& s) { s.priorities = "1,1"; }},
        {"--priorities", [](auto& s) { s.priorities = "0,0,0,0,0"; }},
        {"--medium", [](auto& s) { s.small = 200; }},
        {"--run-time", [](auto& s) { s.run_time = "constant"; }},
        {"--run-time", [](auto& s) { s.run_time = "constant:0"; }},
        {"--run-time", [](auto& s) { s.run_time = "uniform:3"; }},
        {"--run-time", [](auto& s) { s.run_time = "uniform:3,3"; }},
        {"--run-time", [](auto& s) { s.run_time = "pareto:3"; }},
        {"--run-time", [](auto& s) { s.run_time = "geometric"; }},
        {"--rates",
         [](auto& s) {
             s.run_time = "constant:1";
             s.rates = "4/5,1/5";
         }},
        {"--rates",
         [](auto& s) {
             s.heartbeat = "0";
             s.rates = "1/5,4/5";
         }},
        {"--rates",
         [](auto& s) {
             s.heartbeat = "0";
             s.rates = "4/5";
         }},
        {"--rates",
         [](auto& s) {
             s.heartbeat = "0";
             s.rates = "4/5,1/5";
             s.remote_factor = "3";
         }},
        {"--rack-factor", [](auto& s) { s.rack_factor = "1/2"; }},
        {"--rack-factor", [](auto& s) { s.rack_factor = "5"; }},
        {"",
         [](auto& s) {
             s.rack_factor = "5";
             s.remote_factor = "5";
         }},
        {"--rack-factor",
         [](auto& s) {
             s.rack_factor = "2";
             s.contention = "1/2";
         }},
        {"--rates",
         [](auto& s) {
             s.heartbeat = "0";
             s.rates = "4/5,1/5";
             s.rack_factor = "2";
         }},
        {"--remote-factor", [](auto& s) { s.remote_factor = "0.5"; }},
        {"--remote-factor",
         [](auto& s) {
             s.remote_factor = "2";
             s.contention = "1";
         }},
        {"--contention", [](auto& s) { s.contention = "-1"; }},
        {"--heartbeat", [](auto& s) { s.heartbeat = "-3"; }},
        {"--heartbeat", [](auto& s) { s.heartbeat = "0.0001"; }},
        {"--tick", [](auto& s) { s.tick = "0"; }},
        {"--tick",
         [](auto& s) {
             s.tick = "1";
             s.heartbeat = "0";
         }},
        {"--order", [](auto& s) { s.order = "backwards"; }},
        {"--batches", [](auto& s) { s.batches = 0; }},
        {"", [](auto& s) { s.at_once = 50; }},
        {"--at-once", [](auto& s) { s.at_once = 0; }},
        {"--load",
         [](auto& s) {
             s.at_once = 5;
             s.load = "1";
         }},
        {"--horizon",
         [](auto& s) {
             s.at_once = 5;
             s.horizon = "10";
         }},
        {"", [](auto& s) { s.transfer = "2"; }},
        {"--transfer", [](auto& s) { s.transfer = "0"; }},
        {"--transfer", [](auto& s) { s.transfer = "0.0001"; }},
        {"--contention",
         [](auto& s) {
             s.transfer = "2";
             s.contention = "1";
         }},
        {"--remote-factor",
         [](auto& s) {
             s.transfer = "2";
             s.remote_factor = "2";
         }},
        {"--rack-factor",
         [](auto& s) {
             s.transfer = "2";
             s.rack_factor = "2";
         }},
        {"--transfer",
         [](auto& s) {
             s.heartbeat = "0";
             s.rates = "4/5,1/5";
             s.transfer = "2";
         }},
        {"--network", [](auto& s) { s.network = "water"; }},
        {"--transfer", [](auto& s) { s.network = "fluid"; }},
        {"--network",
         [](auto& s) {
             s.transfer = "2";
             s.network = "fluid";  // schedproof-links is not beside this program
         }},
        {"", [](auto& s) { s.initial_load = "uniform:2,12"; }},
        {"--initial-load", [](auto& s) { s.initial_load = "blocks:3"; }},
        {"--initial-load", [](auto& s) { s.initial_load = "uniform:3"; }},
        {"--initial-load", [](auto& s) { s.initial_load = "geometric"; }},
    };
    for (std::size_t i = 0; i < cases.size(); ++i)
        EXPECT_EQ(complaint(cases[i].second), cases[i].first) << "case " << i;
}

TEST(SharingSettings, MoreWorkThanTheSlotsCanDoIsSaid) {
    SharingSettings s;
    s.nodes = 10;
    s.heartbeat = "0";
    s.rates = "4/5,1/5";  // a local task takes 5/4 slots of time in the mean
    s.load = "9";
    EXPECT_EQ(SharingSystem(s).warnings().size(), 1U);
    s.load = "7";
    EXPECT_TRUE(SharingSystem(s).warnings().empty());
}

TEST(SharingSettings, CapacityIsThatOfShortTasksToo) {
    SharingSettings s;
    EXPECT_EQ(SharingSystem(s).capacity(), Rational(Integer(100), Integer(30)));
    s.tick = "1/1000000000";
    s.run_time = "constant:0.0000002";
    EXPECT_EQ(SharingSystem(s).capacity(), Rational(500'000'000));
}

TEST(SharingSettings, ListsOfSkips) {
    EXPECT_TRUE(skip_counts("").empty());
    EXPECT_EQ(skip_counts("0,1,20"), std::vector<std::string>({"0", "1", "20"}));
    EXPECT_EQ(skip_counts("4/2,010,1/2"), std::vector<std::string>({"2", "10", "1/2"})) << "numbers as they are";
    EXPECT_THROW(static_cast<void>(skip_counts("0,,2")), InputError);
    EXPECT_THROW(static_cast<void>(skip_counts("1,")), InputError);
}

class SharingFiles : public ::testing::Test {
  protected:
    std::string file(const std::string& name, const std::string& text) {
        std::string path = (directory_.path() / name).string();
        std::ofstream(path) << text;
        return path;
    }
    /// Of a trace: where the complaint points.
    InputPlace trace_complaint(const std::string& text) {
        SharingSettings settings;
        settings.trace = file("trace.tsv", text);
        try {
            static_cast<void>(make_sharing_experiment(settings));
        } catch (const InputError& error) {
            return error.place();
        }
        return {};
    }

  private:
    testing_support::TemporaryDirectory directory_;
};

TEST_F(SharingFiles, BadTracesAreComplainedOfByLine) {
    EXPECT_EQ(trace_complaint("a\t0\t0\t1\t1\t1\n").file, "");
    EXPECT_EQ(trace_complaint("a\t5\t0\t1\t1\t1\nb\t4\t0\t1\t1\t1\n").line, 2U);
    EXPECT_EQ(trace_complaint("a\t0\t-1\t1\t1\t1\n").key, "gap");
    EXPECT_EQ(trace_complaint("a\t0\t0\t1\t1\n").line, 1U);
    EXPECT_EQ(trace_complaint("a\t0\t0\t1e30\t1\t1\n").key, "map bytes");
    EXPECT_EQ(trace_complaint("a\t0\t0\t1\t1\t1\nb\t1e300\t0\t1\t1\t1\n").key, "submit time");
    EXPECT_NE(trace_complaint("# nothing\n").file, "");
    EXPECT_NE(trace_complaint("a\t0\t0\t0\t0\t0\n").file, "");
    SharingSettings missing;
    missing.trace = "no-such-file.tsv";
    EXPECT_THROW(static_cast<void>(make_sharing_experiment(missing)), InputError);
    SharingSettings both;
    both.trace = file("good.tsv", "a\t0\t0\t1\t1\t1\n");
    EXPECT_EQ(SharingSystem(both).inputs(),
              (std::vector<input::InputFile>{{both.trace, base::sha256("a\t0\t0\t1\t1\t1\n")}}));
    both.load = "1";
    EXPECT_THROW(static_cast<void>(make_sharing_experiment(both)), InputError);
    both.load.clear();
    both.horizon = "10";
    EXPECT_THROW(static_cast<void>(make_sharing_experiment(both)), InputError);
}

TEST_F(SharingFiles, TimesBeyondTheLatestTickAreALimit) {
    SharingSettings s;
    s.nodes = 1;
    s.replicas = 1;
    s.policy = "naive-fair";
    s.run_time = "constant:1000000000";
    s.tick = "1/1000000";
    s.trace = file("long.tsv", "a\t0\t0\t671088640000\t0\t0\n");  // 5,000 tasks
    EXPECT_THROW(static_cast<void>(detail::world_of(s)), LimitExceeded);
    s.run_time = "constant:1";
    s.trace = file("short.tsv", "a\t0\t0\t402653184\t0\t0\n");  // 3 tasks, at beats 0, 2^61, 2^62
    SharingWorld world = detail::world_of(s);
    world.heartbeat = latest_tick / 2;
    EXPECT_THROW(static_cast<void>(run_sharing(world, detail::policy_of(s), {1, 0}, {})), LimitExceeded);
}

TEST_F(SharingFiles, AListingPlacesDataAndNamesNodesAndRacks) {
    SharingSettings s;
    s.placement = std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments/instances/example-fsck.txt";
    const SharingWorld world = detail::world_of(s);
    EXPECT_GT(world.cluster.nodes(), 1U);
    EXPECT_GT(world.cluster.racks(), 1U);
    s.horizon = "1000";
    const Observation seen = make_sharing_experiment(s)->run({1, 0}, {});
    EXPECT_GT(seen.work, 0U);
    s.nodes = world.cluster.nodes() + 1;
    EXPECT_THROW(static_cast<void>(detail::world_of(s)), InputError);
    s.nodes.reset();
    s.racks = 1;
    EXPECT_THROW(static_cast<void>(detail::world_of(s)), InputError);
    s.racks.reset();
    s.placement = file("empty.txt", "Status: HEALTHY\n");
    EXPECT_THROW(static_cast<void>(detail::world_of(s)), InputError);
}

TEST(RunTimes, AGeometricTimeHasItsLaw) {
    const GeometricTimes law(Rational(Integer(1), Integer(5)));
    EXPECT_NEAR(law.mean(), 5, 1e-12);
    statistics::Stream random({1, 0}, "test");
    double sum = 0;
    int ones = 0;
    for (int i = 0; i < 200'000; ++i) {
        const auto time = law.draw(random);
        sum += static_cast<double>(time);
        ones += time == 1;
    }
    EXPECT_NEAR(sum / 200'000, 5, 0.05);
    EXPECT_NEAR(ones / 200'000.0, 0.2, 0.005);
    const GeometricTimes at_once(Rational(1));
    for (int i = 0; i < 100; ++i) EXPECT_EQ(at_once.draw(random), 1);
    EXPECT_THROW(GeometricTimes(Rational(2)), InputError);
    EXPECT_THROW(GeometricTimes(Rational(0)), InputError);
}

TEST(Factor, RoundsUpExactly) {
    EXPECT_EQ((Factor{3, 2}).of(3), 5);
    EXPECT_EQ((Factor{3, 2}).of(4), 6);
    EXPECT_THROW(static_cast<void>((Factor{1'000'000, 1}).of(sharing::Ticks{1} << 50)), LimitExceeded);
}

}  // namespace
}  // namespace schedproof::simulation
