/// Completions and pages of the manual: made from the option tables, tried by the shells and by man themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

class Completion : public CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        write("completion.bash", good("completion bash"));
        write("completion.zsh", good("completion zsh"));
        write("completion.fish", good("completion fish"));
        write("complete.sh",
              "source ./completion.bash\n"
              "COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'\n"
              "complete -p schedproof >/dev/null || exit 1\n"
              "COMP_LINE=$1 COMP_POINT=${#1}\n"
              "_schedproof\n"
              "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    }
    /// What bash offers at the end of the line.
    [[nodiscard]] std::set<std::string> offered(const std::string& line) const {
        const Answer answer = shell("bash complete.sh 'schedproof " + line + "'");
        EXPECT_EQ(answer.exit, 0) << answer.err;
        EXPECT_EQ(answer.err, "");
        std::set<std::string> words;
        std::istringstream in(answer.out);
        for (std::string word; std::getline(in, word);)
            if (!word.empty()) words.insert(word);
        return words;
    }
    [[nodiscard]] bool has(const std::string& program) const { return shell("command -v " + program).exit == 0; }
};

using Words = std::set<std::string>;

TEST_F(Completion, BashKnowsCommandsAndTheirParts) {
    EXPECT_EQ(offered("ca"), Words{"capacity"});
    EXPECT_EQ(offered("prove "), (Words{"drift", "heavy-traffic", "steps", "throughput-optimal", "transience"}));
    EXPECT_EQ(offered("prove tr"), Words{"transience"});
    EXPECT_TRUE(offered("").contains("simulate"));
    EXPECT_EQ(offered("--v"), Words{"--version"});
}

TEST_F(Completion, BashKnowsOptionsAndTheirValues) {
    EXPECT_EQ(offered("prove drift x.toml --smt"), Words{"--smtlib"});
    EXPECT_TRUE(offered("kernel -").contains("--policy-file"));
    EXPECT_EQ(offered("check --format s"), Words{"sarif"});
    EXPECT_EQ(offered("check --format=s"), Words{"sarif"});
    EXPECT_EQ(offered("list cl"), Words{"claims"});
    EXPECT_EQ(offered("check --rlimit "), Words{});
    EXPECT_EQ(offered("kernel x.toml --lyapunov reg"), Words{"regret"});
    EXPECT_EQ(offered("check queueing.tasks-b"), Words{"queueing.tasks-balance"});
}

TEST_F(Completion, BashKnowsPoliciesOfTheFamilyWithTheirColons) {
    EXPECT_EQ(offered("kernel x.toml -p jsq"), (Words{"jsq-maxweight"}));
    EXPECT_EQ(offered("kernel x.toml --policy pandas:"), (Words{"plain", "rackaware"}));
    EXPECT_EQ(offered("kernel x.toml --policy=pandas:r"), (Words{"rackaware"}));
    EXPECT_EQ(offered("assign x.toml -p pan"), Words{});
    EXPECT_TRUE(offered("assign x.toml -p ").contains("dyndloff"));
    EXPECT_TRUE(offered("simulate -p ").contains("srpt+r"));
}

TEST_F(Completion, BashKnowsFilesAndDirectories) {
    std::filesystem::create_directory(at("evidence"));
    write("every thing.toml", "");
    EXPECT_EQ(offered("capacity ev"), (Words{"evidence", "every thing.toml"}));
    EXPECT_EQ(offered("check --replay ev"), Words{"evidence"});
    EXPECT_EQ(offered("kernel x --policy-file every"), Words{"every thing.toml"});
}

/// Every option of every command is in every script, as `--help` has it.
TEST_F(Completion, ScriptsNameEveryOption) {
    for (const char* name : {"check", "simulate", "prove drift", "import hdfs-fsck"}) {
        std::istringstream help(good(std::string(name) + " --help"));
        for (std::string word; help >> word;) {
            word = word.substr(0, word.find(','));
            if (!word.starts_with("--") || word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != std::string::npos)
                continue;
            EXPECT_TRUE(contains(read("completion.bash"), " " + word)) << word;
            EXPECT_TRUE(contains(read("completion.zsh"), word + "[") || contains(read("completion.zsh"), word + "=["))
                << word;
            EXPECT_TRUE(contains(read("completion.fish"), " -l " + word.substr(2) + " ")) << word;
        }
    }
}

TEST_F(Completion, ShellsReadTheScripts) {
    EXPECT_EQ(shell("bash -n completion.bash").err, "");
    if (has("zsh")) {
        EXPECT_EQ(shell("zsh -n completion.zsh").err, "");
    }
    if (has("fish")) {
        EXPECT_EQ(shell("fish --no-execute completion.fish").err, "");
        const Answer answer =
            shell("fish --private -c 'source ./completion.fish; complete -C \"schedproof prove tr\"'");
        EXPECT_TRUE(answer.out.starts_with("transience")) << answer.out << answer.err;
    }
    // Without the shells: quotes and braces are closed.
    for (const char* script : {"completion.zsh", "completion.fish"}) {
        std::string text = read(script);
        for (std::size_t at = 0; (at = text.find("'\\''", at)) != std::string::npos;) text.erase(at, 4);
        for (std::size_t at = 0; (at = text.find("\\'", at)) != std::string::npos;) text.erase(at, 2);
        EXPECT_EQ(std::count(text.begin(), text.end(), '\'') % 2, 0) << script;
        EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}')) << script;
    }
}

TEST_F(Completion, PagesOfTheManualAreSound) {
    good("manual --directory pages");
    std::size_t pages = 0;
    for (const auto& entry : std::filesystem::directory_iterator(at("pages"))) {
        const std::string page = "pages/" + entry.path().filename().string();
        ++pages;
        for (const char* section : {".TH SCHEDPROOF", "\n.SH NAME\n", "\n.SH SYNOPSIS\n", "\n.SH EXIT STATUS\n"})
            EXPECT_TRUE(contains(read(page), section)) << page << section;
        if (has("groff")) {
            EXPECT_EQ(shell("groff -man -Tutf8 -ww '" + page + "' >/dev/null").err, "") << page;
        }
        if (has("man")) {
            EXPECT_EQ(shell("LC_ALL=C.UTF-8 man --warnings -l '" + page + "' >/dev/null").err, "") << page;
        }
    }
    EXPECT_GT(pages, 25U);
    EXPECT_EQ(good("manual prove drift"), read("pages/schedproof-prove-drift.1"));
    EXPECT_EQ(good("manual"), read("pages/schedproof.1"));
    expect_refused("manual drift", "whose page is called 'schedproof-drift' (did you mean 'schedproof-");
    expect_refused("manual kernel --directory pages", "--directory");
    expect_refused("completion tcsh", "SHELL: expected one of bash, zsh, fish, not 'tcsh'");
}

TEST_F(Completion, ThePageOfACommandHoldsItsHelp) {
    const std::string page = good("manual simulate");
    for (const char* words : {"\\fB\\-p\\fR, \\fB\\-\\-policy\\fR \\fIPOLICY\\fR", "\\fB\\-\\-policy\\-file\\fR",
                              ".SS \"redundancy\"", "; default: auto", "\nindependent runs of each policy"})
        EXPECT_TRUE(contains(page, words)) << words << page.substr(0, 2000);
    EXPECT_TRUE(
        contains(good("manual certify"), "\\fIFILE\\fR\ncertificate files, \\- for standard input; required\n"));
}

}  // namespace
}  // namespace schedproof
