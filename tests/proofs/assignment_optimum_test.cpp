/// The least makespan, three ways: they agree, their witnesses attain it, known values come out, and ways
/// with a fault disagree.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <z3++.h>

#include "proofs/assignment/least_makespan.hpp"
#include "tests/proofs/assignment_generators.hpp"

namespace schedproof::assignment {
namespace {

using namespace testing_support;

const Sizes tiny{3, 2, 5}, small{4, 3, 8};

Best<Rational> solved(const Problem<Rational>& problem, Among among = Among::all) {
    return optimum_by_solver(problem, among);
}

/// What every way owes: an assignment of the kind asked for that attains the value.
void expect_witness(const Problem<Rational>& problem, const Best<Rational>& best, Among among) {
    RC_ASSERT(best.established != Established::nothing);
    RC_ASSERT(best.value.has_value() == (problem.shape->tasks().size() > 0));
    if (!best.value) return;
    const Evaluation<Rational> e = evaluate(problem, best.witness);
    RC_ASSERT(e.makespan == best.value);
    RC_ASSERT(among == Among::all || e.remote_tasks == 0);
}

RC_GTEST_PROP(Optimum, MapsAndDivisionsAgree, ()) {
    const auto p = *small_problem(tiny);
    const auto among = *rc::gen::element(Among::all, Among::local);
    RC_LOG(text(p));
    const Best<Rational> maps = optimum_by_maps(p, among), servers = optimum_by_servers(p, among);
    expect_witness(p, maps, among);
    expect_witness(p, servers, among);
    RC_ASSERT(maps.value == servers.value);
}

RC_GTEST_PROP(Optimum, DivisionsAndSolverAgree, ()) {
    const auto p = *small_problem(small);
    const auto among = *rc::gen::element(Among::all, Among::local);
    RC_LOG(text(p));
    const Best<Rational> servers = optimum_by_servers(p, among), solver = solved(p, among);
    expect_witness(p, servers, among);
    expect_witness(p, solver, among);
    RC_ASSERT(servers.value == solver.value);
}

RC_GTEST_PROP(Optimum, TicksAndRationalsAgree, ()) {
    const auto p = *small_problem(small);
    RC_LOG(text(p));
    const Integer ticks = least_ticks(p);
    const Problem<CheckedInt> whole = in_ticks(p, ticks);
    const auto scaled = [&](const std::optional<CheckedInt>& value) {
        return value ? std::optional(Rational(Integer(value->value()), ticks)) : std::nullopt;
    };
    RC_ASSERT(scaled(optimum_by_servers(whole).value) == optimum_by_servers(p).value);
    RC_PRE(p.shape->tasks().size() <= 4);
    RC_ASSERT(scaled(optimum_by_maps(whole).value) == optimum_by_maps(p).value);
}

RC_GTEST_PROP(Optimum, FewestRemoteTasksAgree, ()) {
    const auto p = *small_problem(tiny);
    const Rational deadline = quarters(*rc::gen::inRange(-1, 30));
    RC_LOG(text(p) + " deadline " + deadline.to_string());
    const auto maps = fewest_remote_by_maps(p, deadline), servers = fewest_remote_by_servers(p, deadline),
               solver = fewest_remote_by_solver(p, deadline);
    RC_ASSERT(maps.value == servers.value);
    RC_ASSERT(maps.value == solver.value);
    for (const auto* best : {&maps, &servers, &solver}) {
        RC_ASSERT(best->established != Established::nothing);
        if (!best->value) continue;
        const Evaluation<Rational> e = evaluate(p, best->witness);
        RC_ASSERT(e.remote_tasks == *best->value && !(e.makespan && *e.makespan > deadline));
    }
    // The optimum is the least deadline that any number of remote tasks meets.
    const Best<Rational> optimum = optimum_by_maps(p);
    if (optimum.value) RC_ASSERT(maps.value.has_value() == (*optimum.value <= deadline));
}

struct Known {
    const char* name;
    Problem<Rational> problem;
    const char *optimum, *local;
};

std::vector<Known> known_values() {
    return {
        {"two tasks, factor 5/4 of DynDLOff", problem({{"1", "1/2"}, {"4"}}, {{0}, {1}}, {{"3/2", "2"}}), "2", "5"},
        {"exact among", problem({{"9"}, {"0", "2"}, {"5"}}, {{0}, {0}, {0}}, {{"2"}, {"3/2", "3/2", "4"}, {"2"}}), "7",
         "12"},
        {"Theorem 4 read on the output", problem({{"6"}, {"4", "5"}}, {{0, 1}, {0}}, {{"2", "3"}}), "6", "7"},
        {"Property 1.2", problem({{"0", "1"}, {"1/2"}}, {{0}, {0, 1}}, {{"10"}}), "3/2", "3/2"},
        {"Property 1.2, integers", problem({{"0", "1"}, {"0"}}, {{0}, {0, 1}}, {{"10"}}), "1", "1"},
        {"Property 1.2, single cores", problem({{"2"}, {"1"}, {"1"}}, {{0, 1}, {1, 2}}, {{"10"}}), "2", "2"},
        {"Theorem 4 with Constraint 2 alone", problem({{"2"}, {"2", "3"}}, {{1}, {0, 1}}, {{"10"}}), "3", "3"},
        {"tie group of two", problem({{"0"}, {"2", "2"}}, {{1}, {1}}, {{"5/4"}}), "5/2", "3"},
        {"active cores only", problem({{"14"}, {"0"}}, {{1}}, {{"2"}}), "1", "1"},
        {"all remote tasks pay the total's price", problem({{"0", "0"}, {"9"}}, {{1}, {1}}, {{"3/2", "4"}}), "4", "11"},
    };
}

TEST(Optimum, KnownValues) {
    for (const auto& [name, p, optimum, local] : known_values())
        for (const Among among : {Among::all, Among::local}) {
            const Rational expected = q(among == Among::all ? optimum : local);
            EXPECT_EQ(optimum_by_maps(p, among).value, expected) << name;
            EXPECT_EQ(optimum_by_servers(p, among).value, expected) << name;
            EXPECT_EQ(solved(p, among).value, expected) << name;
        }
}

TEST(Optimum, FewestRemoteOfATieGroup) {
    const auto p = problem({{"0"}, {"2", "2"}}, {{1}, {1}}, {{"5/4"}});
    const std::vector<std::pair<const char*, std::optional<std::size_t>>> expected{
        {"3", 0}, {"5/2", 2}, {"2", std::nullopt}, {"-1", std::nullopt}};
    for (const auto& [deadline, remote] : expected) {
        EXPECT_EQ(fewest_remote_by_maps(p, q(deadline)).value, remote) << deadline;
        EXPECT_EQ(fewest_remote_by_servers(p, q(deadline)).value, remote) << deadline;
        EXPECT_EQ(fewest_remote_by_solver(p, q(deadline)).value, remote) << deadline;
    }
}

TEST(Optimum, LimitsAreNamedAndKept) {
    const auto p = problem({{"0", "1"}, {"2"}}, {{0}, {0, 1}, {1}, {1}}, {{"3/2"}});
    EXPECT_THROW((void)optimum_by_maps(p, Among::all, 80), LimitExceeded);
    EXPECT_EQ(optimum_by_maps(p, Among::all, 81).cases, 81U);
    EXPECT_THROW((void)optimum_by_servers(p, Among::all, 0), LimitExceeded);
    const Best<Rational> ended = optimum_by_solver(p, Among::all, {1, 10'000});
    EXPECT_EQ(ended.established, Established::nothing);
    EXPECT_NE(ended.ended, "");
    // A budget of questions ends with what has been found: here the start, which is attained.
    const Assignment start{CoreId(0), CoreId(0), CoreId(2), CoreId(2)};
    const Best<Rational> first = optimum_by_solver(p, Among::all, {300'000'000, 0}, start);
    EXPECT_EQ(first.established, Established::nothing);
    EXPECT_EQ(first.value, evaluate(p, start).makespan);
}

/// Whether a solver finds the text satisfiable.
bool satisfiable(const std::string& text) {
    z3::context context;
    z3::solver solver(context, "QF_LIA");
    solver.from_string(text.c_str());
    return solver.check() == z3::sat;
}

RC_GTEST_PROP(Optimum, NothingBetterExistsAsText, ()) {
    const auto p = *small_problem(tiny);
    RC_PRE(p.shape->tasks().size() > 0);
    const Best<Rational> best = optimum_by_servers(p);
    RC_ASSERT(!satisfiable(better_smtlib(p, *best.value)));
    RC_ASSERT(satisfiable(better_smtlib(p, *best.value + quarters(1))));
}

/// The text without the n-th assertion whose comment begins so; nothing when there are fewer.
std::optional<std::string> without(const std::string& text, const std::string& comment, std::size_t n) {
    for (std::size_t at = text.find("; " + comment); at != std::string::npos; at = text.find("; " + comment, at + 1)) {
        if (n-- > 0) continue;
        const std::size_t next = text.find("\n;", at);
        return text.substr(0, at) + text.substr(next + 1);
    }
    return std::nullopt;
}

/// The encoding with any one of its guards left out finds something better than the optimum, in some problem.
TEST(OptimumMutants, EveryDroppedGuardIsCaught) {
    // All tasks are at home on a server that is overloaded: one, two or three of them go elsewhere, on either core.
    const auto one = problem({{"20"}, {"0", "0"}}, {{0}}, {{"9"}});
    const auto three = problem({{"20"}, {"0", "0"}}, {{0}, {0}, {0}}, {{"9"}, {"2", "3", "4"}});
    const auto local = problem({{"2"}, {"0", "1"}}, {{0}, {1}, {1}, {1}}, {{"9"}});
    const std::vector<std::pair<const Problem<Rational>*, const char*>> guards{
        {&one, "price of 1 remote tasks on server 1"},
        {&three, "price of 3 remote tasks on server 1"},
        {&local, "local tasks of core"},
    };
    for (const auto& [p, guard] : guards) {
        const std::string text = better_smtlib(*p, *optimum_by_servers(*p).value);
        ASSERT_FALSE(satisfiable(text)) << guard;
        std::size_t dropped = 0, caught = 0;
        for (; const auto mutant = without(text, guard, dropped); ++dropped) caught += satisfiable(*mutant) ? 1 : 0;
        EXPECT_GT(dropped, 0U) << guard;
        EXPECT_GT(caught, 0U) << guard;
    }
    // The bound of local tasks matters on every core that may be the critical one.
    const auto elsewhere = problem({{"0"}, {"0", "1"}}, {{0}, {1}, {1}, {1}}, {{"9"}});
    for (const auto& [p, core] : {std::pair(&local, "0"), std::pair(&elsewhere, "1"), std::pair(&elsewhere, "2")}) {
        const std::string text = better_smtlib(*p, *optimum_by_servers(*p).value);
        EXPECT_TRUE(satisfiable(*without(text, std::string("local tasks of core ") + core, 0))) << core;
    }
}

/// An optimum in which every remote task pays the first price, whatever the server's total.
std::optional<Rational> optimum_at_first_price(Problem<Rational> p) {
    for (auto& g : p.costs) g = CostFunction<Rational>({g(1)});
    return optimum_by_servers(p).value;
}
/// One that counts idle cores.
std::optional<Rational> optimum_over_all_cores(const Problem<Rational>& p) {
    std::optional<Rational> value = optimum_by_servers(p).value;
    for (const Rational& load : p.initial) value = std::max(*value, load);
    return value;
}

TEST(OptimumMutants, AgreementCatchesOtherModels) {
    int first_price = 0, all_cores = 0;
    const bool ran = rc::check("mutants", [&] {
        const auto p = *small_problem(small);
        if (p.shape->tasks().size() == 0) return;
        const std::optional<Rational> value = optimum_by_servers(p).value;
        first_price += optimum_at_first_price(p) != value ? 1 : 0;
        all_cores += optimum_over_all_cores(p) != value ? 1 : 0;
    });
    EXPECT_TRUE(ran);
    EXPECT_GT(first_price, 0);
    EXPECT_GT(all_cores, 0);
}

/// The largest size of a table of known effort: fourteen tasks on six servers with two cores.
TEST(Optimum, KnownSizes) {
    const auto p = problem({{"10", "12"}, {"1/4", "5"}, {"2", "7/2"}, {"3", "3"}, {"5/4", "6"}, {"4", "1/2"}},
                           {{0}, {0}, {0, 1}, {0, 2}, {0}, {1}, {1, 2}, {3}, {3, 0}, {0}, {4}, {0, 4}, {5}, {0}},
                           {{"3/2", "2", "5/2", "3", "7/2", "4"}});
    const Best<Rational> servers = optimum_by_servers(p), solver = solved(p);
    EXPECT_EQ(servers.value, solver.value);
    EXPECT_EQ(solver.established, Established::refuted);
    EXPECT_EQ(servers.established, Established::every_division);
}

}  // namespace
}  // namespace schedproof::assignment
