/// The baselines of the assignment family once more, each as a plain loop over everything at every step
/// (docs/models/assignment.md, Baselines). Shares nothing with policies/assignment but the problem, and for BAR the
/// balanced start.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "model/assignment/problem.hpp"

namespace schedproof::assignment::oracle {

using Map = std::vector<std::size_t>;  // by task: core; `nowhere` when it has none
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

struct Cluster {
    const Problem<Rational>& in;
    [[nodiscard]] std::size_t tasks() const { return in.shape->tasks().size(); }
    [[nodiscard]] std::size_t cores() const { return in.shape->cores().size(); }
    [[nodiscard]] std::size_t server(std::size_t p) const { return in.shape->server_of(CoreId(p)).index(); }
    [[nodiscard]] bool local(std::size_t t, std::size_t p) const {
        for (const ServerId s : in.shape->replicas(TaskId(t)))
            if (s.index() == server(p)) return true;
        return false;
    }
    [[nodiscard]] Rational g(std::size_t p, std::size_t n) const { return in.cost(ServerId(server(p)))(n); }
    /// Number of remote tasks of a map: on the server of core p, or in all.
    [[nodiscard]] std::size_t remote(const Map& map, std::optional<std::size_t> p = {}) const {
        std::size_t n = 0;
        for (std::size_t t = 0; t < map.size(); ++t)
            if (map[t] != nowhere && !local(t, map[t]) && (!p || server(map[t]) == server(*p))) ++n;
        return n;
    }
    /// Load of core p when each of its remote tasks costs `price`.
    [[nodiscard]] Rational load(const Map& map, std::size_t p, const Rational& price) const {
        Rational sum = in.load(CoreId(p));
        for (std::size_t t = 0; t < map.size(); ++t)
            if (map[t] == p) sum += local(t, p) ? in.local : price;
        return sum;
    }
    [[nodiscard]] bool active(const Map& map, std::size_t p) const {
        return std::find(map.begin(), map.end(), p) != map.end();
    }
};

/// LIST: all cores tried for every task.
inline Map list(const Problem<Rational>& problem, bool server_max) {
    const Cluster c{problem};
    Map map(c.tasks(), nowhere);
    for (std::size_t t = 0; t < c.tasks(); ++t) {
        // predicted finish, remote after local, own load on the server, core
        std::optional<std::tuple<Rational, bool, std::size_t, Rational, std::size_t>> best;
        for (std::size_t p = 0; p < c.cores(); ++p) {
            Map with = map;
            with[t] = p;
            const std::size_t r = c.remote(with, p);
            const auto price = [&](std::size_t q) { return r == 0 ? Rational(0) : c.g(q, r); };
            const Rational own = c.load(with, p, price(p));
            Rational finish = own;
            for (std::size_t q = 0; server_max && q < c.cores(); ++q)
                if (c.server(q) == c.server(p) && c.active(with, q))
                    finish = std::max(finish, c.load(with, q, price(q)));
            const auto candidate = std::tuple(finish, !c.local(t, p), c.server(p), own, p);
            if (!best || candidate < *best) best = candidate;
        }
        map[t] = std::get<4>(*best);
    }
    return map;
}

/// w of the total-priced model.
inline Rational total_price(const Cluster& c, std::size_t p, std::size_t total, bool unbounded) {
    if (total == 0) return Rational(0);
    return unbounded ? c.in.local + Rational(static_cast<std::int64_t>(total)) * (c.g(p, 1) - c.in.local)
                     : c.g(p, total);
}

/// Makespan of a map in the total-priced model, over active cores, as if `total` tasks were remote.
inline std::optional<Rational> total_makespan(const Cluster& c, const Map& map, std::size_t total, bool unbounded) {
    std::optional<Rational> most;
    for (std::size_t p = 0; p < c.cores(); ++p) {
        if (!c.active(map, p)) continue;
        const Rational load = c.load(map, p, total_price(c, p, total, unbounded));
        if (!most || load > *most) most = load;
    }
    return most;
}

/// Reduce of BAR, from a balanced local map. Of the tasks of a core, the one that runs last there leaves first:
/// `later(a, b)` says that a runs later than b.
template <class Later>
Map reduce(const Problem<Rational>& problem, Map map, bool unbounded, Later&& later) {
    const Cluster c{problem};
    Map best = map;
    for (std::size_t r = 0;; ++r) {
        if (*total_makespan(c, map, r, unbounded) < *total_makespan(c, best, c.remote(best), unbounded)) best = map;
        std::optional<std::pair<Rational, std::size_t>> from, to;
        for (std::size_t p = 0; p < c.cores(); ++p) {
            const Rational now = c.load(map, p, total_price(c, p, r, unbounded));
            const Rational next =
                c.load(map, p, total_price(c, p, r + 1, unbounded)) + total_price(c, p, r + 1, unbounded);
            if (c.active(map, p) && (!from || now > from->first)) from = {now, p};
            if (!to || next < to->first) to = {next, p};
        }
        std::optional<std::size_t> moved;
        for (std::size_t t = 0; t < c.tasks(); ++t)
            if (map[t] == from->second && c.local(t, map[t]) && (!moved || later(t, *moved))) moved = t;
        if (!moved || !(from->first > to->first)) return best;
        map[*moved] = to->second;
    }
}

/// Bal-assign: every core tried for each uncovered task, all of whose siblings still unassigned are priced as remote.
inline Map bal_assign(const Problem<Rational>& problem, Map map, bool unbounded) {
    const Cluster c{problem};
    for (std::size_t t = 0; t < c.tasks(); ++t) {
        if (map[t] != nowhere) continue;
        std::optional<std::tuple<Rational, bool, std::size_t>> best;  // virtual end, remote after local, core
        for (std::size_t p = 0; p < c.cores(); ++p) {
            Map with = map;
            with[t] = p;
            const auto unassigned = static_cast<std::size_t>(std::count(with.begin(), with.end(), nowhere));
            const Rational end = c.load(with, p, total_price(c, p, c.remote(with) + unassigned, unbounded));
            const auto candidate = std::tuple(end, !c.local(t, p), p);
            if (!best || candidate < *best) best = candidate;
        }
        map[t] = std::get<2>(*best);
    }
    return map;
}

/// How many tasks can be local and finished by tau: Kuhn's matching of tasks with single positions.
inline std::size_t most_covered(const Problem<Rational>& problem, const Rational& tau) {
    const Cluster c{problem};
    std::vector<std::size_t> positions;  // core of each position up to tau
    for (std::size_t p = 0; p < c.cores(); ++p) {
        Rational end = problem.load(CoreId(p)) + problem.local;
        for (std::size_t j = 0; j < c.tasks() && end <= tau; ++j, end += problem.local) positions.push_back(p);
    }
    std::vector<std::size_t> holder(positions.size(), nowhere);
    std::size_t covered = 0;
    for (std::size_t t = 0; t < c.tasks(); ++t) {
        std::vector<bool> tried(positions.size(), false);
        const auto place = [&](const auto& self, std::size_t task) -> bool {
            for (std::size_t i = 0; i < positions.size(); ++i) {
                if (tried[i] || !c.local(task, positions[i])) continue;
                tried[i] = true;
                if (holder[i] != nowhere && !self(self, holder[i])) continue;
                holder[i] = task;
                return true;
            }
            return false;
        };
        if (place(place, t)) ++covered;
    }
    return covered;
}

/// LTFPA: cores and queues looked at one by one at every event.
inline std::vector<std::tuple<std::size_t, std::size_t, Rational, Rational>> ltfpa(
    const Problem<Rational>& problem, const std::optional<Rational>& threshold, bool load_aware) {
    struct Core {
        Rational until;
        std::optional<std::size_t> run;
        bool idle = false;
        Rational since;
    };
    struct Run {
        std::size_t task, core;
        Rational start, end;
        bool local, over;
    };
    const Cluster c{problem};
    std::vector<std::vector<std::size_t>> queue(problem.shape->servers().size());
    std::vector<std::multiset<Rational>> free(queue.size());
    for (std::size_t p = 0; p < c.cores(); ++p) free[c.server(p)].insert(problem.load(CoreId(p)));
    const auto sooner = [&](std::size_t a, std::size_t b) {
        return load_aware ? *free[a].begin() < *free[b].begin() : queue[a].size() < queue[b].size();
    };
    for (std::size_t t = 0; t < c.tasks(); ++t) {
        std::set<std::size_t> homes;
        for (const ServerId s : problem.shape->replicas(TaskId(t))) homes.insert(s.index());
        std::size_t best = *homes.begin();
        for (const std::size_t s : homes)
            if (sooner(s, best)) best = s;
        queue[best].push_back(t);
        const Rational begin = *free[best].begin();
        free[best].erase(free[best].begin());
        free[best].insert(begin + problem.local);
    }
    std::vector<Core> cores;
    for (std::size_t p = 0; p < c.cores(); ++p) cores.push_back({problem.load(CoreId(p)), {}, false, {}});
    std::vector<Run> runs;
    const auto running = [&](std::size_t p) {
        return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [&](const Run& r) {
            return !r.local && !r.over && c.server(r.core) == c.server(p);
        }));
    };
    const auto start = [&](std::vector<std::size_t>& from, std::size_t p, const Rational& now) {
        const std::size_t t = from.front();
        from.erase(from.begin());
        const bool local = c.local(t, p);
        runs.push_back({t, p, now, now + problem.local, local, false});
        cores[p] = {now + problem.local, runs.size() - 1, false, {}};
        const std::size_t n = local ? 0 : running(p);
        for (Run& r : runs)
            if (!local && !r.local && !r.over && c.server(r.core) == c.server(p))
                cores[r.core].until = r.end = std::max(r.end, r.start + c.g(p, n));
    };
    while (runs.size() < c.tasks()) {
        std::optional<Rational> now;
        for (const Core& core : cores)
            if (!core.idle && (!now || core.until < *now)) now = core.until;
        std::vector<std::size_t> order;
        for (std::size_t p = 0; p < c.cores(); ++p) {
            if (!cores[p].idle && cores[p].until == *now) {
                if (cores[p].run) runs[*cores[p].run].over = true;
                cores[p].idle = true;
                cores[p].since = *now;
            }
            if (cores[p].idle) order.push_back(p);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return cores[a].since < cores[b].since; });
        for (const std::size_t p : order)
            if (!queue[c.server(p)].empty()) start(queue[c.server(p)], p, *now);
        for (const std::size_t p : order) {
            if (!cores[p].idle) continue;
            auto longest = queue.begin();
            for (auto q = queue.begin(); q != queue.end(); ++q)
                if (q->size() > longest->size()) longest = q;
            const Rational needed =
                threshold ? *threshold : Rational(-floor(-(c.g(p, running(p) + 1) / problem.local)));
            if (!longest->empty() && Rational(longest->size()) > needed) start(*longest, p, *now);
        }
    }
    std::vector<std::tuple<std::size_t, std::size_t, Rational, Rational>> executions;
    for (const Run& r : runs) executions.emplace_back(r.task, r.core, r.start, r.end);
    return executions;
}

}  // namespace schedproof::assignment::oracle
