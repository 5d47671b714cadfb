/// Random assignment problems: small ones for properties, with many ties, which shrink; larger ones by a seed.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "model/assignment/problem.hpp"
#include "model/core/randomness.hpp"
#include "tests/support/assignment_instances.hpp"

namespace schedproof::testing_support {

/// Limits of small problems.
struct SmallProblems {
    std::size_t servers = 4, cores = 3, tasks = 7, replicas = 3;
};

namespace shrinking {

/// What RapidCheck draws and shrinks; any values make a problem.
struct RawServer {
    std::vector<int> loads;  // quarters, but integers when `whole`
    int hot = 0;             // added, when positive, as 5 more: 6 to 15
    int kind = 0;            // of cost function
    std::vector<int> steps;  // of a random one, in quarters
};

inline assignment::CostFunction<Rational> raw_cost(const RawServer& server, std::size_t tasks) {
    const auto quarters = [](std::int64_t n) { return Rational(Integer(n), Integer(4)); };
    std::vector<Rational> g;
    std::int64_t random = 5;
    for (std::int64_t n = 1; n <= static_cast<std::int64_t>(tasks) + 1; ++n) {
        const std::size_t i = static_cast<std::size_t>(n - 1);
        random += i < server.steps.size() ? server.steps[i] : 0;
        switch (server.kind) {
            case 0:
                g.push_back(Rational(1 + n));
                break;
            case 1:
                g.push_back(quarters(4 + 2 * n));
                break;
            case 2:
                g.push_back(quarters(5));
                break;
            case 3:
                g.push_back(Rational(2));
                break;
            case 4:
                g.push_back(n <= 2 ? quarters(6) : Rational(4));
                break;
            case 5:
                g.push_back(quarters(4 + n * n));
                break;
            default:
                g.push_back(quarters(random));
        }
    }
    return assignment::CostFunction<Rational>(std::move(g));
}

inline RationalProblem raw_problem(const std::vector<RawServer>& servers, const std::vector<std::vector<int>>& tasks,
                                   bool whole) {
    RationalProblem problem;
    std::vector<std::uint32_t> cores;
    for (std::uint32_t s = 0; s < servers.size(); ++s) {
        cores.push_back(static_cast<std::uint32_t>(servers[s].loads.size()));
        for (const int load : servers[s].loads) {
            const Rational base = whole ? Rational(load / 4) : Rational(Integer(load), Integer(4));
            problem.initial.push_back(base + Rational(servers[s].hot > 0 ? servers[s].hot + 5 : 0));
        }
        problem.costs.push_back(raw_cost(servers[s], tasks.size()));
        problem.cost_of.push_back(s);
    }
    assignment::Replicas replicas;
    for (const std::vector<int>& task : tasks) {
        std::vector<ServerId> holders;
        for (const int choice : task) {
            const ServerId s(static_cast<std::size_t>(choice) % servers.size());
            if (std::find(holders.begin(), holders.end(), s) == holders.end()) holders.push_back(s);
        }
        replicas.add(holders);
    }
    problem.shape = std::make_shared<assignment::Shape>(cores, std::move(replicas));
    assignment::validate(problem);
    return problem;
}

template <class T>
rc::Gen<std::vector<T>> list_of(std::size_t least, std::size_t most, const rc::Gen<T>& element) {
    return rc::gen::resize(static_cast<int>(most),
                           rc::gen::suchThat(rc::gen::container<std::vector<T>>(rc::gen::resize(100, element)),
                                             [=](const std::vector<T>& v) { return v.size() >= least; }));
}

}  // namespace shrinking

/// Servers with loads of k/4 in [0, 6], one of them often hot (6 to 15 more), every kind of cost function.
inline rc::Gen<RationalProblem> small_problems(SmallProblems limits = {}) {
    namespace gen = rc::gen;
    const auto server = gen::map(
        gen::tuple(shrinking::list_of(1, limits.cores, gen::inRange(0, 25)),
                   gen::oneOf(gen::just(0), gen::just(0), gen::just(0), gen::inRange(0, 11)), gen::inRange(0, 7),
                   shrinking::list_of(0, limits.tasks, gen::oneOf(gen::just(0), gen::inRange(0, 17)))),
        [](std::tuple<std::vector<int>, int, int, std::vector<int>> raw) {
            return shrinking::RawServer{std::get<0>(raw), std::get<1>(raw), std::get<2>(raw), std::get<3>(raw)};
        });
    const auto task = shrinking::list_of(1, limits.replicas, gen::inRange(0, 12));
    return gen::map(gen::tuple(shrinking::list_of(1, limits.servers, server), shrinking::list_of(1, limits.tasks, task),
                               gen::arbitrary<bool>()),
                    [](const std::tuple<std::vector<shrinking::RawServer>, std::vector<std::vector<int>>, bool>& raw) {
                        return shrinking::raw_problem(std::get<0>(raw), std::get<1>(raw), std::get<2>(raw));
                    });
}

/// How the replicas of larger problems lie.
enum class Placing { uniform, clustered, skewed };

struct LargerProblem {
    std::size_t servers = 40, tasks = 2000, most_cores = 6, replicas = 3;
    std::int64_t most_load = 200;  ///< in quarters of a local task
    Placing placing = Placing::uniform;
};

/// A larger problem in quarters. Clustered: the replicas of a task are neighbours, most tasks on few servers. Skewed:
/// server i is about 1/i as likely as the first.
inline assignment::Problem<CheckedInt> larger_problem(const LargerProblem& wish, std::uint64_t seed) {
    Sampler randomness({seed, 0, 77});
    assignment::Problem<CheckedInt> problem;
    std::vector<std::uint32_t> cores;
    std::vector<std::uint64_t> weight;
    for (std::size_t s = 0; s < wish.servers; ++s) {
        cores.push_back(static_cast<std::uint32_t>(1 + randomness.uniform(wish.most_cores)));
        for (std::uint32_t i = 0; i < cores.back(); ++i)
            problem.initial.push_back(
                static_cast<std::int64_t>(randomness.uniform(static_cast<std::size_t>(wish.most_load) + 1)));
        weight.push_back(1000 / (s + 1) + 1);
    }
    assignment::Replicas replicas;
    for (std::size_t t = 0; t < wish.tasks; ++t) {
        std::vector<ServerId> holders;
        const std::size_t count = 1 + randomness.uniform(wish.replicas);
        const std::size_t centre = randomness.uniform(1 + randomness.uniform(wish.servers));
        while (holders.size() < count) {
            std::size_t s = randomness.uniform(wish.servers);
            if (wish.placing == Placing::skewed) s = randomness.proportional(weight);
            if (wish.placing == Placing::clustered) s = (centre + randomness.uniform(count + 2)) % wish.servers;
            if (std::find(holders.begin(), holders.end(), ServerId(s)) == holders.end()) holders.push_back(ServerId(s));
        }
        replicas.add(holders);
    }
    problem.shape = std::make_shared<assignment::Shape>(cores, std::move(replicas));
    std::vector<CheckedInt> g;
    for (std::int64_t n = 1; n <= 5; ++n) g.push_back(4 + 2 * n);
    problem.costs = {assignment::CostFunction<CheckedInt>(std::move(g), 1)};
    problem.local = 4;
    return problem;
}

}  // namespace schedproof::testing_support

/// How RapidCheck prints a counterexample.
namespace schedproof::assignment {
inline void showValue(const Problem<Rational>& problem, std::ostream& out) {
    for (const ServerId s : problem.shape->servers()) {
        out << "\n  server " << s.index() << ": loads";
        for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i)
            out << ' ' << problem.load(problem.shape->core(s, i)).to_string();
        out << ", g";
        for (const Rational& value : problem.cost(s).values()) out << ' ' << value.to_string();
    }
    for (const TaskId t : problem.shape->tasks()) {
        out << "\n  task " << t.index() << ":";
        for (const ServerId s : problem.shape->replicas(t)) out << ' ' << s.index();
    }
    out << '\n';
}
}  // namespace schedproof::assignment
