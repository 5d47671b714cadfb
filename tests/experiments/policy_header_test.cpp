/// The parts of `--policy-file FILE.hpp` that read texts, a compiler's errors and the structs of a file, and the one
/// that reads objects.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "experiments/command/policy_header/diagnosis.hpp"
#include "experiments/command/policy_header/outside_calls.hpp"
#include "experiments/command/policy_header/source_scan.hpp"
#include "model/base/process.hpp"
#include "model/base/temporary_directory.hpp"

namespace schedproof::cli::policy_header {

namespace {

std::string said(const std::string& output) {
    const Diagnosis diagnosis = diagnose(output, "/u/mine.hpp");
    return std::to_string(diagnosis.line) + ":" + std::to_string(diagnosis.column) + ": " + diagnosis.sentence;
}

TEST(Diagnosis, IsTheRuleThatAConstantExpressionBreaks) {
    EXPECT_EQ(said("In file included from asks.cpp:1:\n"
                   "/u/mine.hpp:5:106:   in 'constexpr' expansion of 'schedproof::queueing::Rules(...)'\n"
                   "/l/rules.hpp:38:21:   in 'constexpr' expansion of 'require_needs()'\n"
                   "/l/rules.hpp:94:13: error: expression '<throw-expression>' is not a constant expression\n"
                   "   94 |             throw ContractViolation(\"a common queue is kept by single only\");\n"),
              "5:106: a common queue is kept by single only");
    EXPECT_EQ(said("/u/mine.hpp:5:28: error: constexpr variable 'rules' must be initialized by a constant expression\n"
                   "/l/expressions.hpp:90:16: note: subexpression not valid in a constant expression\n"
                   "    if (d <= 0) throw \"the denominator of a coefficient is positive\";\n"),
              "5:28: the denominator of a coefficient is positive");
    EXPECT_EQ(said("/u/mine.hpp:9:62:   in 'constexpr' expansion of 'operator>(operator*(rate, length), length)'\n"
                   "/l/expressions.hpp:217:16:   in 'constexpr' expansion of 'made(Op::less, ...)'\n"
                   "/l/expressions.hpp:124:27: error: call to non-'constexpr' function 'void unlike(...)'\n"
                   "  124 |                     unlike(\"quantities of one unit\", at, part.unit, result.unit);\n"),
              "9:62: expected quantities of one unit");
    EXPECT_EQ(said("/u/mine.hpp:5:28: error: constexpr variable 'rules' must be initialized by a constant expression\n"
                   "/l/expressions.hpp:273:39: note: non-constexpr function 'expected_rule' cannot be used here\n"
                   "        expected_rule(\"words of an arriving task, not of an idle server\");\n"
                   "/l/rules.hpp:28:70: note: in call to 'rule_of(1, argmin(own, length))'\n"
                   "/u/mine.hpp:6:65: note: in call to 'route(argmin(own, length))'\n"
                   "/u/mine.hpp:5:28: note: in call to 'Rules(...)'\n"),
              "6:65: expected words of an arriving task, not of an idle server");
}

TEST(Diagnosis, IsWhatStandsBesideADeletedFunction) {
    const std::string note =
        "/l/expressions.hpp:54:5: note: declared here\n"
        "   54 |     Expression(F) = delete;  // a coefficient is a fraction\n";
    EXPECT_EQ(said("/u/mine.hpp:5:101: error: use of deleted function 'Expression(F) [with F = double]'\n" + note),
              "5:101: a coefficient is a fraction");
    EXPECT_EQ(said("/u/mine.hpp:5:99: error: attempt to use a deleted function\n" + note),
              "5:99: a coefficient is a fraction");
}

TEST(Diagnosis, IsTheSentenceOfAnAssertion) {
    const std::string way = "/u/mine.hpp:7:1:   required from here\n";
    EXPECT_EQ(said(way + "/l/policy.hpp:3:5: error: static assertion failed: a policy has an `info`\n"),
              "7:1: a policy has an `info`");
    EXPECT_EQ(said("/l/policy.hpp:3:5: error: static_assert failed due to requirement 'x' \"a policy has an `info`\"\n"
                   "/u/mine.hpp:7:1: note: in instantiation of function template\n"),
              "7:1: a policy has an `info`");
}

TEST(Diagnosis, DescribesTypesAsTheLanguageDoes) {
    const std::string part = "const schedproof::queueing::language::Expression";
    EXPECT_EQ(said("/u/mine.hpp:5:9: error: no match for 'operator%' (operand types are '" + part + "' and 'int')\n"),
              "5:9: the language has no '%' between a part of a rule and a number");
    EXPECT_EQ(said("/u/mine.hpp:5:9: error: invalid operands to binary expression ('" + part + "' and 'double')"),
              "5:9: the language has no such operation on a part of a rule and a machine real, which no rule may name");
    EXPECT_EQ(said("/u/mine.hpp:5:9: error: no matching function for call to 'argmin(" + part + "&, " + part + "&, " +
                   part + "&)'\n"),
              "5:9: the language has no argmin(a part of a rule, a part of a rule, a part of a rule)");
    EXPECT_EQ(said("/u/mine.hpp:5:9: error: no matching function for call to 'argmin'\n"),
              "5:9: the language has no argmin of these arguments");
}

TEST(Diagnosis, IsTheFirstErrorElse) {
    EXPECT_EQ(said("/u/mine.hpp:1:10: fatal error: nowhere.hpp: No such file or directory\n"),
              "1:10: nowhere.hpp: No such file or directory");
    EXPECT_EQ(said("/u/mine.hpp:5:2: error: 'schedproof::queueing::Rule' has no member 'x' [with T = int]\n"
                   "/u/mine.hpp:9:2: error: another\n"),
              "5:2: 'Rule' has no member 'x'");
    EXPECT_EQ(said("/l/other.hpp:5:2: error: nobody knows why\n"), "0:0: nobody knows why");
    EXPECT_EQ(said("all is well\n/u/mine.hpp:5:2: warning: unused\n"), "0:0: ");
}

/// The structs of a file of this text, with their lines.
std::string structs_of(const std::string& text) {
    std::string list;
    for (const DefinedStruct& one : scan("# 1 \"/u/mine.hpp\" 1\n" + text, "/u/mine.hpp", "/usr/include").structs)
        list += one.name + " " + std::to_string(one.line) + "\n";
    return list;
}

TEST(SourceScan, FindsTheStructsOfNamespaces) {
    EXPECT_EQ(structs_of("struct A {};\nnamespace a::b {\nclass B final : public A { struct C {}; };\n}\n"
                         "namespace { struct D {}; }\ninline namespace v1 { struct [[nodiscard]] alignas(8) E {}; }\n"),
              "A 1\na::b::B 3\nD 5\nv1::E 6\n");
}

TEST(SourceScan, PassesOverWhatCannot) {
    EXPECT_EQ(structs_of("struct A;\nstruct A a();\ntemplate <class T, class U = X<int>> struct B { struct C {}; };\n"
                         "template <> struct B<int> {};\nenum class D { x };\nenum struct E : int;\n"
                         "void f() { struct F {}; }\nstruct { int x; } nameless;\nunion G { struct H {} h; };\n"
                         "template <class T> void g(T) { struct I {}; }\nstruct J {};\n"),
              "J 11\n");
}

TEST(SourceScan, TellsLiteralsFromWords) {
    EXPECT_EQ(structs_of("const char* a = \"struct A {\";\nconst char b = '{', c = '\\'';\nint d = 1'000'000;\n"
                         "const char* e = R\"x(struct B { \" )\" {)x\";\nstruct C {};\n"),
              "C 5\n");
}

TEST(SourceScan, FollowsTheMarksOfThePreprocessor) {
    const Scan found = scan(
        "# 0 \"/t/asks.cpp\"\n# 0 \"<built-in>\"\n# 1 \"/t/asks.cpp\"\n# 1 \"/u/mine.hpp\" 1\n"
        "       \n# 2 \"/u/mine.hpp\"\n# 1 \"/u/part.hpp\" 1\nstruct Part {};\n# 3 \"/u/mine.hpp\" 2\n"
        "# 1 \"/usr/include/system.h\" 1 3\nstruct System {};\n# 4 \"/u/mine.hpp\" 2\n"
        "#pragma GCC diagnostic push\nstruct Mine\n{\n};\n# 2 \"/t/asks.cpp\" 2\nstruct Asks {};\n",
        "/u/mine.hpp", "/usr/include");
    ASSERT_EQ(found.structs.size(), 1U);
    EXPECT_EQ(found.structs[0].name, "Mine");
    EXPECT_EQ(found.structs[0].line, 5U);
    EXPECT_EQ(found.files, (std::vector<std::string>{"/t/asks.cpp", "/u/mine.hpp", "/u/part.hpp"}));
}

/// What a shared object that returns whether `code` holds calls or keeps; empty where it only answers.
std::string found_in(const std::string& code, const std::string& before) {
    SCOPED_TRACE(code);
    const base::TemporaryDirectory folder;
    const std::string source = (folder.path() / "wrong.cpp").string(), object = (folder.path() / "wrong.so").string();
    std::ofstream(source) << before << "extern \"C\" bool schedproof_hand_over() { return " << code << "; }\n";
    const std::optional<Compiler> compiler = find_compiler();
    std::vector<std::string> arguments = compiler->options;
    arguments.insert(arguments.end(), {"-std=c++20", "-O1", "-fPIC", "-shared", source, "-o", object});
    const base::ProcessEnd end = base::run_process(compiler->program, arguments);
    EXPECT_TRUE(end.good()) << end.err;
    if (const auto call = outside_call(*compiler, object, "wrong.hpp")) return "calls " + *call;
    if (const auto variable = kept_variable(*compiler, object, "wrong.hpp")) return "keeps " + *variable;
    return "";
}

/// What code calls counts, not how that is written.
TEST(OutsideCalls, AreFoundHoweverTheyAreWritten) {
    EXPECT_EQ(found_in("std::time(nullptr) % 2 == 0", "#include <ctime>\n"), "calls time");
    EXPECT_EQ(found_in("std::chrono::steady_clock::now().time_since_epoch().count() % 2 == 0", "#include <chrono>\n"),
              "calls std::chrono::_V2::steady_clock::now()");
    EXPECT_EQ(found_in("std::random_device{}() % 2 == 0", "#include <random>\n").find("calls std::random_device::"),
              0U);
    EXPECT_EQ(found_in("std::ifstream(\"/proc/uptime\").get() % 2 == 0", "#include <fstream>\n").find("calls std::"),
              0U);
    // By a pointer, whose function is chosen by the loader.
    EXPECT_EQ(found_in("look(\"EVIL\") != nullptr", "#include <cstdlib>\nchar* (*look)(const char*) = &std::getenv;\n"),
              "calls getenv");
}

TEST(OutsideCalls, VariablesAreFoundHoweverTheyAreWritten) {
    EXPECT_EQ(found_in("[] { static int calls = 0; return ++calls > 2'000'000; }()", "").find("keeps "), 0U);
    EXPECT_EQ(found_in("[] { thread_local int calls = 0; return ++calls > 9; }()", "").find("keeps "), 0U);
    EXPECT_EQ(found_in("*where() == 0",
                       "inline int* where() { static int* const kept = new int(0); ++*kept; return kept; }\n"),
              "keeps where()::kept");
    // Under a name that the text does not spell, and as a variable template.
    EXPECT_EQ(found_in("++calls > 5000", "#define GLUE(a, b) a##b\ninline long GLUE(ca, lls) = 0;\n"), "keeps calls");
    EXPECT_EQ(found_in("++count<int> > 5000", "template <class T> inline long count = 0;\n").find("keeps "), 0U);
}

TEST(OutsideCalls, CodeThatOnlyAnswersHasNone) {
    EXPECT_EQ(found_in("one < 2", "#include <stdexcept>\nstatic constexpr int one = 1;\n"), "");
}

}  // namespace

}  // namespace schedproof::cli::policy_header
