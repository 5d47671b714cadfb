/// `schedproof check` as its users meet it: tables, reports, evidence, replays, exit codes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;
using nlohmann::ordered_json;

class Check : public CommandTest {
  protected:
    void expect_schema(const std::string& schema, const std::string& file, int verdict = 0) const {
        const Answer answer = validated(schema, "'" + file + "'");
        EXPECT_EQ(answer.exit, verdict) << answer.out << answer.err;
    }
};

const std::string quick_check = "check queueing.serve-takes-waiting queueing.duality -p jsq-maxweight ";
const std::string refuted = "check queueing.squares-drift-negative -p random-local ";

/// Times differ from run to run; everything else must not.
std::string without_times(const std::string& text) {
    return std::regex_replace(text, std::regex(R"( +[0-9]+\.[0-9]+ s)"), "");
}

TEST_F(Check, ThePrintedTableIsTheSameEveryTime) {
    const std::string once = good(quick_check + "--jobs 1"), again = good(quick_check + "--jobs 2");
    EXPECT_EQ(without_times(once), without_times(again));
    EXPECT_TRUE(contains(once, "queueing.serve-takes-waiting\n")) << once;
    EXPECT_TRUE(contains(once, "as expected (false as stated)")) << once;
    EXPECT_TRUE(std::regex_search(once, std::regex("\n2 claims, [0-9]+ verdicts: .*; all as expected; seed 1\n$")))
        << once;
    std::set<std::string> left;
    for (const auto& entry : fs::directory_iterator(at("."))) left.insert(entry.path().filename().string());
    EXPECT_EQ(left, std::set<std::string>{"experiments"}) << "a file was written without --evidence";
}

TEST_F(Check, JsonIsOfItsSchema) {
    EXPECT_EQ(good(quick_check + "--format json -o check.json"), "");
    expect_schema("check", "check.json");
    ordered_json document = ordered_json::parse(slurp(at("check.json")));
    EXPECT_EQ(document["exit_code"], 0);
    EXPECT_GT(document["rows"].size(), 8u);
    document["rows"][0]["findings"][0]["verdict"] = "Plausible";
    std::ofstream(at("spoiled.json")) << document.dump();
    expect_schema("check", "spoiled.json", 1);
}

TEST_F(Check, TheExpectedKindIsInTheAnswer) {
    const ordered_json document = ordered_json::parse(good(quick_check + "--format json"));
    for (const auto& row : document["rows"])
        for (const auto& finding : row["findings"]) EXPECT_EQ(finding["expected"], finding["verdict"]) << finding;
    const ordered_json own =
        ordered_json::parse(good(quick_check + "--instance experiments/instances/m2-half.toml --format json", 1));
    for (const auto& row : own["rows"])
        for (const auto& finding : row["findings"]) EXPECT_TRUE(finding["expected"].is_null()) << finding;
}

TEST_F(Check, AnInstanceOfNoFamilyIsRefused) {
    write("wrong.toml", "family = 'asignment'");
    expect_refused("show wrong.toml",
                   "family: expected the family \"assignment\", \"queueing\" or \"redundancy\", not 'asignment' (did "
                   "you mean 'assignment'?)");
}

TEST_F(Check, MutantsAreListedAndCaught) {
    const std::string text = good("check queueing.route-minimises queueing.explore-agrees --mutants");
    EXPECT_TRUE(contains(text, "jsq-routes-to-longest")) << text;
    EXPECT_TRUE(contains(text, " caught: all\n2 properties switched off, 2 noticed: all\n")) << text;
    EXPECT_TRUE(contains(text, "noticed: jsq-routes-to-longest: a refutation that does not replay")) << text;
    good("check queueing.route-minimises --mutants --format json -o mutants.json");
    expect_schema("check-mutants", "mutants.json");
    expect_refused("check --mutants --format sarif", "--format");
}

