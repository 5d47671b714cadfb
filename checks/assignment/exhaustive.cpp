/// Exhaustive answers about small assignment problems.
///
/// Since all tasks are alike, what matters of an assignment is how many local and remote tasks each server has. So the
/// search goes over ways to spread tasks over servers, not over cores, and places the tasks of a server one by one on
/// its least loaded core, which is best for tasks of one length. Cost: exponential in the tasks.
#include "checks/assignment/exhaustive.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace schedproof::checks {

using namespace assignment;

namespace {

bool holds_block(const AssignmentProblem& problem, TaskId t, ServerId s) {
    for (const ServerId other : problem.shape->replicas(t))
        if (other == s) return true;
    return false;
}

std::vector<Rational> loads_of(const AssignmentProblem& problem, ServerId s) {
    std::vector<Rational> loads;
    for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i)
        loads.push_back(problem.load(problem.shape->core(s, i)));
    return loads;
}

/// Calls `visit` with each way to split `tasks` over `parts` places.
template <class Visit>
void for_each_split(std::size_t tasks, std::size_t parts, Visit&& visit) {
    std::vector<std::size_t> split(parts, 0);
    const auto rest = [&](auto&& self, std::size_t place, std::size_t left) -> void {
        if (place + 1 == parts) {
            split[place] = left;
            visit(split);
            return;
        }
        for (std::size_t here = 0; here <= left; ++here) {
            split[place] = here;
            self(self, place + 1, left - here);
        }
    };
    rest(rest, 0, tasks);
}

/// The least largest load of cores with a task when `remote[i]` tasks of length g and `local` of length 1 join.
Rational finish_of(const AssignmentProblem& problem, std::vector<Rational> load, const std::vector<std::size_t>& remote,
                   const Rational& g, std::size_t local) {
    std::vector<bool> active(load.size(), false);
    for (std::size_t i = 0; i < load.size(); ++i) {
        load[i] += Rational(remote[i]) * g;
        active[i] = remote[i] > 0;
    }
    for (; local > 0; --local) {
        const auto least = std::min_element(load.begin(), load.end());
        *least += problem.local;
        active[static_cast<std::size_t>(least - load.begin())] = true;
    }
    Rational latest;
    for (std::size_t i = 0; i < load.size(); ++i)
        if (active[i]) latest = std::max(latest, load[i]);
    return latest;
}

/// The split of `remote` tasks over the cores with these loads that finishes earliest together with `local` ones.
std::pair<Rational, std::vector<std::size_t>> best_split(const AssignmentProblem& problem, ServerId s,
                                                         const std::vector<Rational>& load, std::size_t local,
                                                         std::size_t remote) {
    const Rational g = remote == 0 ? problem.local : problem.cost(s)(remote);
    std::optional<std::pair<Rational, std::vector<std::size_t>>> best;
    for_each_split(remote, load.size(), [&](const std::vector<std::size_t>& split) {
        const Rational finish = finish_of(problem, load, split, g, local);
        if (!best || finish < best->first) best.emplace(finish, split);
    });
    return *best;
}

}  // namespace

Totals totals(const AssignmentProblem& problem, const Assignment& assignment) {
    const Shape& shape = *problem.shape;
    Totals a{problem.initial, std::vector<std::size_t>(shape.cores().size(), 0), {}, 0, {}};
    a.remote = a.local;
    for (const TaskId t : shape.tasks()) {
        const CoreId p = assignment[t.index()];
        const bool local = holds_block(problem, t, shape.server_of(p));
        ++(local ? a.local : a.remote)[p.index()];
        a.remote_tasks += local ? 0 : 1;
    }
    for (const ServerId s : shape.servers()) {
        std::size_t remote = 0;
        for (std::size_t i = 0; i < shape.cores_of(s); ++i) remote += a.remote[shape.core(s, i).index()];
        for (std::size_t i = 0; i < shape.cores_of(s); ++i) {
            const std::size_t p = shape.core(s, i).index();
            a.load[p] += Rational(a.local[p]) * problem.local;
            if (a.remote[p] > 0) a.load[p] += Rational(a.remote[p]) * problem.cost(s)(remote);
            if (a.local[p] + a.remote[p] > 0 && (!a.makespan || *a.makespan < a.load[p])) a.makespan = a.load[p];
        }
    }
    return a;
}

Exhaustive::Exhaustive(const AssignmentProblem& problem) : problem_(problem), best_(problem.shape->tasks().size() + 1) {
    const Shape& shape = *problem.shape;
    if (shape.tasks().size() > 12 || shape.servers().size() > 5)
        throw LimitExceeded("tasks of a brute force", "at most 12 tasks and 5 servers");
    std::set<Counts> reached{Counts(shape.servers().size())};
    for (const TaskId t : shape.tasks()) {
        std::set<Counts> next;
        for (const Counts& before : reached)
            for (const ServerId s : shape.servers()) {
                Counts after = before;
                Count& here = after[s.index()];
                ++(holds_block(problem, t, s) ? here.first : here.second);
                next.insert(std::move(after));
            }
        reached = std::move(next);
    }
    for (const Counts& counts : reached) {
        std::size_t remote = 0;
        std::optional<Rational> makespan;
        for (const ServerId s : shape.servers()) {
            remote += counts[s.index()].second;
            const std::optional<Rational>& here = least(s, counts[s.index()]);
            if (here && (!makespan || *makespan < *here)) makespan = here;
        }
        Best& best = best_[remote];
        if (makespan && (!best.makespan || *makespan < *best.makespan)) best = {makespan, counts};
    }
}

