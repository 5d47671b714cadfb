#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "experiments/input/fsck/instance_of_listing.hpp"
#include "experiments/input/fsck/reader.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input::fsck_instances {
namespace {

Listing data_file(const std::string& name) {
    return read_fsck_file(std::string(SCHEDPROOF_SOURCE_DIR) + "/tests/data/fsck/" + name);
}

Listing text(const std::string& lines) {
    std::istringstream in(lines);
    return read_fsck(in, "f");
}

std::string error(const Listing& listing, const ImportOptions& options) {
    try {
        static_cast<void>(import_instance(listing, options));
    } catch (const InputError& wrong) {
        return wrong.what();
    }
    return "no error";
}

bool says(const ImportedInstance& imported, std::string_view words) {
    return std::ranges::any_of(imported.notes,
                               [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

/// Sets {a,b} twice and {b} once in racks of one data centre; 5, 7 and 100 bytes.
const std::string small =
    "/x/f 12 bytes, 2 block(s):  OK\n0. blk_1_1 len=5 repl=2 [/d/r1/a:1, /d/r2/b:1]\n1. blk_2_1 len=7 repl=2 "
    "[/d/r2/b:1, /d/r1/a:1]\n"
    "/xy/g 100 bytes, 1 block(s):  OK\n0. blk_3_1 len=100 repl=1 [/d/r2/b:1]\n/empty 0 bytes, 0 block(s):  OK\nStatus: "
    "HEALTHY\n";

TEST(FsckInstance, MergesEqualReplicaSets) {
    const ImportedInstance imported = import_instance(text(small));
    const queueing::InstanceData& data = imported.data;
    ASSERT_EQ(data.types.size(), 2U);
    EXPECT_EQ(data.types[0].replicas, (std::vector{ServerId(0), ServerId(1)}));
    EXPECT_EQ(imported.type_of_block,
              (std::vector<std::optional<TaskTypeId>>{TaskTypeId(0), TaskTypeId(0), TaskTypeId(1)}));
    // Half of two servers at rate 4/5, two thirds of it for the set with two blocks.
    EXPECT_EQ(data.rates, (std::vector<Rational>{Rational(8) / Rational(15), Rational(4) / Rational(15)}));
    EXPECT_FALSE(data.arrivals.has_value());
    EXPECT_NO_THROW(static_cast<void>(queueing::Instance(data)));
}

TEST(FsckInstance, WeighsBytesOnRequest) {
    const queueing::InstanceData data =
        to_instance(text(small), {.weight = BlockWeight::bytes, .total_rate = Rational(112)});
    EXPECT_EQ(data.rates, (std::vector<Rational>{12, 100}));
}

TEST(FsckInstance, ImportsOnlyWhatLiesUnderThePath) {
    const Listing listing = text(small);
    EXPECT_EQ(to_instance(listing, {.under = "/x"}).types.size(), 1U);
    EXPECT_EQ(to_instance(listing, {.under = "/x/"}).types.size(), 1U);
    EXPECT_EQ(to_instance(listing, {.under = "/xy/g"}).types.size(), 1U);
    EXPECT_EQ(to_instance(listing, {.under = "/xy/g"}).servers.size(), 2U);
    EXPECT_EQ(error(listing, {.under = "/nowhere"}),
              "under: expected a path that holds files of the listing, not '/nowhere'");
    EXPECT_EQ(error(listing, {.under = "/empty"}), "types: expected at least one block with a replica");
}

TEST(FsckInstance, TakesLevelsFromTheRacks) {
    const ImportedInstance racks = import_instance(text(small));  // one data centre tells nothing apart
    ASSERT_EQ(racks.data.levels.size(), 3U);
    EXPECT_EQ(racks.data.levels[1].name, "rack");
    EXPECT_EQ(racks.data.levels[1].rate, Rational(1) / Rational(2));
    EXPECT_TRUE(says(racks, "assumed: local 4/5, rack 1/2, remote 1/5"));
    const ImportedInstance nested = import_instance(data_file("hadoop3_details.txt"));
    ASSERT_EQ(nested.data.levels.size(), 4U);
    const queueing::Instance instance(nested.data);
    EXPECT_EQ(instance.distance(ServerId(0), ServerId(1)), Level(2));  // /dc1/r1, /dc1/r2
    EXPECT_EQ(instance.distance(ServerId(0), ServerId(2)), Level(3));  // /dc1/r1, /dc2/r1: two racks of one name
    const ImportedInstance flat = import_instance(data_file("wrapped.txt"));
    EXPECT_EQ(flat.data.levels.size(), 2U);
    EXPECT_TRUE(says(flat, "no location names a rack"));
    EXPECT_TRUE(says(import_instance(data_file("hadoop1.txt")), "all servers are on one rack"));
}

TEST(FsckInstance, TakesTheLevelsThatItIsGiven) {
    const Listing listing = text(small);
    const std::vector<queueing::LevelInfo> two{{"near", Rational(1)}, {"far", Rational(1) / Rational(3)}};
    const ImportedInstance imported = import_instance(listing, {.levels = two});
    EXPECT_EQ(imported.data.levels.size(), 2U);
    EXPECT_TRUE(says(imported, "1 outer grouping(s) of the racks are ignored"));
    EXPECT_EQ(imported.data.rates[0], Rational(2) / Rational(3));
    std::vector<queueing::LevelInfo> four = two;
    four.insert(four.begin() + 1, {{"rack", Rational(3) / Rational(4)}, {"row", Rational(1) / Rational(2)}});
    EXPECT_EQ(error(listing, {.levels = four}),
              "levels: expected at most 3 levels, which is what the racks tell apart, not 4");
}

TEST(FsckInstance, LeavesOutWhatHoldsNoCopyAndSaysSo) {
    const Listing listing = data_file("trouble.txt");
    const ImportedInstance imported = import_instance(listing);
    EXPECT_TRUE(says(imported, "4 block(s) without a usable replica are left out"));
    EXPECT_TRUE(says(imported, "1 erasure-coded block group(s) are left out"));
    EXPECT_EQ(imported.data.types.size(), 3U);
    EXPECT_EQ(std::ranges::count_if(imported.type_of_block, [](const auto& type) { return !type; }), 5);
    EXPECT_EQ(to_instance(listing, {.erasure_coded = true}).types.size(), 4U);
}

TEST(FsckInstance, RefusesWhatMakesNoInstance) {
    EXPECT_EQ(error(text("/d <dir>\nStatus: HEALTHY\n"), {}),
              "servers: expected at least one server that holds a replica: was -locations given?");
    EXPECT_NE(error(text(small), {.total_rate = Rational(-1)}).find("total-rate: expected a total rate of at least 0"),
              std::string::npos);
    EXPECT_NE(error(text("/f 2 bytes, 1 block(s):  OK\n0. blk_1_1 len=2 repl=2 [/r/a:1, /r/s/b:1]\n"), {})
                  .find("expected racks nested to one depth"),
              std::string::npos);
    EXPECT_NE(
        error(text("/f 0 bytes, 1 block(s):  OK\n0. blk_1_1 len=0 repl=1 [a:1]\n"), {.weight = BlockWeight::bytes})
            .find("at least one byte"),
        std::string::npos);
}

TEST(FsckInstance, TheBundledExampleGivesAnInstance) {
    const Listing listing =
        read_fsck_file(std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments/instances/example-fsck.txt");
    EXPECT_EQ(listing.summary.blocks, 15U);
    ASSERT_EQ(listing.summary.differences.size(), 1U);
    EXPECT_NE(listing.summary.differences[0].find("9 data-nodes, but only 8"), std::string::npos);
    const queueing::Instance instance(to_instance(listing));
    EXPECT_EQ(instance.types().size(), 11U);
    EXPECT_EQ(instance.total_arrival_rate(), Rational(16) / Rational(5));
}

}  // namespace
}  // namespace schedproof::input::fsck_instances
