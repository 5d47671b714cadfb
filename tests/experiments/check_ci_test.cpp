/// `schedproof check` on a build server: reports that code scanners take, answers without times, counterexamples as
/// tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using namespace testing_support;
using nlohmann::ordered_json;

const std::string sources = SCHEDPROOF_SOURCE_DIR;
const std::string instance_m2 = "experiments/instances/m2-half.toml";

class CheckCi : public CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        std::filesystem::create_directory(at("rules"));
        write("rules/gate 64.policy", slurp(sources + "/experiments/zoo/gate.policy"));
    }
    [[nodiscard]] ordered_json sarif(const std::string& arguments, int exit = 0) const {
        return ordered_json::parse(good(arguments + " --format sarif", exit));
    }
    /// What the schema of SARIF 2.1.0 requires of a report, and what GitHub's code scanning requires besides.
    static void expect_sarif(const ordered_json& report) {
        EXPECT_EQ(report["version"], "2.1.0");
        for (const ordered_json& run : report["runs"]) {
            const ordered_json& driver = run["tool"]["driver"];
            EXPECT_TRUE(driver["name"].is_string());
            for (const ordered_json& rule : driver["rules"]) {
                EXPECT_TRUE(rule["id"].is_string());
                EXPECT_TRUE(rule["shortDescription"]["text"].is_string());
                EXPECT_TRUE(rule["fullDescription"]["text"].is_string());
            }
            for (const ordered_json& result : run["results"]) {
                EXPECT_EQ(driver["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
                EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
                EXPECT_TRUE(result["kind"] == "fail" || result["level"] == "none") << result;
                EXPECT_TRUE((std::set<std::string>{"none", "note", "warning", "error"}).contains(result["level"]));
                ASSERT_EQ(result["locations"].size(), 1U);
                expect_place(result["locations"][0]);
                EXPECT_FALSE(result["partialFingerprints"].empty());
                if (!result.contains("codeFlows")) continue;
                for (const ordered_json& flow : result["codeFlows"])
                    for (const ordered_json& thread : flow["threadFlows"]) {
                        EXPECT_GE(thread["locations"].size(), 2U);
                        for (const ordered_json& step : thread["locations"]) {
                            expect_place(step["location"]);
                            EXPECT_FALSE(step["location"]["message"]["text"].get<std::string>().empty());
                        }
                    }
            }
        }
    }
    /// The levels of its results.
    static std::multiset<std::string> levels(const ordered_json& report) {
        std::multiset<std::string> all;
        for (const ordered_json& result : report["runs"][0]["results"]) all.insert(result["level"]);
        return all;
    }
    /// Steps of a page, with the command in the path.
    [[nodiscard]] Answer steps(const std::string& arguments) const {
        return shell("PATH=\"$(dirname '" SCHEDPROOF_COMMAND "'):$PATH\" /usr/bin/python3 '" + sources +
                     "/tests/experiments/ci_steps.py' " + arguments);
    }
    static void expect_place(const ordered_json& location) {
        const ordered_json& place = location["physicalLocation"];
        EXPECT_GE(place["region"]["startLine"].get<int>(), 1);
        EXPECT_TRUE(std::regex_match(place["artifactLocation"]["uri"].get<std::string>(),
                                     std::regex("(file:///)?[A-Za-z0-9._~/%-]+")));
    }
    /// The line of the sources, or of the test's directory, at which a result is.
    [[nodiscard]] std::string line_of(const ordered_json& location, const std::filesystem::path& root) const {
        const ordered_json& place = location["physicalLocation"];
        std::string uri = place["artifactLocation"]["uri"];
        for (std::size_t at = 0; (at = uri.find("%20", at)) != std::string::npos;) uri.replace(at, 3, " ");
        std::istringstream text(slurp(root / uri));
        std::string line;
        for (int i = place["region"]["startLine"]; i > 0; --i) std::getline(text, line);
        return line;
    }
};

TEST_F(CheckCi, WhatIsAsExpectedIsNoAlert) {
    const ordered_json report = sarif("check queueing.serve-takes-waiting queueing.duality -p jsq-maxweight");
    expect_sarif(report);
    const ordered_json& run = report["runs"][0];
    EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 2U);
    EXPECT_EQ(run["results"].size(), 0U);
    EXPECT_GT(run["properties"]["asked"], 0);
    EXPECT_EQ(run["properties"]["asked"], run["properties"]["asExpected"]);
}

