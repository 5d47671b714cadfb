/// Policies of the families whose policies are code, as C++ headers of the user's own: compiled, tried in a process of
/// their own, and then treated as registered ones.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using testing_support::contains;
using testing_support::replaced;

/// A redundancy policy whose `allocate` begins with `code`.
std::string redundancy_text(const std::string& id, const std::string& code = "", const std::string& before = "") {
    return "#pragma once\n#include <cstdio>\n#include <cstdlib>\n#include <vector>\n"
           "#include \"model/redundancy/allocation.hpp\"\n" +
           before + "\nnamespace schedproof::redundancy {\nstruct Mine {\n    static constexpr PolicyInfo info{\"" +
           id +
           "\", \"me\", \"a sentence\"};\n    static constexpr Order order = Order::arrival;\n    int set = 1;\n"
           "    static constexpr std::tuple parameters{Parameter(\"set\", &Mine::set)};\n"
           "    static constexpr std::array<const char*, 1> hopes{\"redundancy.completes-all\"};\n"
           "    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {\n        " +
           code +
           "\n        Allocation allocation;\n        grant(allocation, 0, n < machines ? n : machines, {1, 1});\n"
           "        return allocation;\n    }\n};\n}\n";
}

class PolicyCodeCli : public testing_support::CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        ::setenv("XDG_CACHE_HOME", (here().parent_path() / "code-cache").c_str(), 1);
    }
    void expect_wrong(const std::string& text, const std::string& words) const {
        SCOPED_TRACE(text);
        write("wrong.hpp", text);
        expect_refused("check redundancy.completes-all --policy-file wrong.hpp", words);
    }
};

TEST_F(PolicyCodeCli, IsTreatedAsARegisteredOne) {
    write("mine.hpp", redundancy_text("mine"));
    const std::string mine = " --policy-file mine.hpp";
    EXPECT_TRUE(contains(good("check redundancy" + mine), "4 claims, 8 verdicts: 1 Proved, 4 Exhausted, 3 Survived"));
    EXPECT_TRUE(contains(good("worst --shape n2-m2-det" + mine), "total flowtime of mine at speed 1"));
    EXPECT_TRUE(contains(good("simulate --rate 1 --horizon 500" + mine), "mine  "));
    EXPECT_TRUE(contains(good("worst --shape n2-m2-det --certificate c.json" + mine), "certificate"));
    // A certificate of code is checked against that code.
    EXPECT_TRUE(contains(good("certify c.json" + mine), "accepted"));
    EXPECT_NE(run("certify c.json").exit, 0);
}

TEST_F(PolicyCodeCli, IsCompiledOnce) {
    write("mine.hpp", redundancy_text("mine"));
    write("cxx", "#!/bin/sh\ncase \" $* \" in *\" -E \"*) ;; *) echo called >>\"$CALLS\" ;; esac\nexec c++ \"$@\"\n");
    std::filesystem::permissions(at("cxx"), std::filesystem::perms::owner_all);
    const auto run_counted = [&] {
        return shell("env CXX=\"$PWD/cxx\" CALLS=\"$PWD/calls\" '" SCHEDPROOF_COMMAND
                     "' check redundancy.completes-all --no-times --policy-file mine.hpp");
    };
    const auto first = run_counted();
    ASSERT_EQ(first.exit, 0) << first.err;
    const std::string calls = read("calls");
    EXPECT_EQ(run_counted().out, first.out);
    EXPECT_EQ(read("calls"), calls);
    // What is kept and damaged is made again.
    for (const auto& entry : std::filesystem::directory_iterator(here().parent_path() / "code-cache/schedproof"))
        std::filesystem::resize_file(entry.path(), 40);
    EXPECT_EQ(run_counted().out, first.out);
    EXPECT_NE(read("calls"), calls);
}

TEST_F(PolicyCodeCli, ValidateAsksWhatItHopesFor) {
    write("mine.hpp", redundancy_text("mine"));
    const std::string text = good("validate mine.hpp --slots 500");
    for (const char* words : {"hope          redundancy.completes-all", "claim         redundancy.fits-machines",
                              "worst case    n2-m2-two-point:3,0", "Proved", "simulation    100-machines",
                              "mean flowtime", "; srpt+r: ", "not covered"})
        EXPECT_TRUE(contains(text, words)) << words << " in\n" << text;
    // A hope that fails speaks against the policy, though the claim speaks of other policies.
    write("hoping.hpp", replaced(redundancy_text("hoping"), "redundancy.completes-all", "redundancy.srpt-order"));
    const auto hoping = run("validate hoping.hpp --slots 0");
    EXPECT_EQ(hoping.exit, 1) << hoping.err;
    EXPECT_TRUE(contains(hoping.out, "hope          redundancy.srpt-order")) << hoping.out;
    EXPECT_TRUE(contains(hoping.out, "Refuted")) << hoping.out;
    write("wrong.hpp", replaced(redundancy_text("wrong"), "redundancy.completes-all", "redundancy.no-claim"));
    expect_refused("validate wrong.hpp", "hopes: expected claims of the redundancy family, not 'redundancy.no-claim'");
}

