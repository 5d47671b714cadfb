/// Assignments whose tasks are all local, by brute force: even spreads, Constraint 2, and cost-reducing paths.
///
/// Local tasks are alike, so n tasks of a server spread evenly finish at the n least values Linit(p) + j. Whether tasks
/// with given servers can satisfy Constraint 2 is decided by trying every even division of a server's tasks among its
/// cores, the tasks with the tightest bounds on the least loaded cores: if no division allows that, no assignment does.
/// Paths are found by breadth-first search from each server, whose MAX is over cores with tasks (Interpretation A5).
/// Nothing here calls a policy.
/// Source: [jin2018], Section 5.1; docs/models/assignment.md, DynDLOff.
#include <algorithm>
#include <numeric>

#include "checks/assignment/exhaustive.hpp"

namespace schedproof::checks {

using namespace assignment;

namespace {

/// How many tasks each server has.
std::vector<std::size_t> numbers(const AssignmentProblem& problem, const std::vector<ServerId>& server_of) {
    std::vector<std::size_t> n(problem.shape->servers().size(), 0);
    for (const ServerId s : server_of) ++n[s.index()];
    return n;
}

/// Numbers of tasks by core of a server that are even: no task would finish earlier as the last of another core.
std::vector<std::vector<std::size_t>> even_numbers(const AssignmentProblem& problem, ServerId s, std::size_t n) {
    const std::size_t cores = problem.shape->cores_of(s);
    std::vector<std::vector<std::size_t>> found;
    std::vector<std::size_t> on(cores, 0);
    const auto load = [&](std::size_t i) {
        return problem.load(problem.shape->core(s, i)) + Rational(on[i]) * problem.local;
    };
    const auto even = [&] {
        for (std::size_t i = 0; i < cores; ++i)
            for (std::size_t k = 0; k < cores; ++k)
                if (on[i] > 0 && load(i) - problem.local > load(k)) return false;
        return true;
    };
    const auto choose = [&](auto&& self, std::size_t i, std::size_t left) -> void {
        if (i + 1 == cores) {
            on[i] = left;
            if (even()) found.push_back(on);
            return;
        }
        for (on[i] = 0; on[i] <= left; ++on[i]) self(self, i + 1, left - on[i]);
    };
    choose(choose, 0, n);
    return found;
}

}  // namespace

std::vector<Rational> even_finishes(const AssignmentProblem& problem, ServerId s, std::size_t n) {
    std::vector<Rational> finishes;
    for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i)
        for (std::size_t j = 1; j <= n; ++j)
            finishes.push_back(problem.load(problem.shape->core(s, i)) + Rational(j) * problem.local);
    std::sort(finishes.begin(), finishes.end());
    finishes.resize(n);
    return finishes;
}

Assignment spread(const AssignmentProblem& problem, const std::vector<ServerId>& server_of) {
    Assignment result(server_of.size());
    std::vector<Rational> load = problem.initial;
    for (std::size_t t = 0; t < server_of.size(); ++t) {
        CoreId best = problem.shape->core(server_of[t], 0);
        for (std::size_t i = 1; i < problem.shape->cores_of(server_of[t]); ++i) {
            const CoreId p = problem.shape->core(server_of[t], i);
            if (load[p.index()] < load[best.index()]) best = p;
        }
        load[best.index()] += problem.local;
        result[t] = best;
    }
    return result;
}

std::optional<Assignment> with_constraint_2(const AssignmentProblem& problem, const std::vector<ServerId>& server_of) {
    const Shape& shape = *problem.shape;
    const std::vector<std::size_t> n = numbers(problem, server_of);
    std::vector<Rational> least;  // by server: the least load of its cores, the same however its tasks are spread
    for (const ServerId s : shape.servers())
        least.push_back(even_finishes(problem, s, n[s.index()] + 1).back() - problem.local);
    Assignment result(server_of.size());
    for (const ServerId s : shape.servers()) {
        // A task may sit on a core whose load is at most what it would finish at elsewhere.
        struct Bound {
            TaskId task;
            std::optional<Rational> load;
        };
        std::vector<Bound> bounds;
        for (const TaskId t : shape.tasks()) {
            if (server_of[t.index()] != s) continue;
            bounds.push_back({t, {}});
            for (const ServerId other : shape.replicas(t)) {
                const Rational elsewhere = least[other.index()] + problem.local;
                if (other != s && (!bounds.back().load || elsewhere < *bounds.back().load))
                    bounds.back().load = elsewhere;
            }
        }
        std::sort(bounds.begin(), bounds.end(),
                  [](const Bound& a, const Bound& b) { return a.load && (!b.load || *a.load < *b.load); });
        // The tightest tasks on the least loaded cores: if this fails for all even numbers, everything does.
        bool done = false;
        for (const std::vector<std::size_t>& on : even_numbers(problem, s, n[s.index()])) {
            std::vector<std::pair<Rational, CoreId>> places;
            for (std::size_t i = 0; i < on.size(); ++i) {
                const CoreId p = shape.core(s, i);
                places.insert(places.end(), on[i], {problem.load(p) + Rational(on[i]) * problem.local, p});
            }
            std::sort(places.begin(), places.end());
            done = true;
            for (std::size_t i = 0; i < bounds.size(); ++i)
                done = done && (!bounds[i].load || places[i].first <= *bounds[i].load);
            for (std::size_t i = 0; done && i < bounds.size(); ++i) result[bounds[i].task.index()] = places[i].second;
            if (done) break;
        }
        if (!done) return {};
    }
    return result;
}

std::optional<ShiftablePath> shiftable_path(const AssignmentProblem& problem, const Assignment& assignment) {
    const Shape& shape = *problem.shape;
    const Totals a = totals(problem, assignment);
    const auto least = [&](ServerId s) {
        Rational load = a.load[shape.core(s, 0).index()];
        for (std::size_t i = 1; i < shape.cores_of(s); ++i) load = std::min(load, a.load[shape.core(s, i).index()]);
        return load;
    };
    for (const ServerId source : shape.servers()) {
        std::optional<Rational> most;
        for (std::size_t i = 0; i < shape.cores_of(source); ++i) {
            const std::size_t p = shape.core(source, i).index();
            if (a.local[p] > 0 && (!most || *most < a.load[p])) most = a.load[p];
        }
        if (!most) continue;
        std::vector<std::optional<std::pair<ServerId, TaskId>>> from(shape.servers().size());
        std::vector<ServerId> reached{source};
        for (std::size_t head = 0; head < reached.size(); ++head) {
            const ServerId s = reached[head];
            if (*most - least(s) > problem.local && s != source) {
                ShiftablePath path{{s}, {}, *most, least(s)};
                for (ServerId at = s; at != source; at = path.servers.back()) {
                    path.tasks.push_back(from[at.index()]->second);
                    path.servers.push_back(from[at.index()]->first);
                }
                std::reverse(path.servers.begin(), path.servers.end());
                std::reverse(path.tasks.begin(), path.tasks.end());
                return path;
            }
            for (const TaskId t : shape.tasks()) {
                if (shape.server_of(assignment[t.index()]) != s) continue;
                for (const ServerId other : shape.replicas(t))
                    if (other != source && !from[other.index()]) {
                        from[other.index()] = {s, t};
                        reached.push_back(other);
                    }
            }
        }
    }
    return {};
}

}  // namespace schedproof::checks