TEST_F(CheckCi, AResultIsAtTheLineThatNamesThePolicy) {
    const ordered_json report = sarif("check queueing.squares-drift-negative -p pandas --instance " + instance_m2, 1);
    expect_sarif(report);
    ASSERT_EQ(report["runs"][0]["results"].size(), 1U);
    const ordered_json& result = report["runs"][0]["results"][0];
    EXPECT_EQ(result["kind"], "fail");
    EXPECT_EQ(result["level"], "error");
    const ordered_json& location = result["locations"][0];
    EXPECT_EQ(location["physicalLocation"]["artifactLocation"]["uri"], "policies/queueing/pandas.hpp");
    EXPECT_TRUE(contains(line_of(location, sources), "\"pandas:plain\""));
    const ordered_json& steps = result["codeFlows"][0]["threadFlows"][0]["locations"];
    EXPECT_TRUE(steps[0]["location"]["message"]["text"].get<std::string>().starts_with("on m2-half, at Q "));
}

TEST_F(CheckCi, WhatIsNotSettledIsOpen) {
    const ordered_json report = sarif("check queueing.wang-jsq-maxweight --rlimit 0", 3);
    expect_sarif(report);
    ASSERT_GT(report["runs"][0]["results"].size(), 0U);
    for (const ordered_json& result : report["runs"][0]["results"]) EXPECT_EQ(result["kind"], "open");
}

/// Of the user's own policy: the file as it was named, and the line of its rule.
TEST_F(CheckCi, AResultIsAtTheRuleOfThePolicysFile) {
    const ordered_json report =
        sarif("check queueing.squares-drift-negative queueing.tasks-balance --policy-file 'rules/gate 64.policy'");
    expect_sarif(report);
    ASSERT_EQ(report["runs"][0]["results"].size(), 2U);
    for (const ordered_json& result : report["runs"][0]["results"]) {
        EXPECT_EQ(result["level"], "warning") << "nothing was expected of it";
        const ordered_json& place = result["locations"][0]["physicalLocation"];
        EXPECT_EQ(place["artifactLocation"]["uri"], "rules/gate%2064.policy");
        EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
        EXPECT_TRUE(line_of(result["locations"][0], at(".")).starts_with("route: when(")) << place;
    }
    // From elsewhere, and from a path that goes around.
    const std::string whole = "'" + at("rules/gate 64.policy").string() + "'";
    std::filesystem::create_directory(at("elsewhere"));
    const Answer far = shell("cd elsewhere && '" SCHEDPROOF_COMMAND
                             "' check queueing.squares-drift-negative --format sarif --policy-file ../rules/gate*");
    EXPECT_TRUE(contains(far.out, "\"uri\": \"file:///")) << far.out << far.err;
    const Answer near = run("check queueing.squares-drift-negative --format sarif --policy-file " + whole);
    EXPECT_TRUE(contains(near.out, "\"uri\": \"rules/gate%2064.policy\"")) << near.out << near.err;
}

/// That a rule is transient on the user's own cluster fails the run, whoever wrote it; that nothing of the kind is
/// shown does not.
TEST_F(CheckCi, ATransientRuleOnANamedInstanceFails) {
    const std::string check = "check queueing.transient-inside-the-region --ci --instance ";
    const ordered_json transient =
        sarif(check + "experiments/instances/router-h3.toml --policy-file 'rules/gate 64.policy'", 1);
    expect_sarif(transient);
    ASSERT_EQ(transient["runs"][0]["results"].size(), 1U);
    EXPECT_EQ(transient["runs"][0]["results"][0]["level"], "error");
    EXPECT_EQ(transient["runs"][0]["results"][0]["properties"]["expectation"], "feared");
    EXPECT_TRUE(contains(good(check + "experiments/instances/router-h3.toml --policy-file 'rules/gate 64.policy'", 1),
                         "SPEAKS AGAINST THE POLICY"));
    write("good.policy",
          "policy: good\nkeep: per_server\nroute: argmin(local, length)\nserve: argmax(nonempty(reachable), rate * "
          "length)\n");
    const ordered_json good_one = sarif(check + instance_m2 + " --policy-file good.policy");
    EXPECT_EQ(good_one["runs"][0]["results"].size(), 0U);
    EXPECT_EQ(good_one["runs"][0]["properties"]["asked"], 1);
}

