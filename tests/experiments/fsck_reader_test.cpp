/// Listings of each form that Hadoop prints: what is read from them, and what is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/input/fsck/reader.hpp"
#include "experiments/input/text/line_reader.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {
namespace {

Listing data_file(const std::string& name, ServerNaming naming = ServerNaming::host) {
    return read_fsck_file(std::string(SCHEDPROOF_SOURCE_DIR) + "/tests/data/fsck/" + name, naming);
}

Listing text(const std::string& lines) {
    std::istringstream in(lines);
    return read_fsck(in, "f");
}

std::string error(const std::string& lines) {
    try {
        static_cast<void>(text(lines));
    } catch (const InputError& wrong) {
        return wrong.what();
    }
    return "no error";
}

std::vector<std::string> hosts(const Listing& listing, std::size_t block) {
    std::vector<std::string> names;
    for (const ServerId m : listing.replicas_of(listing.blocks[block]))
        names.push_back(listing.servers[m.index()].name);
    return names;
}
using Names = std::vector<std::string>;

TEST(FsckReader, Hadoop1) {
    const Listing listing = data_file("hadoop1.txt");
    ASSERT_EQ(listing.files.size(), 3U);
    EXPECT_EQ(listing.files[0].path, "/user/tom/part-00007");
    EXPECT_EQ(listing.blocks_of(listing.files[2]).size(), 2U);
    EXPECT_EQ(listing.blocks[0].id, -3724870485760122836);
    EXPECT_EQ(hosts(listing, 0), (Names{"10.251.43.2", "10.251.27.178", "10.251.123.163"}));
    EXPECT_EQ(listing.servers[0].rack, "/default-rack");
    EXPECT_TRUE(listing.summary.differences.empty()) << listing.summary.to_string();
    EXPECT_EQ(listing.summary.lines_skipped[SkippedLine::blank], (Tally{5, 5}));
    EXPECT_EQ(listing.summary.lines_skipped[SkippedLine::banner], (Tally{3, 1}));
    EXPECT_EQ(listing.summary.announced.status, "HEALTHY");
}

TEST(FsckReader, Hadoop2WithStoragesAndNoise) {
    const Listing listing = data_file("hadoop2_storages.txt");
    EXPECT_EQ(hosts(listing, 0), (Names{"10.0.0.1", "10.0.0.2"}));
    EXPECT_EQ(hosts(listing, 2), (Names{"10.0.0.2", "10.0.0.3"}));
    EXPECT_EQ(listing.summary.racks, 0U);
    EXPECT_EQ(listing.summary.announced.status, "HEALTHY");
    EXPECT_EQ(listing.summary.lines_skipped[SkippedLine::other], (Tally{2, 1}));
    ASSERT_EQ(listing.summary.differences.size(), 1U);
}

TEST(FsckReader, Hadoop3WithDetails) {
    const Listing listing = data_file("hadoop3_details.txt");
    EXPECT_EQ(hosts(listing, 0), (Names{"10.2.0.11", "10.2.0.12", "10.2.0.13"}));
    EXPECT_EQ(hosts(listing, 1), (Names{"10.2.0.13"}));
    EXPECT_EQ(hosts(listing, 2), (Names{"10.2.0.17"}));
    EXPECT_EQ(listing.servers.size(), 4U);
    EXPECT_EQ(listing.servers[2].rack, "/dc2/r1");
    for (const auto reason : {SkippedReplica::dead, SkippedReplica::decommissioned, SkippedReplica::in_maintenance,
                              SkippedReplica::corrupt, SkippedReplica::excess})
        EXPECT_EQ(listing.summary.replicas_skipped[reason].count, 1U) << name(reason);
    EXPECT_EQ(listing.summary.replicas_skipped[SkippedReplica::dead].first_line, 10U);
    EXPECT_EQ(listing.summary.lines_skipped[SkippedLine::symlink], (Tally{1, 6}));
    EXPECT_EQ(listing.summary.data_nodes, 7U);
    EXPECT_TRUE(listing.summary.differences.empty()) << listing.summary.to_string();
}

TEST(FsckReader, Trouble) {
    const Listing listing = data_file("trouble.txt");
    const ImportSummary& summary = listing.summary;
    EXPECT_EQ(summary.troubles[Trouble::under_replicated], (Tally{1, 4}));
    EXPECT_EQ(summary.troubles[Trouble::corrupt], (Tally{2, 11}));
    EXPECT_EQ(summary.troubles[Trouble::missing], (Tally{1, 7}));
    EXPECT_EQ(summary.troubles[Trouble::misplaced], (Tally{1, 12}));
    EXPECT_EQ(summary.bare_blocks[BareBlock::missing], (Tally{1, 8}));
    EXPECT_EQ(summary.bare_blocks[BareBlock::all_skipped], (Tally{1, 14}));
    EXPECT_EQ(summary.bare_blocks[BareBlock::no_list], (Tally{1, 25}));
    EXPECT_EQ(summary.bare_blocks[BareBlock::empty_list], (Tally{1, 26}));
    EXPECT_EQ(summary.erasure_coded_blocks, 1U);
    EXPECT_EQ(summary.open_files, 1U);
    EXPECT_EQ(summary.bytes, 1078U);
    ASSERT_EQ(summary.differences.size(), 1U);
    EXPECT_NE(summary.differences[0].find("5 data-nodes, but only 3"), std::string::npos);
    EXPECT_NE(summary.to_string().find("blocks marked MISSING!: 1, first at line 8"), std::string::npos);
}

TEST(FsckReader, WrappedLists) {
    const Listing listing = data_file("wrapped.txt");
    EXPECT_EQ(hosts(listing, 0), (Names{"10.104.1.41", "10.104.2.146", "10.104.8.26"}));
    EXPECT_EQ(hosts(listing, 1), (Names{"10.104.1.41"}));
    EXPECT_TRUE(listing.summary.differences.empty()) << listing.summary.to_string();
}

TEST(FsckReader, HostsAndPorts) {
    const Listing by_host = data_file("names.txt");
    EXPECT_EQ(hosts(by_host, 1), (Names{"fe80::1:2", "2001:db8::7"}));
    EXPECT_EQ(hosts(by_host, 2), (Names{"node-1.example"}));
    EXPECT_EQ(by_host.summary.replicas_skipped[SkippedReplica::same_server], (Tally{1, 4}));
    EXPECT_EQ(by_host.servers[4].rack, "/ラック");
    const Listing by_port = data_file("names.txt", ServerNaming::port);
    EXPECT_EQ(hosts(by_port, 2), (Names{"node-1.example:50010", "node-1.example:50011"}));
    EXPECT_EQ(by_port.summary.replicas, by_host.summary.replicas + 1);
}

TEST(FsckReader, AdversarialPaths) {
    const Listing listing = data_file("adversarial.txt");
    const Names expected{"/0. blk_1_1 len=5 repl=1 [/0. blk_2_2 len=5 repl=1 [h:1]",
                         "/a 9 bytes, 7 block(s):  OK",
                         "/a <dir>",
                         "/x: y",
                         "/x: CORRUPT block",
                         "/Ünïcødé/ファイル [1](LIVE), x",
                         "/ends in blank ",
                         "/dots",
                         "/Status: HEALTHY"};
    ASSERT_EQ(listing.files.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(listing.files[i].path, expected[i]);
    EXPECT_EQ(listing.summary.directories, 2U);
    EXPECT_EQ(listing.summary.lines_skipped[SkippedLine::other].count, 0U);
    EXPECT_TRUE(listing.summary.differences.empty()) << listing.summary.to_string();
}

TEST(FsckReader, ReportsWhatTheSummaryContradicts) {
    const Listing listing = text(
        "/f 5 bytes, 2 block(s):  OK\r\n0. blk_1_1 len=5 repl=1 [/r/h:1]\r\n\r\n/bin/hdfs: line 3: warning\nStatus: "
        "HEALTHY\r\n"
        " Total size:\t6 B\n Total dirs:\t1\n Total files:\t2\n Total blocks (validated):\t3\n Number of "
        "data-nodes:\t0\n Number of racks:\t4\n");
    EXPECT_EQ(listing.summary.files_with_other_count, (Tally{1, 1}));
    EXPECT_EQ(listing.summary.lines_skipped[SkippedLine::other], (Tally{1, 4}));
    EXPECT_EQ(listing.summary.differences.size(), 8U) << listing.summary.to_string();
    EXPECT_NE(text("/f 0 bytes, 0 block(s):  OK\n").summary.differences.at(0).find("no summary"), std::string::npos);
}

TEST(FsckReader, RefusesWhatIsNoListing) {
    EXPECT_EQ(error("").substr(0, 26), "f: expected the output of ");
    EXPECT_NE(error("hello\nworld\n").find("none of 2 lines"), std::string::npos);
    EXPECT_NE(error(std::string("\0\1\2\n\xff", 5)).find("expected the output of"), std::string::npos);
    EXPECT_NE(error("Path '/x' does not exist\n").find("expected the output of"), std::string::npos);
    EXPECT_NE(error("/f 5 bytes, 1 block(s):  OK\nStatus: HEALTHY\n").find("run fsck with -files -blocks -locations"),
              std::string::npos);
    EXPECT_EQ(error(std::string(LineReader::max_line_bytes + 1, 'x')), "f:1: expected lines of at most 1048576 bytes");
    EXPECT_EQ(error("\n" + std::string(3 * LineReader::max_line_bytes, 'x') + "\n"),
              "f:2: expected lines of at most 1048576 bytes");
}

TEST(FsckReader, RefusesBrokenLines) {
    const std::string file = "/f 5 bytes, 2 block(s):  OK\n";
    EXPECT_EQ(error(file + "0. blk_1_1 len=5 repl=1 [h:1, \n"),
              "f:2: expected ] closing this list of locations before the end of the listing");
    EXPECT_EQ(error(file + "0. blk_1_1 len=5 repl=1 [h:1,\n1. blk_2_1 len=5 repl=1 [h:1]\n"),
              "f:2: expected ] closing this list of locations before line 3");
    EXPECT_EQ(error(file + "0. blk_1_1 len=5 repl=1 [h:1,\n" + file),
              "f:2: expected ] closing this list of locations before line 3");
    EXPECT_EQ(error(file + "0. blk_1_1 le"), "f:2: expected len=N after the block name");
    EXPECT_EQ(error(file + "\n0. blk"), "f:3: expected a block name blk_ID_STAMP after the number, not 'blk'");
    EXPECT_NE(error(file + "0. blk_1_1 len=5 repl=1 [h]\n").find("f:2: expected a location such as"),
              std::string::npos);
    EXPECT_NE(error(file + "0. blk_1_1 len=5 repl=1 [h:1]]\n").find("f:2: expected nothing after the list"),
              std::string::npos);
    EXPECT_NE(error("0. blk_1_1 len=5 repl=1 [h:1]\n").find("f:1: expected a file line"), std::string::npos);
    EXPECT_NE(error(file + "/d <dir>\n0. blk_1_1 len=5 repl=1 [h:1]\n").find("f:3: expected a file line"),
              std::string::npos);
    EXPECT_NE(error("Status: HEALTHY\n Total files:\tmany\n").find("f:2: expected a number"), std::string::npos);
}

TEST(FsckReader, NoticesALostFileLine) {
    const std::string file = "/f 5 bytes, 2 block(s):  OK\n", zero = "0. blk_1_1 len=5 repl=1 [h:1]\n",
                      one = "1. blk_2_1 len=5 repl=1 [h:1]\n";
    EXPECT_EQ(error(file + zero + one), "no error");
    EXPECT_NE(error(file + zero + one + "/g 5 bytes, 1 blo\n" + zero)
                  .find("f:5: expected block 2 of the 2 of '/f': a file line is missing or damaged"),
              std::string::npos);
    EXPECT_NE(error(file + one + zero).find("f:3: expected block 2"), std::string::npos);
    EXPECT_NE(error("/f 5 bytes, 0 block(s):  OK\n" + zero).find("f:2: expected block 0 of the 0"), std::string::npos);
    EXPECT_NE(error(file + zero + "/r 1 bytes, 1 block(s): OK\n0. blk_3_1 len=5 repl=1 [/r/h:1]\n")
                  .find("f:4: expected server 'h' on rack '' as before, not on '/r'"),
              std::string::npos);
}

TEST(FsckReader, BoundsHostileSizes) {
    EXPECT_NE(error("/f 5 bytes, 9000000000 block(s):  OK\n").find("at most 50000000 blocks"), std::string::npos);
    const std::string huge = "/f 9223372036854775807 bytes, 0 block(s):  OK\n";
    EXPECT_NE(error(huge + huge + huge).find("f:3: expected files whose sizes add up"), std::string::npos);
    std::string list = "/f 5 bytes, 1 block(s):  OK\n0. blk_1_1 len=5 repl=1 [";
    for (int i = 0; i < 2000; ++i) list += "h:1,";
    EXPECT_NE(error(list + "h:1]\n").find("f:2: expected at most 1024 locations"), std::string::npos);
    std::string wrapped = "/f 5 bytes, 1 block(s):  OK\n0. blk_1_1 len=5 repl=1 [\n";
    for (int i = 0; i < 30; ++i) wrapped.append(50'000, '[').push_back('\n');
    EXPECT_NE(error(wrapped).find("f:2: expected a list of locations of at most"), std::string::npos);
}

TEST(FsckReader, Files) {
    EXPECT_THROW(static_cast<void>(read_fsck_file("/no/such/file")), InputError);
    EXPECT_THROW(static_cast<void>(read_fsck_file(std::filesystem::temp_directory_path().string())), InputError);
}

}  // namespace
}  // namespace schedproof::input
