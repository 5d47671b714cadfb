/// Statements about assignments as obligations: on each path of the code, constraints that no problem may satisfy.
///
/// A comparison with competitors becomes one obligation per competitor and active core, or per competitor and choice of
/// finish times, since competitors are finitely many maps. Counts are numbers on a path, so a wrong count leaves an
/// empty list of constraints, which every point satisfies. Statements about every balanced assignment run over all
/// local maps, each with the premise that no path reduces its cost.
/// Source: [jin2018], Section 5. Cost: the number of competitors is exponential in the tasks.
/// Long: the table of sentences stands beside the functions behind them, because a sentence must say what its function
/// forbids.
#include "proofs/assignment/theorems/statements.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "model/core/errors.hpp"
#include "policies/assignment/dyndloff.hpp"
#include "proofs/assignment/theorems/optimal_statements.hpp"

namespace schedproof::assignment {

using explore::Affine;
using explore::Forbidden;

namespace {

const DynDlOff& off(const AnyPolicy& policy) {
    if (const auto* found = policy.as<DynDlOff>()) return *found;
    throw InputError::at_key("policy", "expected dyndloff or a variant of it: the statement is about its parts");
}

/// No competitor's makespan is below the load of an active core of `map`.
void require_optimal(Obligations& obligations, const Totals<Affine>& map, const std::vector<Totals<Affine>>& others,
                     const Forbidden& given) {
    for (const Totals<Affine>& other : others)
        for (std::size_t q = 0; q < map.load.size(); ++q) {
            if (map.tasks[q] == 0) continue;
            obligations.push_back(given);
            for (proof::Constraint& c : above_makespan(map.load[q], other)) obligations.back().push_back(std::move(c));
        }
}

/// No competitor with r remote tasks ends before r + 1 of these finish times.
void require_few_remote(Obligations& obligations, const std::vector<Affine>& finish,
                        const std::vector<Totals<Affine>>& others, const Forbidden& given) {
    for (const Totals<Affine>& other : others) {
        if (other.remote_tasks >= finish.size()) continue;
        std::vector<bool> chosen(finish.size(), false);
        std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(other.remote_tasks + 1), true);
        do {
            obligations.push_back(given);
            for (std::size_t i = 0; i < finish.size(); ++i)
                if (chosen[i])
                    for (proof::Constraint& c : above_makespan(finish[i], other))
                        obligations.back().push_back(std::move(c));
        } while (std::prev_permutation(chosen.begin(), chosen.end()));
    }
}

/// Finish times of the tasks of a map, each core's one after another.
std::vector<Affine> finish_times(const Problem<Affine>& problem, const Totals<Affine>& map) {
    std::vector<Affine> finish;
    for (std::size_t p = 0; p < map.load.size(); ++p)
        for (std::uint32_t j = 1; j <= map.tasks[p]; ++j)
            finish.push_back(problem.initial[p] + times(j, problem.local));
    return finish;
}

// Statements about the balanced assignment that the code makes.
Obligations no_path(const Problem<Affine>& problem, const DynDlOff& policy) {
    const Assignment map = policy.balance(problem).assignment();
    Obligations obligations;
    require_on_path(obligations, totals(problem, map).remote_tasks == 0);
    for (const proof::Constraint& holds : no_cost_reducing_path(problem, map, false))
        obligations.push_back({proof::negation(holds)});
    return obligations;
}

Obligations constraint_1(const Problem<Affine>& problem, const DynDlOff& policy) {
    Obligations obligations;
    require_on_path(obligations, totals(problem, policy.balance(problem).assignment()).remote_tasks == 0);
    return obligations;
}

Obligations property_1_1(const Problem<Affine>& problem, const DynDlOff& policy) {
    const Shape& shape = *problem.shape;
    const Assignment map = policy.balance(problem).assignment();
    const Totals<Affine> b = totals(problem, map);
    Obligations obligations;
    for (const TaskId t : shape.tasks())
        for (const CoreId other : shape.cores())
            if (shape.is_local(t, shape.server_of(other)) && other != map[t.index()])
                require_at_most(obligations, b.load[map[t.index()].index()] - problem.local, b.load[other.index()]);
    return obligations;
}

Obligations finish_as_placed(const Problem<Affine>& problem, const DynDlOff& policy) {
    const BalancedAssignment<Affine> b = policy.balance(problem);
    Obligations obligations;
    for (const CoreId p : problem.shape->cores()) {
        std::vector<Affine> finish;
        for (std::size_t i = 0; i < b.core.size(); ++i)
            if (b.core[i] == p) finish.push_back(b.finish[i]);
        std::sort(finish.begin(), finish.end());
        for (std::size_t k = 0; k < finish.size(); ++k)
            require_equal(obligations, finish[k],
                          problem.load(p) + times(static_cast<std::int64_t>(k + 1), problem.local));
    }
    return obligations;
}

Obligations balanced_optimal(const Problem<Affine>& problem, const DynDlOff& policy) {
    Obligations obligations;
    require_optimal(obligations, totals(problem, policy.balance(problem).assignment()), competitors(problem, true), {});
    return obligations;
}

Obligations few_remote(const Problem<Affine>& problem, const DynDlOff& policy) {
    Obligations obligations;
    require_few_remote(obligations, policy.balance(problem).finish, competitors(problem, false), {});
    return obligations;
}

Obligations search_agrees(const Problem<Affine>& problem, DynDlOff policy) {
    std::vector<std::vector<Affine>> finish;
    for (const auto search : {DynDlOff::Search::split, DynDlOff::Search::loop}) {
        policy.search = search;
        finish.push_back(order_by_deadline(policy.balance(problem)).deadline);
    }
    Obligations obligations;
    for (std::size_t i = 0; i < finish[0].size(); ++i) require_equal(obligations, finish[0][i], finish[1][i]);
    return obligations;
}

// Statements about every all-local assignment that is balanced.
Obligations every_balanced(const Problem<Affine>& problem, bool direct, bool optimal) {
    Obligations obligations;
    const std::vector<Totals<Affine>> others = competitors(problem, optimal);
    for_each_map(*problem.shape, true, [&](const Assignment& map) {
        const Forbidden balanced = no_cost_reducing_path(problem, map, direct);
        const Totals<Affine> b = totals(problem, map);
        if (optimal)
            require_optimal(obligations, b, others, balanced);
        else
            require_few_remote(obligations, finish_times(problem, b), others, balanced);
    });
    return obligations;
}

// Statements about Phase II.
Obligations deadline_attained(const Problem<Affine>& problem, const DynDlOff& policy) {
    const DynDlOffTrace<Affine> trace = policy.trace(problem);
    if (trace.order.tasks.empty()) return {};
    const Affine low = *evaluate(problem, trace.low.assignment).makespan;
    const Affine taken = *evaluate(problem, trace.taken().assignment).makespan;
    Obligations obligations;
    require_equal(obligations, low, trace.order.deadline[trace.low.remote]);
    require_equal(obligations, taken, trace.taken().nominal);
    require_at_most(obligations, taken, trace.order.deadline[0]);
    return obligations;
}

Obligations candidates_monotone(const Problem<Affine>& problem, const DynDlOff& policy) {
    const DynDlOffTrace<Affine> trace = policy.trace(problem);
    const std::size_t tasks = trace.order.tasks.size(), k = last_passing(problem, trace);
    const auto placement = policy.max_min_placement ? Placement::max_min : Placement::exact;
    std::vector<Affine> nominal;
    for (std::size_t i = 0; i <= tasks; ++i)
        nominal.push_back(with_remote(problem, trace.balanced, trace.order, i, placement).nominal);
    Obligations obligations;
    for (std::size_t i = 0; i + 1 <= tasks; ++i) {
        if (i + 1 <= k) require_at_most(obligations, nominal[i + 1], nominal[i]);
        if (i > k) require_at_most(obligations, nominal[i], nominal[i + 1]);
    }
    for (const Affine& other : nominal) require_at_most(obligations, trace.taken().nominal, other);
    return obligations;
}

/// Loads and deadlines at which the capacity of servers is asked for.
struct Asked {
    std::vector<Affine> load;
    std::vector<Affine> deadlines;
};

/// Any loads and any deadline; or those of Phase II: the balanced loads, when a task ends there, and one task later.
Asked asked(const SymbolicProblem& now, const DynDlOff& policy) {
    if (now.deadline) return {now.problem.initial, {*now.deadline}};
    const BalancedAssignment<Affine> b = policy.balance(now.problem);
    Asked all{loads(now.problem, b), b.finish};
    for (const Affine& finish : b.finish) all.deadlines.push_back(finish + now.problem.local);
    return all;
}

/// The most remote tasks that fit into the room, by trying each number.
std::size_t most_that_fit(const Problem<Affine>& problem, ServerId s, const Room<Affine>& room) {
    std::size_t most = 0;
    for (std::size_t r = 1; r <= problem.shape->tasks().size(); ++r)
        if (fits(problem.cost(s), room, r)) most = r;
    return most;
}

Obligations theorem_1(const Problem<Affine>& problem, const Asked& at, const DynDlOff& policy) {
    Obligations obligations;
    for (const Affine& d : at.deadlines)
        for (const ServerId s : problem.shape->servers()) {
            const std::size_t most = most_that_fit(problem, s, room_before(problem, at.load, s, d));
            const Room<Affine> room = room_before(problem, at.load, s, d, policy.all_core_bounds);
            Counters counters;
            const std::size_t gamma =
                most_by_total(problem.cost(s), room.total, problem.shape->tasks().size(), counters);
            const std::size_t m = room.of_core.size();
            require_on_path(obligations, most <= gamma && gamma <= most + (m == 0 ? 0 : m - 1));
        }
    return obligations;
}

Obligations capacity_exact(const Problem<Affine>& problem, const Asked& at, const DynDlOff& policy) {
    Obligations obligations;
    const TestInterpretation interpretation{policy.strict_capacity, policy.all_core_bounds};
    for (const Affine& d : at.deadlines)
        for (const ServerId s : problem.shape->servers()) {
            Counters counters;
            require_on_path(obligations, most_that_fit(problem, s, room_before(problem, at.load, s, d)) ==
                                             most_remote_before(problem, at.load, s, d, interpretation, counters));
        }
    return obligations;
}

Obligations placement_minimal(const Problem<Affine>& problem, const DynDlOff& policy) {
    Obligations obligations;
    const Shape& shape = *problem.shape;
    const std::size_t tasks = shape.tasks().size();
    const auto latest = [](const std::vector<Position<Affine>>& positions) {
        Affine most = positions[0].finish;
        for (const auto& position : positions)
            if (most < position.finish) most = position.finish;
        return most;
    };
    const auto placed = policy.max_min_placement ? place_max_min<Affine>(problem, problem.initial, tasks, std::nullopt)
                                                 : place_exactly(problem, problem.initial, tasks);
    const Affine ours = latest(placed);
    // Every way to give each core a number of remote tasks.
    std::vector<std::size_t> digit(shape.cores().size(), 0);
    for (bool more = true; more;) {
        if (std::accumulate(digit.begin(), digit.end(), std::size_t{0}) == tasks) {
            Forbidden better;
            for (const CoreId p : shape.cores()) {
                const ServerId s = shape.server_of(p);
                std::size_t r = 0;
                for (std::size_t i = 0; i < shape.cores_of(s); ++i) r += digit[shape.core(s, i).index()];
                if (const std::size_t j = digit[p.index()]; j > 0)
                    better.push_back(
                        exceeds(ours, problem.load(p) + times(static_cast<std::int64_t>(j), problem.cost(s)(r))));
            }
            obligations.push_back(std::move(better));
        }
        more = false;
        for (std::size_t p = 0; p < digit.size() && !more; ++p) {
            more = ++digit[p] <= tasks;
            if (!more) digit[p] = 0;
        }
    }
    return obligations;
}

Obligations moved_are_remote(const Problem<Affine>& problem, const DynDlOff& policy) {
    const DynDlOffTrace<Affine> trace = policy.trace(problem);
    const Shape& shape = *problem.shape;
    Obligations obligations;
    for (std::size_t i = 0; i < trace.taken().remote; ++i) {
        const TaskId t = trace.order.tasks[i];
        require_on_path(obligations, !shape.is_local(t, shape.server_of(trace.taken().assignment[t.index()])));
    }
    return obligations;
}

Obligations remote_count(const Problem<Affine>& problem, const DynDlOff& policy) {
    const DynDlOffTrace<Affine> trace = policy.trace(problem);
    if (trace.order.tasks.empty()) return {};
    const std::size_t remote = totals(problem, trace.taken().assignment).remote_tasks;
    const std::size_t k = trace.low.remote;
    Obligations obligations;
    require_on_path(obligations, remote == k || remote == k + 1);
    return obligations;
}

// Statements about any policy.
ScheduleResult<Affine> outcome_of(const AnyPolicy& policy, const Problem<Affine>& problem) {
    NoDraws randomness;
    return run(policy, problem, randomness);
}

Obligations local_first(const Problem<Affine>& problem, const AnyPolicy& policy) {
    if (!policy.is_online())
        throw InputError::at_key("policy", "expected an online policy: an offline one has no event loop");
    const Shape& shape = *problem.shape;
    const std::vector<Execution<Affine>> executions = outcome_of(policy, problem).executions;
    Obligations obligations;
    require_on_path(obligations, executions.size() == shape.tasks().size());
    for (std::size_t i = 0; i < executions.size(); ++i) {
        const ServerId s = shape.server_of(executions[i].core);
        if (shape.is_local(executions[i].task, s)) continue;
        for (std::size_t later = i + 1; later < executions.size(); ++later)
            require_on_path(obligations, !shape.is_local(executions[later].task, s));
    }
    return obligations;
}

Obligations ratio(const Problem<Affine>& problem, const AnyPolicy& policy, const Rational& bound) {
    const auto makespan = evaluate(problem, outcome_of(policy, problem).assignment).makespan;
    Obligations obligations;
    if (!makespan) return obligations;
    for (const Totals<Affine>& other : competitors(problem, false)) {
        obligations.emplace_back();
        for (std::size_t p = 0; p < other.load.size(); ++p)
            if (other.tasks[p] > 0) obligations.back().push_back(exceeds(*makespan, bound * other.load[p]));
    }
    return obligations;
}

constexpr std::array<StatementInfo, 27> listed{{
    {"no-cost-reducing-path",
     "the balanced assignment of {0} keeps every task local and has no cost-reducing path, so that it satisfies "
     "Constraints 1 and 2."},
    {"constraint-1", "the balanced assignment of {0} keeps every task local."},
    {"property-1.1",
     "in the balanced assignment of {0}, no task of a core with L(i) - 1 > L(j) has its block on the server of core "
     "j."},
    {"finish-times", "the k-th task of a core in the balanced assignment of {0} finishes at Linit + k."},
    {"balanced-optimal", "no all-local assignment has a smaller makespan than the balanced assignment of {0}."},
    {"few-remote",
     "for every d, an assignment with makespan below d has at least as many remote tasks as tasks finish at d or later "
     "in the balanced assignment of {0}.",
     true},
    {"search-agrees",
     "the finish times of the balanced assignment are the same whether {0} searches by divide and conquer or path by "
     "path."},
    {"constraint-2-optimal",
     "every all-local assignment that satisfies Constraint 2 has the least makespan of all all-local ones."},
    {"no-path-optimal",
     "every all-local assignment without a cost-reducing path has the least makespan of all all-local ones."},
    {"constraint-2-few-remote",
     "for every all-local assignment B that satisfies Constraint 2 and every d, an assignment with makespan below d "
     "has "
     "at least as many remote tasks as tasks finish at d or later in B.",
     true},
    {"no-path-few-remote",
     "for every all-local assignment B without a cost-reducing path and every d, an assignment with makespan below d "
     "has "
     "at least as many remote tasks as tasks finish at d or later in B.",
     true},
    {"deadline-attained",
     "the candidate of {0} with fewer remote tasks ends exactly at its deadline, the makespan taken is the nominal "
     "one, "
     "and it is at most that of the balanced assignment.",
     true},
    {"candidates-monotone",
     "the makespans of A_0, A_1, ... do not rise up to the last passing deadline and do not fall after it, and {0} "
     "takes "
     "the least of them all.",
     true},
    {"theorem-1",
     "with m cores and Delta their total room before d, of the cores that {0} counts, and gamma the largest n with "
     "n g(n) at most Delta, at most as many as there are tasks, the most remote tasks that a server completes before d "
     "are at most gamma and at least gamma - (m - 1).",
     true, true},
    {"theorem-1-after-balancing",
     "the same bounds of {0}, gamma and gamma - (m - 1), hold for the loads of its balanced assignment before each of "
     "its finish times, and before one local task later.",
     true},
    {"capacity-exact",
     "the number of remote tasks that {0} says a server can complete before d, at most as many as there are tasks, is "
     "the largest r of which r tasks of length g(r) fit into its cores' room.",
     true, true},
    {"capacity-exact-after-balancing",
     "with the loads of its balanced assignment, before each of its finish times and before one local task later, the "
     "number of remote tasks that {0} says a server can complete is the largest r of which r tasks of length g(r) fit.",
     true},
    {"placement-minimal",
     "no distribution of as many remote tasks as there are tasks over the cores ends before the one of {0}.", true},
    {"remote-count",
     "the number of remote tasks of {0} is k or k + 1, k being the number of the candidate with fewer remote tasks.",
     true},
    {"moved-are-remote", "every task that Phase II of {0} moves is remote in the output.", true},
    {"k-optimal",
     "with k the last index whose deadline passes, no assignment with at most k remote tasks has a smaller makespan "
     "than "
     "A_k of {0}.",
     true},
    {"theorem-4",
     "if A_n of {0} has n remote tasks and a core of its largest load has local tasks only, no assignment with at most "
     "n "
     "remote tasks has a smaller makespan.",
     true},
    {"theorem-4-moved-local",
     "if an optimum has n remote tasks and a core of the largest load of A_n of {0} has local tasks only, A_n is "
     "optimal, how many of its tasks are remote or not.",
     true},
    {"theorem-4-constraint-2",
     "the same of A_n made from any assignment with Constraints 1 and 2, in place of that of {0}.", true},
    {"theorem-4-output",
     "if a core of the largest load of the output of {0} has local tasks only, the output is optimal.", true},
    {"local-first",
     "{0} runs every task, and starts no remote task on a server while an unscheduled task has its block there.", true},
    {"ratio", "the makespan of the map of {0} is at most {1} times that of any assignment.", true},
}};

}  // namespace