/// A claim that the policy's file hopes for is expected, also where it was written for other policies.
TEST_F(CheckCi, ARefutedHopeFails) {
    const auto with = [&](const std::string& hopes) {
        std::string text = slurp(sources + "/experiments/zoo/gate.policy");
        write("hopeful.policy", text.replace(text.find("keep:"), 0, hopes));
    };
    const std::string check =
        "check queueing.squares-drift-negative --ci --policy-file hopeful.policy --instance " + instance_m2;
    with("");
    (void)good(check);
    with("hopes: queueing.squares-drift-negative\n");
    const ordered_json refuted = sarif(check, 1);
    ASSERT_EQ(refuted["runs"][0]["results"].size(), 1U);
    EXPECT_EQ(refuted["runs"][0]["results"][0]["level"], "error");
    with("hopes: queueing.tasks-balance\n");
    (void)good("check queueing.tasks-balance --ci --policy-file hopeful.policy --instance " + instance_m2);
}

TEST_F(CheckCi, EveryRegisteredPolicyHasItsLine) {
    const ordered_json policies = ordered_json::parse(good("list policies --format json"));
    const std::string names =
        slurp(std::filesystem::path(SCHEDPROOF_COMMAND).parent_path() / "../experiments/policy_names.inc");
    for (const ordered_json& policy : policies["entries"]) {
        const std::string begin = "\npolicies/" + policy["family"].get<std::string>() + "/";
        const std::string end = ":\"" + policy["id"].get<std::string>() + "\"\n";
        std::size_t lines = 0;
        for (std::size_t at = 0; (at = names.find(end, at)) != std::string::npos; ++at)
            lines += names.substr(names.rfind('\n', at)).starts_with(begin) ? 1 : 0;
        EXPECT_EQ(lines, 1U) << policy["id"];
    }
}

TEST_F(CheckCi, WithoutTimesTwoRunsGiveTheSameBytes) {
    const std::string selection = "check queueing.serve-takes-waiting queueing.tasks-balance -p jsq-maxweight ";
    for (const std::string format : {"text", "json", "junit", "markdown", "sarif"}) {
        const std::string once = good(selection + "--no-times --jobs 1 --format " + format);
        EXPECT_EQ(once, good(selection + "--ci --jobs 2 --format " + format)) << format;
        EXPECT_FALSE(std::regex_search(once, std::regex("[0-9]\\.[0-9]{2,3} s\\b|time=|\"seconds\": [0-9]| time ")))
            << once;
    }
    EXPECT_EQ(good(selection + "--no-times --format json -o check.json"), "");
    EXPECT_EQ(validated("check", "check.json").exit, 0);
    expect_refused("check --ci --mutants", "--ci");
}

/// The test that is kept beside a project: the bundle's own, and the same when it is asked for later.
TEST_F(CheckCi, ACounterexampleBecomesATest) {
    good(
        "check queueing.squares-drift-negative assignment.property-1.2 sharing.rule-as-printed "
        "redundancy.optimal-at-unit-speed --evidence evidence");
    std::size_t bundles = 0;
    for (const auto& entry : std::filesystem::directory_iterator(at("evidence"))) {
        if (!entry.is_directory()) continue;
        const std::string bundle = "evidence/" + entry.path().filename().string();
        good("check --replay '" + bundle + "' --emit-test kept.cpp");
        EXPECT_EQ(read("kept.cpp"), read(bundle + "/counterexample_test.cpp"));
        EXPECT_TRUE(contains(read("kept.cpp"), "\n    EXPECT_EQ(claim.any->violation(found), \"\");\n"));
        EXPECT_FALSE(contains(read("kept.cpp"), "instance.toml")) << "a kept test reads no file";
        ++bundles;
    }
    EXPECT_GE(bundles, 4U);
    expect_refused("check --emit-test kept.cpp", "--emit-test requires --replay");
}

