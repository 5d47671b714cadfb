/// Placements of real clusters: data sets and listings to instances and back, and every way to be wrong.
#include "experiments/input/placement/task_placement.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "experiments/input/fsck/listing_generator.hpp"
#include "experiments/input/fsck/reader.hpp"
#include "model/core/errors.hpp"
#include "tests/experiments/assignment_generators.hpp"

namespace schedproof::input::task_placements {
namespace {

using assignment::AffineCost;
using assignment::Instance;

Rational q(int p, int d) { return Rational(p) / Rational(d); }

ClusterLoads loads(const std::string& text, std::optional<std::uint32_t> cores = {}) {
    std::istringstream in(text);
    return read_loads(in, "l.csv", cores);
}

PlacedTasks place(const std::string& text, ClusterLoads of, const PlacementOptions& options = {}) {
    std::istringstream in(text);
    return place_data_set(in, "p.txt", std::move(of), options);
}

std::string complaint(const std::string& text, const ClusterLoads& of, const PlacementOptions& options = {}) {
    try {
        static_cast<void>(place(text, of, options));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

const std::string two = "server,core,load\na,0,1\na,1,1/2\nb,0,2\n";

RC_GTEST_PROP(DataSet, OfAnInstanceReadsBackEqual, ()) {
    assignment::InstanceData data;
    data.name = "placement";
    const auto servers = *rc::gen::inRange<std::size_t>(1, 6);
    const bool names = *rc::gen::arbitrary<bool>(), task_names = *rc::gen::arbitrary<bool>();
    const bool alike = *rc::gen::arbitrary<bool>();
    const auto common = static_cast<std::uint32_t>(*rc::gen::inRange(1, 4));
    for (std::size_t s = 0; s < servers; ++s) {
        if (names) data.servers.push_back("rack/host" + std::to_string(7 * s));
        data.cores.push_back(alike ? common : static_cast<std::uint32_t>(*rc::gen::inRange(1, 4)));
        for (std::uint32_t i = 0; i < data.cores.back(); ++i) data.loads.push_back(testing::random_load());
    }
    const auto tasks = *rc::gen::inRange<std::size_t>(1, 9);
    for (std::size_t t = 0; t < tasks; ++t) {
        std::vector<ServerId> replicas;
        for (std::size_t s = servers; s-- > 0;)
            if (*rc::gen::arbitrary<bool>()) replicas.emplace_back(s);
        if (replicas.empty()) replicas.emplace_back(0);
        data.replicas.add(replicas);
        if (task_names) data.tasks.push_back("task" + std::to_string(tasks - t));
    }
    const auto cap = static_cast<std::uint32_t>(*rc::gen::inRange(1, 9));
    data.costs = {AffineCost{q(1, 3), cap}};
    const Instance instance(data);
    std::ostringstream cores, placement;
    write_data_set_loads(instance, cores);
    write_data_set_placement(instance, placement);
    const PlacedTasks back = place(placement.str(), loads(cores.str()), {.cost = {AffineCost{q(1, 3), cap}, false}});
    RC_ASSERT(back.instance == instance);
    RC_ASSERT(back.notes.empty() && back.files.empty());
    // Cut anywhere, both are refused: what they announce in front is not all there.
    const auto cut = [](const std::string& text) {
        return text.substr(0, *rc::gen::inRange<std::size_t>(0, text.size() - 1));
    };
    RC_ASSERT(complaint(cut(placement.str()), loads(cores.str())) != "no error");
    RC_ASSERT_THROWS_AS(loads(cut(cores.str())), InputError);
}

TEST(DataSet, TakesThePapersForm) {
    const PlacedTasks placed = place("task1 server1; task1 server2;\ntask2 server2; task3 server1\n",
                                     loads("core1 1; core2 2; core3 3; core4 4;\n", 2));
    EXPECT_EQ(placed.instance.shape().tasks().size(), 3U);
    EXPECT_EQ(placed.instance.shape().cores().size(), 4U);
    EXPECT_EQ(placed.instance.server_name(ServerId(0)), "s1");
    EXPECT_EQ(placed.instance.task_name(TaskId(1)), "task2");
    EXPECT_EQ(placed.instance.shape().replicas(TaskId(1))[0], ServerId(1));
    EXPECT_EQ(placed.instance.costs(), (std::vector<assignment::Cost>{AffineCost{1, 2}}));
    EXPECT_FALSE(place("0 0; 1 1;", loads("0 1; 1 1;", 1)).instance.has_task_names());
}

TEST(DataSet, ServersWithoutLoadsAreIdleOnRequest) {
    EXPECT_EQ(complaint("t a; t c;\n", loads(two)),
              "p.txt:1: column 6: expected a load of server 'c' in l.csv (did you mean 'a'?); or --cores N, for "
              "servers without");
    const PlacedTasks placed = place("t a; t c;\n", loads(two), {.cores = 4});
    EXPECT_EQ(placed.instance.shape().cores().size(), 7U);
    EXPECT_EQ(placed.instance.problem().load(CoreId(6)), 0);
    EXPECT_EQ(placed.notes,
              (std::vector<std::string>{"1 server(s) without loads are taken to have 4 idle cores each"}));
}

TEST(DataSetErrors, NameThePair) {
    EXPECT_EQ(complaint("t1 a; t2 b;\nt1 b;\n", loads(two)),
              "p.txt:2: column 1: expected the pairs of a task together, but 't1' began on line 1");
    EXPECT_EQ(complaint("t1 a; t1 b; t1 a;\n", loads(two)),
              "p.txt:1: column 13: expected each server once among the replicas of 't1', but 'a' stands twice");
    EXPECT_EQ(complaint("t1 a; t1\n", loads(two)), "p.txt:1: column 7: expected pairs TASK SERVER; , not ' t1'");
    EXPECT_EQ(complaint("t1 a; t1 b c;\n", loads(two)),
              "p.txt:1: column 7: expected pairs TASK SERVER; , not ' t1 b c'");
    EXPECT_EQ(
        complaint("t1 hosta;\n", loads("server,core,load\nhostb,0,1\n")),
        "p.txt:1: column 1: expected a load of server 'hosta' in l.csv (did you mean 'hostb'?); or --cores N, for "
        "servers without");
    EXPECT_EQ(complaint("", loads(two)), "p.txt: expected at least one pair TASK SERVER;");
    EXPECT_EQ(complaint("# tasks 3\nt1 a;\nt2 a;\n", loads(two)),
              "p.txt:1: expected 3 tasks, as announced here, but the file has 2: it ends too early");
    EXPECT_EQ(complaint("t1 server2;\n", loads("0 1; 1 1;", 1)),
              "p.txt:1: column 1: expected a server numbered from 0 to 1, all named alike, not 'server2'");
    EXPECT_EQ(complaint("t1 s0; t1 p1;\n", loads("0 1; 1 1;", 1)),
              "p.txt:1: column 8: expected a server numbered from 0 to 1, all named alike, not 'p1'");
    EXPECT_EQ(complaint(std::string("t1 a;\nt2 \xFF;\n"), loads(two)),
              "p.txt:2: expected text in UTF-8 without NUL bytes");
}

TEST(DataSetErrors, AMillionLinesCutInHalfAreRefused) {
    constexpr std::size_t tasks = 1'000'000;
    std::string text = "# tasks " + std::to_string(tasks) + "\n";
    for (std::size_t t = 0; t < tasks; ++t) text += std::to_string(t) + " " + std::to_string(t % 2) + ";\n";
    const ClusterLoads idle = loads("0 1; 1 1;", 1);
    EXPECT_EQ(place(text, idle).instance.shape().tasks().size(), tasks);
    const std::size_t half = text.find('\n', text.size() / 2) + 1;
    EXPECT_EQ(complaint(text.substr(0, half), idle).substr(0, 57),
              "p.txt:1: expected 1000000 tasks, as announced here, but t");
    const std::string inside = complaint(text.substr(0, half - 2), idle);
    EXPECT_NE(inside.find("expected ';' or a newline after the last pair: the file is cut"), std::string::npos)
        << inside;
}

TEST(DataSetWriter, RefusesNamesThatCannotStandInOne) {
    assignment::InstanceData data;
    data.name = "x";
    data.servers = {"a b"};
    data.cores = {1};
    data.loads = {0};
    data.replicas.add(std::vector{ServerId(0)});
    data.costs = {AffineCost{}};
    std::ostringstream out;
    EXPECT_THROW(write_data_set_loads(Instance(data), out), InputError);
    EXPECT_THROW(write_data_set_placement(Instance(data), out), InputError);
}

// ------------------------------------------------------------------------------------------------------- listings

Listing listing(const std::string& text) {
    std::istringstream in(text);
    return read_fsck(in, "f.txt");
}

std::string listing_complaint(const std::string& text, const ClusterLoads& of, const PlacementOptions& options = {}) {
    try {
        static_cast<void>(place_listing(listing(text), "f.txt", of, options));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// Blocks {a,b}, {b}, {a}; the last one in another file.
const std::string small =
    "/x/f 12 bytes, 2 block(s):  OK\n0. blk_1_1 len=5 repl=2 [/r1/a:1, /r2/b:1]\n1. blk_2_1 len=7 repl=1 [/r2/b:1]\n"
    "/xy/g 100 bytes, 1 block(s):  OK\n0. blk_3_1 len=100 repl=1 [/r1/a:1]\nStatus: HEALTHY\n";

TEST(ListingPlacement, MakesATaskOfEachChosenBlock) {
    const PlacedTasks all = place_listing(listing(small), "f.txt", loads(two + "c,0,0\n"), {});
    EXPECT_EQ(all.instance.shape().tasks().size(), 3U);
    EXPECT_EQ(all.instance.shape().servers().size(), 3U);  // c can run remote tasks
    EXPECT_EQ(all.instance.task_name(TaskId(2)), "blk_3_1");
    EXPECT_EQ(all.instance.racks(), (std::vector<std::string>{"/r1", "/r2", ""}));
    EXPECT_EQ(all.files, (std::vector<std::string>{"/x/f", "/xy/g"}));
    EXPECT_EQ(all.file_of, (std::vector<std::uint32_t>{0, 0, 1}));
    // The default cost is capped by each server's own cores.
    EXPECT_EQ(all.instance.cost(ServerId(0)), assignment::Cost(AffineCost{1, 2}));
    EXPECT_EQ(all.instance.cost(ServerId(1)), assignment::Cost(AffineCost{1, 1}));
    const PlacedTasks below = place_listing(listing(small), "f.txt", loads(two), {.under = "/x"});
    EXPECT_EQ(below.instance.shape().tasks().size(), 2U);
    const PlacedTasks one = place_listing(listing(small), "f.txt", loads(two), {.under = "/xy/g"});
    EXPECT_EQ(one.instance.task_name(TaskId(0)), "blk_3_1");
}

TEST(ListingPlacement, NeedsLoadsOfEveryServer) {
    EXPECT_EQ(listing_complaint(small, loads("server,core,load\na,0,1\n")),
              "f.txt: expected a load of server 'b' in l.csv (did you mean 'a'?); or --cores N, for servers without");
    EXPECT_EQ(listing_complaint(small, loads("server,core,load\na,0,1\n"), {.cores = 2}), "no error");
}

TEST(ListingPlacement, RefusesAListingThatIsCut) {
    const ClusterLoads of = loads(two);
    const std::string cut = small.substr(0, small.find("Status"));
    EXPECT_EQ(listing_complaint(cut, of),
              "f.txt: expected the summary that ends a listing ('Status: ...'); the file ends before it; --incomplete "
              "takes it as it "
              "is");
    EXPECT_EQ(listing_complaint(cut, of, {.incomplete = true}), "no error");
    EXPECT_EQ(
        listing_complaint(small + " Total blocks (validated):\t4 (avg. block size 28 B)\n", of),
        "f.txt: expected 4 blocks, which is what the listing's summary counts, not 3; --incomplete takes it as it "
        "is");
    EXPECT_EQ(listing_complaint(small, of, {.under = "/nowhere"}),
              "f.txt: --path: expected a path that holds files of the listing, not '/nowhere'");
}

RC_GTEST_PROP(ListingPlacement, HasTheReplicasOfTheListing, ()) {
    ListingSpec spec;
    spec.blocks = *rc::gen::inRange<std::size_t>(1, 60);
    spec.servers = *rc::gen::inRange<std::size_t>(3, 12);
    spec.seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    const Listing made = generate_listing(spec);
    std::ostringstream out;
    print_listing(made, *rc::gen::elementOf(std::vector(std::begin(all_listing_forms), std::end(all_listing_forms))),
                  out);
    const Listing read = listing(out.str());
    const PlacedTasks placed = place_listing(read, "f.txt", {}, {.cores = 2, .incomplete = true});
    RC_ASSERT(placed.instance.shape().tasks().size() == spec.blocks);
    for (std::size_t b = 0; b < read.blocks.size(); ++b) {
        const auto expected = read.replicas_of(read.blocks[b]);
        const auto found = placed.instance.shape().replicas(TaskId(b));
        RC_ASSERT(expected.size() == found.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            RC_ASSERT(placed.instance.server_name(found[i]) == read.servers[expected[i].index()].name);
    }
}

TEST(Placement, TheFirstLineTellsTheForm) {
    EXPECT_TRUE(looks_like_data_set("task1 server11; task1 server12;"));
    EXPECT_TRUE(looks_like_data_set("task1 server11"));
    EXPECT_TRUE(looks_like_data_set("# tasks 3"));
    EXPECT_FALSE(looks_like_data_set("Connecting to namenode via http://nn:9870"));
    EXPECT_FALSE(looks_like_data_set("/data <dir>"));
    EXPECT_FALSE(looks_like_data_set("........Status: HEALTHY"));
    EXPECT_FALSE(looks_like_data_set("Status: HEALTHY"));
    EXPECT_FALSE(looks_like_data_set("/a b; c 12 bytes, 2 block(s):  OK"));
    EXPECT_FALSE(looks_like_data_set(""));
}

}  // namespace
}  // namespace schedproof::input::task_placements