std::span<const StatementInfo> statements() { return listed; }

const StatementInfo& statement(std::string_view name) {
    for (const StatementInfo& info : listed)
        if (info.name == name) return info;
    throw InputError::at_key("statement", "expected a statement about assignments, not '" + std::string(name) + "'");
}

std::vector<Forbidden> forbidden(const StatementInfo& statement, const AnyPolicy& policy, const SymbolicProblem& now,
                                 const Rational& bound) {
    const Problem<Affine>& problem = now.problem;
    const std::string_view name = statement.name;
    if (name == "constraint-2-optimal") return every_balanced(problem, true, true);
    if (name == "no-path-optimal") return every_balanced(problem, false, true);
    if (name == "constraint-2-few-remote") return every_balanced(problem, true, false);
    if (name == "no-path-few-remote") return every_balanced(problem, false, false);
    if (name == "ratio") return ratio(problem, policy, bound);
    if (name == "local-first") return local_first(problem, policy);
    const DynDlOff& dyndloff = off(policy);
    if (name == "no-cost-reducing-path") return no_path(problem, dyndloff);
    if (name == "constraint-1") return constraint_1(problem, dyndloff);
    if (name == "property-1.1") return property_1_1(problem, dyndloff);
    if (name == "finish-times") return finish_as_placed(problem, dyndloff);
    if (name == "moved-are-remote") return moved_are_remote(problem, dyndloff);
    if (name == "k-optimal") return k_optimal(problem, dyndloff);
    if (name == "theorem-4") return theorem_4(problem, dyndloff);
    if (name == "theorem-4-moved-local") return theorem_4_moved_local(problem, dyndloff);
    if (name == "theorem-4-constraint-2") return theorem_4_constraint_2(problem);
    if (name == "theorem-4-output") return theorem_4_output(problem, dyndloff);
    if (name == "balanced-optimal") return balanced_optimal(problem, dyndloff);
    if (name == "few-remote") return few_remote(problem, dyndloff);
    if (name == "search-agrees") return search_agrees(problem, dyndloff);
    if (name == "deadline-attained") return deadline_attained(problem, dyndloff);
    if (name == "candidates-monotone") return candidates_monotone(problem, dyndloff);
    if (name.starts_with("theorem-1")) return theorem_1(problem, asked(now, dyndloff), dyndloff);
    if (name.starts_with("capacity-exact")) return capacity_exact(problem, asked(now, dyndloff), dyndloff);
    if (name == "placement-minimal") return placement_minimal(problem, dyndloff);
    if (name == "remote-count") return remote_count(problem, dyndloff);
    throw ContractViolation("a statement without a body");
}

}  // namespace schedproof::assignment