/// Compiled against the headers; tests/package links one with the installed library.
TEST_F(CheckCi, ATestOfAPolicysFileBringsItsRules) {
    const std::string own = " --policy-file 'rules/gate 64.policy'";
    good("check queueing.squares-drift-negative --evidence evidence" + own);
    const std::string bundle = "evidence/queueing.squares-drift-negative--gate--m2-half";
    good("check --replay " + bundle + " --emit-test kept.cpp" + own);
    EXPECT_TRUE(contains(read("kept.cpp"), "add_policy({{\"gate\", \"\", \"\"}, codec::read_rules(R\"text("))
        << read("kept.cpp");
}

/// Every verdict of a policy's file leaves its evidence, and what is proved is accepted.
TEST_F(CheckCi, EveryProofOfAPolicyLeavesItsCertificate) {
    good("check queueing.capacity queueing.tasks-balance --evidence evidence --policy-file 'rules/gate 64.policy'");
    EXPECT_TRUE(contains(good("certify evidence/*.certificate.json"), "'priced-tasks'"));
}

/// The steps of docs/ci.md, one by one.
TEST_F(CheckCi, ThePagesStepsRun) {
    const Answer answer = steps("'" + sources + "/docs/ci.md'");
    EXPECT_EQ(answer.exit, 0) << answer.out << answer.err;
    for (const char* step : {"--dry-run", "--format sarif", "--format markdown", "--format junit", "--emit-test"})
        EXPECT_TRUE(contains(answer.out, step)) << answer.out;
    EXPECT_FALSE(contains(answer.out, "apt-get"));
    for (const char* file : {"policy.sarif", "policy.xml", "summary.md", "router_test.cpp"})
        EXPECT_GT(std::filesystem::file_size(at(file)), 0U) << file;
    const ordered_json report = ordered_json::parse(read("policy.sarif"));
    expect_sarif(report);
    EXPECT_EQ(levels(report).count("error"), 0U);
    // A step that fails is noticed.
    write("wrong.md", "```yaml\njob:\n  script:\n    - schedproof check nothing\n```\n");
    const Answer wrong = steps("wrong.md");
    EXPECT_EQ(wrong.exit, 1) << wrong.out;
}

/// With other rules than the page's: a transient one, one of which nothing is settled on the cluster, and one that does
/// not parse. Exit codes and reports differ, and each of the reports is there.
TEST_F(CheckCi, ThePagesStepsTellRulesApart) {
    // Rules of few cells: the one sends each task to the longer of its queues, the other spreads tasks over all
    // servers.
    const std::string keep = "require: stable on cluster.toml\nkeep: per_server\n",
                      hoard = "policy: hoard\n" + keep + "route: argmax(local, length)\nserve: own\n",
                      spread = "policy: spread\n" + keep +
                               "route: argmax(servers, length)\n"
                               "serve: first_of(argmin(nonempty(reachable), rate * length), own)\n";
    struct Case {
        std::string text;
        int exit;           ///< of both steps that check
        std::string level;  ///< of a result that a good rule does not have
        std::string junit;  ///< of its report
    };
    for (const Case& one : {Case{hoard, 1, "error", "<failure message=\"unexpected\">"},
                            Case{spread, 3, "none", "<error message=\"not settled\">"},
                            Case{hoard + "serve: nothing\n", 2, "error", "<error message=\"error\">"}}) {
        write("other.policy", one.text);
        const Answer answer = steps("'" + sources + "/docs/ci.md' other.policy");
        SCOPED_TRACE(answer.out + answer.err);
        const ordered_json report = ordered_json::parse(read("policy.sarif"));
        if (one.exit != 2) expect_sarif(report);
        EXPECT_GT(levels(report).count(one.level), 0U);
        EXPECT_TRUE(contains(read("policy.xml"), one.junit)) << read("policy.xml");
        std::istringstream lines(answer.out);
        std::size_t checks = 0;
        for (std::string line, step; std::getline(lines, line); step += line) {
            if (!line.starts_with("exit ")) continue;
            if (contains(step, "'queueing.*'") && !contains(step, "--dry-run")) {
                EXPECT_EQ(line, "exit " + std::to_string(one.exit));
                ++checks;
            }
            step.clear();
        }
        EXPECT_EQ(checks, 2U);
        for (const char* file : {"policy.sarif", "policy.xml"}) std::filesystem::remove(at(file));
    }
}

