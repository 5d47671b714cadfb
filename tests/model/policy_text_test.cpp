/// Policies as texts: what is printed is read back, and what C++ refuses is refused at its line and column.
#include "model/queueing/codec/policy_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generated_rules.hpp"
#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

using namespace language;
using codec::PolicyText;
using codec::read_policy_text;
using codec::read_rules;

std::string complaint(const std::string& text) {
    try {
        (void)read_policy_text(text, "my.policy");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// A whole policy around one rule; the rule stands in line 3, the first column is 8.
std::string routing(const std::string& rule) {
    return "policy: mine\nkeep: per_server_and_level\nroute: " + rule + "\nserve: own\n";
}
std::string serving(const std::string& rule) {
    return "policy: mine\nkeep: per_server\nserve: " + rule + "\nroute: local\n";
}

RC_GTEST_PROP(PolicyText, ReadsBackWhatIsPrinted, ()) {
    const Rules rules = *oracle::any_rules();
    RC_ASSERT(read_rules(to_string(rules), "printed") == rules);
    PolicyText policy{"a:b-1", "", "one \\ sentence", rules};
    policy.lyapunov = *rc::gen::element<std::string>("", "regret", "2 * regret + 1/2*total", "0.5 * own.v_2+3");
    const PolicyText again = read_policy_text("\n" + written_as_text(policy), "written");
    RC_ASSERT(again.rules == rules);
    RC_ASSERT(again.id == policy.id);
    RC_ASSERT(again.source == policy.source);
    RC_ASSERT(again.summary == policy.summary);
    RC_ASSERT(again.lyapunov == policy.lyapunov);
    RC_ASSERT(again.line == 2U);
}

TEST(PolicyText, IsTheSamePolicyAsInCpp) {
    const PolicyText policy = read_policy_text(
        "# Diverts where that pays.\n"
        "policy: work-gate\n"
        "source: \"[routers]\"\n"
        "keep: per_server_and_level\n"
        "let: gap = 64\n"
        "let: home = argmin(local, length)   # the preferred server\n"
        "let: far = greatest(local, length) >= least(servers, server_length) + tasks(gap) &&\n"
        "           2 * greatest(local, length) > 3/2 * least(servers, length)\n"
        "route: when(far, argmin(servers, server_workload / rate), home)\n"
        "serve: first_of(most_local(nonempty(own_levels)), own)\n",
        "my.policy");
    constexpr auto far = greatest(local, length) >= least(servers, server_length) + tasks(64) &&
                         2 * greatest(local, length) > Ratio(3, 2) * least(servers, length);
    constexpr Rules same{keep(Arrangement::per_server_and_level),
                         route(when(far, argmin(servers, server_workload / rate), argmin(local, length))),
                         serve(first_of(most_local(nonempty(own_levels)), own))};
    EXPECT_EQ(policy.rules, same) << to_string(policy.rules) << '\n' << to_string(same);
    EXPECT_EQ(policy.id, "work-gate");
    EXPECT_EQ(policy.source, "[routers]");
}

TEST(PolicyText, BindsAsCppDoes) {
    constexpr Rules same{
        keep(Arrangement::per_server),
        route(where(local, !(length > tasks(1)) || (length == tasks(2) && length - tasks(1) < 2 * length))),
        serve((own | reachable) & nonempty(reachable))};
    EXPECT_EQ(read_policy_text(
                  "policy: p keep: per_server\n"
                  "route: where(local, !(length > tasks(1)) || length == tasks(2) && length - tasks(1) < 2 * length)\n"
                  "serve: (own | reachable) & nonempty(reachable)",
                  "p")
                  .rules,
              same);
}

TEST(PolicyText, ComparesLevelsWithNumbers) {
    const auto route_of = [](const std::string& text) { return read_policy_text(routing(text), "p").rules.route(); };
    for (const char* same : {"where(servers, distance <= 1)", "where(servers, 1 >= distance)",
                             "where(servers, distance <= level(1))", "where(servers, level(1) >= distance)"})
        EXPECT_EQ(route_of(same), where(servers, distance <= level(1)).tree) << same;
    EXPECT_EQ(route_of("rack"), where(servers, distance < remote_level).tree);
    EXPECT_EQ(route_of("rack"), rack.tree);
    EXPECT_EQ(to_string(where(servers, 2 == distance).tree), "where(servers, level(2) == distance)");
}

TEST(PolicyText, SaysWhereItIsWrong) {
    const std::pair<std::string, std::string> wrong[] = {
        {routing("where(local, rate * length > length)"),
         "my.policy:3:35: expected quantities of one unit around '>', not weight (rate * tasks) and tasks; rate * "
         "turns tasks into weight"},
        {routing("argmin(local, length + server_workload)"),
         "my.policy:3:29: expected quantities of one unit around '+', not tasks and work (tasks / rate); / rate turns "
         "tasks into work"},
        {routing("where(local, server_workload > length + distance)"), "no factor turns one into the other"},
        {routing("where(local, rate * length > 4)"), "that of n tasks is written rate * tasks(n)"},
        {routing("where(local, 4 < server_workload)"), "that of n tasks is written tasks(n) / rate"},
        {routing("where(local, distance < 1/2)"), "expected a level, which is a whole number of at least 0"},
        {routing("where(local, distance < 0 - 1)"), "expected a key; a number of tasks is written tasks(n)"},
        {routing("where(local, level(1/2) == distance)"), "expected a whole number of at least 0, not 1/2"},
        {routing("where(local, length * length > tasks(4))"), "my.policy:3:28: expected a rate or a number before '*'"},
        {routing("where(local, length / length > tasks(4))"), "my.policy:3:28: expected 'rate' after '/'"},
        {routing("where(local, length > 4)"), "a number of tasks is written tasks(n)"},
        {routing("where(local, length > 0.5)"), "my.policy:3:31: expected an operator, ',' or ')'"},
        {routing("local | own"), "my.policy:3:14: expected words of one rule"},
        {routing("own"), "my.policy:3:8: expected words of an arriving task"},
        {serving("local"), "my.policy:3:8: expected words of an idle server"},
        {routing("length"), "my.policy:3:8: expected a set of queues, not a key in tasks"},
        {routing("when(length > tasks(4), local, local)"), "belongs into where(set, test)"},
        {routing("where(local, length > tasks(-1))"), "my.policy:3:30: expected a whole number of at least 0, not -1"},
        {routing("mix(4/3, local, servers)"), "expected a probability above 0 and below 1, not 4/3"},
        {routing("mix(1/0, local, servers)"), "my.policy:3:13: expected a denominator above 0"},
        {routing("sample(0, local)"), "my.policy:3:8: expected a whole number of at least 1, not 0"},
        {routing("argmin(local)"), "my.policy:3:8: expected 2 arguments of 'argmin', not 1"},
        {routing("first_of(local)"), "expected at least 2 arguments of 'first_of', not 1"},
        {routing("argmin(locl, length)"),
         "my.policy:3:15: expected a word of the language, not 'locl' (did you mean 'local'?)"},
        {routing("argmim(local, length)"), "my.policy:3:8: expected a function, not 'argmim' (did you mean 'argmin'?)"},
        {routing("planned"), "expected a word of the language, not 'planned'"},
        {routing("argmin(local, length"), "my.policy:4:1: expected an operator, ',' or ')'"},
        {routing("argmin(local,)"), "my.policy:3:21: expected an expression"},
        {routing("99999999999999999999 * length"), "my.policy:3:8: expected a number below 2^63"},
        {routing("4294967296 * 2147483648 * length"), "my.policy:3:19: expected numbers whose product is below 2^63"},
        {routing("1 / 4294967296 / 2147483648 * length"), "expected numbers whose product is below 2^63"},
        {routing("-4294967296 * 2147483648 * length"), "expected numbers whose product is below 2^63"},
        {serving("common"), "my.policy: expected rules that agree: a common queue is kept by"},
        {serving("it"), "expected rules that agree: 'it' names the set of an enclosing 'among'"},
        {"policy: p\nkeep: per_servers\nroute: local\nserve: own", "my.policy:2:7: expected per_server, "},
        {"policy: p\nkeep: per_server\nroute: local", "my.policy: expected a line 'serve:'"},
        {"keep: per_server\nroute: local\nserve: own", "my.policy: expected a line 'policy:'"},
        {"policy: p\npolicy: q", "my.policy:2:1: expected this line once"},
        {"lyapunov: 2 *\npolicy: p", "my.policy:1:14: expected the name of a function of the state"},
        {"lyapunov: regret +", "my.policy:1:19: expected the name of a function of the state"},
        {"lyapunov: \"regret\"", "my.policy:1:11: expected the name of a function of the state"},
        {"lyapunov: regret\nlyapunov: total", "my.policy:2:1: expected this line once"},
        {"policy: p\nserves: own", "my.policy:2:1: expected policy:, source:"},
        {"policy p", "my.policy:1:8: expected ':'"},
        {"let: rate = 2", "my.policy:1:6: expected a name of your own: 'rate' is a word"},
        {"let: a = 2\nlet: a = 3", "my.policy:2:6: expected 'a' to be defined once"},
        {"let: a = b", "my.policy:1:10: expected a word of the language, not 'b'"},
        {"", "my.policy: expected a line 'policy:'"},
        {std::string(1 << 17, ' '), "my.policy: expected at most 65536 bytes"},
        {routing(std::string(5000, '(') + "local" + std::string(5000, ')')), "nesting depth"},
    };
    for (const auto& [text, said] : wrong)
        EXPECT_NE(complaint(text).find(said), std::string::npos) << text.substr(0, 200) << '\n'
                                                                 << complaint(text) << "\nexpected: " << said;
}

TEST(PolicyText, IsRefusedWhenItIsTooLong) {
    std::string rule = "local";
    for (int i = 0; i < 70; ++i) rule = "argmin(" + rule + ", length)";
    EXPECT_NE(complaint(routing(rule)).find("at most 64 primitives"), std::string::npos) << complaint(routing(rule));
}

}  // namespace

}  // namespace schedproof::queueing
