/// Questions of other programs: what each kind is answered, that a wrong one is answered and disturbs no other, and
/// that none reads a file or exceeds its limits.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using testing_support::contains;
using testing_support::slurp;

class ServeCli : public testing_support::CommandTest {
  protected:
    using json = nlohmann::json;

    static json shipped(const std::string& path) {
        return slurp(std::filesystem::path(SCHEDPROOF_SOURCE_DIR) / "experiments" / path);
    }
    /// The answers to these lines, of which there must be one each.
    [[nodiscard]] std::vector<json> answers(const std::vector<std::string>& lines,
                                            const std::string& options = "") const {
        std::string all;
        for (const std::string& line : lines) all += line + "\n";
        write("questions.jsonl", all);
        std::istringstream out(good("serve --stdio " + options + " < questions.jsonl"));
        std::vector<json> found;
        for (std::string line; std::getline(out, line);) found.push_back(json::parse(line));
        EXPECT_EQ(found.size(), lines.size());
        return found;
    }
    [[nodiscard]] json answer(const json& question, const std::string& options = "") const {
        return answers({question.dump()}, options).at(0);
    }
    /// With the cluster router-h3, by name.
    static inline const std::string h3 = "--instance experiments/instances/router-h3.toml";
};

TEST_F(ServeCli, EachKindOfQuestionIsAnswered) {
    const json cluster = shipped("instances/router-h3.toml"), small = shipped("instances/m2-half.toml");
    const json gate = shipped("zoo/gate.policy"), work = shipped("zoo/least-work.policy");
    const std::vector<json> all = answers(
        {json{{"ask", "capacity"}, {"instance", cluster}}.dump(),
         json{{"ask", "stable"}, {"policy", gate}, {"values", "abs=3"}, {"instance", cluster}, {"certificate", true}}
             .dump(),
         json{{"ask", "stable"}, {"policy", work}, {"instance", cluster}, {"id", "third"}}.dump(),
         json{{"ask", "every-cluster"}, {"policy", work}}.dump(),
         json{{"ask", "every-cluster"}, {"policy", gate}}.dump(),
         json{{"ask", "mean"}, {"policy", "jsq-maxweight"}, {"instance", small}, {"digits", 4}}.dump(),
         json{{"ask", "counterexample"},
              {"policy", "fifo"},
              {"instance", small},
              {"claim", "queueing.mean-tasks.textbook"}}
             .dump(),
         json{{"ask", "simulate"}, {"policy", gate}, {"instance", cluster}, {"slots", 5000}}.dump()});
    EXPECT_EQ(all[0]["load"]["exact"], "469/480");
    EXPECT_EQ(all[0]["verdict"], "inside");
    EXPECT_EQ(all[1]["verdict"], "transient");
    EXPECT_EQ(all[1]["by"], "transience by terms");
    write("found.json", all[1]["certificate"].get<std::string>());
    expect_lines("certify found.json", {"accepted"});
    EXPECT_EQ(all[2]["verdict"], "stable");
    EXPECT_EQ(all[2]["id"], "third");
    EXPECT_EQ(all[2]["certificate"], nullptr);
    EXPECT_EQ(all[3]["verdict"], "proved");
    EXPECT_EQ(all[4]["verdict"], "unknown");
    EXPECT_EQ(all[5]["verdict"], "proved");
    EXPECT_NEAR(all[5]["lower"]["approx"].get<double>(), 4.5609, 1e-3);
    EXPECT_EQ(all[6]["verdict"], "error") << "the claim is about another policy, or is none";
    EXPECT_EQ(all[7]["verdict"], "measured");
    EXPECT_TRUE(contains(all[7]["says"], "from the empty state"));
    EXPECT_EQ(all[7]["sampled"][0]["quantity"], "tasks in system");
    std::string files;
    for (std::size_t i = 0; i < all.size(); ++i) {
        write(std::to_string(i) + ".json", all[i].dump());
        files += " " + std::to_string(i) + ".json";
    }
    EXPECT_EQ(validated("serve", files).exit, 0);
}

TEST_F(ServeCli, AClaimIsRefutedAtAState) {
    const json found = answer(
        {{"ask", "counterexample"},
         {"policy",
          "policy: mine\nkeep: per_server\nroute: argmin(local, length)\nserve: argmax(nonempty(reachable), length)\n"},
         {"instance", shipped("instances/m2-half.toml")},
         {"claim", "queueing.squares-drift-negative"}});
    EXPECT_EQ(found["verdict"], "refuted") << found;
    EXPECT_TRUE(contains(found["says"], "the drift of squares stays")) << found;
}

