/// DynDLOff on random problems: what Phase I and II promise, against oracles that share nothing with them but the
/// problem itself: enumeration of maps and of counts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "policies/assignment/balanced_violation.hpp"
#include "policies/assignment/dyndloff.hpp"
#include "tests/support/assignment_generators.hpp"

namespace schedproof::assignment {
namespace {

using namespace ::schedproof::testing_support;
using Search = DynDlOff::Search;

DynDlOff with(Search search) {
    DynDlOff policy;
    policy.search = search;
    return policy;
}

template <class N>
std::vector<N> sorted_finish(BalancedAssignment<N> b) {
    std::sort(b.finish.begin(), b.finish.end());
    return b.finish;
}

/// The least finish of n tasks of a server at a price each, by trying every way to spread them; base loads `base`.
Rational least_finish(const std::vector<Rational>& base, const Rational& price, std::int64_t n, std::size_t from = 0) {
    if (n == 0) return Rational(-1);
    if (from == base.size()) return Rational(1'000'000);
    Rational best(1'000'000);
    for (std::int64_t here = 0; here <= n; ++here) {
        const Rational rest = least_finish(base, price, n - here, from + 1);
        const Rational finish = here == 0 ? rest : std::max(rest, base[from] + times(here, price));
        best = std::min(best, finish);
    }
    return best;
}

std::vector<Rational> loads_of(const RationalProblem& problem, const std::vector<Rational>& load, ServerId s) {
    std::vector<Rational> result;
    for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i)
        result.push_back(load[problem.shape->core(s, i).index()]);
    return result;
}

/// The least makespan of `tasks` remote tasks over all ways to count them by server.
Rational least_remote(const RationalProblem& problem, const std::vector<Rational>& base, std::size_t tasks,
                      std::size_t from = 0) {
    if (tasks == 0) return Rational(-1);
    if (from == problem.shape->servers().size()) return Rational(1'000'000);
    Rational best(1'000'000);
    const ServerId s(from);
    for (std::size_t r = 0; r <= tasks; ++r) {
        Rational finish = least_remote(problem, base, tasks - r, from + 1);
        if (r > 0)
            finish = std::max(
                finish, least_finish(loads_of(problem, base, s), problem.cost(s)(r), static_cast<std::int64_t>(r)));
        best = std::min(best, finish);
    }
    return best;
}

/// Calls `visit` for every way to give each task one of its `choices`.
template <class Choice, class Visit>
void each_choice(const std::vector<std::vector<Choice>>& choices, Visit&& visit) {
    std::vector<std::size_t> at(choices.size(), 0);
    std::vector<Choice> map;
    for (const auto& c : choices) map.push_back(c[0]);
    while (true) {
        visit(map);
        std::size_t t = 0;
        for (; t < choices.size() && ++at[t] == choices[t].size(); ++t) map[t] = choices[t][at[t] = 0];
        if (t == choices.size()) return;
        map[t] = choices[t][at[t]];
    }
}

/// The least makespan, of all maps to cores or of the local ones.
Rational least_makespan(const RationalProblem& problem, bool local) {
    std::vector<std::vector<CoreId>> choices;
    for (const TaskId t : problem.shape->tasks()) {
        choices.emplace_back();
        for (const CoreId p : problem.shape->cores())
            if (!local || problem.shape->is_local(t, problem.shape->server_of(p))) choices.back().push_back(p);
    }
    Rational best(1'000'000);
    each_choice(choices, [&](const Assignment& map) { best = std::min(best, *evaluate(problem, map).makespan); });
    return best;
}

RC_GTEST_PROP(DynDlOffProperties, EverySearchBalancesWithoutFault, ()) {
    const auto problem = *small_problems();
    const auto split = with(Search::split).balance(problem);
    const auto loop = with(Search::loop).balance(problem);
    const auto paper = with(Search::paper).balance(problem);
    RC_ASSERT(balanced_fault(problem, split) == "");
    RC_ASSERT(balanced_fault(problem, loop) == "");
    RC_ASSERT(balanced_fault(problem, paper) == "");
    RC_ASSERT(sorted_finish(split) == sorted_finish(loop));
    RC_ASSERT(sorted_finish(paper) == sorted_finish(loop));
    RC_ASSERT(!constraint2_fault(problem, split.assignment()));
}

RC_GTEST_PROP(DynDlOffProperties, BalancedIsTheBestLocalAssignment, ()) {
    const auto problem = *small_problems({.servers = 3, .cores = 2, .tasks = 5, .replicas = 2});
    const auto b = with(Search::split).balance(problem);
    const auto e = evaluate(problem, b.assignment());
    RC_ASSERT(e.remote_tasks == 0U);
    RC_ASSERT(*e.makespan == least_makespan(problem, true));
}

/// A task moved off a balanced assignment's optimum is found out.
RC_GTEST_PROP(DynDlOffProperties, FaultsAreFound, ()) {
    const auto problem = *small_problems();
    const auto best = sorted_finish(with(Search::loop).balance(problem));
    std::vector<ServerId> server_of;
    for (const TaskId t : problem.shape->tasks()) {
        const auto holders = problem.shape->replicas(t);
        server_of.push_back(holders[*rc::gen::inRange<std::size_t>(0, holders.size())]);
    }
    Positions<Rational> positions(problem);
    const auto b = expand(problem, positions, server_of);
    RC_ASSERT(balanced_fault(problem, b).empty() == (sorted_finish(b) == best));
    if (const auto path = cost_reducing_path(problem, b.assignment())) {
        Assignment map = b.assignment();
        RC_ASSERT(map[path->tasks.at(0).index()].index() < map.size() + problem.initial.size());
        for (std::size_t i = 0; i < path->tasks.size(); ++i) {
            const ServerId to = i + 1 < path->tasks.size()
                                    ? problem.shape->server_of(b.assignment()[path->tasks[i + 1].index()])
                                    : problem.shape->server_of(path->sink);
            RC_ASSERT(problem.shape->is_local(path->tasks[i], to));
        }
    }
}

RC_GTEST_PROP(DynDlOffProperties, TheShortCutOfPhaseTwoIsPhaseTwo, ()) {
    const auto problem = *small_problems();
    const DynDlOff policy = with(*rc::gen::element(Search::split, Search::loop, Search::paper));
    const auto trace = policy.trace(problem);
    const Assignment assignment = policy.schedule(problem).assignment;
    RC_ASSERT(assignment == trace.taken().assignment);
    RC_ASSERT(*evaluate(problem, assignment).makespan == trace.taken().nominal);
    RC_ASSERT(trace.taken().nominal <= trace.order.deadline.front());
    RC_ASSERT(trace.low.nominal == trace.order.deadline[trace.low.remote]);
    RC_ASSERT(evaluate(problem, assignment).remote_tasks == trace.taken().remote);
}

RC_GTEST_PROP(DynDlOffProperties, MostRemoteIsWhatTheDefinitionSays, ()) {
    const auto problem = *small_problems();
    const auto b = with(Search::loop).balance(problem);
    const auto order = order_by_deadline(b);
    const auto load = loads(problem, b);
    const std::size_t tasks = order.tasks.size();
    for (const std::size_t level : order.levels) {
        const Rational d = order.deadline[level];
        std::vector<Rational> truncated = load;
        for (std::size_t i = 0; i < level; ++i) {
            Rational& l = truncated[b.assignment()[order.tasks[i].index()].index()];
            l = l - 1;
        }
        for (const ServerId s : problem.shape->servers()) {
            std::size_t most = 0;
            for (std::size_t r = 1; r <= tasks; ++r)
                if (least_finish(loads_of(problem, truncated, s), problem.cost(s)(r), static_cast<std::int64_t>(r)) <=
                    d)
                    most = r;
            Counters counters;
            RC_ASSERT(most_remote_before(problem, load, s, d, {}, counters) == most);
            RC_ASSERT(most_remote_before(problem, truncated, s, d, {}, counters) == most);
            RC_ASSERT(counters.over_bound == 0U);
            const auto room = room_before(problem, load, s, d);
            const std::size_t gamma = most_by_total(problem.cost(s), room.total, tasks, counters),
                              m = room.of_core.size();
            RC_ASSERT(most <= gamma);
            RC_ASSERT(most + m >= gamma + (m > 0 ? 1 : 0));
        }
    }
}

RC_GTEST_PROP(DynDlOffProperties, PlacementIsMinimalAndCandidatesFallThenRise, ()) {
    const auto problem = *small_problems({.servers = 3, .cores = 2, .tasks = 6, .replicas = 3});
    const auto trace = with(Search::loop).trace(problem);
    const auto load = loads(problem, trace.balanced);
    std::vector<Rational> nominal, base = load;
    const Assignment local = trace.balanced.assignment();
    for (std::size_t i = 0; i <= trace.order.tasks.size(); ++i) {
        nominal.push_back(with_remote(problem, trace.balanced, trace.order, i).nominal);
        const Rational rest = i < trace.order.tasks.size() ? trace.order.deadline[i] : Rational(0);
        RC_ASSERT(nominal.back() == std::max(rest, least_remote(problem, base, i)));
        if (i < trace.order.tasks.size()) {
            Rational& l = base[local[trace.order.tasks[i].index()].index()];
            l = l - 1;
        }
    }
    DynDlOff literal = with(Search::loop);
    literal.index_levels = true;
    const auto by_index = literal.trace(problem);
    const std::size_t k = by_index.low.remote;
    for (std::size_t i = 0; i + 1 <= k; ++i) RC_ASSERT(nominal[i] >= nominal[i + 1]);
    for (std::size_t i = k + 1; i + 1 < nominal.size(); ++i) RC_ASSERT(nominal[i] <= nominal[i + 1]);
    RC_ASSERT(trace.taken().nominal == *std::min_element(nominal.begin(), nominal.end()));
    RC_ASSERT(by_index.taken().nominal == trace.taken().nominal);
}

RC_GTEST_PROP(DynDlOffProperties, AtMostTwiceTheOptimum, ()) {
    const auto problem = *small_problems({.servers = 2, .cores = 2, .tasks = 5, .replicas = 2});
    const Rational optimum = least_makespan(problem, false);
    for (const Search search : {Search::split, Search::loop}) {
        const Rational found = *evaluate(problem, with(search).schedule(problem).assignment).makespan;
        RC_ASSERT(optimum <= found);
        RC_ASSERT(found <= Rational(2) * optimum);
    }
}

RC_GTEST_PROP(DynDlOffProperties, TicksAgreeWithRationals, ()) {
    const auto problem = *small_problems();
    const auto ticks = in_ticks(problem, least_ticks(problem) * *rc::gen::inRange(1, 4));
    for (const Search search : {Search::split, Search::loop, Search::paper})
        RC_ASSERT(with(search).schedule(ticks).assignment == with(search).schedule(problem).assignment);
}

/// Theorems 2 and 3 in counts.
RC_GTEST_PROP(DynDlOffProperties, EffortIsBounded, ()) {
    const auto problem = *small_problems();
    const auto trace = with(Search::loop).trace(problem);
    const std::size_t tasks = trace.order.tasks.size();
    const std::size_t replicas = problem.shape->replicas().total();
    RC_ASSERT(trace.counters.flips <= tasks);
    RC_ASSERT(trace.counters.edge_scans <= replicas * (trace.counters.flips + 1));
    std::size_t bound = 1;
    while ((std::size_t{1} << (bound - 1)) < tasks) ++bound;
    RC_ASSERT(trace.counters.tests <= bound);
    RC_ASSERT(trace.counters.over_bound == 0U);
}

/// Larger random problems: all searches give the same finish times, and Phase II's short cut its outcome.
class DynDlOffLarger : public ::testing::TestWithParam<Placing> {};

TEST_P(DynDlOffLarger, SearchesAgree) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        LargerProblem wish;
        wish.placing = GetParam();
        wish.servers = 10 + 13 * seed;
        wish.tasks = 300 * seed;
        wish.most_load = seed % 3 == 0 ? 20 : 400;
        wish.replicas = seed % 4 == 0 ? 9 : 3;
        const auto problem = larger_problem(wish, seed);
        const auto split = with(Search::split).balance(problem);
        EXPECT_EQ(balanced_fault(problem, split), "");
        EXPECT_EQ(sorted_finish(split), sorted_finish(with(Search::loop).balance(problem))) << seed;
        const auto trace = with(Search::split).trace(problem);
        const auto assignment = with(Search::split).schedule(problem).assignment;
        EXPECT_EQ(assignment, trace.taken().assignment) << seed;
        EXPECT_EQ(*evaluate(problem, assignment).makespan, trace.taken().nominal) << seed;
        EXPECT_EQ(with(Search::split).schedule(in_rationals(problem)).assignment, assignment) << seed;
    }
}
INSTANTIATE_TEST_SUITE_P(Placings, DynDlOffLarger,
                         ::testing::Values(Placing::uniform, Placing::clustered, Placing::skewed));

}  // namespace
}  // namespace schedproof::assignment
