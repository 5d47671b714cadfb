/// Optimality of the A_n as obligations.
///
/// The theorems that hold are stated of every competitor with few remote tasks, optimal or not, which is more than the
/// paper says and leaves conjunctions: whoever ends before a task that finishes at F in the balanced assignment has as
/// many remote tasks as tasks finish at F or later there (the key lemma). The forms that are false speak of optima, so
/// the optimum is found on the path, by comparing the makespans of all assignments.
/// Source: [jin2018], Section 5.3, Theorem 4; docs/models/assignment.md, Which statements hold.
#include "proofs/assignment/theorems/optimal_statements.hpp"

#include <algorithm>
#include <optional>

namespace schedproof::assignment {

using explore::Affine;
using explore::Forbidden;

namespace {

Placement placement_of(const DynDlOff& policy) {
    return policy.max_min_placement ? Placement::max_min : Placement::exact;
}

/// The cores that have tasks, all of them local.
std::vector<std::size_t> local_cores(const Problem<Affine>& problem, const Assignment& map) {
    const Shape& shape = *problem.shape;
    std::vector<bool> some(shape.cores().size(), false), remote(some);
    for (const TaskId t : shape.tasks()) {
        const CoreId p = map[t.index()];
        some[p.index()] = true;
        if (!shape.is_local(t, shape.server_of(p))) remote[p.index()] = true;
    }
    std::vector<std::size_t> cores;
    for (std::size_t p = 0; p < some.size(); ++p)
        if (some[p] && !remote[p]) cores.push_back(p);
    return cores;
}

/// Found by comparing on the path.
struct Optima {
    Affine makespan;
    std::vector<std::size_t> remote;  ///< how many remote tasks some optimum has
};
Optima optima(const Problem<Affine>& problem) {
    std::vector<std::pair<Affine, std::size_t>> all;
    for_each_map(*problem.shape, false, [&](const Assignment& map) {
        const Evaluation<Affine> e = evaluate(problem, map);
        all.emplace_back(*e.makespan, e.remote_tasks);
    });
    Optima best{all.front().first, {}};
    for (const auto& [makespan, remote] : all)
        if (makespan < best.makespan) best.makespan = makespan;
    for (const auto& [makespan, remote] : all)
        if (std::find(best.remote.begin(), best.remote.end(), remote) == best.remote.end() && makespan <= best.makespan)
            best.remote.push_back(remote);
    return best;
}

/// Whether a core of the map's largest load has local tasks only, and the map is not optimal.
bool local_and_not_optimal(const Problem<Affine>& problem, const Assignment& map, const Optima& best) {
    const Evaluation<Affine> e = evaluate(problem, map);
    for (const std::size_t p : local_cores(problem, map))
        if (e.load[p] >= *e.makespan && *e.makespan > best.makespan) return true;
    return false;
}

}  // namespace

std::size_t last_passing(const Problem<Affine>& problem, const DynDlOffTrace<Affine>& trace) {
    const std::vector<Affine> load = loads(problem, trace.balanced);
    std::size_t k = 0;
    for (std::size_t i = 0; i < trace.order.tasks.size(); ++i) {
        std::size_t capacity = 0;
        Counters counters;
        for (const ServerId s : problem.shape->servers())
            capacity += most_remote_before(problem, load, s, trace.order.deadline[i], {}, counters);
        if (capacity >= i) k = i;
    }
    return k;
}

Obligations k_optimal(const Problem<Affine>& problem, const DynDlOff& policy) {
    const DynDlOffTrace<Affine> trace = policy.trace(problem);
    if (trace.order.tasks.empty()) return {};
    const std::size_t k = last_passing(problem, trace);
    const Totals<Affine> a =
        totals(problem, with_remote(problem, trace.balanced, trace.order, k, placement_of(policy)).assignment);
    Obligations obligations;
    for (const Totals<Affine>& other : competitors(problem, false)) {
        if (other.remote_tasks > k) continue;
        for (std::size_t p = 0; p < a.load.size(); ++p)
            if (a.tasks[p] > 0) obligations.push_back(above_makespan(a.load[p], other));
    }
    return obligations;
}

Obligations theorem_4(const Problem<Affine>& problem, const DynDlOff& policy) {
    const DynDlOffTrace<Affine> trace = policy.trace(problem);
    const std::vector<Totals<Affine>> others = competitors(problem, false);
    Obligations obligations;
    for (std::size_t n = 0; n <= trace.order.tasks.size(); ++n) {
        const Assignment map = with_remote(problem, trace.balanced, trace.order, n, placement_of(policy)).assignment;
        const Totals<Affine> a = totals(problem, map);
        if (a.remote_tasks != n) continue;
        for (const std::size_t p : local_cores(problem, map)) {
            Forbidden largest;
            for (std::size_t q = 0; q < a.load.size(); ++q)
                if (q != p && a.tasks[q] > 0) largest.push_back({a.load[p].form() - a.load[q].form(), false});
            for (const Totals<Affine>& other : others) {
                if (other.remote_tasks > n) continue;
                obligations.push_back(largest);
                for (proof::Constraint& c : above_makespan(a.load[p], other))
                    obligations.back().push_back(std::move(c));
            }
        }
    }
    return obligations;
}

Obligations theorem_4_moved_local(const Problem<Affine>& problem, const DynDlOff& policy) {
    const DynDlOffTrace<Affine> trace = policy.trace(problem);
    if (trace.order.tasks.empty()) return {};
    const Optima best = optima(problem);
    Obligations obligations;
    for (const std::size_t n : best.remote) {
        const Assignment map = with_remote(problem, trace.balanced, trace.order, n, placement_of(policy)).assignment;
        require_on_path(obligations, !local_and_not_optimal(problem, map, best));
    }
    return obligations;
}

Obligations theorem_4_constraint_2(const Problem<Affine>& problem) {
    if (problem.shape->tasks().size() == 0) return {};
    const Optima best = optima(problem);
    Obligations obligations;
    for_each_map(*problem.shape, true, [&](const Assignment& map) {
        // Alternatives are tried in turn, so a map that does not meet the constraint leaves the path early.
        const Totals<Affine> b = totals(problem, map);
        const Shape& shape = *problem.shape;
        for (const TaskId t : shape.tasks())
            for (const CoreId other : shape.cores())
                if (other != map[t.index()] && shape.is_local(t, shape.server_of(other)) &&
                    b.load[map[t.index()].index()] - problem.local > b.load[other.index()])
                    return;
        // A_0 is the assignment itself; the n latest tasks leave the most loaded cores one after another.
        std::vector<Affine> load = b.load;
        std::vector<std::uint32_t> left = b.tasks;
        for (std::size_t n = 0; n < map.size(); ++n) {
            std::optional<std::size_t> latest;
            for (std::size_t p = 0; p < load.size(); ++p)
                if (left[p] > 0 && (!latest || load[p] > load[*latest])) latest = p;
            if (std::find(best.remote.begin(), best.remote.end(), n) != best.remote.end()) {
                const auto positions = place_exactly(problem, load, n);
                const bool local = std::all_of(positions.begin(), positions.end(),
                                               [&](const auto& position) { return position.finish <= load[*latest]; });
                require_on_path(obligations, !(local && load[*latest] > best.makespan));
            }
            load[*latest] -= problem.local;
            --left[*latest];
        }
    });
    return obligations;
}

Obligations theorem_4_output(const Problem<Affine>& problem, const DynDlOff& policy) {
    const DynDlOffTrace<Affine> trace = policy.trace(problem);
    if (trace.order.tasks.empty()) return {};
    Obligations obligations;
    require_on_path(obligations, !local_and_not_optimal(problem, trace.taken().assignment, optima(problem)));
    return obligations;
}

}  // namespace schedproof::assignment
