#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "experiments/input/fsck/line.hpp"

namespace schedproof::input::fsck {
namespace {

TEST(FsckLine, ReadsFileLinesOfEveryVersion) {
    const auto old = parse_file_line("/a b:c/d 12 bytes, 3 block(s):  OK");
    ASSERT_TRUE(old);
    EXPECT_EQ(old->path, "/a b:c/d");
    EXPECT_EQ(old->bytes, 12U);
    EXPECT_EQ(old->blocks, 3U);
    EXPECT_EQ(old->note, "OK");
    EXPECT_FALSE(old->erasure_coded || old->open);
    EXPECT_TRUE(parse_file_line("/f 1 bytes, replicated: replication=3, 1 block(s):  OK"));
    EXPECT_TRUE(parse_file_line("/f 1 bytes, replication=1, 1 block(s): OK"));
    EXPECT_TRUE(parse_file_line("/f 1 bytes, erasure-coded: policy=RS-6-3-1024k, 1 block(s): ")->erasure_coded);
    EXPECT_TRUE(parse_file_line("/f 1 bytes, 1 block(s), OPENFORWRITE:  OK")->open);
    EXPECT_EQ(parse_file_line("/f 1 bytes, 1 block(s):  MISSING 1 blocks of total size 26 B")->note,
              "MISSING 1 blocks of total size 26 B");
}

TEST(FsckLine, ReadsAPathFromItsRightEnd) {
    EXPECT_EQ(parse_file_line("/a 5 bytes, 1 block(s):  OK 7 bytes, 2 block(s):  OK")->path,
              "/a 5 bytes, 1 block(s):  OK");
    EXPECT_EQ(parse_file_line("/a  7 bytes, 2 block(s):  OK")->path, "/a ");
    EXPECT_EQ(parse_file_line("/0. blk_1_1 len=5 repl=1 [h:1] 7 bytes, 2 block(s):  OK")->path,
              "/0. blk_1_1 len=5 repl=1 [h:1]");
}

TEST(FsckLine, RefusesWhatIsNoFileLine) {
    for (const char* line : {"/a", "/a <dir>", "/a 5 bytes", "/a 5 bytes, 1 block(s)", "/a x bytes, 1 block(s): OK",
                             "/a 5 bytes, x block(s): OK", "/a 5 bytes, nonsense, 1 block(s): OK",
                             "/a 99999999999999999999 bytes, 1 block(s): OK", "/5 bytes, 1 block(s): OK"})
        EXPECT_FALSE(parse_file_line(line)) << line;
}

TEST(FsckLine, ReadsBlockLines) {
    const auto old =
        parse_block_line("0. blk_-3724870485760122836_1035 len=25582428 repl=3 [/default-rack/10.251.43.2:50010]");
    ASSERT_TRUE(old) << old.error();
    EXPECT_EQ(old->id, -3724870485760122836);
    EXPECT_EQ(old->stamp, 1035U);
    EXPECT_EQ(old->bytes, 25582428U);
    EXPECT_EQ(old->locations, "/default-rack/10.251.43.2:50010");
    EXPECT_EQ(parse_block_line("7. blk_-9223372036854775808_1 len=1")->id, std::numeric_limits<std::int64_t>::min());
    const auto modern = parse_block_line(
        "12. BP-1-10.0.0.1-15:blk_1_2 len=3 Live_repl=3  [DatanodeInfoWithStorage[a:1,DS-1,DISK], [fe80::1]:2]");
    ASSERT_TRUE(modern) << modern.error();
    EXPECT_EQ(modern->number, 12U);
    EXPECT_EQ(modern->locations, "DatanodeInfoWithStorage[a:1,DS-1,DISK], [fe80::1]:2");
    const auto missing = parse_block_line("0. BP-1:blk_1_2 len=3 MISSING!");
    ASSERT_TRUE(missing) << missing.error();
    EXPECT_TRUE(missing->missing);
    EXPECT_FALSE(missing->locations);
    EXPECT_EQ(parse_block_line("0. blk_1_2 len=3 MISSING! Live_repl=2  []")->locations, "");
    EXPECT_TRUE(parse_block_line("0. blk_1_2 len=3 Expected_repl=2"));
}

TEST(FsckLine, SaysWhatIsWrongWithABlockLine) {
    const auto error = [](const char* line) {
        const auto block = parse_block_line(line);
        return block ? std::string("no error") : block.error();
    };
    EXPECT_NE(error("0.").find("block name"), std::string::npos);
    EXPECT_NE(error("0. BP-1:bl").find("block name"), std::string::npos);
    EXPECT_NE(error("0. xblk_1_2 len=1").find("block name"), std::string::npos);
    EXPECT_NE(error("0. blk_1 len=1").find("block name"), std::string::npos);
    EXPECT_NE(error("0. blk_99999999999999999999_1 len=1").find("block name"), std::string::npos);
    EXPECT_NE(error("0. blk_1_2").find("len=N"), std::string::npos);
    EXPECT_NE(error("0. blk_1_2 len=").find("len=N"), std::string::npos);
    EXPECT_NE(error("0. blk_1_2 len=1x").find("len=N"), std::string::npos);
    EXPECT_NE(error("0. blk_1_2 len=-1").find("len=N"), std::string::npos);
    EXPECT_NE(error("0. blk_1_2 len=1 repl=").find("repl=R"), std::string::npos);
    EXPECT_NE(error("0. blk_1_2 len=1 rpl=3 []").find("'rpl=3'"), std::string::npos);
    EXPECT_NE(error("0. blk_1_2 len=1 repl=3 [a:1").find("ends with ]"), std::string::npos);
    EXPECT_NE(error("0. blk_1_2 len=1 repl=3 [a:1] [b:1]").find("nothing after"), std::string::npos);
    EXPECT_NE(error("99999999999999999999. blk_1_2 len=1").find("block line"), std::string::npos);
}

TEST(FsckLine, TellsBlockLinesByTheirBeginning) {
    EXPECT_TRUE(begins_block("0. x"));
    EXPECT_TRUE(begins_block("12."));
    EXPECT_FALSE(begins_block("18/05/01 12:00 WARN"));
    EXPECT_FALSE(begins_block("3.1.2 is a version"));
    EXPECT_FALSE(begins_block(". 0"));
    EXPECT_FALSE(begins_block("12"));
}

Location only(std::string_view list) {
    const auto location = take_location(list);
    EXPECT_TRUE(location) << location.error();
    EXPECT_EQ(list, "");
    return location.value_or(Location{});
}

TEST(FsckLine, ReadsEveryFormOfLocation) {
    const Location racked = only("/dc1/rack2/10.0.0.1:9866");
    EXPECT_EQ(racked.rack, "/dc1/rack2");
    EXPECT_EQ(racked.host, "10.0.0.1");
    EXPECT_EQ(racked.port, "9866");
    EXPECT_EQ(only("10.0.0.1:9866").rack, "");
    EXPECT_EQ(only("/10.0.0.1:9866").rack, "");
    EXPECT_EQ(only("/r/[fe80::1:2]:9866").host, "fe80::1:2");
    EXPECT_EQ(only("[2001:db8::7]:1").host, "2001:db8::7");
    EXPECT_EQ(only("DatanodeInfoWithStorage[node-1.example:9866,DS-1,SSD]").host, "node-1.example");
    EXPECT_EQ(only("DatanodeInfoWithStorage[[fe80::1]:9866,DS-1,SSD](STALE_NODE)").mark, Mark::stale);
    EXPECT_EQ(only("blk_-92:/r/h:1").rack, "/r");
    EXPECT_EQ(only("h:1(LIVE)").mark, Mark::live);
    EXPECT_EQ(only("h:1 (ud=u1) (IN MAINTENANCE)").mark, Mark::in_maintenance);
    EXPECT_EQ(only("h:1(ENTERING_MAINTENANCE)").mark, Mark::entering_maintenance);
    EXPECT_EQ(only("h:1(LIVE)(EXCESS)").mark, Mark::excess);
    std::string_view two = "a:1, b:2";
    EXPECT_EQ(take_location(two)->host, "a");
    EXPECT_EQ(take_location(two)->host, "b");
}

TEST(FsckLine, RefusesWhatIsNoLocation) {
    for (std::string_view list : {"h",
                                  "h:",
                                  "h:0",
                                  "h:65536",
                                  "h:012",
                                  ":1",
                                  "/r/",
                                  "/r//s/h:1",
                                  "r/h:1",
                                  "fe80::1:2",
                                  "[]:1",
                                  "a b:1",
                                  "DatanodeInfoWithStorage",
                                  "DatanodeInfoWithStorage[h,DS,DISK]",
                                  "h:1(LIVE",
                                  "h:1(LIFE)",
                                  "h:1 x",
                                  ",h:1",
                                  "blk_5",
                                  "h\x01:1",
                                  "/\xff/h:1"}) {
        const std::string whole(list);
        EXPECT_FALSE(take_location(list)) << whole;
    }
    std::string_view list = "h:1(LIFE)";
    EXPECT_NE(take_location(list).error().find("did you mean 'LIVE'?"), std::string::npos);
}

}  // namespace
}  // namespace schedproof::input::fsck
