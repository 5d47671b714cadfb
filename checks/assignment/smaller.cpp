/// Smaller problems: fewer tasks, cores, servers and replicas, then simpler numbers.
///
/// Variants without one thing come before those without two, since some claims break only where a task and a core go
/// together; then those with another load or cost besides. Where nothing smaller is near, a fixed lot of random
/// problems of smaller size is looked through.

#include <algorithm>
#include <optional>
#include <utility>

#include "checks/assignment/family.hpp"
#include "checks/assignment/generate.hpp"

namespace schedproof::checks {

using namespace assignment;

namespace {

/// A problem taken apart, so that pieces can be left out.
struct Pieces {
    struct Server {
        std::vector<Rational> loads;
        CostFunction<Rational> cost;
    };
    std::vector<Server> servers;
    std::vector<std::vector<std::size_t>> replicas;  // by task
};
using Candidates = std::vector<Pieces>;

Pieces apart(const AssignmentProblem& problem) {
    Pieces pieces;
    const Shape& shape = *problem.shape;
    for (const ServerId s : shape.servers()) {
        pieces.servers.push_back({{}, problem.cost(s)});
        for (std::size_t i = 0; i < shape.cores_of(s); ++i)
            pieces.servers.back().loads.push_back(problem.load(shape.core(s, i)));
    }
    for (const TaskId t : shape.tasks()) {
        pieces.replicas.emplace_back();
        for (const ServerId s : shape.replicas(t)) pieces.replicas.back().push_back(s.index());
    }
    return pieces;
}

AssignmentProblem together(const Pieces& pieces) {
    AssignmentProblem problem;
    std::vector<std::uint32_t> cores;
    for (const Pieces::Server& server : pieces.servers) {
        cores.push_back(static_cast<std::uint32_t>(server.loads.size()));
        problem.initial.insert(problem.initial.end(), server.loads.begin(), server.loads.end());
        const auto known = std::find(problem.costs.begin(), problem.costs.end(), server.cost);
        problem.cost_of.push_back(static_cast<std::uint32_t>(known - problem.costs.begin()));
        if (known == problem.costs.end()) problem.costs.push_back(server.cost);
    }
    if (problem.costs.size() == 1) problem.cost_of.clear();
    Replicas replicas;
    for (const std::vector<std::size_t>& task : pieces.replicas) {
        std::vector<ServerId> servers;
        for (const std::size_t s : task) servers.emplace_back(s);
        replicas.add(servers);
    }
    problem.shape = std::make_shared<const Shape>(cores, std::move(replicas));
    return problem;
}

template <class T>
void drop(std::vector<T>& from, std::size_t i) {
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(i));
}

/// Without a server: its replicas are gone, and tasks that had no other.
std::optional<Pieces> without_server(Pieces pieces, std::size_t s) {
    drop(pieces.servers, s);
    for (std::vector<std::size_t>& task : pieces.replicas) {
        std::erase(task, s);
        for (std::size_t& other : task) other -= other > s ? 1 : 0;
    }
    std::erase_if(pieces.replicas, [](const auto& task) { return task.empty(); });
    if (pieces.servers.empty() || pieces.replicas.empty()) return {};
    return pieces;
}

/// With one thing less: a server, a task, a core.
Candidates one_less(const Pieces& pieces) {
    Candidates all;
    for (std::size_t s = 0; s < pieces.servers.size(); ++s)
        if (auto less = without_server(pieces, s)) all.push_back(std::move(*less));
    for (std::size_t t = 0; pieces.replicas.size() > 1 && t < pieces.replicas.size(); ++t) {
        all.push_back(pieces);
        drop(all.back().replicas, t);
    }
    for (std::size_t s = 0; s < pieces.servers.size(); ++s)
        for (std::size_t i = 0; pieces.servers[s].loads.size() > 1 && i < pieces.servers[s].loads.size(); ++i) {
            all.push_back(pieces);
            drop(all.back().servers[s].loads, i);
        }
    return all;
}

/// With two things less.
Candidates two_less(const Pieces& pieces) {
    Candidates all;
    for (const Pieces& less : one_less(pieces))
        for (Pieces& least : one_less(less)) all.push_back(std::move(least));
    return all;
}

/// Constants, straight lines and steps.
const std::vector<CostFunction<Rational>>& simple_costs() {
    static const std::vector<CostFunction<Rational>> costs = [] {
        const Rational one(1), two(2), four(4), half = one / two;
        std::vector<CostFunction<Rational>> all;
        for (const Rational& price : {two, one + half, one + half * half, four})
            all.push_back(CostFunction<Rational>({price}));
        for (const Rational& slope : {one, half}) all.push_back(CostFunction<Rational>({one + slope}, slope));
        for (std::size_t n = 1; n <= 2; ++n) {
            std::vector<Rational> values(n, one + half);
            values.push_back(four);
            all.push_back(CostFunction<Rational>(std::move(values)));
        }
        return all;
    }();
    return costs;
}

/// With one thing less and another load or cost instead: often a task that is left out must still delay its core.
Candidates less_otherwise(const Candidates& smaller_ones) {
    Candidates all;
    for (const Pieces& less : smaller_ones)
        for (std::size_t s = 0; s < less.servers.size(); ++s) {
            for (std::size_t i = 0; i < less.servers[s].loads.size(); ++i)
                for (const Rational& change : {Rational(1), Rational(2), Rational(-1), Rational(1) / Rational(2)}) {
                    if ((less.servers[s].loads[i] + change).sign() < 0) continue;
                    all.push_back(less);
                    all.back().servers[s].loads[i] += change;
                }
            for (const CostFunction<Rational>& g : simple_costs()) {
                all.push_back(less);
                all.back().servers[s].cost = g;
            }
        }
    return all;
}

Candidates fewer_replicas(const Pieces& pieces) {
    Candidates all;
    for (std::size_t t = 0; t < pieces.replicas.size(); ++t)
        for (std::size_t i = 0; pieces.replicas[t].size() > 1 && i < pieces.replicas[t].size(); ++i) {
            all.push_back(pieces);
            drop(all.back().replicas[t], i);
        }
    return all;
}

/// How much there is to read in a number.
Integer weight(const Rational& value) { return value.numerator() * 2 + (value.denominator() - 1) * 40; }

Integer weight(const CostFunction<Rational>& g) {
    Integer sum = 0;
    for (const Rational& value : g.values()) sum += weight(value) + 10;
    return sum + weight(g.slope());
}

/// Lighter numbers near zero and near this one.
std::vector<Rational> lighter(const Rational& value) {
    std::vector<Rational> all;
    for (const Rational& other :
         {Rational(0), Rational(1), Rational(2), Rational(3), Rational(floor(value)), Rational(floor(value) + 1),
          Rational(nearest_integer(value + value)) / Rational(2), Rational(floor(value)) - Rational(1)})
        if (other.sign() >= 0 && weight(other) < weight(value)) all.push_back(other);
    return all;
}

Candidates lighter_loads(const Pieces& pieces) {
    Candidates all;
    // All loads together: less by one, half as much, rounded.
    const auto each = [&](auto&& change) {
        all.push_back(pieces);
        Integer before = 0, after = 0;
        bool sound = true;
        for (Pieces::Server& server : all.back().servers)
            for (Rational& load : server.loads) {
                before += weight(load);
                load = change(load);
                after += weight(load);
                sound = sound && load.sign() >= 0;
            }
        if (!sound || after >= before) all.pop_back();
    };
    each([](const Rational& load) { return Rational(floor(load)); });
    each([](const Rational& load) { return load - Rational(1); });
    each([](const Rational& load) { return load - Rational(1) / Rational(2); });
    for (std::size_t s = 0; s < pieces.servers.size(); ++s) {
        for (std::size_t i = 0; i < pieces.servers[s].loads.size(); ++i)
            for (const Rational& load : lighter(pieces.servers[s].loads[i])) {
                all.push_back(pieces);
                all.back().servers[s].loads[i] = load;
            }
    }
    return all;
}

Candidates lighter_costs(const Pieces& pieces) {
    Candidates all;
    const auto add = [&](std::size_t s, CostFunction<Rational> g) {
        if (weight(g) >= weight(pieces.servers[s].cost) || !fault(g, Rational(1)).empty()) return;
        all.push_back(pieces);
        all.back().servers[s].cost = std::move(g);
    };
    for (std::size_t s = 0; s < pieces.servers.size(); ++s) {
        const CostFunction<Rational>& g = pieces.servers[s].cost;
        for (const Pieces::Server& other : pieces.servers) add(s, other.cost);
        for (const int constant : {2, 3, 4, 9}) add(s, CostFunction<Rational>({Rational(constant)}));
        add(s, CostFunction<Rational>({Rational(2)}, Rational(1)));
        std::vector<Rational> values = g.values();
        if (values.size() > 1) add(s, CostFunction<Rational>({values.begin(), values.end() - 1}));
        add(s, CostFunction<Rational>(values));
        for (std::size_t i = 0; i < values.size(); ++i)
            for (const Rational& value : lighter(values[i])) {
                std::vector<Rational> changed = values;
                changed[i] = value;
                add(s, CostFunction<Rational>(changed, g.slope()));
            }
    }
    return all;
}

std::size_t size(const Pieces& pieces) {
    std::size_t sum = pieces.replicas.size();
    for (const Pieces::Server& server : pieces.servers) sum += server.loads.size();
    return sum;
}

/// Random problems with fewer tasks and cores together, always the same ones: this one with one thing less and other
/// loads, and any others.
Candidates elsewhere(const Pieces& pieces) {
    Candidates all;
    constexpr std::uint64_t loadings = 60, draws = 4'000, purpose = 0x736872696e6b;
    Sampler other_loads({1, 0, purpose});
    for (const Pieces& less : one_less(pieces))
        for (std::uint64_t i = 0; i < loadings; ++i) {
            all.push_back(less);
            for (Pieces::Server& server : all.back().servers)
                for (Rational& load : server.loads) load = Rational(other_loads.below(15)) / Rational(2);
        }
    const AssignmentSizes sizes{std::min<std::size_t>(4, pieces.servers.size() + 1), 3, pieces.replicas.size(), 3};
    for (std::uint64_t i = 0; i < draws; ++i) {
        Sampler randomness({0, i, purpose});
        Pieces drawn = apart(random_assignment_problem(randomness, sizes));
        if (size(drawn) < size(pieces)) all.push_back(std::move(drawn));
    }
    return all;
}

}  // namespace

bool AssignmentFamily::smaller(const AssignmentProblem& from, const std::string&, const Take<AssignmentFamily>& take) {
    const Pieces now = apart(from);
    const auto some = [&](const Candidates& candidates) {
        return std::any_of(candidates.begin(), candidates.end(),
                           [&](const Pieces& candidate) { return take(together(candidate)); });
    };
    return some(one_less(now)) || some(fewer_replicas(now)) || some(lighter_loads(now)) || some(lighter_costs(now)) ||
           some(two_less(now)) || some(less_otherwise(one_less(now))) || some(less_otherwise(two_less(now))) ||
           some(elsewhere(now));
}

}  // namespace schedproof::checks
