/// Decision tables: their text, the place of every letter, what is refused, and policies that hold one.
#include "model/queueing/language/decision_table.hpp"

#include <gtest/gtest.h>

#include "model/core/errors.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using language::DecisionTable;

const std::string small = "1 2 2 01. 110 00. 0.1 1.. .0.";

TEST(DecisionTable, NamesALetterForEveryPlace) {
    const DecisionTable table = DecisionTable::read(small);
    EXPECT_EQ(table.text(), small);
    // Words by tasks in execution (0, 0), (0, 1), (1, 0), then by server; letters by waiting tasks in the same order.
    const std::vector<std::vector<std::uint32_t>> lists{{0, 0}, {0, 1}, {1, 0}};
    const std::string letters = "01.11000.0.11...0.";
    std::size_t at = 0;
    DecisionTable again(1, 2, 2);
    for (const auto& executing : lists)
        for (std::size_t m = 0; m < 2; ++m)
            for (const auto& waiting : lists) {
                const auto named = table.named(ServerId(m), executing, waiting);
                EXPECT_EQ(named ? static_cast<char>('0' + named->index()) : '.', letters[at++]);
                again.name(ServerId(m), executing, waiting, named);
            }
    EXPECT_EQ(again.text(), small);
    EXPECT_THROW(static_cast<void>(table.named(ServerId(0), lists[0], std::vector<std::uint32_t>{1, 1})),
                 ContractViolation);
}

TEST(DecisionTable, HasOneNumberWhereverItIsRead) {
    const std::int64_t number = DecisionTable::kept(small);
    EXPECT_EQ(DecisionTable::kept(" 1 2 2  01. 110 00. 0.1 1.. .0. "), number);
    EXPECT_NE(DecisionTable::kept("1 2 2 01. 110 00. 0.1 1.. .00"), number);
    EXPECT_EQ(DecisionTable::numbered(number).text(), small);
}

std::string why_no_table(const std::string& text) {
    try {
        static_cast<void>(DecisionTable::read(text));
    } catch (const InputError& error) {
        return error.expected();
    }
    return "";
}

TEST(DecisionTable, RefusesWhatIsNone) {
    EXPECT_NE(why_no_table("").find("numbers of waiting tasks"), std::string::npos);
    EXPECT_NE(why_no_table("1 2 x").find("numbers of waiting tasks"), std::string::npos);
    EXPECT_NE(why_no_table("1 0 2").find("1 to 16 servers"), std::string::npos);
    EXPECT_NE(why_no_table("2000 2 2").find("at most 1000 tasks"), std::string::npos);
    EXPECT_NE(why_no_table("400 2 2").find("at most 40000 letters"), std::string::npos);
    EXPECT_NE(why_no_table("1 2 2 01. 110 00. 0.1 1..").find("expected 6 words, not 5"), std::string::npos);
    EXPECT_NE(why_no_table("1 2 2 01. 110 00. 0.1 1.. .0").find("words of 3 letters, not of 2 as word 6"),
              std::string::npos);
    EXPECT_NE(why_no_table("1 2 2 01. 110 00. 0.2 1.. .0.").find("0 to 1, or '.', not '2'"), std::string::npos);
}

TEST(DecisionTable, IsReadAndWrittenWithAPolicy) {
    const std::string text = "policy: by-table\nkeep: per_type\nroute: own_type\nserve: tabulated(\"" + small +
                             "\", argmax(nonempty(reachable), rate * length))\n";
    const codec::PolicyText policy = codec::read_policy_text(text, "by-table.policy");
    EXPECT_EQ(written_as_text(policy), text);
    EXPECT_EQ(codec::read_rules(to_string(policy.rules), "rules"), policy.rules);
    EXPECT_TRUE(policy.rules.tabulated());
    EXPECT_TRUE(policy.rules.numbered());
    EXPECT_EQ(policy.rules.layout(testing_support::two_servers("4/5", "1/5", "1/2", "1/2")).queues(), 2U);
    const auto refused = [&](const std::string& wrong, const std::string& with, const std::string& says) {
        std::string other = text;
        other.replace(other.find(wrong), wrong.size(), with);
        try {
            const Rules rules = codec::read_policy_text(other, "by-table.policy").rules;
            static_cast<void>(rules.layout(testing_support::two_servers("4/5", "1/5", "1/2", "1/2")));
            ADD_FAILURE() << other;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
        }
    };
    refused("01.", "01", "by-table.policy:4:");
    refused("01.", "01", "words of 3 letters");
    refused("1 2 2 01. 110 00. 0.1 1.. .0.", "0 1 2 0", "a cluster of 1 servers and 2 queues");
    refused("keep: per_type", "keep: single", "expected rules that agree");
    refused("tabulated(", "argmax(", "a set of queues, not a decision table");
    refused("\", argmax(nonempty(reachable), rate * length))", "\", own_type)", "not mixed");
    refused("serve: tab", "serve: argmin(own_type, length)\nlet: t = tab", "an arriving task");
}

}  // namespace
}  // namespace schedproof::queueing
