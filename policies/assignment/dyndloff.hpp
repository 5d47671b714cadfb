/// DynDLOff, the offline policy of DynDL.
///
/// Phase I balances all tasks over their replica servers, all of them local. Phase II asks how many of the latest tasks
/// should rather be remote: it finds the earliest deadline before which all later tasks can be completed remotely, and
/// returns the better of stopping there and of making the next level remote as well. At most twice the optimum (not
/// claimed for the paper's placement).
/// Source: [jin2018], Algorithms 2 and 3. The members name interpretations of the paper's text that do not hold; their
/// defaults are the ones that do. What each means stands with the phase that it alters.
#pragma once

#include "model/assignment/policy.hpp"
#include "policies/assignment/cost_reducing_paths.hpp"
#include "policies/assignment/deadline_search.hpp"
#include "policies/assignment/position_split.hpp"

namespace schedproof::assignment {

/// One deadline that Phase II tried.
struct DeadlineTest {
    std::size_t index = 0;     ///< of the deadline in D; the number of tasks to be remote
    std::size_t capacity = 0;  ///< how many remote tasks all servers complete before it
    [[nodiscard]] bool passes() const { return capacity >= index; }
};

/// Everything that led to the outcome.
template <Number N>
struct DynDlOffTrace {
    BalancedAssignment<N> balanced;
    DeadlineOrder<N> order;
    std::vector<DeadlineTest> tests;  ///< in the order made
    Candidate<N> low, high;           ///< A_{n_lo}, A_{n_hi}
    bool takes_high = false;          ///< the outcome is `high`
    Counters counters;
    [[nodiscard]] const Candidate<N>& taken() const { return takes_high ? high : low; }
};

struct DynDlOff {
    static constexpr PolicyInfo info{"dyndloff", "[jin2018], Algorithms 2 and 3",
                                     "balance all tasks locally, then make the latest ones remote while that helps"};
    /// How Phase I finds its paths: by divide and conquer over the positions; one by one; one by one as the paper does.
    enum class Search { split, loop, paper };

    Search search = Search::split;
    bool max_over_all_cores = false;  ///< Interpretation A5; searches as the paper does
    bool strict_capacity = false;     ///< Interpretation A11
    bool all_core_bounds = false;     ///< Interpretation A12
    bool index_levels = false;        ///< Interpretation A13
    bool max_min_placement = false;   ///< Interpretation A14
    static constexpr std::tuple parameters{
        Parameter("search", &DynDlOff::search),       Parameter("A5", &DynDlOff::max_over_all_cores),
        Parameter("A11", &DynDlOff::strict_capacity), Parameter("A12", &DynDlOff::all_core_bounds),
        Parameter("A13", &DynDlOff::index_levels),    Parameter("A14", &DynDlOff::max_min_placement)};

    /// Phase I.
    template <Number N>
    [[nodiscard]] BalancedAssignment<N> balance(const Problem<N>& problem, Counters* counters = nullptr) const {
        Counters own;
        if (search == Search::split && !max_over_all_cores)
            return PositionSplit<N>(problem, counters ? *counters : own).balance();
        const bool paper = search == Search::paper || max_over_all_cores;
        return CostReducingPaths<N>(problem, paper ? Settle::source : Settle::reached, max_over_all_cores,
                                    counters ? *counters : own)
            .balance();
    }

    template <Number N>
    [[nodiscard]] DynDlOffTrace<N> trace(const Problem<N>& problem) const {
        DynDlOffTrace<N> result;
        result.balanced = balance(problem, &result.counters);
        result.order = order_by_deadline(result.balanced);
        const std::size_t tasks = result.order.tasks.size();
        if (tasks == 0) return result;
        const std::vector<std::size_t> deadlines = tested(result.order);
        std::size_t pass = 0, fail = deadlines.size();  // the first passes: nothing is later than it
        const std::vector<N> load = loads(problem, result.balanced);
        while (fail - pass > 1) {
            const std::size_t middle = pass + (fail - pass) / 2;
            const std::size_t i = deadlines[middle];
            result.tests.push_back({i, capacity(problem, load, result.order.deadline[i], result.counters)});
            (result.tests.back().passes() ? pass : fail) = middle;
        }
        const Placement placement = max_min_placement ? Placement::max_min : Placement::exact;
        const std::size_t next = fail < deadlines.size() ? deadlines[fail] : tasks;
        result.low = with_remote(problem, result.balanced, result.order, deadlines[pass], placement);
        result.high = with_remote(problem, result.balanced, result.order, next, placement);
        result.takes_high = result.high.nominal < result.low.nominal;
        return result;
    }

    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        if (!normative()) return {trace(problem).taken().assignment, {}, {}};
        Counters counters;
        const BalancedAssignment<N> b = balance(problem, &counters);
        return {DeadlineSearch<N>(problem, b, counters).assignment(), {}, {}};
    }

  private:
    [[nodiscard]] bool normative() const {
        return !strict_capacity && !all_core_bounds && !index_levels && !max_min_placement;
    }
    /// The deadlines that may be tested, as indices into D: the first of each level, or all of them.
    template <Number N>
    [[nodiscard]] std::vector<std::size_t> tested(const DeadlineOrder<N>& order) const {
        if (!index_levels) return order.levels;
        std::vector<std::size_t> all(order.tasks.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        return all;
    }
    template <Number N>
    [[nodiscard]] std::size_t capacity(const Problem<N>& problem, const std::vector<N>& load, const N& d,
                                       Counters& counters) const {
        ++counters.tests;
        std::size_t sum = 0;
        for (const ServerId s : problem.shape->servers())
            sum += most_remote_before(problem, load, s, d, {strict_capacity, all_core_bounds}, counters);
        return sum;
    }
};

}  // namespace schedproof::assignment