const std::optional<Rational>& Exhaustive::least(ServerId s, Count count) {
    const auto [at, fresh] = least_.try_emplace({s, count});
    if (fresh && count != Count{})
        at->second = best_split(problem_, s, loads_of(problem_, s), count.first, count.second).first;
    return at->second;
}

const Rational& Exhaustive::optimum() const {
    const Best* best = &best_[0];
    for (const Best& other : best_)
        if (other.makespan && *other.makespan < *best->makespan) best = &other;
    return *best->makespan;
}

std::vector<std::size_t> Exhaustive::remote_of_optima() const {
    std::vector<std::size_t> counts;
    for (std::size_t n = 0; n < best_.size(); ++n)
        if (best_[n].makespan && *best_[n].makespan == optimum()) counts.push_back(n);
    return counts;
}

Assignment Exhaustive::optimal() const { return optimal_with(remote_of_optima().front()); }

Assignment Exhaustive::optimal_with(std::size_t n) const {
    require(best_.at(n).makespan.has_value(), "an assignment with that many remote tasks exists");
    const Shape& shape = *problem_.shape;
    // Which tasks: any that use up the counts. Which cores: the best split, then local tasks by least load.
    Counts left = best_[n].counts;
    std::vector<ServerId> server_of(shape.tasks().size());
    const auto choose = [&](auto&& self, std::size_t t) -> bool {
        if (t == server_of.size()) return true;
        for (const ServerId s : shape.servers()) {
            Count& count = left[s.index()];
            std::uint8_t& one = holds_block(problem_, TaskId(t), s) ? count.first : count.second;
            if (one == 0) continue;
            --one;
            server_of[t] = s;
            if (self(self, t + 1)) return true;
            ++one;
        }
        return false;
    };
    require(choose(choose, 0), "counts of an assignment are those of some tasks");
    Assignment result(server_of.size());
    for (const ServerId s : shape.servers()) {
        const Count count = best_[n].counts[s.index()];
        if (count == Count{}) continue;
        std::vector<Rational> load = loads_of(problem_, s);
        std::vector<std::size_t> split = best_split(problem_, s, load, count.first, count.second).second;
        for (std::size_t i = 0; i < load.size(); ++i)
            if (split[i] > 0) load[i] += Rational(split[i]) * problem_.cost(s)(count.second);
        for (const TaskId t : shape.tasks()) {
            if (server_of[t.index()] != s) continue;
            std::size_t i = 0;
            if (holds_block(problem_, t, s)) {
                i = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
                load[i] += problem_.local;
            } else {
                while (split[i] == 0) ++i;
                --split[i];
            }
            result[t.index()] = shape.core(s, i);
        }
    }
    return result;
}

void for_each_local_map(const AssignmentProblem& problem,
                        const std::function<void(const std::vector<ServerId>&)>& visit) {
    std::vector<ServerId> server_of(problem.shape->tasks().size());
    const auto choose = [&](auto&& self, std::size_t t) -> void {
        if (t == server_of.size()) return visit(server_of);
        for (const ServerId s : problem.shape->replicas(TaskId(t))) {
            server_of[t] = s;
            self(self, t + 1);
        }
    };
    choose(choose, 0);
}

std::optional<Rational> least_remote_finish(const AssignmentProblem& problem, const std::vector<Rational>& base,
                                            std::size_t n) {
    if (n == 0) return {};
    const Shape& shape = *problem.shape;
    std::vector<std::vector<Rational>> alone(shape.servers().size());  // by server, then number of remote tasks, from 1
    for (const ServerId s : shape.servers()) {
        const auto begin = base.begin() + static_cast<std::ptrdiff_t>(shape.core(s, 0).index());
        const std::vector<Rational> load(begin, begin + static_cast<std::ptrdiff_t>(shape.cores_of(s)));
        for (std::size_t r = 1; r <= n; ++r) alone[s.index()].push_back(best_split(problem, s, load, 0, r).first);
    }
    std::optional<Rational> best;
    for_each_split(n, shape.servers().size(), [&](const std::vector<std::size_t>& split) {
        std::optional<Rational> latest;
        for (std::size_t s = 0; s < split.size(); ++s)
            if (split[s] > 0 && (!latest || *latest < alone[s][split[s] - 1])) latest = alone[s][split[s] - 1];
        if (!best || *latest < *best) best = latest;
    });
    return best;
}

std::size_t fitting(const AssignmentProblem& problem, const std::vector<Rational>& load, ServerId s, const Rational& g,
                    const Rational& d) {
    std::size_t fit = 0;
    for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i)
        for (Rational end = load[problem.shape->core(s, i).index()] + g; end <= d; end += g) ++fit;
    return fit;
}

std::size_t most_remote_by(const AssignmentProblem& problem, const std::vector<Rational>& load, ServerId s,
                           const Rational& d) {
    std::size_t most = 0;
    for (std::size_t r = 1; r <= problem.shape->tasks().size(); ++r)
        if (fitting(problem, load, s, problem.cost(s)(r), d) >= r) most = r;
    return most;
}

}  // namespace schedproof::checks
