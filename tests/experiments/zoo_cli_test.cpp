/// The rules of the zoo: each comparison at equality, what every text says of itself, and what the command answers.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/split.hpp"
#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using testing_support::contains;

/// Where requests of types A and B, whose homes are s0 and s1 of router-h3, go when the workers hold so many requests
/// of their own. A request runs at 2/5 at home and at 1/10 elsewhere.
struct Route {
    const char *rule, *loads, *a, *b;
};

const char *const away_from_0 = "s1.remote or s2.remote", *const any_a = "s0.local or s1.remote or s2.remote",
                  *const any_b = "s0.remote or s1.local or s2.remote";

const std::vector<Route> routes{
    {"two-tiers", "32 0 0", "s0.local", "s1.local"},
    {"two-tiers", "33 0 0", away_from_0, "s1.local or s2.remote"},
    {"two-tiers:abs=0", "110 100 100", "s0.local", "s1.local"},
    {"two-tiers:abs=0", "111 100 100", away_from_0, "s1.local or s2.remote"},
    {"range-gate", "8 0 0", "s0.local", "s1.local"},
    {"range-gate", "9 0 0", away_from_0, "s1.local or s2.remote"},
    {"window", "64 0 0", "s0.local", "s1.local"},
    {"window", "65 0 0", away_from_0, "s1.local"},
    {"window", "200 64 0", "s2.remote", "s1.local"},
    {"window", "200 65 0", "s2.remote", "s2.remote"},
    {"window:abs=1", "300 200 200", "s0.local", "s1.local"},
    {"window:abs=1", "301 200 200", away_from_0, "s1.local"},
    {"skew-guard", "3 2 1", "s0.local", "s1.local"},
    {"skew-guard", "4 2 1", away_from_0, "s1.local"},
    {"skew-guard", "1 0 0", "s0.local", "s1.local"},
    {"skew-guard", "2 0 0", away_from_0, "s1.local"},
    {"adp", "3 0 0", away_from_0, "s1.local"},
    {"adp", "2 2 2", "s0.local", "s1.local"},
    {"adp:match=1/7", "4 3 5", "s0.local", "s1.local"},
    {"adp:match=1/8", "4 3 5", "s1.remote", "s1.local"},
    {"adp-capped", "3 1 0", "s0.local", "s1.local"},
    {"adp-capped", "4 1 0", "s2.remote", "s1.local"},
    {"adp-capped:beta=8", "3 3 2", "s0.local", "s1.local"},
    {"adp-capped:beta=9", "3 3 2", "s2.remote", "s2.remote"},
    {"spread", "10 0 0", "s0.local", "s1.local"},
    {"spread", "11 0 0", away_from_0, "s1.local or s2.remote"},
    {"scores", "5 1 1", "s0.local", "s1.local"},
    {"scores", "0 0 0", "s0.local", "s1.local"},
    {"scores:match=1/2", "9 1 1", away_from_0, "s1.local"},
    {"scores:match=1/3", "2 3 1", "s0.local or s2.remote", "s2.remote"},
    {"scores-active", "2 4 1", "s0.local", "s2.remote"},
    {"scores-active", "3 4 1", "s0.local or s2.remote", "s2.remote"},
    {"scores-active", "4 4 1", "s2.remote", "s2.remote"},
    {"scores-active", "0 0 0", "s0.local", "s1.local"},
    {"scores-clipped", "1000 0 0", "s0.local", "s1.local"},
    {"scores-clipped:K=10,match=1/3", "9 0 0", "s0.local", "s1.local"},
    {"scores-clipped:K=10,match=1/3", "10 0 0", any_a, "s1.local"},
    {"scores-clipped:K=10,match=1/4", "20 3 3", "s0.local", "s1.local"},
    {"scores-clipped:K=10,match=1/4", "20 2 2", away_from_0, "s1.local"},
    {"filters:t=4", "4 0 0", any_a, "s1.local or s2.remote"},
    {"filters:t=4", "5 0 0", away_from_0, "s1.local or s2.remote"},
    {"filters:t=4", "7 5 11", "s0.local or s1.remote", "s0.remote or s1.local"},
    {"filters:t=4", "7 5 10", "s1.remote", "s1.local"},
    {"cost", "2 0 0", "s0.local", "s1.local"},
    {"cost", "3 0 0", any_a, "s1.local"},
    {"sticky", "26 0 0", "s0.local", "s1.local"},
    {"sticky", "27 0 0", away_from_0, "s1.local"},
    {"sticky-clipped", "406 380 380", "s0.local", "s1.local"},
    {"sticky-clipped", "407 380 380", any_a, "s1.local"},
    {"sticky-clipped", "407 379 380", "s1.remote", "s1.local"},
    {"soft-pin", "32 0 0", "s0.local", "s1.local"},
    {"soft-pin", "33 33 0", "s2.remote", "s2.remote"},
    {"soft-pin", "33 40 40", away_from_0, "s0.remote"},
    {"lmetric", "2 0 0", "s0.local", "s1.local"},
    {"lmetric", "3 0 0", any_a, "s1.local"},
    {"least-count", "3 1 1", "s0.local", "s1.local"},
    {"least-count", "4 1 1", any_a, "s1.local"},
    {"home", "99 0 0", "s0.local", "s1.local"},
    {"random", "99 0 0", any_a, any_b},
    {"shortest", "1 1 0", "s2.remote", "s2.remote"},
    {"within-one", "1 0 2", "s0.local or s1.remote", "s0.remote or s1.local"},
    {"idle-within-one", "1 0 1", "s1.remote", "s1.local"},
    {"idle-within-one", "2 1 3", "s0.local or s1.remote", "s0.remote or s1.local"},
    {"two-choices", "2 1 0", away_from_0, "s1.local or s2.remote"},
    {"two-draws", "2 1 0", any_a, any_b},
    {"coin", "2 1 0", "s2.remote or s1.remote", "s2.remote or s1.local"},
    {"coin", "1 1 0", any_a, any_b},
    {"idle-queue", "1 0 1", "s1.remote", "s1.local"},
    {"idle-queue", "1 1 1", any_a, any_b},
};
/// Their rows are in routers_cli_test.cpp.
const std::set<std::string> elsewhere{"gate",       "request-gate", "mean-gate", "bounded-hash",
                                      "load-aware", "least-work",   "work-gate"};