TEST_F(Check, AClaimThatIsFalseAsStatedMissesItsProperty) {
    const std::string text = good("check --mutants redundancy.optimal-at-unit-speed");
    EXPECT_TRUE(contains(text, "noticed: srpt+r on srpt-r-not-optimal: Exhausted (1 case)")) << text;
    EXPECT_TRUE(contains(text, "0 mutants, 0 caught: all\n1 properties switched off, 1 noticed: all\n")) << text;
    good("check --mutants redundancy.optimal-at-unit-speed --format json -o none.json");
    expect_schema("check-mutants", "none.json");
}

/// What holds with a very large threshold is not refuted at two states that are merely far out.
TEST_F(Check, NoDriftIsRefutedWithoutARay) {
    const std::string near = "--instance " SCHEDPROOF_SOURCE_DIR "/tests/data/queueing/just-below-capacity.toml ";
    const ordered_json document =
        ordered_json::parse(good("check queueing.jsq-maxweight.drift-negative --max-cells 8 --format json " + near, 3));
    ASSERT_EQ(document["rows"].size(), 1U);
    for (const auto& finding : document["rows"][0]["findings"])
        EXPECT_EQ(finding["verdict"], finding["oracle"] == "explore" ? "Unknown" : "Survived") << finding;
    const std::string ray = good("check queueing.squares-drift-negative -p random-local");
    EXPECT_TRUE(contains(ray, "at Q s0=")) << ray;
    EXPECT_TRUE(contains(ray, ", k times: the drift of squares ")) << ray;
}

TEST_F(Check, ARefutationSaysWhatWasExpected) {
    const std::string text = good("check queueing.serve-takes-waiting -p pandas");
    EXPECT_TRUE(std::regex_search(
        text, std::regex("at Q .*: idle s[01] turns to s[01], expected s[01]; compared: waiting tasks s0 = ")))
        << text;
    EXPECT_TRUE(contains(text, "\n    claimed: At every state, an idle server turns to a waiting task")) << text;
    good("check queueing.serve-takes-waiting -p pandas --evidence evidence");
    const std::string picture = read("evidence/queueing.serve-takes-waiting--pandas-plain--m2-half/state.dot");
    EXPECT_TRUE(contains(picture, "✗ idle s")) << picture;
    EXPECT_TRUE(contains(picture, "✗: the decision at which the claim fails")) << picture;
}

TEST_F(Check, WhatIsNotAskedOfThePolicyIsSaid) {
    const std::string selected = "check queueing.renaming-servers queueing.random-local -p jsq-maxweight ";
    const std::string text = good(selected);
    EXPECT_TRUE(contains(text,
                         "\nnot asked of the policy:\n  queueing.random-local.grows: it speaks of random-local "
                         "alone\n"))
        << text;
    EXPECT_TRUE(contains(text, "; what was asked as expected; 1 claim not asked of the policy; seed 1\n")) << text;
    EXPECT_FALSE(contains(text, "all as expected")) << text;
    good(selected + "--format json -o check.json");
    expect_schema("check", "check.json");
    EXPECT_EQ(ordered_json::parse(slurp(at("check.json")))["not_asked"].size(), 1U);
    EXPECT_TRUE(
        contains(good(selected + "--format markdown"), "Not asked of the policy: `queueing.random-local.grows`"));
}

TEST_F(Check, JunitIsXmlThatCountsRight) {
    good(quick_check + "--format junit -o check.xml");
    std::ofstream(at("count.py")) << "import sys, xml.etree.ElementTree as e\n"
                                     "r = e.parse('check.xml').getroot()\n"
                                     "cases = r.findall('testsuite/testcase')\n"
                                     "assert r.tag == 'testsuites' and len(r.findall('testsuite')) == 2\n"
                                     "assert int(r.get('tests')) == len(cases) > 0\n"
                                     "assert sum(int(s.get('tests')) for s in r) == len(cases)\n"
                                     "assert int(r.get('failures')) == len(r.findall('.//failure')) == 0\n"
                                     "assert all(c.get('classname') and c.get('name') for c in cases)\n";
    const Answer answer = shell("/usr/bin/python3 count.py");
    EXPECT_EQ(answer.exit, 0) << answer.err;
}

