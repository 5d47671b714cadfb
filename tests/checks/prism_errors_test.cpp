#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "checks/prism/prism.hpp"
#include "model/core/errors.hpp"

namespace schedproof::graph {
namespace {

struct Bad {
    const char* text;
    std::size_t line;
    const char* complaint;
};

void expect_errors(const std::vector<Bad>& all, const std::function<void(std::string_view)>& parse) {
    for (const Bad& bad : all) {
        try {
            parse(bad.text);
            ADD_FAILURE() << "accepted: " << bad.text;
        } catch (const InputError& error) {
            EXPECT_EQ(error.place().file, "x") << bad.text;
            EXPECT_EQ(error.place().line, bad.line) << bad.text << "\n" << error.what();
            EXPECT_NE(std::string(error.what()).find(bad.complaint), std::string::npos) << bad.text << "\n"
                                                                                        << error.what();
        }
    }
}

TEST(PrismErrors, InTransitions) {
    expect_errors(
        {
            {"", 0, "the file says nothing"},
            {"# only a comment\n\n", 2, "the file says nothing"},
            {"2\n", 1, "numbers of states and of transitions"},
            {"two 2\n", 1, "the number of states, not 'two'"},
            {"0 0\n", 1, "at least one state"},
            {"-1 0\n", 1, "the number of states"},
            {"99999999999999999999999 1\n", 1, "the number of states"},
            {"4294967296 1\n0 0 1\n", 1, "fewer than 2^32"},
            {"4294967295 1\n0 0 1\n", 2, "a transition from state 1, which has none"},
            {"2 2\n0 1 1\n1 0\n", 3, "not 2 field(s)"},
            {"2 2\n0 1 1\n1 0 1 x\n", 3, "not 4 field(s)"},
            {"2 2\n0 1 1\n2 0 1\n", 3, "a source state from 0 to 1, not '2'"},
            {"2 2\n0 5 1\n1 0 1\n", 2, "a target state from 0 to 1, not '5'"},
            {"2 2\n0 1 one\n1 0 1\n", 2, "a probability, not 'one'"},
            {"2 2\n0 1 1/\n1 0 1\n", 2, "a probability, not '1/'"},
            {"2 2\n0 1 0\n1 0 1\n", 2, "above 0 and at most 1"},
            {"2 2\n0 1 3/2\n1 0 1\n", 2, "above 0 and at most 1"},
            {"2 2\n0 1 -1/2\n1 0 1\n", 2, "above 0 and at most 1"},
            {"2 3\n0 0 1/2\n0 1 1/3\n1 0 1\n", 3, "from state 0 that sum to 1, not 5/6"},
            {"2 3\n0 0 1/2\n0 0 1/2\n1 0 1\n", 3, "from 0 to 0 only once"},
            {"2 1\n0 0 1\n1 0 1\n", 3, "no more than the 1 transitions"},
            {"2 3\n0 0 1\n1 0 1\n", 3, "3 transitions, as the first line says, but the file ends after 2"},
            {"2 1\n\n0 0 1\n", 3, "a transition from state 1, which has none"},
        },
        [](std::string_view text) { (void)parse_tra(text, "x"); });
}

TEST(PrismErrors, InStates) {
    expect_errors(
        {
            {"", 0, "the file says nothing"},
            {"a,b\n0:(0,0)\n1:(0,1)\n", 1, "round brackets"},
            {"(a,)\n0:(0,0)\n1:(0,1)\n", 1, "a variable name that is not empty"},
            {"(a,a)\n0:(0,0)\n1:(0,1)\n", 1, "distinct variable names"},
            {"(a,b)\n0:(0,0)\n1(0,1)\n", 3, "a colon"},
            {"(a,b)\n0:(0,0)\n2:(0,1)\n", 3, "a state from 0 to 1, not '2'"},
            {"(a,b)\n0:(0,0)\n1:(0\n", 3, "round brackets"},
            {"(a,b)\n0:(0,0)\n1:(0)\n", 3, "2 values, one per variable, not 1"},
            {"(a,b)\n0:(0,0)\n1:(0,x)\n", 3, "a 32-bit integer, not 'x'"},
            {"(a,b)\n0:(0,0)\n1:(0,9999999999)\n", 3, "a 32-bit integer"},
            {"(a,b)\n0:(0,0)\n0:(0,1)\n", 3, "state 0 only once"},
            {"(a,b)\n0:(0,0)\n", 2, "state 1 is missing"},
        },
        [](std::string_view text) { (void)parse_sta(text, 2, "x"); });
}

TEST(PrismErrors, InLabels) {
    expect_errors(
        {
            {"", 0, "the file says nothing"},
            {"init\n", 1, "label names such as"},
            {"0=\"init\n", 1, "label names such as"},
            {"0=\"\"\n", 1, "not empty"},
            {"1=\"init\"\n", 1, "label number 0"},
            {"0=\"init\" 1=\"init\"\n", 1, "stands twice"},
            {"0=\"init\"\n0 0\n", 2, "a colon"},
            {"0=\"init\"\n2: 0\n", 2, "a state from 0 to 1, not '2'"},
            {"0=\"init\"\n0: 1\n", 2, "a label from 0 to 0, not '1'"},
            {"0=\"init\"\n0: 0 0\n", 2, "only once"},
            {"0=\"init\"\n0: 0\n0: 0\n", 3, "state 0 only once"},
        },
        [](std::string_view text) { (void)parse_lab(text, 2, "x"); });
}

TEST(PrismErrors, InRewards) {
    expect_errors(
        {
            {"", 0, "the file says nothing"},
            {"3 1\n0 1\n", 1, "rewards for 2 states, not for 3"},
            {"2 1\n0\n", 2, "not 1 field(s)"},
            {"2 1\n2 1\n", 2, "a state from 0 to 1, not '2'"},
            {"2 1\n0 much\n", 2, "a reward, not 'much'"},
            {"2 2\n0 1\n0 2\n", 3, "state 0 only once"},
            {"2 2\n0 1\n", 2, "2 rewards, as the first line says, not 1"},
        },
        [](std::string_view text) { (void)parse_srew(text, 2, "x"); });
}

TEST(PrismReader, TakesCommentsBlankLinesAnyOrderAndDecimals) {
    const auto matrix = parse_tra("# Transitions (DTMC)\r\n2 3\r\n\r\n1 0 1\r\n0 1 0.75\r\n0 0 2.5e-1", "x");
    EXPECT_EQ(matrix.row(0)[0].probability, Rational(Integer(1), Integer(4)));
    EXPECT_EQ(matrix.row(0)[1].target, 1u);
    EXPECT_EQ(parse_srew("# Reward structure: \"time\"\n# State rewards\n1 0\n", 1, "x").name, "time");
    EXPECT_EQ(parse_srew("1 1\n0 -1/2\n", 1, "x").value[0], Rational(Integer(-1), Integer(2)));
}

RC_GTEST_PROP(PrismReader, NeverFailsOtherThanByInputError, ()) {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::element('0', '1', '2', ' ', '\n', '/', ':', '(', ')', ',', '=', '"', 'a', '#', '-', '.'));
    const auto attempt = [](auto&& parse) {
        try {
            parse();
        } catch (const InputError&) {}
    };
    attempt([&] { (void)parse_tra(text, "x"); });
    attempt([&] { (void)parse_rates(text, "x"); });
    attempt([&] { (void)parse_sta(text, 2, "x"); });
    attempt([&] { (void)parse_lab(text, 2, "x"); });
    attempt([&] { (void)parse_srew(text, 2, "x"); });
}

}  // namespace
}  // namespace schedproof::graph