class ZooCli : public testing_support::CommandTest {
  protected:
    [[nodiscard]] nlohmann::json rules(const std::string& asked) const {
        return nlohmann::json::parse(good("zoo " + asked + " --format json"))["rules"];
    }
};

TEST_F(ZooCli, EachRuleComparesAsItsSourceDoesAtEqualityToo) {
    std::set<std::string> seen = elsewhere;
    for (const Route& route : routes) {
        SCOPED_TRACE(std::string(route.rule) + " at " + route.loads);
        const std::string rule = route.rule, name = rule.substr(0, rule.find(':'));
        std::string queues = route.loads;
        for (std::size_t at = 0; (at = queues.find(' ', at)) != std::string::npos; at += 3)
            queues.replace(at, 1, ",0,");
        const std::string answer = good("kernel experiments/instances/router-h3.toml -p experiments/zoo/" + name +
                                        ".policy" + rule.substr(name.size()) + " --queues " + queues + ",0");
        EXPECT_TRUE(contains(answer, std::string("type A joins ") + route.a + "\n")) << answer;
        EXPECT_TRUE(contains(answer, std::string("type B joins ") + route.b + "\n")) << answer;
        seen.insert(name);
    }
    std::set<std::string> all;
    for (const auto& rule : rules("")) all.insert(rule["rule"]);
    EXPECT_EQ(seen, all);
}

TEST_F(ZooCli, EachTextSaysWhereItIsFromWhatItCountsAndWhatItLeavesOut) {
    for (const auto& rule : rules("")) {
        SCOPED_TRACE(rule["rule"].dump());
        const std::string notes = rule["notes"];
        for (const char* part : {"load: ", "ties: ", "left out: "}) EXPECT_TRUE(contains(notes, part)) << notes;
        EXPECT_NE(notes.find("load: "), 0U) << "it does not say where it is from";
        EXPECT_FALSE(std::string(rule["source"]).empty());
        EXPECT_FALSE(std::string(rule["summary"]).empty());
    }
}

TEST_F(ZooCli, ARuleIsPrintedAsItsFile) {
    EXPECT_EQ(good("zoo sticky"),
              testing_support::slurp(std::filesystem::path(SCHEDPROOF_SOURCE_DIR) / "experiments/zoo/sticky.policy"));
    expect_refused("zoo stiky",
                   "RULE: expected a rule of the zoo or a file that ends in .policy, not 'stiky' (did you "
                   "mean 'sticky'?)");
    expect_refused("zoo sticky --instance a.toml", "--instance requires --table");
}