TEST_F(Check, MarkdownIsATable) {
    const std::string text = good(quick_check + "--format markdown");
    EXPECT_TRUE(text.starts_with("| claim |")) << text;
    EXPECT_TRUE(contains(text, "\n| claim | policy |")) << text;
    EXPECT_TRUE(
        contains(text, "| `queueing.duality.stability-equals-load` | `jsq-maxweight` | certificate | Exhausted"))
        << text;
}

/// The line of a file of the sources, or of the test's directory.
std::string line_of(const std::filesystem::path& file, std::size_t line) {
    std::istringstream text(slurp(file));
    std::string read;
    for (std::size_t i = 0; i < line; ++i) std::getline(text, read);
    return read;
}

/// Every choice of every slot names a line of the source that states its rule.
void expect_choices(const ordered_json& steps, const std::string& file, const std::filesystem::path& root,
                    const std::string& route, const std::string& serve) {
    EXPECT_EQ(steps["file"], file);
    std::size_t choices = 0;
    for (const ordered_json& slot : steps["slots"])
        for (const auto& [kind, rule] : {std::pair("route", route), std::pair("serve", serve)})
            for (const ordered_json& choice : slot["decisions"][kind]) {
                EXPECT_TRUE(contains(line_of(root / file, choice["line"].get<std::size_t>()), rule)) << choice;
                ++choices;
            }
    EXPECT_GT(choices, 0U);
}

TEST_F(Check, EveryChoiceOfTheWayNamesItsLineAndWhatItCompares) {
    good("check queueing.serve-takes-waiting -p pandas --evidence evidence");
    const ordered_json steps =
        ordered_json::parse(slurp(at("evidence/queueing.serve-takes-waiting--pandas-plain--m2-half/steps.json")));
    expect_choices(steps, "policies/queueing/pandas.hpp", SCHEDPROOF_SOURCE_DIR, "route(", "serve(");
    bool compared = false;
    for (const ordered_json& slot : steps["slots"])
        for (const ordered_json& choice : slot["decisions"]["serve"])
            compared = compared ||
                       (choice["compared"].is_string() && contains(choice["compared"].get<std::string>(), "s0 = "));
    EXPECT_TRUE(compared);
    // A policy of one's own: the lines of its file.
    write("own.policy", "policy: own\nsummary: \"serves its own\"\nkeep: per_server\nroute: local\nserve: own\n");
    good("check queueing.squares-drift-negative --policy-file own.policy --evidence own");
    expect_choices(ordered_json::parse(slurp(at("own/queueing.squares-drift-negative--own--m2-uneven/steps.json"))),
                   "own.policy", at("."), "route: local", "serve: own");
}

