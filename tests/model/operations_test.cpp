/// The table of the policy language: every row is read, printed and typed; the page of words and the theory in Rocq say
/// what it says. What rows mean is compared with the second implementation in
/// tests/policies/generated_policies_test.cpp.
#include "model/queueing/language/operations.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "generated_rules.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "model/queueing/language/typing.hpp"
#include "model/queueing/language/words.hpp"

namespace schedproof::queueing::language {
namespace {

const std::string root = SCHEDPROOF_SOURCE_DIR;

std::string contents(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(root + "/" + file).rdbuf();
    return text.str();
}

/// Every row but those of plans, which a text cannot name, and of tables, which have no arbitrary constant.
std::vector<Operation> drawn_rows() {
    std::vector<Operation> rows(operations.begin(), operations.end());
    std::erase_if(rows, [](const Operation& row) { return row.plans || has_part(row, Part::table); });
    return rows;
}

/// Where the primitive first stands in a rule; one of them has it.
Tree part_with(const Rules& rules, Op op) {
    for (const Tree& rule : {rules.route(), rules.serve()})
        for (std::size_t at = 0; at < rule.size(); ++at)
            if (rule[at].op == op) return rule.subtree(at);
    throw ContractViolation("the rules lack the primitive");
}

/// Why a row is not read, printed and typed as the rules that hold its primitive are; empty when it is.
std::string wrong_in_text(const Operation& row, const Rules& rules) {
    const Tree part = part_with(rules, row.op);
    if (to_string(part).find(row.written) == std::string::npos && to_string(part).find("nonempty") != 0)
        return "it is printed as " + to_string(part);
    if (!(codec::read_rules(to_string(rules), "printed") == rules)) return "it is not read back: " + to_string(rules);
    const Expression again = typed(part);
    if (!(again.tree == part) || again.sort != row.sort) return "it is typed otherwise: " + to_string(part);
    if (row.unit != Unit::none && again.unit != row.unit) return "it has another unit";
    if (row.by != Decider::anyone && again.by != row.by) return "another decider may name it";
    return "";
}

TEST(Operations, AreReadAndPrintedAndTyped) {
    for (const Operation& row : drawn_rows()) {
        SCOPED_TRACE(std::string(row.written));
        EXPECT_TRUE(rc::check("rules with the primitive", [&] {
            const Rules rules = *oracle::rules_with(row);
            const std::string wrong = wrong_in_text(row, rules);
            RC_ASSERT(wrong == "");
        }));
    }
    // A row that is wrong in its name, sort, unit or decider is noticed.
    const Rules rules{keep(Arrangement::per_server), route(argmin(local, length)), serve(own)};
    for (Operation row : {operation(Op::local), operation(Op::argmin), operation(Op::length), operation(Op::own)}) {
        EXPECT_EQ(wrong_in_text(row, rules), "");
        Operation mutant = row;
        mutant.written = "misnamed";
        EXPECT_NE(wrong_in_text(mutant, rules), "");
        mutant = row;
        mutant.sort = row.sort == Sort::set ? Sort::key : Sort::set;
        EXPECT_NE(wrong_in_text(mutant, rules), "");
        mutant = row;
        if (row.sort == Sort::key)
            mutant.unit = Unit::work;
        else
            mutant.by = row.by == Decider::task ? Decider::server : Decider::task;
        if (row.op != Op::argmin) {
            EXPECT_NE(wrong_in_text(mutant, rules), "");
        }
    }
}

TEST(Operations, OfPlansArePrintedAndNotRead) {
    for (const Operation& row : operations) {
        if (!row.plans) continue;
        EXPECT_EQ(to_string(Tree::node(row.op, 0, 0)), row.written);
        EXPECT_EQ(find_word(row.written), nullptr);
    }
    EXPECT_TRUE(is_function("tabulated"));
}

TEST(Operations, ThatNoOperationMakesAreNoExpressions) {
    const Tree set = local.tree, key = length.tree;
    for (const Tree& tree :
         {Tree::node(Op::argmin, 0, 0, set, set), Tree::node(Op::argmin, 0, 0, set), Tree::node(Op::local, 0, 0, set),
          Tree::node(Op::sample, 0, 0, set), Tree::node(Op::less, 0, 0, key, server_workload.tree),
          Tree::node(Op::unite, 0, 0, set, own.tree)})
        EXPECT_THROW((void)typed(tree), TypeError);
}

/// With SCHEDPROOF_UPDATE_DOCS=1 in the environment the page is written.
TEST(Operations, AreThePageOfWords) {
    const std::string file = "docs/policy-language.md", begin = "<!-- words -->\n", end = "<!-- end of words -->\n";
    std::string text = contents(file);
    const std::size_t from = text.find(begin), to = text.find(end);
    ASSERT_TRUE(from != std::string::npos && to != std::string::npos);
    const std::string page = page_of_words();
    if (std::getenv("SCHEDPROOF_UPDATE_DOCS") != nullptr) {
        std::ofstream(root + "/" + file) << text.substr(0, from) + begin + page + text.substr(to);
        text = contents(file);
    }
    EXPECT_EQ(text.substr(from + begin.size(), text.find(end) - from - begin.size()), page);
    for (const Operation& row : operations)
        EXPECT_NE(page.find("| " + std::string(row.meaning) + " |"), std::string::npos) << row.written;
    EXPECT_EQ(page.find("| no such meaning |"), std::string::npos);
}

/// Whether the theory has the row's constructor, and reads it by its number.
bool is_in_rocq(const Operation& row) {
    static const std::string language = contents("proofs/rocq/Language.v"),
                             statements = contents("proofs/rocq/Statements.v");
    const std::string name(row.rocq.name), number = std::to_string(row.rocq.number);
    return std::regex_search(language, std::regex(R"(\| )" + name + R"(\b)")) &&
           std::regex_search(statements, std::regex(R"(\| )" + number + R"( => [^|]*return_ \(?)" + name + R"(\b)"));
}

TEST(Operations, AreTheConstructorsOfRocq) {
    std::set<int> numbers;
    for (const Operation& row : operations) {
        if (row.rocq.number < 0) continue;
        EXPECT_TRUE(is_in_rocq(row)) << row.written;
        EXPECT_TRUE(numbers.insert(row.rocq.number).second) << row.written;
    }
    ASSERT_FALSE(numbers.empty());
    EXPECT_EQ(*numbers.rbegin() + 1, static_cast<int>(numbers.size()));
    Operation mutant = operation(Op::plus);
    mutant.rocq.number = operation(Op::minus).rocq.number;
    EXPECT_FALSE(is_in_rocq(mutant));
}

TEST(Operations, AreTheVocabulary) {
    const auto known = vocabulary();
    const auto has = [&](std::string_view name) { return std::find(known.begin(), known.end(), name) != known.end(); };
    const std::string comment = vocabulary_comment("#");
    for (const Operation& row : operations) {
        const bool named = row.form != Form::infix && row.form != Form::prefix && row.form != Form::factor;
        EXPECT_EQ(has(row.written), named && row.in_texts) << row.written;
        if (row.plans) {
            EXPECT_EQ(comment.find(row.written), std::string::npos) << row.written;
        } else if (row.op != Op::it && !has_part(row, Part::table)) {
            EXPECT_NE(comment.find(usage(row)), std::string::npos) << usage(row);
        }
    }
}

}  // namespace
}  // namespace schedproof::queueing::language