/// The letters of the page, by rule and cluster.
std::map<std::pair<std::string, std::string>, std::string> letters_of_the_page() {
    const auto cells_of = [](const std::string& line) {
        std::vector<std::string> cells;
        for (const std::string_view cell : base::split(line, '|')) {
            std::string text(cell);
            std::erase(text, ' ');
            cells.push_back(text);
        }
        return cells;
    };
    std::istringstream page(testing_support::slurp(std::filesystem::path(SCHEDPROOF_SOURCE_DIR) / "docs/zoo.md"));
    std::map<std::pair<std::string, std::string>, std::string> letters;
    std::vector<std::string> heads;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("<!--")) inside = line == "<!-- verdicts -->";
        if (!inside || !line.starts_with("|")) continue;
        const std::vector<std::string> cells = cells_of(line);
        if (heads.empty()) heads = cells;
        const std::string rule = cells[1].substr(1, cells[1].find(']') - 1);  // a link to the text
        for (std::size_t i = 2; cells[1].starts_with("[") && i + 1 < cells.size(); ++i)
            letters[{rule, heads[i]}] = cells[i];
    }
    return letters;
}

/// Two columns of the table; the test zoo_table makes all of it.
TEST_F(ZooCli, ThePageSaysWhatIsProved) {
    const auto page = letters_of_the_page();
    const nlohmann::json answer = rules(
        "--table --slots 0 --instance experiments/instances/router-t2.toml --instance "
        "experiments/instances/unlike.toml");
    EXPECT_EQ(page.size(), 9 * answer.size());
    for (const auto& rule : answer)
        for (const auto& cell : rule["cells"]) {
            const std::string letter = cell["letter"];
            const auto shown = page.find({rule["rule"], cell["instance"]});
            ASSERT_NE(shown, page.end()) << cell;
            // What is not proved was simulated.
            if (letter == "?")
                EXPECT_TRUE(contains("sgd?", shown->second)) << rule["rule"] << cell;
            else
                EXPECT_EQ(letter, shown->second) << rule["rule"] << cell;
        }
}

/// The theorem is about loads below 1.
TEST_F(ZooCli, NothingIsStableBeyondTheBoundary) {
    std::string text = testing_support::slurp(at("experiments/instances/router-h3.toml"));
    text = testing_support::replaced(text, "A = \"49/100\"", "A = \"61/100\"");
    write("beyond.toml", testing_support::replaced(text, "name = \"router-h3\"", "name = \"beyond\""));
    for (const auto& rule : rules("least-work shortest --table --slots 0 --instance beyond.toml"))
        EXPECT_TRUE(contains("T?", std::string(rule["cells"][0]["letter"]))) << rule;
}

/// Above 263 s of prefill all workers tie: from 5,000 requests at each home none is below that again.
TEST_F(ZooCli, AClippedRuleIsStableFromTheEmptyStateAlone) {
    const nlohmann::json answer =
        rules("sticky sticky-clipped --table --slots 100000 --instance experiments/instances/router-h3.toml");
    EXPECT_EQ(answer[0]["cells"][0]["letter"], "s") << answer[0]["cells"][0];
    EXPECT_EQ(answer[1]["cells"][0]["letter"], "d") << answer[1]["cells"][0];
    // Twenty times 380 requests are further than 5,000.
    EXPECT_TRUE(contains(std::string(answer[0]["cells"][0]["says"]), " from 5000 at each home"));
    EXPECT_TRUE(contains(std::string(answer[1]["cells"][0]["says"]), " from 7600 at each home"));
}