TEST_F(ServeCli, AHuntFindsAClusterInsideTheRegion) {
    const json found = answer({{"ask", "hunt"}, {"policy", shipped("zoo/bounded-hash.policy")}, {"certificate", true}});
    ASSERT_EQ(found["verdict"], "transient") << found;
    EXPECT_LT(found["load"]["approx"].get<double>(), 1);
    write("found.toml", found["instance"].get<std::string>());
    write("found.json", found["certificate"].get<std::string>());
    expect_lines("capacity found.toml", {"load rho*     " + found["load"]["exact"].get<std::string>()});
    expect_lines("certify found.json", {"accepted"});
    EXPECT_TRUE(contains(answer({{"ask", "hunt"}, {"policy", "c-mu"}})["says"], "policy"));
}

TEST_F(ServeCli, AWrongQuestionIsAnsweredAndTheNextOneToo) {
    const std::string good = R"({"ask": "capacity", "instance": "router-h3", "id": "good"})";
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"no json", "JSON"},
        {"[1, 2]", "JSON"},
        {R"({"ask": "stabel", "id": "x"})", "(did you mean 'stable'?)"},
        {R"({"ask": "stable", "instance": "router-h3"})", "policy"},
        {R"({"ask": "capacity", "instance": "router-h4"})", "(did you mean 'router-h3'?)"},
        {R"({"ask": "capacity", "instance": "router-h3", "policy": "fifo"})", "where \"ask\" is \"capacity\""},
        {R"({"ask": "stable", "policy": "ffo", "instance": "router-h3"})", "(did you mean 'fifo'?)"},
        {R"({"ask": "stable", "policy": "policy: a\nroute: argmin(local, lenght)\n", "instance": "router-h3"})",
         "policy"},
        {R"({"ask": "stable", "policy": "policy: fifo\nkeep: per_server\nroute: local\nserve: own\n", )"
         R"("instance": "router-h3"})",
         "fifo"},
        {R"({"ask": "capacity", "instance": "family = \"queueing\"\nnmae = \"x\"\n"})",
         "instance:2: nmae: expected a known key (did you mean 'name'?)"},
        {R"({"ask": "capacity", "instance": "router-h3", "budget": {"seconds": 61}})", "budget.seconds"},
        {R"({"ask": "capacity", "instance": ""})", "instance"},
        {std::string("{\"ask\": \"") + std::string(2'000'000, 'x') + "\"}", "at most 1048576 bytes"}};
    std::vector<std::string> lines;
    for (const auto& [line, words] : wrong) lines.insert(lines.end(), {line, good});
    const std::vector<json> all = answers(lines, h3);
    ASSERT_EQ(all.size(), lines.size());
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        SCOPED_TRACE(wrong[i].first.substr(0, 100));
        EXPECT_EQ(all[2 * i]["verdict"], "error");
        EXPECT_TRUE(contains(all[2 * i]["says"], wrong[i].second)) << all[2 * i]["says"];
        EXPECT_EQ(all[2 * i + 1]["verdict"], "inside");
        EXPECT_EQ(all[2 * i + 1]["id"], "good");
    }
}

/// What is there to be read, by its path, is not read.
TEST_F(ServeCli, NoQuestionReadsAFile) {
    write("mine.policy", "policy: mine\nkeep: per_server\nroute: argmin(local, length)\nserve: own\n");
    for (const char* path : {"mine.policy", "./mine.policy", "experiments/zoo/gate.policy"}) {
        const json found = answer({{"ask", "stable"}, {"policy", path}, {"instance", "router-h3"}}, h3);
        EXPECT_EQ(found["verdict"], "error") << found;
    }
    const json found = answer({{"ask", "capacity"}, {"instance", "experiments/instances/router-t2.toml"}}, h3);
    EXPECT_EQ(found["verdict"], "error") << found;
    EXPECT_EQ(files(), (std::set<std::string>{"experiments", "mine.policy", "questions.jsonl"}));
}