TEST_F(PolicyCodeCli, ErrorsOfTheCompilerAreAtTheStruct) {
    expect_wrong(replaced(redundancy_text("mine"), "static constexpr Order order = Order::arrival;", ""),
                 "a policy has an `order`");
    expect_wrong(replaced(redundancy_text("mine"), "int set = 1;", "int set = 1, hidden = 2;"),
                 "a policy has no members, or public ones that its `parameters` list, all in their order");
    expect_wrong(redundancy_text("mine", "if (n > 1) return {};") + "#error stop\n", "stop");
    expect_wrong(replaced(redundancy_text("mine"), "n < machines ? n : machines", "n"),
                 "a policy grants what it may not");
}

TEST_F(PolicyCodeCli, OnePolicyOfOneFamilyStandsInAFile) {
    const std::string second = redundancy_text("other");
    expect_wrong(redundancy_text("mine") + replaced(second, "struct Mine", "struct Other"), "");
    expect_wrong(
        "#include \"model/redundancy/allocation.hpp\"\nstruct Empty {};\n",
        "wrong.hpp: expected a struct, no template, with `static constexpr PolicyInfo info`, as a policy of the "
        "redundancy family is");
    expect_wrong(redundancy_text("srpt"), "wrong.hpp:8: policy: expected a name that no policy has, not 'srpt'");
    expect_wrong(redundancy_text("a b"), "wrong.hpp:8: expected an id that is a name of letters");
    write("mine.hpp", redundancy_text("mine"));
    expect_refused("kernel experiments/instances/m2-half.toml --queues 2,1 --policy-file mine.hpp",
                   "mine.hpp:8: expected a queueing policy, not one of the redundancy family, which is code");
    expect_refused("new-policy other --from mine.hpp",
                   "mine.hpp:8: expected a queueing policy, not one of the redundancy family, which is code");
}

/// Code that the compiler cannot run, since it is no constant expression where the counts are large.
TEST_F(PolicyCodeCli, CodeThatMisbehavesIsStopped) {
    const auto when_run = [](const std::string& code) {
        return redundancy_text("mine", "if (n == 9) { " + code + " }",
                               "inline int counting() { static int calls = 0; return ++calls; }\n");
    };
    const std::string told = "wrong.hpp: expected a policy that only answers, but its code ";
    expect_wrong(when_run("std::exit(0);"), told + "ends the program");
    expect_wrong(when_run("std::exit(3);"), told + "ends the program with exit code 3");
    expect_wrong(when_run("std::puts(\"hello\");"), told + "prints 'hello'");
    const auto expect_conflict = [&](const std::string& code, const std::string& words) {
        write("wrong.hpp", when_run(code));
        const auto answer = run("check redundancy.completes-all --policy-file wrong.hpp");
        EXPECT_EQ(answer.exit, 4);
        EXPECT_TRUE(contains(answer.err, "the policy of wrong.hpp is refused: " + words)) << answer.err;
    };
    expect_conflict("throw 1;", "");
#ifndef SCHEDPROOF_SANITIZED  // whose allocator ends the process instead of throwing
    expect_wrong(when_run("std::vector<char> x(10'000'000'000); x[n] = 1; std::abort();"),
                 told + "asks for more than 2 GiB of memory");
#endif
    expect_wrong(when_run("return counting() % 2 == 0 ? Allocation() : Mine().allocate(n - 1, machines);"),
                 told + "keeps counting()::calls from call to call");
    expect_wrong(when_run("std::abort();"), told + "was ended by signal 6");
    expect_wrong(redundancy_text("mine", "if (n == 9) elsewhere();", "void elsewhere();\n"),
                 "it calls elsewhere(), which this program does not have");
}

/// Late, where it was not tried: every command that asks the code sees that it ended the program.
TEST_F(PolicyCodeCli, AnEndWithoutAnAnswerIsAnError) {
    for (const char* end : {"std::exit(0);", "std::_Exit(0);", "std::quick_exit(0);"}) {
        write("too_late.hpp", redundancy_text("too-late", std::string("if (n == 30) ") + end));
        const auto late =
            run("simulate --policy-file too_late.hpp --rate 40 --machines 3 --horizon 500 --replications 1");
        EXPECT_EQ(late.exit, 2) << end << late.out;
        EXPECT_EQ(late.out, "") << end;
        EXPECT_TRUE(
            contains(late.err, "too_late.hpp: expected a policy that only answers, but its code ends the program"))
            << end << late.err;
    }
    write("mine.hpp", redundancy_text("mine"));
    EXPECT_EQ(run("simulate --policy-file mine.hpp --rate 1 --horizon 500 --replications 1").exit, 0);
    // Exit codes of answers stay what they are.
    write("hoping.hpp", replaced(redundancy_text("hoping"), "redundancy.completes-all", "redundancy.srpt-order"));
    EXPECT_EQ(run("check redundancy.srpt-order --policy-file hoping.hpp").exit, 1);
}