TEST_F(Check, ARefutationLeavesABundleThatReplays) {
    const std::string text = good(refuted + "--evidence evidence");
    EXPECT_TRUE(contains(text, "evidence/queueing.squares-drift-negative--random-local--m2-uneven")) << text;
    const std::string bundle = "evidence/queueing.squares-drift-negative--random-local--m2-uneven";
    for (const char* file : {"instance.toml", "counterexample.json", "trace.txt", "trace.json", "state.dot",
                             "state.svg", "steps.json", "path.dot", "path.svg", "counterexample_test.cpp", "replay.sh"})
        EXPECT_FALSE(slurp(at(bundle + "/" + file)).empty()) << file;
    expect_schema("counterexample", bundle + "/counterexample.json");
    expect_schema("kernel", bundle + "/trace.json");
    EXPECT_TRUE(contains(slurp(at(bundle + "/state.svg")), "</svg>"));
    expect_choices(ordered_json::parse(slurp(at(bundle + "/steps.json"))), "policies/queueing/random_baselines.hpp",
                   SCHEDPROOF_SOURCE_DIR, "route(local)", "serve(own)");
    good("show " + bundle + "/instance.toml");
    const ordered_json found = ordered_json::parse(slurp(at(bundle + "/counterexample.json")));
    const std::string again = good("check --replay " + bundle);
    EXPECT_TRUE(contains(again, "violation  " + found["violation"].get<std::string>())) << again;

    ordered_json other = found;
    other["direction"] = {0, 1};
    std::ofstream(at(bundle + "/counterexample.json")) << other.dump();
    EXPECT_TRUE(contains(good("check --replay " + bundle, 1), "none: the claim holds here"));
    for (const char* wrong : {"[0, 0]", "[1, -1]", "[1]", "[1, \"x\"]", "1"}) {
        other["direction"] = ordered_json::parse(wrong);
        std::ofstream(at(bundle + "/counterexample.json")) << other.dump();
        expect_refused("check --replay " + bundle, "direction");
    }
    other = found;
    EXPECT_EQ(found["definition"], "keep(Arrangement::per_server), route(local), serve(own)");
    other["definition"] = "keep(Arrangement::per_server), route(servers), serve(own)";
    std::ofstream(at(bundle + "/counterexample.json")) << other.dump();
    expect_refused("check --replay " + bundle,
                   "definition: expected the policy random-local of this program, keep(Arrangement::per_server), "
                   "route(local), serve(own), not another one: keep(Arrangement::per_server), route(servers), "
                   "serve(own)");
    other["definition"] = found["definition"];
    other["claim"] = "queueing.nothing";
    std::ofstream(at(bundle + "/counterexample.json")) << other.dump();
    expect_refused("check --replay " + bundle, "registered claim");
    other["claim"] = found["claim"];
    other["state"]["queues"] = "1,0";
    std::ofstream(at(bundle + "/counterexample.json")) << other.dump(1);
    expect_refused("check --replay " + bundle, "counterexample.json:13: state.queues: expected a list");
    std::ofstream(at(bundle + "/counterexample.json")) << "{";
    expect_refused("check --replay " + bundle, "counterexample.json");
}

TEST_F(Check, AProofLeavesACertificateThatCertifyAccepts) {
    good("check queueing.route-minimises queueing.wang-jsq-maxweight -p wang-jsq-maxweight --evidence evidence");
    good("check queueing.random-local.grows --evidence evidence");
    const std::string file = "evidence/queueing.route-minimises--wang-jsq-maxweight--m2-half.certificate.json";
    EXPECT_FALSE(slurp(at(file)).empty());
    expect_schema("certificate", file);
    good("certify evidence/*.certificate.json");
}

/// Each of them is what its verdict rests on.
TEST_F(Check, InstancesOfOneNameLeaveACertificateEach) {
    const std::string half = slurp(source + "/experiments/instances/m2-half.toml");
    write("light.toml", replaced(half, "A = \"1/2\", B = \"1/2\"", "A = \"1/4\", B = \"1/4\""));
    good(
        "check queueing.arrivals-mean -p jsq-maxweight --instance experiments/instances/m2-half.toml --instance "
        "light.toml --evidence evidence");
    const std::string stem = "evidence/queueing.arrivals-mean--jsq-maxweight--m2-half";
    for (const char* end : {"", "-2"}) expect_schema("certificate", stem + end + ".certificate.json");
    good("certify evidence/*.certificate.json");
    EXPECT_NE(read(stem + ".certificate.json"), read(stem + "-2.certificate.json"));
    const ordered_json rows = ordered_json::parse(read("evidence/check.json"))["rows"];
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_NE(rows[0]["findings"][0]["evidence"], rows[1]["findings"][0]["evidence"]);
}

