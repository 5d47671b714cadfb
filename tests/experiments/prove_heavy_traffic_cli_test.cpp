/// `schedproof prove heavy-traffic` as its users meet it: verdicts, bounds, certificates, complaints.
#include <gtest/gtest.h>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

class ProveHeavyTraffic : public SchemaTest {
  protected:
    const std::string families_ = "experiments/instances/slack-";
};

TEST_F(ProveHeavyTraffic, BoundsEveryPolicyAndTheOneThatIsAskedFor) {
    const std::string call = "prove heavy-traffic " + families_ + "one-type.toml -p jsq-maxweight --at 1/10,1/100";
    const ordered_json answer =
        json("prove-heavy-traffic", call + " --certificate upper.json --lower-certificate lower.json");
    EXPECT_EQ(answer["verdict"], "optimal");
    ASSERT_EQ(answer["bounds"].size(), 2U);
    EXPECT_EQ(answer["bounds"][1]["eps"]["exact"], "1/100");
    EXPECT_EQ(answer["bounds"][1]["lower"]["exact"], "396/25");
    EXPECT_EQ(answer["bounds"][1]["upper"]["exact"], "417/25");
    for (const char* file : {"upper.json", "lower.json"}) {
        const std::string accepted = good(std::string("certify ") + file);
        EXPECT_TRUE(contains(accepted, "accepted")) << accepted;
    }
    // A certificate holds for the family that it holds, and no other.
    write("wider.json", replaced(read("upper.json"), "\"9/10\"", "\"4/5\""));
    EXPECT_EQ(run("certify wider.json").exit, 1);
    expect_lines(call, {"verdict       Proved: heavy-traffic optimal", "every policy  On 'slack-one-type'",
                        "  eps 1/100 (approx. 0.01): 15.84 .. 16.68"});
}

TEST_F(ProveHeavyTraffic, SaysWhichFactIsMissing) {
    const ordered_json open =
        json("prove-heavy-traffic", "prove heavy-traffic " + families_ + "two-levels.toml -p join-shortest-queue", 3);
    EXPECT_EQ(open["verdict"], "unknown");
    EXPECT_EQ(open["fact"], "B");
    EXPECT_TRUE(open["bounds"][0]["upper"].is_null());
    const ordered_json above = json(
        "prove-heavy-traffic", "prove heavy-traffic " + families_ + "two-levels.toml -p jsq-maxweight --at 1/1000", 1);
    EXPECT_EQ(above["verdict"], "above-bound");
    EXPECT_EQ(above["factor"]["exact"], "20/17");
}

TEST_F(ProveHeavyTraffic, ComparesTwoPoliciesAtEverySmallSlack) {
    const std::string call = "prove heavy-traffic " + families_ + "two-levels.toml --at 1/1000 ";
    const std::string files = "--certificate one.json --against-certificate other.json ";
    const ordered_json more = json("prove-heavy-traffic", call + files + "-p jsq-maxweight --against pandas", 1,
                                   {"comparison", "ray", "factor"});
    EXPECT_EQ(more["comparison"]["verdict"], "more");
    EXPECT_EQ(more["comparison"]["policy"], "pandas:plain");
    EXPECT_EQ(more["comparison"]["up_to"]["exact"], "1/1120");
    for (const char* file : {"one.json", "other.json"})
        EXPECT_TRUE(contains(good(std::string("certify ") + file), "accepted"));
    const ordered_json fewer =
        json("prove-heavy-traffic", call + "-p pandas --against jsq-maxweight", 0, {"comparison"});
    EXPECT_EQ(fewer["comparison"]["verdict"], "fewer");
    EXPECT_EQ(fewer["comparison"]["up_to"], more["comparison"]["up_to"]);
    expect_lines(call + "-p pandas --against pandas", {"compared      Unknown against pandas:plain: "});
    expect_refused(call + "-p pandas --against-certificate x.json", "--against-certificate: expected --against");
    expect_refused(call + "-p pandas --against fluid-model-planning", "--against: expected a policy without a plan");
    expect_refused(call + "-p pandas --against nobody", "--against: expected a registered policy, not 'nobody'");
}

TEST_F(ProveHeavyTraffic, TheCollapseIsATheoremOfItsOwn) {
    const std::string call = "prove heavy-traffic " + families_ + "one-type.toml --at 1/10 --collapse-certificate ";
    EXPECT_EQ(json("prove-heavy-traffic", call + "collapse.json -p wang-jsq-maxweight")["collapse_certificate"],
              "collapse.json");
    const std::string accepted = unbroken(good("certify collapse.json"));
    EXPECT_TRUE(contains(accepted, "all moments of the positive parts of the exponents are bounded uniformly in eps"))
        << accepted;
    write("other.json", replaced(read("collapse.json"), "\"base\": \"", "\"base\": \"1"));
    EXPECT_EQ(run("certify other.json").exit, 1);
    // The bound of JSQ-MaxWeight on one type needs no forms.
    EXPECT_TRUE(json("prove-heavy-traffic", call + "none.json -p jsq-maxweight")["collapse_certificate"].is_null());
    EXPECT_FALSE(files().contains("none.json"));
}

TEST_F(ProveHeavyTraffic, RefusesWhatIsNoFamily) {
    expect_refused("prove heavy-traffic experiments/instances/m2-half.toml -p jsq-maxweight",
                   "slack: expected a family of loads");
    expect_refused("prove heavy-traffic " + families_ + "one-type.toml -p jsq-maxweight --at 1/5",
                   "--at: expected slacks above 0 and at most 1/10");
    const std::string family = slurp(std::string(SCHEDPROOF_SOURCE_DIR) + "/" + families_ + "one-type.toml");
    const auto refused = [&](const std::string& from, const std::string& to, const std::string& complaint) {
        write("family.toml", replaced(family, from, to));
        expect_refused("prove heavy-traffic family.toml -p jsq-maxweight", complaint);
    };
    refused("{A = 1}", "{A = \"9/10\"}", "expected arrivals that lie on the boundary");
    refused("\"A\", up-to", "\"B\", up-to", "family.toml:12: slack.type: expected a known task type");
    refused("up-to = \"1/10\"", "up-to = \"3/2\"", "family.toml:12: slack: expected at most the probability");
    refused("type = \"A\", up-to", "up-to", "expected either 'type', whose arrivals become fewer, or 'arrivals'");
    refused("up-to = \"1/10\"", "up-to = \"0\"", "slack.up-to: expected a slack above 0");
    refused("slack = {type", "slack = {typ = \"A\", type", "typ");
}

}  // namespace
}  // namespace schedproof