/// Whatever a rule is: unlike rates of types, servers and three levels, and continuous time.
TEST_F(ZooCli, AGuardMakesEveryRuleThroughputOptimal) {
    std::string text = testing_support::slurp(at("experiments/instances/router-h3.toml"));
    for (const auto& [from, to] : {std::pair{"kind = \"single\"", "kind = \"poisson\""},
                                   std::pair{"name = \"router-h3\"", "name = \"h3-in-time\"\ntime = \"continuous\""}})
        text = testing_support::replaced(text, from, to);
    write("timed.toml", text);
    write("nowhere.toml",
          "family = \"queueing\"\nname = \"nowhere\"\nservers = 3\ntypes = [{name = \"A\", replicas = [\"s2\"], rates "
          "= {s0 = "
          "\"9/10\", s1 = \"1/10\"}}, {name = \"B\", rates = {s0 = \"1/2\"}}]\n[arrivals]\nkind = \"single\"\nvalues = "
          "{A "
          "= \"2/5\", B = \"1/5\"}\n");
    std::size_t guarded = 0;
    for (const auto& rule : rules("")) {
        const std::string name = rule["rule"];
        const auto written = run("zoo " + name + " --guard 8 -o " + name + ".policy");
        if (written.exit != 0) {
            EXPECT_TRUE(contains(written.err, "at most 64 primitives") ||
                        contains(written.err, "a value may be taken over a set without a member"))
                << written.err;
            continue;
        }
        // It has an answer where no server of a type's data can serve it, too.
        good("simulate nowhere.toml -p " + name + ".policy --horizon 300 --replications 1 -o answer.txt");
        const nlohmann::json row =
            rules(name +
                  ".policy --table --slots 0 --evidence found --instance timed.toml --instance "
                  "experiments/instances/router-t2.toml --instance experiments/instances/n2-pandas.toml --instance "
                  "experiments/instances/unlike.toml")[0];
        for (const auto& cell : row["cells"]) EXPECT_EQ(cell["letter"], "E") << name << cell;
        ++guarded;
    }
    EXPECT_GT(guarded, 20U);
    const std::string file = "found/gate-guarded-every-cluster-2.json", certificate = read(file);
    expect_lines("certify " + file, {"accepted"});
    for (const auto& [from, to] :
         {std::pair{"\"tasks\": \"8\"", "\"tasks\": \"7\""}, std::pair{"and 8 / gamma^2", "and 7 / gamma^2"},
          std::pair{"tasks(8) / rate / rate", "tasks(9) / rate / rate"},
          std::pair{"least(servers, server_workload", "greatest(servers, server_workload"},
          std::pair{"nonempty(own_levels)", "nonempty(own)"}, std::pair{"gate-guarded", "gate"}}) {
        ASSERT_TRUE(contains(certificate, from)) << from;
        write("altered.json", testing_support::replaced(certificate, from, to));
        EXPECT_NE(run("certify altered.json").exit, 0) << to;
    }
    // Whatever the text looks like, what is guarded is what was read.
    write("odd.policy",
          "policy : odd\nkeep : per_server_and_level\nlet : spare = 2\nroute : where(servers,\n\tserver_length < "
          "tasks(spare))\n"
          "\t| local\nserve:own\n");
    EXPECT_TRUE(contains(good("zoo odd.policy --guard 3"),
                         "let: unguarded = where(servers, server_length < tasks(2)) | local\n"));
    write("twice.policy", good("zoo odd.policy --guard 3"));
    EXPECT_TRUE(contains(good("zoo twice.policy --guard 5"), "policy: odd-guarded-guarded\n"));
    write("joint.policy", "policy: joint\nkeep: per_server\nroute: argmin(servers, length)\nserve: own\n");
    expect_refused("zoo joint.policy --guard 8", "keep: expected per_server_and_level");
    expect_refused("zoo --guard 8", "--guard");
    expect_refused("zoo gate --guard -1", "--guard");
}

/// A rule of one's own beside the zoo's, with certificates, and one that a cluster cannot run.
TEST_F(ZooCli, CellsHaveCertificatesOrWhatWasSeen) {
    write("mine.policy", "policy: mine\nkeep: per_server\nroute: argmin(local, length)\nserve: own\n");
    const nlohmann::json answer = rules(
        "gate least-work range-gate mine.policy --table --evidence found --slots 20000 "
        "--instance experiments/instances/router-t2.toml --instance experiments/instances/router-s3.toml "
        "--instance experiments/instances/unlike.toml");
    const auto letter = [&](std::size_t rule, std::size_t instance) {
        return std::string(answer[rule]["cells"][instance]["letter"]);
    };
    EXPECT_EQ(letter(0, 0), "T");
    EXPECT_EQ(letter(1, 0), "E");
    EXPECT_EQ(letter(1, 1), "E");
    EXPECT_EQ(letter(3, 0), "-");
    for (const auto& rule : answer)
        for (const auto& cell : rule["cells"]) {
            const bool proved = contains("EPT", std::string(cell["letter"]));
            ASSERT_EQ(proved, !cell["evidence"].is_null()) << cell;
            if (proved) expect_lines("certify " + std::string(cell["evidence"]), {"accepted"});
        }
}

}  // namespace
}  // namespace schedproof