TEST_F(Check, ARefutedAssignmentLeavesItsPicturesAndReplays) {
    const std::string claim = "check assignment.property-1.2.constraint-2 ";
    const std::string text = good(claim + "--evidence evidence");
    EXPECT_TRUE(contains(text, "Refuted")) << text;
    const std::string bundle = "evidence/assignment.property-1.2.constraint-2--dyndloff--2-1-0-01";
    for (const char* file : {"instance.toml", "found.toml", "counterexample.json", "graph.dot", "graph.svg",
                             "loads.dot", "loads.svg", "counterexample_test.cpp", "replay.sh"})
        EXPECT_FALSE(slurp(at(bundle + "/" + file)).empty()) << file;
    expect_schema("counterexample", bundle + "/counterexample.json");
    good("show " + bundle + "/instance.toml");
    EXPECT_TRUE(contains(good("check --replay " + bundle), "satisfies Constraints 1 and 2"));
    const std::string proof = "evidence/assignment.property-1.2.constraint-2--dyndloff--1-1-01-01.certificate.json";
    expect_schema("certificate", proof);
    EXPECT_TRUE(contains(good("certify " + proof), "Constraint 2"));
    good("certify evidence/*.certificate.json");
    // On a problem that satisfies the claim, the bundle's refutation is gone.
    std::ofstream(at(bundle + "/instance.toml"))
        << slurp(at("experiments/instances/assignment/offline-not-optimal.toml"));
    EXPECT_TRUE(contains(good("check --replay " + bundle, 1), "none: the claim holds here"));
}

TEST_F(Check, ARefutationOfTheRedundancyFamilyLeavesItsSchedule) {
    good("check redundancy.optimal-at-unit-speed redundancy.srpt-dual-value --evidence evidence");
    const std::string bundle = "evidence/redundancy.optimal-at-unit-speed--srpt+r--srpt-r-not-optimal";
    for (const char* file :
         {"instance.toml", "found.toml", "counterexample.json", "schedule.svg", "counterexample_test.cpp", "replay.sh"})
        EXPECT_TRUE(fs::exists(at(bundle + "/" + file))) << file;
    expect_schema("counterexample", bundle + "/counterexample.json");
    EXPECT_TRUE(contains(read(bundle + "/found.toml"), "{arrival = 0, size = \"7/2\"}"));
    EXPECT_TRUE(contains(read(bundle + "/schedule.svg"), "srpt+r at speed 1"));
    // Two jobs of size 1 at once: 10/9 times the optimum, as `worst` has it.
    EXPECT_TRUE(contains(good("check --replay " + bundle), "flowtime 2, the optimum is 9/5"));
    good("certify evidence/*.certificate.json");
    write(bundle + "/instance.toml", replaced(read(bundle + "/instance.toml"), "two-point:3,0", "det"));
    EXPECT_TRUE(contains(good("check --replay " + bundle, 1), "none: the claim holds here"));
}

TEST_F(Check, ARefutationOfTheSharingFamilyIsACaseInAFile) {
    const std::string text = good(
        "check --family sharing sharing.no-work-lost sharing.rule-as-printed "
        "sharing.slots-settle --evidence evidence");
    EXPECT_TRUE(contains(text, "D = 24: locality 0.936234 is below the goal 19/20")) << text;
    const std::string bundle = "evidence/sharing.no-work-lost--fair-kill--courses";
    for (const char* file : {"case.json", "found.json", "counterexample.json", "counterexample_test.cpp", "replay.sh"})
        EXPECT_TRUE(fs::exists(at(bundle + "/" + file))) << file;
    expect_schema("counterexample", bundle + "/counterexample.json");
    const std::string analysed = "evidence/sharing.rule-as-printed--delay--three-tasks";
    for (const std::string& found :
         {bundle, analysed, std::string("evidence/sharing.slots-settle--delay--three-jobs-apart")}) {
        expect_schema("sharing-case", found + "/case.json");
        expect_schema("sharing-case", found + "/found.json");
        EXPECT_TRUE(contains(good("check --replay " + found), "violation  ")) << found;
    }
    // At a goal that the algorithm reaches, the refutation is gone.
    write(analysed + "/case.json", replaced(read(analysed + "/case.json"), "5/6", "1/2"));
    EXPECT_TRUE(contains(good("check --replay " + analysed, 1), "none: the claim holds here"));
    write(analysed + "/case.json", replaced(read(analysed + "/case.json"), "\"goal\"", "\"gaol\""));
    EXPECT_TRUE(
        contains(run("check --replay " + analysed).err, "analysis.gaol: expected a known key (did you mean 'goal'?)"));
    write(bundle + "/case.json", replaced(read(bundle + "/case.json"), "\"run\": ", "\"run\": -"));
    EXPECT_TRUE(contains(run("check --replay " + bundle).err, "run: expected an integer of at least 1"));
}

