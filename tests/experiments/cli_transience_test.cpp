/// `prove transience` as its users meet it: verdicts, exit codes, certificates, pictures, JSON by its schema.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;

class CliTransience : public CommandTest {
  protected:
    /// A line of shell in the test's directory, both streams in one; `schedproof` is the command.
    [[nodiscard]] Answer shell(const std::string& line) const {
        return CommandTest::shell("schedproof() { '" SCHEDPROOF_COMMAND "' \"$@\"; } && " + line + " 2>&1");
    }
    void expect_schema(const std::string& name, const std::string& schema = "prove-transience") const {
        const Answer answer = validated(schema, name);
        EXPECT_EQ(answer.exit, 0) << answer.out;
    }
    void expect(const Answer& answer, int exit, const std::string& words) const {
        EXPECT_EQ(answer.exit, exit) << answer.out;
        EXPECT_TRUE(testing_support::contains(answer.out, words)) << words << "\n" << answer.out;
    }
};

const std::string prove = "schedproof prove transience experiments/instances/";

TEST_F(CliTransience, ProvesCertifiesAndDraws) {
    const Answer answer =
        shell(prove + "n2-pandas.toml -p pandas --certificate t.json --picture cells.svg --smtlib queries");
    expect(answer, 0, "verdict       Proved\n");
    expect(answer, 0,
           "under pandas:plain with the default interpretations of the slot, although rho* = 37/38 < 1, the cluster "
           "is transient");
    expect(answer, 0, "delta         13/362 (approx.");
    EXPECT_NE(read("cells.svg").find("<svg"), std::string::npos);
    EXPECT_NE(read("queries/index.txt").find("growth f=idle,idle,idle"), std::string::npos);
    expect(shell("schedproof certify t.json"), 0, "accepted      t.json");
    expect_schema("t.json", "certificate");
}

TEST_F(CliTransience, SpoiledCertificatesAreRejected) {
    ASSERT_EQ(shell(prove + "n1-fifo.toml -p fifo --certificate t.json").exit, 0);
    const auto right = nlohmann::ordered_json::parse(read("t.json"));
    const std::vector<std::pair<const char*, const char*>> numbers{{"/statement/delta", "1/50"},
                                                                   {"/statement/threshold", "2"},
                                                                   {"/statement/jump", "5"},
                                                                   {"/statement/load/upper", "1/2"},
                                                                   {"/statement/load/lower", "1/3"},
                                                                   {"/statement/load/server-price/0", "1/3"},
                                                                   {"/statement/load/type-price/0", "1/3"},
                                                                   {"/statement/load/decomposition/0/amount", "1/3"},
                                                                   {"/statement/w/pieces/1/coefficient", "3/5"},
                                                                   {"/sentence", "Everything is transient."},
                                                                   {"/policy", "wang-jsq-maxweight"},
                                                                   {"/theorem", "drift"}};
    for (const auto& [place, value] : numbers) {
        auto wrong = right;
        const nlohmann::ordered_json::json_pointer at(place);
        ASSERT_TRUE(wrong.contains(at)) << place;
        wrong[at] = value;
        write("wrong.json", wrong.dump());
        const Answer answer = shell("schedproof certify wrong.json");
        EXPECT_TRUE(answer.exit == 1 || answer.exit == 2) << place << "\n" << answer.out;
    }
    write("same.json", right.dump());
    EXPECT_EQ(shell("schedproof certify same.json").exit, 0) << "the spoiled ones were rejected for their layout";
}

TEST_F(CliTransience, AnswersInJson) {
    ASSERT_EQ(shell(prove + "n1-fifo.toml -p fifo --format json -o proved.json --picture cells.dot").exit, 0);
    expect_schema("proved.json");
    const auto proved = nlohmann::json::parse(read("proved.json"));
    EXPECT_EQ(proved["verdict"], "proved");
    EXPECT_EQ(proved["theorem"]["delta"]["exact"], "3/50");
    EXPECT_EQ(proved["theorem"]["load"]["upper"]["exact"], "7/16");
    EXPECT_EQ(shell(prove + "n2-pandas.toml -p generalized-cmu --format json -o unknown.json").exit, 3);
    expect_schema("unknown.json");
}

TEST_F(CliTransience, SaysWhatIsUnknownOrWrong) {
    expect(shell(prove + "n2-pandas.toml -p jsq-maxweight"), 3, "no linear W of the template");
    expect(shell(prove + "n2-pandas.toml -p pandas --max-cells 1"), 3, "more than 1 cells");
    expect(shell(prove + "n2-pandas.toml -p pandas --rlimit 0"), 3, "Unknown");
    expect(shell(prove + "m2-half.toml -p fifo"), 3, "infinitely many shapes");
    expect(shell(prove + "n2-pandas.toml -p pandas --picture cells.pdf"), 2, ".dot, .svg or .png");
    expect(shell(prove + "n2-pandas.toml -p panda"), 2, "pandas");
    expect(shell(prove + "absent.toml -p pandas"), 2, "absent.toml");
    expect(shell(prove + "n2-pandas.toml -p fluid-model-planning:static"), 2, "without a plan");
}

}  // namespace
}  // namespace schedproof