/// More lines than wait at a time come at once, and the input stays open: none is forgotten until it closes.
TEST_F(ServeCli, LinesThatAreThereAreAnsweredWhileTheInputIsOpen) {
    std::string script = "mkfifo in && { '";
    script += SCHEDPROOF_COMMAND;
    script += "' serve --stdio --threads 1 " + h3 +
              " < in > out & } && exec 3> in && for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo '{\"ask\": \"capacity\", "
              "\"instance\": \"router-h3\"}'; done >&3 && for i in $(seq 300); do "
              "[ $(grep -c inside out) -lt 12 ] || break; sleep 0.1; done; grep -c inside out; exec 3>&-; wait";
    const auto answered = shell(script);
    EXPECT_EQ(answered.out, "12\n") << answered.err;
}

TEST_F(ServeCli, ALastLineThatIsTooLongIsAnswered) {
    write("questions.jsonl", std::string((std::size_t{1} << 20U) + 1, 'a'));
    EXPECT_TRUE(contains(good("serve --stdio < questions.jsonl"), "at most 1048576 bytes"));
}

/// Of thirty at a time, for which there are not enough files.
TEST_F(ServeCli, WhatTheSystemDoesNotHaveIsWaitedFor) {
    std::string lines;
    for (int i = 0; i < 30; ++i)
        lines += R"({"ask": "capacity", "instance": "router-h3"})"
                 "\n";
    write("questions.jsonl", lines);
    const auto answered = shell(std::string("ulimit -n 40; '") + SCHEDPROOF_COMMAND + "' serve --stdio --threads 30 " +
                                h3 + " < questions.jsonl | grep -c inside");
    EXPECT_EQ(answered.out, "30\n") << answered.err;
}

TEST_F(ServeCli, LimitsEndAQuestionAndNoOther) {
    const json endless{{"ask", "simulate"},
                       {"policy", "balanced-pandas"},
                       {"instance", "router-h3"},
                       {"slots", 1'000'000'000},
                       {"budget", {{"seconds", 1}}}};
    const json large{{"ask", "mean"},
                     {"policy", "balanced-pandas"},
                     {"instance", "router-h3"},
                     {"digits", 22},
                     {"budget", {{"megabytes", 16}}}};
    const json quick{{"ask", "capacity"}, {"instance", "router-h3"}};
    const std::vector<json> all = answers({endless.dump(), large.dump(), quick.dump()}, h3 + " --threads 2");
    EXPECT_EQ(all[0]["verdict"], "unknown");
    EXPECT_TRUE(contains(all[0]["says"], "limit time: 1 s")) << all[0];
    EXPECT_EQ(all[1]["verdict"], "unknown");
    EXPECT_TRUE(contains(all[1]["says"], "memory") && contains(all[1]["says"], "16 megabytes")) << all[1];
    EXPECT_EQ(all[2]["verdict"], "inside");
}

TEST_F(ServeCli, AnswersDoNotDependOnWhatElseIsAsked) {
    std::string questions;
    for (const char* rule : {"gate", "spread", "least-work", "lmetric", "home"})
        for (const char* ask : {"stable", "simulate"}) {
            json question{
                {"ask", ask}, {"policy", shipped(std::string("zoo/") + rule + ".policy")}, {"instance", "router-h3"}};
            if (question["ask"] == "simulate") question["slots"] = 2000;
            questions += question.dump() + "\n";
        }
    write("all.jsonl", questions);
    const std::string one = good("serve --stdio " + h3 + " --threads 1 < all.jsonl");
    EXPECT_EQ(one, good("serve --stdio " + h3 + " --threads 4 < all.jsonl"));
    EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 10);
}

/// Nobody reads any more: the question that is being settled is given up, whose limit is far away.
TEST_F(ServeCli, ItEndsWithWhoeverReads) {
    const json quick{{"ask", "capacity"}, {"instance", "router-h3"}};
    const json endless{
        {"ask", "simulate"}, {"policy", "balanced-pandas"}, {"instance", "router-h3"}, {"slots", 1'000'000'000}};
    write("both.jsonl", quick.dump() + "\n" + endless.dump() + "\n");
    const auto ended = shell(std::string("timeout 30 '") + SCHEDPROOF_COMMAND + "' serve --stdio " + h3 +
                             " < both.jsonl | head -n 1; echo \"${PIPESTATUS[0]}\"");
    EXPECT_TRUE(contains(ended.out, "\"inside\"")) << ended.out << ended.err;
}

TEST_F(ServeCli, OtherWaysThanTheStandardInputAreRefused) {
    expect_refused("serve", "--stdio: required: `serve` reads requests from the standard input only");
    expect_refused("serve --stdio --instance none.toml", "none.toml");
}

}  // namespace
}  // namespace schedproof