TEST_F(Check, OneFamilyIsChecked) {
    const std::string text = good("check --family assignment assignment.constraint-1 assignment.exact-ratio");
    EXPECT_TRUE(contains(text, "hadoop")) << text;
    expect_refused("check --family assignment queueing.tasks-balance", "queueing.tasks-balance");
    expect_refused("check redundancy.lemma-4 -p fair", "--policy: expected a policy that one of the claims is about");
    expect_refused("check --family sharding", "--family");
    const std::string own = "--instance experiments/instances/assignment/dyndl-example.toml";
    EXPECT_TRUE(contains(good("check assignment.no-path -p dyndloff " + own), "Exhausted (1 case)"));
}

TEST_F(Check, BundlesAreTheSameEveryTime) {
    good(refuted + "--no-times --evidence one --jobs 1");
    good(refuted + "--no-times --evidence two --jobs 2");
    EXPECT_EQ(shell("diff -r one two").out, "");
}

TEST_F(Check, TheUsersInstanceReplacesTheNamedOnes) {
    const std::string half = "--instance experiments/instances/m2-half.toml ";
    const std::string text = good("check queueing.wang-jsq-maxweight queueing.capacity " + half);
    EXPECT_TRUE(contains(text, "m2-half")) << text;
    EXPECT_TRUE(contains(text, "left out")) << text;
    good("check queueing.squares-drift-negative -p pandas " + half, 1);
    expect_refused("check --instance nowhere.toml", "nowhere.toml");
}

/// Policies that cannot run on the user's instance are left out with the reason, unless they are asked for.
TEST_F(Check, PoliciesThatCannotRunOnTheUsersInstanceAreLeftOut) {
    const std::string asked = "check queueing.route-minimises --instance experiments/instances/mm2-jsq.toml ";
    const ordered_json answer = ordered_json::parse(good(asked + "--format json"));
    const std::string why =
        "fluid-model-planning:deficit on mm2-jsq: policy: fluid-model-planning:deficit counts slots, and time is "
        "continuous in 'mm2-jsq'";
    EXPECT_EQ(std::count(answer["outside"].begin(), answer["outside"].end(), why), 1) << answer.dump(1);
    EXPECT_GT(answer["rows"].size(), 5U);
    expect_refused(asked + "-p fluid-model-planning:deficit", "counts slots");
    // There a server is asked after another, by their numbers: no tasks are scarce.
    expect_refused("check queueing.renaming-servers --instance experiments/instances/mm2-jsq.toml", "about slots");
}

