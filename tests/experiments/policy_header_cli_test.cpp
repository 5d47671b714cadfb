/// A queueing policy as a C++ header of the user's own: compiled once, for its rules only, and never trusted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using testing_support::contains;
using testing_support::replaced;

const std::string small_cluster = "experiments/instances/m2-half.toml";

/// A policy file in which `body` stands before the struct.
std::string header_text(const std::string& id, const std::string& rules, const std::string& body = "") {
    return "#pragma once\n#include \"model/queueing/policy.hpp\"\n" + body +
           "\nnamespace schedproof::queueing::language {\nstruct Mine {\n    static constexpr PolicyInfo info{\"" + id +
           "\", \"me\", \"a sentence\"};\n    static constexpr Rules rules{" + rules + "};\n};\n}\n";
}
const std::string jsq_maxweight_rules =
    "keep(Arrangement::per_server), route(argmin(local, length)), "
    "serve(first_of(argmax(nonempty(reachable), rate * length), own))";

class PolicyHeaderCli : public testing_support::CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        ::setenv("XDG_CACHE_HOME", cache().c_str(), 1);
        write("mine.hpp", header_text("mine", jsq_maxweight_rules));
        // A compiler that counts how often it is called.
        write("cxx",
              "#!/bin/sh\ncase \" $* \" in *\" -E \"*) ;; *) echo called >>\"$CALLS\" ;; esac\nexec c++ \"$@\"\n");
        std::filesystem::permissions(at("cxx"), std::filesystem::perms::owner_all);
    }
    /// Of the test's own, and not among the files that its runs leave.
    [[nodiscard]] std::filesystem::path cache() const { return here().parent_path() / "cache"; }
    [[nodiscard]] static std::string with(const std::string& file) {
        return "kernel " + small_cluster + " --queues 2,1 --policy-file " + file;
    }
    /// The command with the compiler that counts.
    [[nodiscard]] testing_support::Answer run_counted(const std::string& arguments) const {
        return shell("env CXX=\"$PWD/cxx\" CALLS=\"$PWD/calls\" '" SCHEDPROOF_COMMAND "' " + arguments);
    }
    [[nodiscard]] std::ptrdiff_t calls() const {
        const std::string log = read("calls");
        return std::count(log.begin(), log.end(), '\n');
    }
    /// The file is refused with these words, by the command without a cache.
    void expect_wrong(const std::string& text, const std::string& words) const {
        SCOPED_TRACE(text);
        write("wrong.hpp", text);
        expect_refused(with("wrong.hpp"), words);
    }
};

TEST_F(PolicyHeaderCli, IsThePolicyOfTheSameRules) {
    EXPECT_EQ(replaced(good(with("mine.hpp")), "mine", "jsq-maxweight"),
              good("kernel " + small_cluster + " --queues 2,1 -p jsq-maxweight"));
    // A certificate brings the rules, as that of a text does.
    write("work.hpp", header_text("work",
                                  "keep(Arrangement::per_server_and_level), "
                                  "route(argmin(servers, server_workload / rate)), "
                                  "serve(first_of(most_local(nonempty(own_levels)), own))"));
    (void)good("prove drift " + small_cluster +
               " --lyapunov workload-squares --certificate c.json --policy-file work.hpp");
    EXPECT_TRUE(contains(good("certify c.json"), "Here work is keep(Arrangement::per_server_and_level), route("));
    // So does the function that it names, from the cache too.
    write("mine.hpp",
          replaced(read("mine.hpp"), "static constexpr Rules",
                   "static constexpr const char* lyapunov = \"regret + 2 * total\";\nstatic constexpr Rules"));
    for (int run = 0; run < 2; ++run)
        EXPECT_TRUE(contains(good("prove drift " + small_cluster + " --policy-file mine.hpp"), "'sum'"));
    expect_wrong(
        replaced(read("mine.hpp"), "regret + 2 * total", "regret +"),
        "expected `lyapunov` to be the name of a function or a sum such as regret + 2 * total, not 'regret +'");
}

