/// `schedproof validate`: one policy, everything that is said of it, and what is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/command.hpp"
#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

class ValidateCli : public SchemaTest {
  protected:
    void SetUp() override {
        SchemaTest::SetUp();
        write("nearest.policy",
              "policy: shortest-local\n"
              "keep: per_server\n"
              "route: argmin(local, length)\n"
              "serve: first_of(argmax(nonempty(reachable), rate * length), own)\n");
        // The longest queue gets the task: whatever was meant, it is not stable.
        write("slip.policy",
              "policy: longest-local\n"
              "keep: per_server\n"
              "route: argmax(local, length)\n"
              "serve: own\n");
    }
    /// Few cases, no simulation and no mutants.
    static constexpr const char* quick = " --cases 5 --slots 0 --no-mutants";
};

TEST_F(ValidateCli, SaysOfAStableOptimalPolicyThatItIs) {
    const std::string answer = good("validate nearest.policy --no-mutants --cases 5 --slots 500 --evidence evidence");
    for (const char* line :
         {"language      queueing.explore-agrees", "claim         queueing.route-minimises",
          "rho* = 5/8 (approx. 0.625), by MaxWeight drift", "throughput optimal for every number of servers",
          "mean task delay", "not covered", "stable on m2-half, m2-uneven, m2-one-type, n2-pandas; transient on none"})
        EXPECT_TRUE(contains(answer, line)) << line << "\n" << answer;
    // What it calls proved, the checker accepts.
    for (const char* file : {"stability-m2-half", "stability-n2-pandas", "every-cluster-2-levels"})
        EXPECT_TRUE(contains(good(std::string("certify evidence/") + file + ".json"), "accepted"));
}

TEST_F(ValidateCli, TriesTheFunctionOfTheFile) {
    // Servers that serve their own tasks only: no MaxWeight argument holds, and squares of the lengths fall.
    write("own.policy",
          "policy: own-first\nkeep: per_server\nroute: argmin(local, length)\nserve: own\n"
          "lyapunov: 2 * squares + total\n");
    EXPECT_TRUE(contains(good(std::string("validate own.policy") + quick, 1), "by drift of 2 * squares + total"));
    (void)good("prove drift experiments/instances/m2-half.toml --policy-file own.policy --certificate drift.json");
    EXPECT_TRUE(contains(good("certify drift.json"), "accepted      drift.json"));
    write("wrong.policy", replaced(read("own.policy"), "squares", "sqares"));
    expect_refused("validate wrong.policy", "not 'sqares' (did you mean 'squares'?)");
}

TEST_F(ValidateCli, TellsAPolicyFromItsMutants) {
    const std::string answer = good(
        "validate nearest.policy --cases 5 --slots 10000 --only experiments/instances/m2-half.toml --only "
        "experiments/instances/m2-uneven.toml");
    EXPECT_TRUE(contains(answer, "mutants 7/7")) << answer;
}

/// Where idle servers rest at their own queue the rate of a waiting task is open, so that queues list their tasks. Some
/// mutants join local servers only: their queues do not.
TEST_F(ValidateCli, TellsAPolicyFromMutantsWhoseStatesHaveAnotherForm) {
    write("spill.policy",
          "policy: spill\nsource: \"mine\"\nsummary: \"the shortest of the rack where it is shorter by gap\"\n"
          "keep: per_server\nlet: gap = 3\nlet: near = argmin(local, length)\nlet: close = argmin(rack, length)\n"
          "let: shorter = where(close, length + tasks(gap) < total(near, length))\n"
          "route: first_of(shorter, near)\nserve: own\n");
    const std::string text = out("validate spill.policy --slots 0 --only experiments/instances/n2-pandas.toml", 3);
    EXPECT_TRUE(contains(text, " that move otherwise are told apart")) << text;
}

/// Where the policy itself does not run its mutants do not run either, which must not count for the checks.
TEST_F(ValidateCli, GivesNoScoreForMutantsWhereThePolicyDoesNotRun) {
    // Few slots and one cell: most mutants are missed.
    const std::string weak = " --cases 1 --slots 100 --max-cells 1 --format json";
    const auto mutants = [&](const std::string& arguments) {
        return nlohmann::ordered_json::parse(run("validate " + arguments + weak).out)["score"]["mutants"];
    };
    const auto alone = mutants("nearest.policy");
    EXPECT_GT(alone["missed"].size(), 0U);
    // Its types have rates of their own, which a queue per server does not allow.
    EXPECT_EQ(mutants("nearest.policy --instance experiments/instances/router-t2.toml"), alone);
}

TEST_F(ValidateCli, AsksNoMutantsOfAPolicyThatFollowsAPlan) {
    const Answer result =
        run("validate fluid-model-planning:deficit --only experiments/instances/m2-half.toml --cases 1 --slots 100");
    EXPECT_EQ(result.exit, 3) << result.out << result.err;
    EXPECT_TRUE(contains(result.out, "expected a policy that needs no plan made by a solver"));
    EXPECT_TRUE(contains(result.out, "the policy follows a plan"));
    EXPECT_FALSE(contains(result.out, "single changes of the rules"));
}

