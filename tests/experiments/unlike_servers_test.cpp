/// Servers of unlike rates from instance to answer, as a user runs the commands: the textbook's questions, and what is
/// refused.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/command.hpp"

namespace schedproof::cli {
namespace {

using namespace schedproof::testing_support;

std::string unlike(const std::string& servers, const std::string& types, const std::string& arrivals) {
    return "family = \"queueing\"\nname = \"unlike\"\nservers = " + servers + "\ntypes = [" + types +
           "]\n[arrivals]\nkind = \"single\"\nvalues = {" + arrivals + "}\n";
}
std::string policy(const std::string& route) {
    return "policy: mine\nsource: \"a test\"\nsummary: \"joins a queue\"\nkeep: per_server\nroute: " + route +
           "\nserve: own\n";
}

class UnlikeServers : public CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        write("two.toml", unlike("2", R"({name = "A", rates = {s0 = "9/10", s1 = "1/10"}})", R"(A = "4/5")"));
        write("four.toml", unlike("4", R"({name = "A", rates = {s0 = "1/2", s1 = "1/2", s2 = "1/50", s3 = "1/50"}})",
                                  R"(A = "4/5")"));
        write("n.toml",
              unlike("2", R"({name = "A", rates = {s0 = "1/2", s1 = "1/4"}}, {name = "B", rates = {s1 = "3/4"}})",
                     R"(A = "2/5", B = "2/5")"));
        write("shortest.policy", policy("argmin(servers, length)"));
        write("replaced.policy", policy("mix(1/2, argmin(servers, length), sample(1, servers))"));
        write("choices.policy", policy("argmin(sample(2, servers), length)"));
        write("soonest.policy", policy("argmin(servers, (length + tasks(1)) / rate)"));
    }
};

/// No function is named; the certificate is accepted, and the mean is that of the exact chain cut far out.
TEST_F(UnlikeServers, TheShortestQueueIsProvedStableWithACertifiedMean) {
    const std::string text = out("prove drift two.toml --policy-file shortest.policy --certificate c.json", 0);
    EXPECT_TRUE(contains(text, "Proved, by Foster's criterion")) << text;
    EXPECT_TRUE(contains(out("certify c.json", 0), "accepted"));
    EXPECT_TRUE(contains(out("mean two.toml --policy-file shortest.policy", 0), "1.40881267299"));
    EXPECT_TRUE(contains(out("prove drift four.toml --policy-file shortest.policy", 0), "Foster"));
}

/// Of two servers drawn with replacement the slow one is drawn twice once in four times: 1/5 of a task, of 1/10 that it
/// can serve. Of four, two slow ones are drawn once in six times.
TEST_F(UnlikeServers, ChoicesThatMissTheFastServersAreTransient) {
    EXPECT_TRUE(
        contains(out("prove transience two.toml --policy-file replaced.policy --certificate t.json", 0), "Proved"));
    EXPECT_TRUE(contains(out("certify t.json", 0), "accepted"));
    EXPECT_TRUE(contains(out("prove transience four.toml --policy-file choices.policy", 0), "Proved"));
}

/// A server's own rate in a key.
TEST_F(UnlikeServers, KeysHaveTheRateOfTheServer) {
    EXPECT_TRUE(contains(out("prove drift two.toml --policy-file soonest.policy", 0), "Foster"));
}

TEST_F(UnlikeServers, ServersThatCannotServeAreLeftOut) {
    EXPECT_TRUE(contains(out("capacity n.toml", 0), "load rho*     32/45"));
    EXPECT_TRUE(contains(out("prove drift n.toml -p balanced-pandas --certificate b.json", 0), "Foster"));
    EXPECT_TRUE(contains(out("certify b.json", 0), "accepted"));
    EXPECT_TRUE(contains(out("prove drift n.toml -p generalized-cmu", 0), "Foster"));
    EXPECT_TRUE(
        contains(out("simulate n.toml -p generalized-cmu -p balanced-pandas --replications 2", 0), "tasks in system"));
}

TEST_F(UnlikeServers, AreRefusedWithTheLineAndWhatToWrite) {
    const auto refused = [&](const std::string& text, const std::string& says) {
        write("bad.toml", text);
        expect_refused("capacity bad.toml", says);
    };
    const std::string a = R"({name = "A", rates = {s0 = "1/2", s1 = "1/4"}})", values = R"(A = "1/2")";
    refused(unlike("2", R"({name = "A", rates = {s0 = "1/2", s2 = "1/4"}})", values), "expected a known server");
    refused(unlike("2", R"({name = "A", rates = {}})", values), "expected the rate of at least one server");
    refused(unlike("2", R"({name = "A", rates = {s0 = "3/2"}})", values), "above 0 and at most 1");
    refused(unlike("2", a + R"(, {name = "B", replicas = ["s0"]})", R"(A = "1/2", B = "1/4")"), "levels");
    refused(
        "levels = [{name = \"local\", rate = \"1/2\"}, {name = \"remote\", rate = \"1/4\"}]\n" + unlike("2", a, values),
        "bad.toml:1: levels: expected no levels");
    refused(unlike(R"([{name = "s0", speed = 2}, "s1"])", a, values), "expected no speeds");
    write("two-types.toml",
          unlike("2", a + R"(, {name = "B", rates = {s0 = "1/4", s1 = "1/4"}})", R"(A = "1/4", B = "1/4")"));
    expect_refused("prove drift two-types.toml --policy-file shortest.policy", "the queue would not tell the rate");
}

/// A speed is short for the rates that follow from it.
TEST_F(UnlikeServers, SpeedsAreRates) {
    const std::string levels =
        "family = \"queueing\"\nname = \"fast\"\nlevels = [{name = \"local\", rate = \"2/5\"}, {name = \"remote\", "
        "rate "
        "= \"1/10\"}]\nservers = [{name = \"old\"}, {name = \"new\", speed = ";
    const std::string rest =
        "}]\ntypes = [{name = \"A\", replicas = [\"old\"]}]\n[arrivals]\nkind = \"single\"\n"
        "values = {A = \"1/4\"}\n";
    write("fast.toml", levels + "2" + rest);
    EXPECT_TRUE(contains(out("show fast.toml --as toml", 0), R"(rates = {"old" = "2/5", "new" = "1/5"})"));
    write("too-fast.toml", levels + "20" + rest);
    expect_refused("show too-fast.toml", "rates stay at most 1");
}

}  // namespace
}  // namespace schedproof::cli
