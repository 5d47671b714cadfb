/// The forms of answers: what the schemas of the command say is what `tests/data/forms.txt` lists, and what it answers
/// is of its schema.
///
/// The listing was made of the schemas of version 0.2.0, which were files of their own; differences since stand in the
/// changelog. With SCHEDPROOF_UPDATE_DOCS=1 in the environment it is written anew, for a person to look at.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

const std::string source = SCHEDPROOF_SOURCE_DIR;

class AnswersCli : public SchemaTest {
  protected:
    [[nodiscard]] std::string listing(const std::string& schemas) const {
        const Answer answer = shell("/usr/bin/python3 '" + source + "/tests/experiments/forms.py' " + schemas);
        EXPECT_EQ(answer.exit, 0) << answer.err;
        return answer.out;
    }
    [[nodiscard]] static std::string schemas() { return fs::path(schema_file("list")).parent_path().string(); }
};

TEST_F(AnswersCli, FormsAreThoseOfTheListing) {
    const std::string now = listing("'" + schemas() + "'/*.schema.json");
    const fs::path file = fs::path(source) / "tests/data/forms.txt";
    if (std::getenv("SCHEDPROOF_UPDATE_DOCS") != nullptr) std::ofstream(file, std::ios::binary) << now;
    std::istringstream shown(slurp(file)), made(now);
    for (std::string a, b; std::getline(shown, a) && std::getline(made, b);) EXPECT_EQ(b, a);
    EXPECT_EQ(now, slurp(file));
}

/// Every object of a schema whose members are all known. Conditions only narrow them.
void each_object(ordered_json& schema, const std::function<void(ordered_json&)>& visit) {
    for (const auto& [word, part] : schema.items())
        if (part.is_structured() && word != "if" && word != "then" && word != "else") each_object(part, visit);
    if (schema.is_object() && schema.value("additionalProperties", ordered_json()) == false &&
        schema.contains("properties"))
        visit(schema);
}

TEST_F(AnswersCli, AMemberThatIsRemovedOrRenamedIsSeen) {
    for (const std::string schema : {"kernel", "check", "capacity", "certificate", "counterexample", "simulate"}) {
        const ordered_json whole = ordered_json::parse(slurp(schema_file(schema)));
        const auto listed = [&](const ordered_json& other) {
            write(schema + ".schema.json", other.dump());
            return listing(schema + ".schema.json");
        };
        const std::string before = listed(whole);
        std::size_t objects = 0;
        ordered_json counted = whole;
        each_object(counted, [&](ordered_json&) { ++objects; });
        for (std::size_t chosen = 0; chosen < objects; ++chosen)
            for (const bool renamed : {false, true}) {
                ordered_json other = whole;
                std::size_t at = 0;
                each_object(other, [&](ordered_json& object) {
                    ordered_json& members = object["properties"];
                    if (at++ != chosen || members.empty()) return;
                    const std::string name = members.begin().key();
                    if (renamed) members["another"] = members[name];
                    members.erase(name);
                });
                if (other == whole) continue;
                EXPECT_NE(listed(other), before) << schema << ", object " << chosen;
            }
    }
}

/// The calls of the pages' console blocks, each once, in the order of the pages; of a line of shell the first command.
std::vector<std::string> documented_calls() {
    std::vector<fs::path> pages;
    for (const auto& entry : fs::recursive_directory_iterator(source + "/docs"))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    std::sort(pages.begin(), pages.end());
    pages.insert(pages.begin(), source + "/README.md");
    const std::string prefix = "$ ./schedproof ";
    std::vector<std::string> calls;
    for (const fs::path& page : pages) {
        std::istringstream lines(slurp(page));
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with(prefix)) continue;
            std::string call = line.substr(prefix.size());
            for (const char* end : {" | ", "; ", " || "}) call = call.substr(0, call.find(end));
            if (std::find(calls.begin(), calls.end(), call) == calls.end()) calls.push_back(call);
        }
    }
    return calls;
}