TEST_F(PolicyHeaderCli, IsCompiledOnce) {
    const auto first = run_counted(with("mine.hpp"));
    ASSERT_EQ(first.exit, 0) << first.err;
    const auto compiled = calls();
    EXPECT_GT(compiled, 0);
    EXPECT_EQ(run_counted(with("mine.hpp")).out, first.out);
    EXPECT_EQ(calls(), compiled);
    // Another text, or another text of what it includes, is another policy.
    write("part.hpp", "#define KEY length\n");
    write("mine.hpp", "#include \"part.hpp\"\n" +
                          replaced(header_text("mine", jsq_maxweight_rules), "local, length", "local, KEY"));
    EXPECT_EQ(run_counted(with("mine.hpp")).out, first.out);
    const auto again = calls();
    EXPECT_GT(again, compiled);
    write("part.hpp", "#define KEY 2 * length\n");
    EXPECT_EQ(run_counted(with("mine.hpp")).out, first.out);
    EXPECT_GT(calls(), again);
    // What is kept and damaged is made again.
    for (const auto& entry : std::filesystem::directory_iterator(cache() / "schedproof"))
        std::filesystem::resize_file(entry.path(), 40);
    EXPECT_EQ(run_counted(with("mine.hpp")).out, first.out);
}

/// What a file means can depend on files that are not there: on one that it asks for, on one that comes to stand before
/// another.
TEST_F(PolicyHeaderCli, WhatIsKeptIsOfTheFileAsItIsNow) {
    const auto text = [](const std::string& head) {
        return head + replaced(header_text("mine", jsq_maxweight_rules), "rate * length", "KEY");
    };
    const std::string call = "kernel " + small_cluster + " --queues 3,1 --policy-file mine.hpp";
    write("mine.hpp",
          text("#if __has_include(\"extra.hpp\")\n#define KEY length\n#else\n#define KEY rate * length\n#endif\n"));
    const std::string without = good(call);
    write("extra.hpp", "");
    const std::string with_it = good(call);
    EXPECT_NE(with_it, without);
    std::filesystem::remove(at("extra.hpp"));
    EXPECT_EQ(good(call), without);
    std::filesystem::create_directory(at("later"));
    write("later/key.hpp", "#define KEY rate * length\n");
    write("mine.hpp", text("#include \"key.hpp\"\n"));
    const auto with_folders = [&] {
        return shell("env CXXFLAGS=\"-I$PWD/later\" '" SCHEDPROOF_COMMAND "' " + call).out;
    };
    EXPECT_EQ(with_folders(), without);
    write("key.hpp", "#define KEY length\n");
    EXPECT_EQ(with_folders(), with_it);
}

TEST_F(PolicyHeaderCli, NeedsNoPlaceToKeepThings) {
    EXPECT_EQ(shell("env -u HOME -u XDG_CACHE_HOME '" SCHEDPROOF_COMMAND "' " + with("mine.hpp")).exit, 0);
    EXPECT_EQ(shell("env XDG_CACHE_HOME=/dev/null '" SCHEDPROOF_COMMAND "' " + with("mine.hpp")).exit, 0);
}

TEST_F(PolicyHeaderCli, SaysThatThereIsNoCompiler) {
    const auto without = shell("env PATH=/nowhere '" SCHEDPROOF_COMMAND "' " + with("mine.hpp"));
    EXPECT_EQ(without.exit, 2);
    EXPECT_TRUE(contains(without.err, "mine.hpp: expected a C++ compiler for a policy in C++")) << without.err;
    const auto wrong = shell("env CXX=no-such-compiler '" SCHEDPROOF_COMMAND "' " + with("mine.hpp"));
    EXPECT_EQ(wrong.exit, 2);
    EXPECT_TRUE(contains(wrong.err, "CXX: expected a C++ compiler that is installed, not 'no-such-compiler'"))
        << wrong.err;
}

TEST_F(PolicyHeaderCli, ErrorsOfTheCompilerSpeakOfTheRule) {
    const std::pair<std::string, std::string> wrong[] = {
        {"route(where(local, rate * length > length))", ": expected quantities of one unit"},
        {"route(argmn(local, length))", ": 'argmn' was not declared in this scope; did you mean 'argmin'?"},
        {"route(argmin(local, length * length))", ": expected a rate or a number before '*'"},
        {"route(argmin(common, length))", ": a common queue is kept by per_server_and_common and single only"},
        {"route(argmin(own, length))", ": expected words of an arriving task, not of an idle server"},
        {"route(where(local, length > 0.5))", ": a coefficient is a fraction, Ratio(1, 2), and no machine real"},
    };
    for (const auto& [route, words] : wrong) {
        SCOPED_TRACE(route);
        write("wrong.hpp", header_text("mine", "keep(Arrangement::per_server), " + route + ", serve(own)"));
        const auto answer = shell("env CXX=g++ '" SCHEDPROOF_COMMAND "' " + with("wrong.hpp"));
        EXPECT_EQ(answer.exit, 2);
        EXPECT_TRUE(answer.err.starts_with("schedproof: wrong.hpp:7:")) << answer.err;
        EXPECT_TRUE(contains(answer.err, words)) << answer.err;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    }
    expect_wrong("#include \"nowhere.hpp\"\n", "wrong.hpp:1:10: nowhere.hpp: No such file or directory");
}