/// Asked alone, the claim of stability fails where transience is proved: it is not only open.
TEST_F(CheckCi, StabilityFailsWhereTransienceIsProved) {
    std::filesystem::copy_file(sources + "/experiments/instances/n2-pandas.toml", at("cluster.toml"));
    write("held.policy",
          "policy: held\nrequire: stable on cluster.toml\nkeep: per_server\nroute: argmin(local, length)\n"
          "serve: nonempty(own)\n");
    const std::string check = "check queueing.stable-inside-the-region --policy-file held.policy --ci";
    EXPECT_EQ(levels(sarif(check, 1)).count("error"), 1U);
    EXPECT_TRUE(contains(good(check + " --format junit", 1), "<failure message=\"unexpected\">"));
    // The same instance named besides is one row; and without the requirement it speaks against the policy all the
    // same.
    EXPECT_EQ(levels(sarif(check + " --instance cluster.toml", 1)).count("error"), 1U);
    write("free.policy", "policy: free\nkeep: per_server\nroute: argmin(local, length)\nserve: nonempty(own)\n");
    const Answer free =
        run("check queueing.stable-inside-the-region --policy-file free.policy --instance cluster.toml");
    EXPECT_EQ(free.exit, 1) << free.out;
    EXPECT_TRUE(contains(free.out, "SPEAKS AGAINST THE POLICY")) << free.out;
    EXPECT_FALSE(contains(free.out, "as expected, 1 without")) << free.out;
}

/// `validate` and `prove` write the same forms.
TEST_F(CheckCi, OtherVerdictsHaveTheseForms) {
    const std::string drift = "prove drift " + instance_m2 + " -p pandas --lyapunov squares";
    const ordered_json refuted = sarif(drift, 1);
    expect_sarif(refuted);
    ASSERT_EQ(refuted["runs"][0]["results"].size(), 1U);
    EXPECT_EQ(refuted["runs"][0]["results"][0]["ruleId"], "prove drift");
    EXPECT_EQ(refuted["runs"][0]["results"][0]["level"], "error");
    EXPECT_EQ(sarif("prove drift " + instance_m2 + " -p jsq-maxweight --lyapunov regret")["runs"][0]["results"].size(),
              0U);
    EXPECT_EQ(sarif("prove transience " + instance_m2 + " -p pandas", 3)["runs"][0]["results"][0]["level"], "none");
    EXPECT_EQ(good(drift + " --format junit", 1), good(drift + " --format junit", 1)) << "no time is in it";
    EXPECT_TRUE(
        contains(good(drift + " --format markdown", 1), "| `prove drift` | pandas:plain on m2-half | **Refuted** |"));

    write("slow.policy",
          "policy: slow\nkeep: per_server\nroute: argmax(local, length)\nserve: nonempty(own)\nexpect: "
          "queueing.squares-drift-negative Proved\n");
    const std::string validated = "validate slow.policy --slots 0 --no-mutants --cases 20 --format ";
    const Answer answer = run(validated + "junit");
    EXPECT_EQ(answer.exit, 1) << answer.err;
    EXPECT_TRUE(contains(answer.out, "<testsuites name=\"schedproof validate\"")) << answer.out;
    EXPECT_TRUE(contains(answer.out,
                         "<testcase classname=\"queueing.squares-drift-negative\" name=\"slow\">\n      "
                         "<failure message=\"speaks against the policy\">"))
        << answer.out;
    expect_sarif(sarif("validate slow.policy --slots 0 --no-mutants --cases 20", 1));
    expect_refused("validate slow.policy --dry-run --format sarif", "--format: expected text");
}