/// Calls that take long, or read what is not there: the test below, or their own, ask for an answer of theirs.
bool is_left_out(const std::string& call) {
    static const std::set<std::string> words{"simulate", "sweep", "merge",          "reproduce", "report",
                                             "validate", "gap",   "optimum-policy", "test"};
    return words.contains(call.substr(0, call.find(' '))) || contains(call, "data.toml") || contains(call, ".tsv") ||
           contains(call, ".hpp");
}

TEST_F(AnswersCli, DocumentedCallsAnswerByTheirSchema) {
    fs::create_directory_symlink(source + "/docs", here() / "docs");
    std::map<std::string, std::vector<std::string>> answers;
    std::map<std::string, int> asked;
    for (std::string call : documented_calls()) {
        if (is_left_out(call)) continue;
        const std::size_t output = call.find(" -o answer.txt");
        if (output != std::string::npos) call.erase(output, std::string(" -o answer.txt").size());
        // A few of each command, one of those that take long, and those that write what others read.
        const std::string word = call.substr(0, call.find(' '));
        const bool writes = contains(call, " -o ") || contains(call, "-out ") || contains(call, "--certificate ") ||
                            contains(call, "--evidence ");
        if (!writes && asked[word] >= (word == "heavy-traffic" ? 1 : 3)) continue;
        const Answer answer = run(call + " --format json");
        const ordered_json json = ordered_json::parse(answer.out, nullptr, false);
        if (!json.is_object()) {
            static_cast<void>(run(call));  // writes a file that other calls read, or answers in text alone
            continue;
        }
        ++asked[word];
        std::vector<std::string>& those = answers[json["schema"]];
        const std::string file = json["schema"].get<std::string>() + "-" + std::to_string(those.size()) + ".answer";
        write(file, answer.out);
        those.push_back(file);
    }
    for (const auto& [schema, files] : answers) {
        std::string all;
        for (const std::string& file : files) all += " " + file;
        EXPECT_EQ(rejected(schema, all), std::set<std::string>{}) << schema;
    }
    for (const char* word : {"assign", "capacity", "certify", "chain", "check", "delay", "dual", "graph", "kernel",
                             "mean", "prove", "worst"})
        EXPECT_TRUE(asked.contains(word)) << word;
}

/// One call of each other command.
TEST_F(AnswersCli, EveryOtherCommandAnswersByItsSchema) {
    const std::string half = " experiments/instances/m2-half.toml ";
    for (const auto& [schema, call] : std::vector<std::pair<std::string, std::string>>{
             {"list", "list lyapunov"},
             {"gap", "gap" + half + "-p jsq-maxweight --digits 1"},
             {"heavy-traffic",
              "heavy-traffic experiments/instances/heavy-traffic-eps01.toml -p wang-jsq-maxweight "
              "--cap-total 4"},
             {"optimum", "optimum experiments/instances/assignment/dyndl-example.toml"},
             {"optimum-policy", "optimum-policy" + half + "--box 20"},
             {"prove-steps", "prove steps" + half + "-p wang-jsq-maxweight"},
             {"simulate", "simulate" + half + "-p fifo --horizon 500 --replications 2 --resume kept"},
             {"simulate", "merge kept"},
             {"simulate", "sweep experiments/sweeps/example.toml --resume swept"},
             {"simulate", "simulate -p srpt+r --horizon 50 --replications 2"},
             {"redundancy-schedule", "simulate experiments/instances/redundancy/example.toml -p fair"},
             {"reproduce-list", "reproduce --list"},
             {"paper", "paper xu2017"},
             {"report", "report redundancy.lemma-5 -o pages"}}) {
        write("answer.json", good(call + " --format json"));
        EXPECT_EQ(rejected(schema, "answer.json"), std::set<std::string>{}) << call;
    }
    EXPECT_EQ(rejected("simulation-study", "kept/study.json"), std::set<std::string>{});
    EXPECT_EQ(rejected("simulation-unit", "kept/p*.json"), std::set<std::string>{});
}

}  // namespace
}  // namespace schedproof