TEST_F(ValidateCli, EndsWithOneWhereTransienceIsProved) {
    const Answer result = run("validate pandas" + std::string(quick));
    EXPECT_EQ(result.exit, 1);
    EXPECT_TRUE(contains(result.out, " s  TRANSIENT, Proved\n              rho* = 37/38 (approx")) << result.out;
    EXPECT_TRUE(contains(result.out, " s  stable, Proved\n")) << result.out;
    EXPECT_TRUE(contains(result.out, "transient on n2-pandas"));
}

TEST_F(ValidateCli, DoesNotCallASlipStable) {
    const Answer result = run("validate slip.policy" + std::string(quick));
    EXPECT_NE(result.exit, 0);
    EXPECT_FALSE(contains(result.out, "throughput optimal for every number of servers, by"));
    EXPECT_FALSE(contains(result.out, "stable on m2-half, m2-uneven, m2-one-type, n2-pandas"));
}

/// The instances that a user names decide; the built-in ones beside them are told apart, and inform.
/// Certificates are named by the instance: a changed copy stands for the built-in one, and two that differ are refused.
TEST_F(ValidateCli, OneInstanceOfAName) {
    write("light.toml", replaced(slurp(std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments/instances/m2-half.toml"),
                                 "A = \"1/2\", B = \"1/2\"", "A = \"1/4\", B = \"1/4\""));
    const std::string beside =
        good("validate pandas --instance light.toml" + std::string(quick) + " --evidence evidence");
    EXPECT_TRUE(contains(beside, "stability     m2-half  ")) << beside;
    EXPECT_FALSE(contains(beside, "m2-half, built in")) << beside;
    EXPECT_TRUE(contains(good("certify evidence/stability-m2-half.json --instance light.toml"), "accepted"));
    expect_refused("validate pandas --only experiments/instances/m2-half.toml --only light.toml" + std::string(quick),
                   "light.toml: name: expected another name than 'm2-half', which an instance before has");
}

TEST_F(ValidateCli, KeepsToTheUsersInstances) {
    const std::string half = " experiments/instances/m2-half.toml", boundary = " experiments/instances/n2-pandas.toml";
    const std::string beside = good("validate pandas --instance" + half + quick);
    EXPECT_TRUE(contains(beside, "stability     m2-half  ")) << beside;
    EXPECT_TRUE(contains(beside, "stability     n2-pandas, built in ")) << beside;
    EXPECT_TRUE(contains(beside, " s  TRANSIENT, Proved")) << beside;
    EXPECT_LT(beside.find("stability     m2-half  "), beside.find("stability     m2-uneven, built in"));
    const std::string alone = good("validate pandas --only" + half + quick);
    EXPECT_TRUE(contains(alone, "stability     m2-half  ")) << alone;
    EXPECT_TRUE(contains(alone, "every cluster 2 levels")) << alone;
    EXPECT_TRUE(contains(alone, "without --only they are asked too")) << alone;
    for (const char* other : {"m2-uneven", "n2-pandas", "built in", "3 levels"})
        EXPECT_FALSE(contains(alone, other)) << other << "\n" << alone;
    const auto report = json("validate", "validate pandas --only" + boundary + quick, 1);
    EXPECT_EQ(report["score"]["transient"], nlohmann::ordered_json({"n2-pandas"}));
    expect_refused("validate pandas --only" + half + " --instance" + boundary, "--only");
    expect_refused("validate srpt --only" + half, "--only: cannot be used with a policy of the redundancy family");
}

/// What was found before the time was over stands in the answer.
TEST_F(ValidateCli, ATextIsGivenATimeToo) {
    const auto ended =
        run("validate nearest.policy --only experiments/instances/m2-half.toml --cases 5 --no-mutants "
            "--slots 1000000000 --time-limit 4");
    EXPECT_EQ(ended.exit, 3) << ended.out;
    EXPECT_EQ(ended.err, "");
    EXPECT_TRUE(contains(ended.out, "stability     m2-half ")) << ended.out;
    EXPECT_TRUE(contains(ended.out, "over in the part '")) << ended.out;
    EXPECT_TRUE(contains(ended.out, "\nscore         ")) << ended.out;
    // A part that is not done makes no verdict.
    const auto report = json("validate",
                             "validate experiments/zoo/gate.policy --only "
                             "experiments/instances/n3-three-levels-eps001.toml --time-limit 1",
                             3);
    EXPECT_EQ(report["remarks"].back()["part"], "time");
    EXPECT_EQ(report["remarks"].back()["verdict"], "Unknown");
    EXPECT_EQ(report["score"]["stable"].size() + report["score"]["transient"].size(), 0U) << report;
}

TEST_F(ValidateCli, AnswersPrograms) {
    const auto answer =
        json("validate", "validate nearest.policy --only experiments/instances/m2-half.toml --cases 5 --slots 2000");
    EXPECT_EQ(answer["score"]["stable"].size(), 1U);
    EXPECT_FALSE(answer["score"]["against"]);
    const auto& mean = answer["score"]["means"][0];
    EXPECT_EQ(mean["system"], "m2-half");
    EXPECT_EQ(mean["differences"][1]["policy"], "balanced-pandas");
}

/// A search over policies goes by what was found, and by what was spent on it.
TEST_F(ValidateCli, GivesProgramsTheCounterexampleAndWhatWasSpent) {
    write("slip.policy", read("slip.policy") + "hopes: queueing.squares-drift-negative\n");
    const auto answer = json("validate", "validate slip.policy" + std::string(quick), 1);
    std::uint64_t cells = 0;
    for (const auto& remark : answer["remarks"]) {
        cells += remark["cells"].get<std::uint64_t>();
        EXPECT_EQ(remark["counterexample"].is_null(),
                  remark["verdict"].get<std::string>().find("Refuted") == std::string::npos)
            << remark;
    }
    EXPECT_GT(cells, 0U);
    EXPECT_EQ(answer["budget"]["spent"]["cells"], cells);
    const auto& hope = *std::find_if(answer["remarks"].begin(), answer["remarks"].end(),
                                     [](const auto& remark) { return remark["part"] == "hope"; });
    EXPECT_TRUE(contains(hope["counterexample"]["problem"], "family = \"queueing\"")) << hope;
    EXPECT_TRUE(contains(hope["counterexample"]["violation"], "drift of squares")) << hope;
}

/// Idle servers that turn to one list of tasks of several types get them in the order of their indices: the kernel's
/// rule, for which the policy is not to blame.
TEST_F(ValidateCli, DoesNotTakeTheOrderOfAListForTheOrderOfServers) {
    write("far.policy",
          "policy: far-and-wide\nkeep: per_server\nroute: argmax(servers, length)\n"
          "serve: first_of(argmin(nonempty(reachable), rate * length), own)\n");
    const auto answer = run("validate far.policy --only experiments/instances/m2-half.toml" + std::string(quick));
    EXPECT_TRUE(contains(answer.out, "stability     m2-half")) << answer.out;
    EXPECT_EQ(answer.exit, 3) << answer.out;
}

/// Three servers are asked within the budget, and what is not settled is said.
TEST_F(ValidateCli, SaysWhereNoMeanIsGiven) {
    write("least-work.policy", slurp(SCHEDPROOF_SOURCE_DIR "/experiments/zoo/least-work.policy"));
    const std::string answer = good(
        "validate least-work.policy --only experiments/instances/router-s3.toml --only "
        "experiments/instances/router-k4.toml" +
        std::string(quick));
    EXPECT_TRUE(contains(answer, "mean          router-s3 ")) << answer;
    EXPECT_TRUE(contains(answer, "  mean on router-k4: not asked, with more than 3 servers")) << answer;
}

TEST_F(ValidateCli, AsksTheClaimsOfOtherFamilies) {
    const Answer result = run("validate srpt+r --cases 20 --slots 500");
    EXPECT_TRUE(contains(result.out, "claim         redundancy.")) << result.out;
    EXPECT_TRUE(contains(result.out, "worst case    n2-m2-det")) << result.out;
    EXPECT_TRUE(contains(result.out, "simulation    100-machines")) << result.out;
    EXPECT_TRUE(contains(result.out, "claims were checked on their own instances only"));
}

TEST_F(ValidateCli, IsShownByTheTutorialOnThePoliciesAsTheyAre) {
    const std::filesystem::path docs = std::filesystem::path(SCHEDPROOF_SOURCE_DIR) / "docs";
    const std::string page = slurp(docs / "tutorial.md");
    for (const char* policy : {"patient", "slip"}) {
        const std::string text = slurp(docs / "policies" / (std::string(policy) + ".policy"));
        const std::string rules = text.substr(text.find("policy:"));  // the page says in words what the comment says
        EXPECT_TRUE(contains(page, "```text\n" + rules + "```\n")) << policy;
    }
    EXPECT_TRUE(contains(page, "`validate` finds that too and ends with exit code 1."));
    const Answer slip = run("validate '" + (docs / "policies/slip.policy").string() + "'" + quick);
    EXPECT_EQ(slip.exit, 1) << slip.err;
    EXPECT_TRUE(contains(slip.out, "TRANSIENT, Proved\n              rho* = 77/80")) << slip.out;
}

TEST_F(ValidateCli, RefusesWhatIsNoPolicy) {
    expect_refused("validate no-such-policy", "no-such-policy");
    expect_refused("validate ./missing.policy", "missing.policy");
    expect_refused("validate missing.policy", "missing.policy: expected an existing file");
    expect_refused("validate missing.hpp", "missing.hpp: expected an existing file");
    expect_refused("validate srpt+r --instance experiments/instances/m2-half.toml", "--instance");
    write("taken.policy", "policy: fifo\nkeep: single\nroute: common\nserve: common\n");
    expect_refused("validate taken.policy", "fifo");
}

}  // namespace
}  // namespace schedproof