TEST_F(PolicyHeaderCli, OnePolicyStandsInAFile) {
    const std::string rules = "keep(Arrangement::per_server), route(local), serve(own)";
    expect_wrong(
        header_text("mine", rules) + replaced(header_text("other", rules), "struct Mine", "struct Other"),
        "expected one policy in a file, but 'schedproof::queueing::language::Mine' stands in line 5 already and "
        "'schedproof::queueing::language::Other' is another");
    expect_wrong("struct Empty {};\n", "wrong.hpp: expected a struct, no template, with `static constexpr PolicyInfo");
    expect_wrong("", "wrong.hpp: expected a struct");
    expect_wrong(header_text("pandas", rules), "wrong.hpp:5: policy: expected a name that no policy has, not 'pandas'");
    expect_wrong(header_text("a b", rules), "wrong.hpp:5: expected an id that is a name of letters");
    expect_wrong(replaced(header_text("mine", rules), "a sentence", "a \\\"b\\\""),
                 "wrong.hpp:5: expected a source and a summary of one line each, without double quotes");
    expect_wrong(header_text("mine", "keep(Arrangement::per_server), route(planned), serve(own)"),
                 "wrong.hpp:5: expected a policy that follows no plan");
    expect_refused(with("mine.hpp") + " --policy-file mine.hpp -p mine",
                   "mine.hpp:5: expected a name that no policy has, not 'mine', which is that of mine.hpp:5");
    // Structs without rules, templates, and what is not compiled at all are no policies.
    write("parts.hpp", header_text("mine", rules,
                                   "struct Part { int rules; };\ntemplate <class T> struct Form { struct Mine {}; };\n"
                                   "#if 0\nstruct Absent {};\n#endif\nenum class Kind { a };\n"
                                   "inline const char* text = R\"x(struct Quoted {)x\";\n"));
    (void)good(with("parts.hpp"));
}

TEST_F(PolicyHeaderCli, CodeThatRunsIsStopped) {
    const auto with_code = [](const std::string& code) {
        return header_text("mine", jsq_maxweight_rules,
                           "#include <cstdio>\n#include <cstdlib>\n#include <vector>\n" + code + "\n");
    };
    const std::string data = "wrong.hpp: expected a policy that is only data, but code of this file ";
    expect_wrong(with_code("inline int f() { std::exit(0); }\ninline const int x = f();"),
                 data + "ends the program before it has said what its rules are");
    expect_wrong(with_code("inline int f() { std::exit(3); }\ninline const int x = f();"),
                 data + "ends the program with exit code 3");
    expect_wrong(with_code("inline const int x = std::puts(\"hello\");"), data + "prints 'hello'");
    expect_wrong(with_code("inline int f() { throw 1; }\ninline const int x = f();"), data + "was ended by signal 6");
    expect_wrong(with_code("inline const std::vector<char> x(10'000'000'000);"),
                 "with at most 1 GiB of memory: 'terminate called after throwing an instance of 'std::bad_alloc''");
    expect_wrong(with_code("inline int f() { while (true) std::puts(\"endless\"); }\ninline const int x = f();"),
                 data + "was ended by signal 25");
    expect_wrong(with_code("int elsewhere();\ninline const int x = elsewhere();"),
                 "its code calls elsewhere(), which no header defines");
}

TEST_F(PolicyHeaderCli, CodeThatNeverEndsIsStopped) {
    write("wrong.hpp", header_text("mine", jsq_maxweight_rules,
                                   "inline int f() { for (volatile int i = 0;;) i = 1; }\ninline const int x = f();"));
    expect_refused(with("wrong.hpp"), "code of this file still runs after 10 s");
    // While it is compiled, the compiler's own limit comes first.
    write("wrong.hpp", header_text("mine", "keep(Arrangement::per_server), route(local), serve(own)",
                                   "constexpr int f() { for (int i = 0;; i = 1 - i) {} }\nconstexpr int x = f();"));
    expect_refused(with("wrong.hpp"), "wrong.hpp:3:");
}

}  // namespace
}  // namespace schedproof