TEST_F(Check, ClaimsAreAskedOfOtherShapes) {
    const std::string theorem = "check redundancy.theorem-2 --no-times --evidence e --instance ";
    EXPECT_TRUE(contains(good(theorem + "n2-m3-s5/2-two-point:4,0"), "Proved"));
    EXPECT_TRUE(contains(good("certify e/redundancy.theorem-2--*.certificate.json"), "accepted"));
    EXPECT_TRUE(contains(good("check sharing.skip-counts --instance n2"), "Proved"));
    EXPECT_TRUE(contains(good("check assignment.constraint-1 --instance 2:0/0 --instance 1,1:0/1"), "2 instances"));
    EXPECT_TRUE(contains(good("check queueing.serve-maximises -p fifo --instance n1-fifo"), "Proved"));
    // What is not a shape, one of which a claim does not speak, and one without what the statement needs.
    expect_refused("check redundancy.theorem-2 --instance n2-m3-dat", "expected det, two-point");
    expect_refused("check --instance n2-m3-dat", "expected an existing file, or a name that the family of the claims");
    expect_refused("check redundancy.lemma-4.constant-0 --instance n1-m2-det", "no oracle of the claim speaks of it");
    expect_refused("check assignment.exact-ratio --instance 1,2:0/1", "the suprema are those of 1,1:0/1");
    EXPECT_TRUE(contains(good("check redundancy.theorem-2 --instance n2-m3-det", 3), "expected a speed at which"));
    EXPECT_TRUE(contains(good("check sharing.skip-counts --instance n6", 3), "expected 1 to 5, not 6"));
}

/// No type is local to the second server: its queue of local tasks stays empty.
TEST_F(Check, StatesWithTasksOfNoTypeRefuteNothing) {
    const std::string own =
        "check queueing.heavy-traffic.coupling --instance experiments/instances/m2-one-type.toml -p ";
    for (const std::string policy : {"balanced-pandas", "jsq-maxweight"})
        EXPECT_TRUE(contains(good(own + policy), "Survived")) << policy;
}

TEST_F(Check, ASelectionOfNothingIsRefused) {
    const std::string half = " --instance experiments/instances/m2-half.toml ";
    const std::string instance = "--instance: expected an instance that one of the selected claims is about";
    for (const std::string format : {"text", "json -o none.json", "junit", "sarif", "markdown"})
        expect_refused("check --family sharing" + half + "--format " + format, instance);
    expect_refused("check --family sharing" + half, "none remains: sharing.");
    expect_refused("check sharing.no-work-lost -p fair-kill" + half,
                   "sharing.no-work-lost on m2-half: a claim about the sharing family\n");
    const std::string policy = "--policy: expected a policy that one of the claims is about, not ";
    expect_refused("check --family sharing -p jsq-maxweight", policy + "'jsq-maxweight'");
    expect_refused("check sharing.no-work-lost -p jsq-maxweight" + half, policy + "'jsq-maxweight'");
    expect_refused("check --family sharing 'queueing.*'", "CLAIM: expected a claim of");
    expect_refused("check --mutants --family sharing 'queueing.*'", "CLAIM: expected a claim of");
}

TEST_F(Check, BudgetsEndAsUnknown) {
    const std::string wang = "check queueing.wang-jsq-maxweight ";
    const std::string text = good(wang + "--rlimit 0", 3);
    EXPECT_TRUE(contains(text, "NOT SETTLED")) << text;
    good(wang + "--max-cells 1", 3);
}

TEST_F(Check, WhatIsWrongIsNamed) {
    expect_refused("check queueing.route-minimizes", "did you mean 'queueing.route-minimises'");
    expect_refused("check -p jsq-maxwieght", "did you mean 'jsq-maxweight'");
    expect_refused("check --replay nowhere", "nowhere");
    expect_refused("check --jobs 0", "--jobs");
    expect_refused("check --cases 0", "--cases");
    expect_refused("check --format yaml", "'yaml'");
    expect_refused("check --replay x --mutants", "--mutants");
}

TEST_F(Check, ClaimsAreListed) {
    const std::string text = good("list claims");
    EXPECT_TRUE(contains(text, "queueing.wang-jsq-maxweight.drift-negative")) << text;
    good("list claims --format json -o claims.json");
    expect_schema("list", "claims.json");
}

}  // namespace
}  // namespace schedproof
