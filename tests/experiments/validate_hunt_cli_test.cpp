/// `schedproof validate --hunt`: what it prints of a cluster on which a policy breaks, what it writes, and whom it
/// refuses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/command.hpp"
#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

class ValidateHuntCli : public SchemaTest {
  protected:
    static constexpr const char* rule = "experiments/zoo/two-choices.policy";
};

TEST_F(ValidateHuntCli, PrintsAClusterThatCanBeAskedAgain) {
    const std::string text = good(std::string("validate ") + rule + " --hunt", 1);
    for (const char* line :
         {"hunt          hunted ", "TRANSIENT, Proved", "no smaller variant of it is proved transient",
          "although rho* = ", "not covered", "transient on hunted; "})
        EXPECT_TRUE(contains(text, line)) << line << "\n" << text;
    // The file in the text is an instance as any other.
    const std::size_t first = text.find("family = "), last = text.find("\nnot covered");
    ASSERT_LT(first, last) << text;
    write("found.toml", text.substr(first, last - first) + "\n");
    EXPECT_TRUE(contains(good("capacity found.toml"), "inside"));
    (void)good(std::string("prove transience found.toml --policy-file ") + rule + " --certificate again.json");
    EXPECT_TRUE(contains(good("certify again.json"), "accepted      again.json"));
}

TEST_F(ValidateHuntCli, WritesTheClusterAndItsCertificate) {
    const std::string text = good(std::string("validate ") + rule + " --hunt --evidence evidence", 1);
    EXPECT_FALSE(contains(text, "family = ")) << text;
    EXPECT_TRUE(contains(good("certify evidence/hunted.json --instance evidence/hunted.toml"), "accepted"));
}

TEST_F(ValidateHuntCli, AnswersPrograms) {
    const auto answer = json("validate", std::string("validate ") + rule + " --hunt", 1);
    ASSERT_EQ(answer["remarks"].size(), 1U);
    const auto& remark = answer["remarks"][0];
    EXPECT_EQ(remark["part"], "hunt");
    EXPECT_EQ(remark["verdict"], "Proved");
    EXPECT_EQ(remark["standing"], "transient");
    EXPECT_EQ(remark["counterexample"]["one_minimal"], true);
    EXPECT_TRUE(contains(remark["counterexample"]["problem"], "family = \"queueing\""));
    EXPECT_TRUE(contains(remark["counterexample"]["violation"], "the cluster is transient"));
    EXPECT_EQ(answer["score"]["transient"], nlohmann::ordered_json({"hunted"}));
    EXPECT_EQ(answer["score"]["against"], true);
    EXPECT_TRUE(contains(answer["definition"], "sample(2, servers)"));
    EXPECT_TRUE(contains(out(std::string("validate ") + rule + " --hunt --format junit", 1), "validate hunt"));
}

/// A parameter that is the number of servers follows the size of the cluster, unless the user gives it.
TEST_F(ValidateHuntCli, FollowsTheSizeOfTheCluster) {
    const std::string hash = "validate experiments/zoo/bounded-hash.policy";
    EXPECT_TRUE(contains(good(hash + " --hunt", 1), "under bounded-hash:workers=2;"));
    EXPECT_TRUE(contains(good(hash + ":workers=3 --hunt", 1), "On 'hunted' under bounded-hash:workers=3 with"));
}

TEST_F(ValidateHuntCli, SaysHowFarItCame) {
    const std::string none = good("validate experiments/zoo/least-work.policy --hunt --time-limit 1", 0);
    for (const char* line : {"hunt          clusters of 2 to 6 servers ", "Unknown", "no transient cluster among ",
                             "; the time was over at ", "this says nothing about other clusters", "1 Unknown; "})
        EXPECT_TRUE(contains(none, line)) << line << "\n" << none;
    const auto answer = json("validate", "validate experiments/zoo/least-work.policy --hunt --time-limit 1", 0);
    EXPECT_TRUE(answer["remarks"][0]["standing"].is_null());
    EXPECT_FALSE(answer["definition"].is_null());
}

TEST_F(ValidateHuntCli, RefusesWhatItDoesNotSpeakOf) {
    expect_refused("validate hadoop-fifo --hunt", "cannot be used with a policy of the sharing family");
    expect_refused("validate fluid-model-planning:deficit --hunt", "expected a policy that follows no plan");
    expect_refused("validate jsq-maxweight --hunt --only experiments/instances/m2-half.toml", "--hunt");
    expect_refused("validate jsq-maxweight --hunt --dry-run", "--hunt");
}

}  // namespace
}  // namespace schedproof
