/// Small problems of the redundancy family for tests: written in a line, or drawn by RapidCheck.
#pragma once

#include <rapidcheck.h>

#include <string_view>
#include <utility>
#include <vector>

#include "policies/redundancy/registry.hpp"

namespace schedproof::testing_support {

inline Rational ratio(std::int64_t p, std::int64_t q = 1) { return {Integer(p), Integer(q)}; }

/// Jobs as (arrival, size).
inline redundancy::Problem<Rational> redundancy_problem(std::size_t machines, std::string_view service,
                                                        const std::vector<std::pair<Rational, Rational>>& jobs) {
    redundancy::Problem<Rational> problem{machines, redundancy::Service::parse(service), {}};
    for (const auto& [arrival, size] : jobs) problem.jobs.push_back({arrival, size});
    return problem;
}

/// Up to `jobs` jobs on up to `machines` machines with a linear service; arrivals and sizes in quarters or thirds, so
/// that events often fall together.
inline redundancy::Problem<Rational> any_redundancy_problem(int jobs, int machines) {
    static constexpr const char* services[] = {"det", "two-point:2,0", "two-point:3,0", "two-point:5/2,1/2",
                                               "gains:1,3/2,7/4@2"};
    redundancy::Problem<Rational> problem;
    problem.machines = static_cast<std::size_t>(*rc::gen::inRange(1, machines + 1));
    problem.service = redundancy::Service::parse(services[*rc::gen::inRange(0, 5)]);
    const std::int64_t part = *rc::gen::element(1, 3, 4);
    Rational now = ratio(*rc::gen::inRange<std::int64_t>(0, 3), part);
    const int count = *rc::gen::inRange(1, jobs + 1);
    for (int j = 0; j < count; ++j) {
        if (*rc::gen::inRange(0, 2) == 1) now += ratio(*rc::gen::inRange<std::int64_t>(0, 9), part);
        problem.jobs.push_back({now, ratio(*rc::gen::inRange<std::int64_t>(1, 13), part)});
    }
    return problem;
}

/// Any policy of the registry.
inline redundancy::AnyPolicy any_redundancy_policy() {
    const auto all = redundancy::policies();
    const auto beta = *rc::gen::element(ratio(1), ratio(1, 2), ratio(1, 3), ratio(4, 5), ratio(7, 25));
    return redundancy::make_policy(all[*rc::gen::inRange<std::size_t>(0, all.size())].id, beta);
}

inline Rational any_speed() { return *rc::gen::element(ratio(1), ratio(2), ratio(3, 2), ratio(1, 2), ratio(4)); }

}  // namespace schedproof::testing_support