/// What the compiler runs is what was examined; code that asks where it runs could be another policy in the run.
TEST_F(PolicyCodeCli, CodeThatAsksWhereItRunsIsRefused) {
    const std::string told = ": expected code that is the same in the compiler and in the run, without '";
    for (const std::string word :
         {"__builtin_is_constant_evaluated", "std::is_constant_evaluated", "std::__is_constant_evaluated"})
        expect_wrong(redundancy_text("mine", "if (!" + word + "()) return {};", "#include <type_traits>\n"),
                     "wrong.hpp:16" + told + word.substr(word.rfind(':') + 1) + "'");
    expect_wrong(redundancy_text("mine", "if consteval { return {}; }"), told + "consteval'");
    expect_wrong(redundancy_text("mine", "if\n#pragma GCC unroll 1\nconsteval { return {}; }"), told + "consteval'");
    expect_wrong(redundancy_text("mine", "if (__builtin_constant_p(n)) return {};"), told + "__builtin_constant_p'");
    // By a macro, and in a file that calls itself one of the system.
    expect_wrong(redundancy_text("mine", "if (!WHERE()) return {};",
                                 "#define GLUE(a, b) a##b\n#define WHERE GLUE(__builtin_is_constant, _evaluated)\n"),
                 told + "__builtin_is_constant_evaluated'");
    write("hidden.inc",
          "#pragma GCC system_header\ninline constexpr bool where() { return __builtin_is_constant_evaluated(); }\n");
    expect_wrong(redundancy_text("mine", "if (!where()) return {};", "#include \"hidden.inc\"\n"),
                 "hidden.inc:2" + told + "__builtin_is_constant_evaluated'");
}

/// Two runs of such code could have two answers, and each would be proved. What else it may look at is asked of objects
/// of a few lines, which need no header of the library (policy_header_test.cpp).
TEST_F(PolicyCodeCli, CodeThatLooksElsewhereIsRefused) {
    const auto assignment = [](const std::string& code, const std::string& before) {
        return "#pragma once\n" + before +
               "#include \"model/assignment/policy.hpp\"\nnamespace schedproof::assignment {\nstruct Mine {\n"
               "    static constexpr PolicyInfo info{\"mine\", \"me\", \"a sentence\"};\n    template <Number N>\n"
               "    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {\n"
               "        const Shape& shape = *problem.shape;\n        ScheduleResult<N> result;\n"
               "        for (const TaskId t : shape.tasks()) result.assignment.push_back(shape.core("
               "shape.replicas(t).front(), (" +
               code +
               ") ? 0 : shape.cores_of(shape.replicas(t).front()) - 1));\n"
               "        return result;\n    }\n};\n}\n";
    };
    const auto expect = [&](const std::string& code, const std::string& before, const std::string& words) {
        SCOPED_TRACE(code);
        write("wrong.hpp", assignment(code, before));
        expect_refused("worst --shape 2:0/0 --policy-file wrong.hpp", "wrong.hpp" + words);
    };
    const std::string calls = ": expected a policy that only answers, but its code calls ";
    expect("std::getenv(\"EVIL\") != nullptr", "#include <cstdlib>\n", calls + "getenv");
    const std::string keeps = ": expected a policy that only answers, but its code keeps ";
    expect("++calls > 5000", "inline long calls = 0;\n", keeps + "calls from call to call");
    // Without a call.
    expect("__builtin_ia32_rdtsc() % 2 == 0", "",
           ":10: expected code that is the same in the compiler and in the run, "
           "without '__builtin_ia32_rdtsc'");
    expect("first() == 0", "inline int first() { int one = 0; asm(\"\" : \"+r\"(one)); return one; }\n",
           ":2: expected code that is the same in the compiler and in the run, without 'asm'");
    write("right.hpp", assignment("true", ""));
    EXPECT_EQ(run("worst --shape 2:0/0 --policy-file right.hpp").exit, 0);
}

/// What a file says is not what the compiler says of itself.
TEST_F(PolicyCodeCli, AnErrorThatQuotesWordsOfTheCompilerIsTold) {
    write("bad.inc", "out of memory virtual memory exhausted bad_alloc signal terminated program\n");
    expect_wrong(redundancy_text("mine", "", "#include \"bad.inc\"\n"), "bad.inc:1:1: 'out'");
    write("later.inc", "\ninline int later() { return zz; }\n");
    expect_wrong(redundancy_text("mine", "", "#include \"later.inc\"\n"), "later.inc:2:29: 'zz'");
}

TEST_F(PolicyCodeCli, CodeThatNeverEndsIsStopped) {
    expect_wrong(redundancy_text("mine", "if (n == 9) for (volatile int i = 0;;) i = 1;"), "its code still runs after");
    // Where it was not tried, validate ends it.
    write("too_late.hpp", redundancy_text("too-late", "if (n == 30) for (volatile int i = 0;;) i = 1;"));
    const auto late = run("validate too_late.hpp --slots 20000 --time-limit 2");
    EXPECT_EQ(late.exit, 2) << late.out;
    EXPECT_TRUE(
        contains(late.err, "too_late.hpp: expected a policy that only answers, but its code still runs after 14 s"))
        << late.err;
    EXPECT_TRUE(contains(late.out, "claim         redundancy.fits-machines")) << late.out;
}

}  // namespace
}  // namespace schedproof
