/// Assignment problems that several tests speak of, written in short.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/assignment/problem.hpp"

namespace schedproof::testing_support {

using RationalProblem = assignment::Problem<Rational>;

inline Rational fraction(const char* text) { return *Rational::parse(text); }

/// `loads`: by server, its cores' initial loads. `replicas`: by task. `costs`: by server, or one for all.
inline RationalProblem assignment_problem(const std::vector<std::vector<const char*>>& loads,
                                          const std::vector<std::vector<std::size_t>>& replicas,
                                          std::vector<assignment::CostFunction<Rational>> costs) {
    RationalProblem problem;
    std::vector<std::uint32_t> cores;
    for (const auto& server : loads) {
        cores.push_back(static_cast<std::uint32_t>(server.size()));
        for (const char* load : server) problem.initial.push_back(fraction(load));
    }
    assignment::Replicas all;
    for (const auto& holders : replicas) {
        std::vector<ServerId> servers;
        for (const std::size_t s : holders) servers.push_back(ServerId(s));
        all.add(servers);
    }
    problem.shape = std::make_shared<assignment::Shape>(cores, std::move(all));
    problem.costs = std::move(costs);
    if (problem.costs.size() > 1)
        for (std::uint32_t s = 0; s < loads.size(); ++s) problem.cost_of.push_back(s);
    assignment::validate(problem);
    return problem;
}

/// g by its first values, and then its slope.
inline assignment::CostFunction<Rational> table(const std::vector<const char*>& values, const char* slope = "0") {
    std::vector<Rational> g;
    for (const char* value : values) g.push_back(fraction(value));
    return assignment::CostFunction<Rational>(std::move(g), fraction(slope));
}

/// The paper's Table 2: Example 1, with t1..t5 as 0..4 and s1..s4 as 0..3.
inline RationalProblem table_two() {
    return assignment_problem({{"3/4", "1/2"}, {"1/4", "2"}, {"9/4", "14"}, {"5/2", "15/4"}},
                              {{0, 1}, {1, 3}, {1, 2}, {1, 2}, {2, 3}}, {table({"3/2"}, "1/2")});
}

}  // namespace schedproof::testing_support