/// Where a report was asked for and there is none, the file holds the error, at its place.
TEST_F(CheckCi, AnErrorIsAReportToo) {
    write("wrong.policy", "policy: wrong\nkeep: per_server\nroute: argmin(local, lenght)\n");
    for (const std::string& command :
         {std::string("check queueing.tasks-balance --policy-file wrong.policy"), std::string("validate wrong.policy"),
          "prove drift " + instance_m2 + " --policy-file wrong.policy --lyapunov squares"}) {
        const Answer answer = run(command + " --format sarif -o report.sarif");
        EXPECT_EQ(answer.exit, 2) << command;
        const ordered_json report = ordered_json::parse(read("report.sarif"));
        expect_sarif(report);
        ASSERT_EQ(report["runs"][0]["results"].size(), 1U);
        const ordered_json& place = report["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        EXPECT_EQ(place["artifactLocation"]["uri"], "wrong.policy");
        EXPECT_EQ(place["region"]["startLine"], 3);
        std::filesystem::remove(at("report.sarif"));
        EXPECT_EQ(run(command + " --format junit").out, "") << "a pipe gets what was asked for, or nothing";
        EXPECT_EQ(run(command + " --format text -o report.txt").exit, 2);
        EXPECT_FALSE(std::filesystem::exists(at("report.txt")));
    }
}

/// What a file demands of a claim holds whatever the claim expects; a claim that is none is told at its line.
TEST_F(CheckCi, APolicyIsHeldToItsFile) {
    const auto with = [&](const std::string& line) {
        write("held.policy", "policy: held\n" + line +
                                 "\nkeep: per_server\nroute: argmin(local, length)\nserve: first_of(nonempty(own), "
                                 "argmax(nonempty(reachable), rate * length), own)\n");
    };
    const std::string check = "check queueing.squares-drift-negative --ci --policy-file held.policy";
    with("expect: queueing.squares-drift-negative Refuted");
    (void)good(check);
    with("expect: queueing.squares-drift-negative Proved");
    (void)good(check, 1);
    with("expect: queueing.tasks-balance Survived");
    (void)good("check queueing.tasks-balance --ci --policy-file held.policy");
    with("expect: queueing.tasks-balance Exhausted");
    (void)good("check queueing.tasks-balance --ci --policy-file held.policy", 3);
    with("expect: queueing.tasks-balanse Proved");
    expect_refused(check,
                   "held.policy:2: expect: expected claims of the queueing family, not 'queueing.tasks-balanse' "
                   "(did you mean 'queueing.tasks-balance'?)");
    with("expect: queueing.tasks-balance Holds");
    expect_refused(check,
                   "held.policy:2:32: expected the claim's verdict: Proved, Exhausted, Survived, Refuted or Unknown");
    std::string overloaded = slurp(sources + "/" + instance_m2);
    for (const char* rate : {"A = \"1/2\"", "B = \"1/2\""})
        overloaded = replaced(overloaded, rate, std::string(rate, 4) + "\"9/10\"");
    write("overloaded.toml", overloaded);
    with("require: stable on overloaded.toml");
    expect_refused("check 'queueing.stable*' --ci --policy-file held.policy", "require: stable on ");
    with("require: stable on nowhere.toml");
    expect_refused(check,
                   "held.policy:2: require: expected an instance that is there, as seen from the policy's file, not "
                   "'nowhere.toml'");
    with("require: stable");
    expect_refused(check, "held.policy:2:16: expected 'stable on', and an instance file or every-cluster");
    // The instance is found beside the policy, wherever the command runs.
    with("require: stable on \"m 2.toml\", every-cluster");
    std::filesystem::copy_file(sources + "/" + instance_m2, at("m 2.toml"));
    const std::string both = "check 'queueing.stable*' queueing.throughput-optimal.every-cluster --ci --policy-file ";
    EXPECT_TRUE(contains(good(both + "held.policy", 3), "m2-half             as expected"));
    std::filesystem::create_directory(at("elsewhere"));
    EXPECT_EQ(shell("cd elsewhere && '" SCHEDPROOF_COMMAND "' " + both + "../held.policy").exit, 3);
}

}  // namespace
}  // namespace schedproof
