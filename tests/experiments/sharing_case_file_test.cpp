/// `schedproof check --replay` of cases of the sharing family that somebody changed: what is wrong is named by file and
/// member, whatever it is.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using namespace testing_support;
using nlohmann::ordered_json;

class SharingCaseFile : public CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        good(
            "check sharing.no-work-lost sharing.rule-as-printed sharing.wait-at-most-mean-rate "
            "sharing.single-tasks-are-fifo --evidence .");
    }
    using Change = std::function<void(ordered_json&)>;
    /// The bundle with its case, and perhaps its policy, changed; how the replay ends.
    Answer changed(const std::string& bundle, const Change& change, const std::string& policy = "") const {
        EXPECT_EQ(shell("rm -rf spoiled && cp -r '" + bundle + "' spoiled").exit, 0);
        ordered_json document = ordered_json::parse(read("spoiled/case.json"));
        change(document);
        write("spoiled/case.json", document.dump());
        if (!policy.empty()) {
            ordered_json bundled = ordered_json::parse(read("spoiled/counterexample.json"));
            bundled["policy"] = policy;
            write("spoiled/counterexample.json", bundled.dump());
        }
        return run("check --replay spoiled");
    }
    void expect_named(const std::string& bundle, const Change& change, const std::string& words) const {
        const Answer answer = changed(bundle, change);
        EXPECT_EQ(answer.exit, 2) << words << "\n" << answer.err;
        EXPECT_TRUE(contains(answer.err, "spoiled/case.json:1: " + words)) << words << "\n" << answer.err;
    }

    const std::string trajectory = "sharing.no-work-lost--fair-kill--kill-for-a-second-job";
    const std::string analysis = "sharing.rule-as-printed--delay--three-tasks";
    const std::string wait = "sharing.wait-at-most-mean-rate--delay--both-due-at-once";
    const std::string offer = "sharing.single-tasks-are-fifo--naive-fair--urgent-second";
};

TEST_F(SharingCaseFile, UnchangedItReplays) {
    for (const std::string& bundle : {trajectory, analysis, wait, offer})
        EXPECT_EQ(changed(bundle, [](auto&) {}).exit, 0) << bundle;
}

TEST_F(SharingCaseFile, NumbersOutOfRangeAreNamed) {
    expect_named(
        trajectory, [](auto& c) { c["run"] = 0; },
        "run: expected an integer of at least 1 and of at most 999999999, not 0");
    expect_named(
        trajectory, [](auto& c) { c["run"] = 18446744073709551615ULL; }, "run: expected an integer");
    expect_named(
        trajectory, [](auto& c) { c["run"] = 1e300; }, "run: expected an integer");
    expect_named(
        trajectory, [](auto& c) { c["cluster"]["slots"] = 0; }, "cluster.slots: expected an integer of at least 1");
    expect_named(
        trajectory, [](auto& c) { c["cluster"]["racks"] = ordered_json::array(); }, "cluster.racks: expected");
    expect_named(
        trajectory,
        [](auto& c) {
            c["cluster"]["rates"] = {1, 1};
        },
        "cluster.rates: expected a list of 3");
    expect_named(
        trajectory, [](auto& c) { c["cluster"]["remote_times"] = ordered_json::array(); }, "cluster.remote_times:");
    expect_named(
        trajectory, [](auto& c) { c["jobs"] = ordered_json::array(); }, "jobs: expected at least one job");
    expect_named(
        trajectory, [](auto& c) { c["jobs"][0]["tasks"] = ordered_json::array(); },
        "jobs[0].tasks: expected a list of at least 1");
    expect_named(
        trajectory, [](auto& c) { c["jobs"][0]["tasks"][0] = {7}; }, "jobs: expected");
    expect_named(
        trajectory, [](auto& c) { c["jobs"][0]["submit"] = -1; }, "jobs[0].submit: expected");
    expect_named(
        trajectory, [](auto& c) { c["parameters"]["d"] = -1; }, "parameters.d: expected an integer of at least 0");
    expect_named(
        wait, [](auto& c) { c["analysis"]["nodes"] = 1000; }, "analysis.nodes: expected");
    expect_named(
        wait, [](auto& c) { c["analysis"]["nodes"] = 0; }, "analysis.nodes: expected");
    expect_named(
        wait, [](auto& c) { c["jobs"].push_back(c["jobs"][0]); }, "jobs: expected one job of a task");
    expect_named(
        analysis, [](auto& c) { c["analysis"]["nodes"] = 0; }, "analysis.nodes: expected an integer of at least 1");
    expect_named(
        analysis, [](auto& c) { c["analysis"]["goal"] = "1"; }, "analysis.goal: expected at least 0");
    expect_named(
        analysis, [](auto& c) { c["analysis"]["goal"] = "half"; }, "analysis.goal: expected a fraction");
}

TEST_F(SharingCaseFile, AStateThatIsNoneIsNamed) {
    expect_named(
        offer, [](auto& c) { c["slot"] = 5; }, "slot: expected a slot that exists");
    expect_named(
        offer, [](auto& c) { c["cluster"]["racks"] = ordered_json::array(); }, "cluster.racks: expected");
    expect_named(
        offer, [](auto& c) { c["state"]["slots"][0]["busy"] = true; }, "state.slots: expected busy slots");
    expect_named(
        offer, [](auto& c) { c["state"]["jobs"][0]["tasks"][0] = "running"; }, "state.slots: expected a busy");
    expect_named(
        offer, [](auto& c) { c["state"]["jobs"].erase(0); }, "state.jobs: expected a state of every job");
    const Answer unrouted = changed(
        offer, [](auto&) {}, "jsq-maxweight:subqueues");
    EXPECT_EQ(unrouted.exit, 2);
    EXPECT_TRUE(contains(unrouted.err, "spoiled/case.json:1: state.jobs: expected the queue of every task"))
        << unrouted.err;
}

TEST_F(SharingCaseFile, UnknownMembersAreRefused) {
    expect_named(
        trajectory, [](auto& c) { c["runs"] = 1; }, "runs: expected a known key (did you mean 'run'?)");
    expect_named(
        trajectory, [](auto& c) { c["parameters"]["d3"] = 1; }, "parameters.d3: expected a known key");
    expect_named(
        trajectory, [](auto& c) { c["state"]["slots"][0]["jobb"] = 1; }, "state.slots[0].jobb: expected a known key");
    expect_named(
        trajectory, [](auto& c) { c["analysis"]["load"] = 1; }, "analysis.load: expected a known key");
    expect_named(
        trajectory, [](auto& c) { c["state"] = 3; }, "state: expected a table");
}

TEST_F(SharingCaseFile, WhatWouldTakeForEverEndsAtALimit) {
    EXPECT_EQ(changed(wait, [](auto& c) { c["run"] = 1000000; }).exit, 3);
    EXPECT_EQ(changed(trajectory, [](auto& c) { c["jobs"][1]["submit"] = 100000000; }).exit, 3);
    EXPECT_EQ(changed(analysis, [](auto& c) { c["analysis"]["tasks"] = 999999; }).exit, 3);
}

}  // namespace
}  // namespace schedproof
